"""What a seat may not know never leaves the server."""

from __future__ import annotations

from tests.server.player import visitor

from ziggurat.server.verbs.table import Told


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
    event = Told(b"{}", private=True, seat=1)
    assert [event.may_read(seat) for seat in (1, 0, None)] == [True, False, False]
    assert not any(Told(b"{}", private=True, seat=None).may_read(seat) for seat in (0, None))
    assert Told(b"{}", private=False, seat=1).may_read(None)
