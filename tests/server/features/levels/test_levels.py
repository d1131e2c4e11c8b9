"""Levels at a server: what is written with the end of a game, who sees it, and what stays of people who are gone."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SHORT, first_move
from tests.server.copied import done
from tests.server.fixtures import MOSTLY_SQLITE, own_on_both
from tests.server.inside import house
from tests.server.player import Json, Player, visitor

from ziggurat import Position
from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import CountedGame, PartShare, Side
from ziggurat.server.features.levels.models import level_games, level_marks, level_seats
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.settings import Settings
from ziggurat.server.store.models import people

pytestmark = pytest.mark.slow
DATABASES = MOSTLY_SQLITE
T = TypeVar("T")
DAY = 86_400.0


class Served(NamedTuple):
    """A server, and its database."""

    base: str
    settings: Settings

    def in_database(self, job: Callable[[sa.Connection], T]) -> T:
        return done(self.settings, job)

    def id_of(self, name: str) -> str:
        return self.in_database(lambda c: str(c.execute(sa.select(people.c.id).where(people.c.name == name)).scalar()))

    def lay(self, number: int, *order: str, game: str = EXAMPLE) -> None:
        """Add a counted game, in the order of its places: bots, and people by their ids."""
        sides, at = [], {}
        for seat, who in enumerate(order):
            at[seat] = who
            name = who if who.startswith("bot:") else f"seat:{seat}"
            sides.append(Side(seat + 1, (PartShare(name),)))
        counted = CountedGame(f"t{number}", number * DAY, len(order), tuple(sides))
        self.in_database(partial(rows.add, table=counted.id, game=game, counted=counted, people=at))


@pytest.fixture
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots that play the first thing that they may, without a process that thinks."""

    async def fixed(_: object, position: Position, seat: int, *__: object) -> tuple[int, ...]:
        return first_move(position, seat)

    monkeypatch.setattr(Bots, "fixed", fixed)
    monkeypatch.setattr(Bots, "expect", lambda *_: None)
    monkeypatch.setattr(CompiledRules, "can_search", lambda *_: True)


@pytest.fixture
async def served(tmp_path: Path, own_url: str | None, quick_bots: None) -> AsyncIterator[Served]:
    settings = Settings(
        data=tmp_path, database_url=own_url, prepare=False, share=1, hosts=("localhost",), deal_bots=False
    )
    async with house(settings) as port:
        yield Served(f"http://127.0.0.1:{port}", settings)


async def mine(player: Player, game: str = EXAMPLE) -> Json:
    """My level in a game."""
    found = await player.get("/api/levels/me")
    return next(one for one in found["games"] if one["game"] == game)


