"""What waits for somebody, told in one small answer, and on their first page the same."""

from __future__ import annotations

import sqlalchemy as sa
from tests.example import EXAMPLE
from tests.server.player import Json, Live, Player, visitor
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
        assert await eve.get("/api/turns") == {"tables": [], "going": []}
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
        free = await ann.table("me", "open")  # nobody has sat down there yet
        async with ann.at(table) as a, bob.at(table) as b:
            await a.until(lambda: a.legal or b.legal)
            person, live, other, name = (ann, a, bob, "Bob") if a.legal else (bob, b, ann, "Ann")
            found = await person.get("/api/turns")
            assert set(found["going"]) == {table, free["id"]} if person is ann else {table}
            assert [(one["id"], one["game"], one["people"]) for one in found["tables"]] == [(table, EXAMPLE, [name])]
            assert found["tables"][0]["awaited"] == {"wishes": ["turn"], "until": None}, "no clock runs there"
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


BY_DAYS = {"kind": "days", "reserve": 3 * 86_400, "step": 86_400}


async def told(person: Player, table: str) -> tuple[list[str], str | None]:
    """What a table waits for from somebody, and until when: in the number of the head and in the list the same."""
    turns: Json = await person.get("/api/turns")
    home: Json = await person.get("/api/home")
    waits, of = home["waits"][table], {one["id"]: one["awaited"] for one in turns["tables"]}
    assert of.get(table, {"wishes": [], "until": None}) == {part: waits[part] for part in ("wishes", "until")}
    assert set(turns["going"]) == set(home["waits"])
    return waits["wishes"], waits["until"]


async def test_whatever_waits_for_somebody_is_told_the_same_in_the_head_and_in_the_list(sqlite_base: str) -> None:
    """A turn, an answer to an undo or to a vote, a seat that is kept; by days with the moment until which it waits."""
    base = sqlite_base
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base, "Cid") as cid:
        made = await ann.table("me", "open", "open", time=BY_DAYS)
        at, people = made["id"], {"Ann": ann, "Bob": bob, "Cid": cid}
        seats = [{"kind": "me"}, {"kind": "companion", "name": "Zoe"}, {"kind": "open"}]
        sofa = await bob.post("/api/tables", {"game": EXAMPLE, "seats": seats, "start": False}, 201)
        await ann.join(sofa, "Ann")
        for name in ("Bob", "Cid"):
            await people[name].join(made, name)
        assert await told(ann, at) == ([], None), "it has not begun"
        await ann.post(f"/api/tables/{at}/start")

        async def all_are_told() -> dict[str, tuple[str, ...]]:
            return {name: tuple((await told(person, at))[0]) for name, person in people.items()}

        async with ann.at(at) as a, bob.at(at) as b, cid.at(at) as c:
            lives: dict[str, Live] = {"Ann": a, "Bob": b, "Cid": c}
            await a.until(lambda: a.state["table"]["status"] == "playing")
            await b.until(lambda: b.state["table"]["status"] == "playing")
            await c.until(lambda: c.state["table"]["status"] == "playing")
            mover = next(name for name, live in lives.items() if live.legal)
            rest = [name for name in people if name != mover]
            assert await all_are_told() == {mover: ("turn",), **dict.fromkeys(rest, ())}
            assert (await told(people[mover], at))[1] is not None, "by days it is said until when"
            await lives[mover].move()
            while lives[mover].legal:
                await lives[mover].move()

            # Whoever is asked to have a move taken back is waited for, and nobody for a move.
            assert (await lives[mover].reply(type="undo"))["type"] == "ack"
            assert await all_are_told() == {mover: (), **dict.fromkeys(rest, ("answer",))}
            assert (await told(people[rest[0]], at))[1] is not None
            assert (await lives[rest[0]].reply(type="undo_answer", agree=True))["type"] == "ack"
            assert await all_are_told() == {mover: (), rest[0]: (), rest[1]: ("answer",)}
            home = await people[mover].get("/api/home")
            theirs = next(table for table in home["tables"] if table["id"] == at)
            seated = {seat["name"]: seat["seat"] for seat in theirs["seats"]}
            assert home["waits"][at]["seats"] == [seated[rest[1]]], "the row says for whom the others wait"
            assert (await lives[rest[1]].reply(type="undo_answer", agree=False))["type"] == "ack"

            # A vote, while somebody is on turn.
            assert (await lives[mover].reply(type="ask_pause", seconds=86_400))["type"] == "ack"
            now = await all_are_told()
            assert [set(now[name]) - {"turn"} for name in (mover, *rest)] == [set(), {"answer"}, {"answer"}]
            assert sum("turn" in wishes for wishes in now.values()) == 1
            for name in rest:
                assert (await lives[name].reply(type="vote", agree=True))["type"] == "ack"
            assert await all_are_told() == dict.fromkeys(people, ()), "nobody is waited for while the game is paused"
            await lives[mover].reply(type="resume")
            assert sum(bool(wishes) for wishes in (await all_are_told()).values()) == 1

        # A seat that is kept; and what one of a device asks is asked of nobody there.
        played = {one["name"]: one["id"] for one in (await ann.get("/api/people"))["played"]}
        kept = await ann.table("me", "open")
        await ann.post(f"/api/tables/{kept['id']}/invite", {"person": played["Cid"]})
        assert await told(cid, kept["id"]) == (["seat"], None)
        assert await told(ann, kept["id"]) == ([], None)
        await bob.post(f"/api/tables/{sofa['id']}/start")
        async with bob.at(sofa["id"]) as b:
            await b.reply(type="ask_end")
            wishes, _ = await told(bob, sofa["id"])
            assert "answer" not in wishes
            assert "answer" in (await told(ann, sofa["id"]))[0]
            found = {one["id"]: one["people"] for one in (await bob.get("/api/turns"))["tables"]}
            assert found.get(sofa["id"], ["Ann"]) == ["Ann"], "those of one's own device are no others"
