"""What a seat may not know never leaves the server."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.example import EXAMPLE
from tests.server.player import visitor
from tests.server.test_snapshot import people

import ziggurat
from ziggurat.core.errors import BrokenGame
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.table import StoredEvents, coalesced
from ziggurat.server.problems import by_the_rules


async def test_the_table_shows_no_secret_to_those_outside(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        table = await ann.table("me", "open")
        path = f"/api/tables/{table['id']}"
        assert (await eve.http.get(path)).status_code == 404
        assert (await eve.http.get(path, params={"invite": "wrong"})).status_code == 404
        shown = await eve.get(path, headers={"X-Invite": table["invite"]})
        assert shown["invite"] is None
        assert shown["you"] is None
        shown = await eve.get(path, params={"invite": table["invite"]})
        assert [seat["kind"] for seat in shown["seats"]] == ["human", "open"]


def test_a_private_event_is_for_its_seat_alone() -> None:
    event = StoredEvents(b"{}", private=True, seat=1)
    assert [event.may_read(seat) for seat in (1, 0, None)] == [True, False, False]
    assert not any(StoredEvents(b"{}", private=True, seat=None).may_read(seat) for seat in (0, None))
    assert StoredEvents(b"{}", private=False, seat=1).may_read(None)


def test_events_that_are_kept_together_are_read_by_the_same() -> None:
    """Side by side: for all, for all about a seat, for one seat, for another one, for all again."""
    for_whom = [(False, None), (False, 1), (True, 0), (True, 0), (True, 1), (False, None)]
    kept = coalesced(StoredEvents(b"%d" % number, private, seat) for number, (private, seat) in enumerate(for_whom))
    assert [told.text for told in kept] == [b"0,1", b"2,3", b"4", b"5"]
    read = {seat: b",".join(map(bytes, rules_gateway.visible(kept, seat))) for seat in (None, 0, 1, 2)}
    assert read == {None: b"0,1,5", 0: b"0,1,2,3,5", 1: b"0,1,4,5", 2: b"0,1,5"}


def test_how_a_game_is_broken_is_told_to_the_log_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It names files of the host's, and lines in them."""
    stored = replace(people(EXAMPLE, ziggurat.game(EXAMPLE).max_players), position=None)
    error = BrokenGame(f"{EXAMPLE}: FileNotFoundError: No such file or directory: '/home/ann/components.toml'")

    def broken(name: str) -> None:
        raise error

    monkeypatch.setattr(ziggurat, "game", broken)
    said = by_the_rules(error)
    assert (said.status, said.code) == (404, "broken_game")
    for text in (said.detail, str(rules_gateway.restore(stored, None).trouble)):
        assert "cannot be played here now" in text
        assert "/home/ann" not in text