async def test_a_game_is_written_with_its_last_move(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann:
        table = await ann.table("me", "random", game=SHORT, pace="instant")
        assert (await ann.get(f"/api/tables/{table['id']}/levels"))["why_not"] is None
        async with ann.at(table["id"]) as live:
            await live.play()
        assert [row.id for row in served.in_database(lambda c: c.execute(sa.select(level_games)).all())] == [
            table["id"]
        ]
        level = await mine(ann, SHORT)
        assert (level["games"], level["with_bots"], level["level"], level["curve"]) == (1, 1, None, [])
        assert level["to_go"] >= 2


async def test_a_level_is_hidden_until_it_is_known_and_then_has_a_range_and_a_curve(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann:
        me = served.id_of("Ann")
        for number in range(30):
            served.lay(number, *sorted((me, "bot:builder"), reverse=number % 2 == 0))
            if number in (3, 29):
                level = await mine(ann)
                assert (level["level"] is None) == (number == 3)
        assert (level["games"], level["to_go"], len(level["curve"])) == (30, 0, 30)
        assert 1.3 < level["level"] < 2.7, "a Builder"
        assert level["low"] < level["level"] < level["high"] < level["low"] + 1
        assert level["curve"][-1]["level"] == level["level"]
        assert (await ann.get("/api/levels/me"))["rungs"][2] == "builder"


async def test_a_level_is_its_persons_own_until_they_show_it(served: Served) -> None:
    async with (
        visitor(served.base, "Ann") as ann,
        visitor(served.base, "Bob") as bob,
        visitor(served.base, "Cat") as cat,
    ):
        me = served.id_of("Ann")
        for number in range(30):
            served.lay(number, *sorted((me, "bot:builder"), reverse=number % 2 == 0))
        table = await ann.table("me", "open", "builder", start=False)
        await bob.join(table, "Bob")

        async def seen(player: Player) -> float | None:
            there = await player.get(f"/api/tables/{table['id']}/levels?invite={table['invite']}")
            found: float | None = there["seats"][0]["level"]
            return found

        assert [await seen(one) for one in (ann, bob, cat)][1:] == [None, None]
        shown = (await ann.http.put("/api/levels/me", json={"shows": "known"})).json()
        page = f"/api/levels/people/{shown['page']}"
        assert await seen(bob) is not None
        assert await seen(cat) is None
        assert (await bob.get(page))["name"] == "Ann"
        assert (await cat.http.get(page)).status_code == 404
        await ann.http.put("/api/levels/me", json={"shows": "anyone"})
        assert await seen(cat) is not None
        there = await cat.get(page)
        assert not there["you"]
        assert [one["game"] for one in there["games"]] == [EXAMPLE], "games that nobody asked about are not listed"
        closed = (await ann.http.put("/api/levels/me", json={"shows": "me"})).json()
        assert closed["page"] == ""
        assert (await bob.http.get(page)).status_code == 404
        again = (await ann.http.put("/api/levels/me", json={"shows": "anyone"})).json()
        assert again["page"] != shown["page"], "an address that was closed does not open again"
        assert (await cat.http.put("/api/levels/me", json={"shows": "all"})).status_code == 400


async def test_opponents_are_named_to_others_only_if_they_show_themselves(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann, visitor(served.base, "Bob") as bob:
        for number in range(4):
            served.lay(number, served.id_of("Ann"), served.id_of("Bob"), "bot:builder")
        assert [one["name"] for one in (await mine(ann))["opponents"]] == ["Bob"]
        page = (await ann.http.put("/api/levels/me", json={"shows": "anyone"})).json()["page"]
        assert (await bob.get(f"/api/levels/people/{page}"))["games"][0]["opponents"] == []
        await bob.http.put("/api/levels/me", json={"shows": "anyone"})
        assert [one["name"] for one in (await bob.get(f"/api/levels/people/{page}"))["games"][0]["opponents"]] == [
            "Bob"
        ]


@own_on_both
async def test_somebody_who_is_forgotten_leaves_games_that_say_the_same(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann, visitor(served.base, "Bob") as bob:
        for number in range(20):
            order = sorted((served.id_of("Ann"), "bot:builder"), reverse=number % 2 == 0)
            served.lay(number, *order, served.id_of("Bob"))
        before, bob_id = await mine(ann), served.id_of("Bob")
        told = (await bob.get("/api/me/everything"))["levels"]
        assert (len(told["games"]), told["games"][0]["seat"], told["shows"]) == (20, 2, "me")
        assert served.id_of("Ann") not in str(told)
        await bob.http.request("DELETE", "/api/me")
        after = await mine(ann)
        assert after["level"] == before["level"]
        assert after["opponents"] == []
        seats = served.in_database(lambda c: c.execute(sa.select(level_seats)).all())
        assert len(seats) == 40
        assert not any(bob_id in (seat.person or "") for seat in seats)
        marks = served.in_database(lambda c: c.execute(sa.select(level_marks)).all())
        assert [mark.person for mark in marks] == [served.id_of("Ann")]


@own_on_both
def test_a_guest_who_turns_out_to_be_somebody_takes_the_games_along(served_alone: Served) -> None:
    served = served_alone

    def job(connection: sa.Connection) -> tuple[int, int]:
        for id in ("guest", "ann", "bob"):
            row = {"id": id, "token_hash": id, "name": id, "language": "en", "created": 0.0}
            connection.execute(sa.insert(people).values(row))
        return 0, 0

    served.in_database(job)
    served.lay(1, "guest", "bot:builder")
    served.lay(2, "guest", "ann", "bot:builder")
    served.lay(3, "bob", "ann")
    served.in_database(partial(rows.become, guest="guest", person="ann"))
    found = served.in_database(partial(rows.games_of, game=EXAMPLE))
    assert [one.people() for one in found] == [["ann"], ["bob", "ann"]], "one who sat there twice tells nothing"
    assert served.in_database(partial(rows.annul, table="t1"))
    assert not served.in_database(partial(rows.annul, table="t1"))
    assert [one.id for one in served.in_database(partial(rows.games_of, game=EXAMPLE))] == ["t3"]


@pytest.fixture
def served_alone(tmp_path: Path, own_url: str | None) -> Served:
    return Served("", Settings(data=tmp_path, database_url=own_url, prepare=False))


async def test_a_server_may_count_nothing(tmp_path: Path, quick_bots: None) -> None:
    settings = Settings(data=tmp_path, prepare=False, share=1, levels=False)
    async with house(settings) as port, visitor(f"http://127.0.0.1:{port}", "Ann") as ann:
        table = await ann.table("me", "random", game=SHORT, pace="instant")
        async with ann.at(table["id"]) as live:
            await live.play()
        assert done(settings, lambda c: c.execute(sa.select(level_games)).all()) == []
        refused = await ann.http.get("/api/levels/me")
        assert (refused.status_code, refused.json()["code"]) == (404, "levels_off")


async def test_at_an_open_table_everybody_sees_whether_people_stay(served: Served) -> None:
    async with visitor(served.base, "Ann") as ann, visitor(served.base, "Bob") as bob:
        terms = {"join": "anyone", "terms": {}}
        open_table = await bob.table("me", "open", game=EXAMPLE, policy=terms, start=False)
        there = await ann.get(f"/api/tables/{open_table['id']}/levels")
        assert there["seats"][0]["reliability"] == {"games": 0, "stayed": 0, "timed": 0, "in_time": 0}
        closed = await ann.table("me", "open", game=EXAMPLE, start=False)
        assert (await ann.get(f"/api/tables/{closed['id']}/levels"))["seats"][0]["reliability"] is None
