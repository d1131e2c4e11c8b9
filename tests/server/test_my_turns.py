"""Where else somebody is waited for, told in one small answer."""

from __future__ import annotations

import sqlalchemy as sa
from tests.example import EXAMPLE
from tests.server.player import Json, Player, visitor
from tests.server.process import Server

from ziggurat.server.store.models import tables


async def waiting(person: Player) -> list[str]:
    """The tables that wait for somebody."""
    told: Json = await person.get("/api/turns")
    return [table["id"] for table in told["tables"]]


async def begun(host: Player, guest: Player) -> str:
    table = await host.table("me", "open", "mason")
    await guest.join(table, "Bob")
    await host.post(f"/api/tables/{table['id']}/start")
    return str(table["id"])


async def test_a_stranger_is_told_nothing(base: str) -> None:
    async with visitor(base) as eve:
        assert await eve.get("/api/turns") == {"tables": [], "playing": []}
        assert "ziggurat" not in eve.http.cookies, "nobody becomes a guest by asking"


async def test_what_is_played_by_itself_there_is_not_told(running: Server) -> None:
    """Others who have no choice must not be told from those who have, when several decide at once."""
    async with visitor(running.base, "Ann") as ann, visitor(running.base, "Bob") as bob:
        table = await begun(ann, bob)
        async with ann.at(table) as a, bob.at(table) as b:
            await a.until(lambda: a.legal or b.legal)
            asked = ann if a.legal else bob
            await running.in_database(
                lambda c: c.execute(sa.update(tables).where(tables.c.id == table).values(bot_due=True))
            )
            assert await waiting(asked) == [table]


async def test_only_tables_that_wait_for_ones_own_answer_are_told(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Eve") as eve:
        table = await begun(ann, bob)
        await ann.table("me", "open")  # nobody has sat down there yet
        async with ann.at(table) as a, bob.at(table) as b:
            await a.until(lambda: a.legal or b.legal)
            person, live, other, name = (ann, a, bob, "Bob") if a.legal else (bob, b, ann, "Ann")
            found = await person.get("/api/turns")
            assert found["playing"] == [table]
            assert [(one["id"], one["game"], one["people"]) for one in found["tables"]] == [(table, EXAMPLE, [name])]
            assert await waiting(other) == await waiting(eve) == []

            rest = b if live is a else a
            while not rest.legal:
                await live.turn()
                await live.move()
                await rest.until(lambda: rest.legal or live.legal)
            assert (await waiting(person), await waiting(other)) == ([], [table])

            # Whoever asks for an undo waits for the other, whose answer is awaited, not a move.
            assert (await live.reply(type="undo"))["type"] == "ack"
            assert (await waiting(person), await waiting(other)) == ([], [table])
            await rest.reply(type="undo_answer", agree=False)

        await other.post(f"/api/tables/{table}/leave")
        assert await waiting(other) == [], "whoever has left is not asked"
