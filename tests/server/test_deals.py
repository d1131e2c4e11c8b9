"""The day's deal: one shuffle for everybody, one try, and who may know what of it when."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE
from tests.server.player import Json, Live, Player, visitor
from tests.server.process import Server

from ziggurat.server.store.models import deals as deals_table
from ziggurat.server.store.models import tries

DAY = f"/api/day/{EXAMPLE}"


async def begin(player: Player, day: str | None = None, status: int = 201) -> Json:
    """Play today's deal, or that of another day."""
    day = day or (await player.get(DAY))["today"]["day"]
    made: Json = await player.post(DAY, {"day": day, "pace": "instant"}, status)
    return made


async def played(player: Player, id: str, moves: int | None = None) -> Live:
    async with player.at(id) as live:
        await live.play(moves)
    return live


def told(live: Live) -> list[Any]:
    return [event for event in live.log if event["type"] != "undone"]


@pytest.fixture
def ready(running: Server) -> Server:
    running.until_advisers_are_ready(EXAMPLE)
    return running


async def test_one_deal_one_try_and_the_same_moves_are_the_same_game(ready: Server) -> None:
    async with visitor(ready.base, "Ann") as ann, visitor(ready.base, "Bob") as bob:
        before = await ann.get(DAY)
        assert (before["today"]["standing"], before["today"]["world"], before["today"]["table"]) == ("new", None, None)
        tables = await asyncio.gather(*(begin(ann) for _ in range(3)))
        assert len({table["id"] for table in tables}) == 1, "asked for at once it is the same table"
        table, theirs = tables[0], await begin(bob)
        assert table["deal"] == before["today"]["day"]
        assert table["you"] == before["today"]["seat"] == theirs["you"]
        assert table["seed_hash"] == theirs["seed_hash"]
        sealed = before["today"]["sealed"]
        assert sealed["seed_hash"] in ((None,) if before["lone"] else (table["seed_hash"],))
        mine, other = await asyncio.gather(played(ann, table["id"]), played(bob, theirs["id"]))
        assert told(mine) == told(other)
        assert mine.state["table"]["scores"] == other.state["table"]["scores"]

        over = await ann.get(f"/api/tables/{table['id']}")
        assert (over["status"], over["seed"], over["salt"]) == ("finished", None, None)
        refused = await ann.http.get(f"/api/tables/{table['id']}/replay")
        assert (refused.status_code, refused.json()["code"]) == (409, "deal_today")
        assert (await ann.get(f"/api/tables/{table['id']}/history"))["frames"]
        again = await ann.post(DAY, {"day": table["deal"]}, 409)
        assert (again["code"], again["args"]["table"]) == ("deal_tried", table["id"])
        after = await ann.get(DAY)
        assert (after["today"]["standing"], after["row"], after["best"]) == ("done", 1, 1)
        points = over["scores"][over["you"]]
        assert after["today"]["outcome"]["points"] == points
        assert dict(after["today"]["world"]["points"])[points] >= 2
        assert after["today"]["sealed"]["seed"] is None


async def test_nobody_is_told_anything_of_a_deal_that_they_can_still_play(ready: Server) -> None:
    async with visitor(ready.base, "Ann") as ann, visitor(ready.base, "Cat") as cat, visitor(ready.base) as nobody:
        table = await begin(ann)
        before = [await cat.get(DAY), await cat.get("/api/day")]
        await played(ann, table["id"])
        assert [await cat.get(DAY), await cat.get("/api/day")] == before
        assert not (await nobody.get(DAY))["today"]["world"]
        assert "ziggurat" not in nobody.http.cookies, "looking makes nobody a guest"
        for path in ("", "/history", "/replay"):
            assert (await cat.http.get(f"/api/tables/{table['id']}{path}")).status_code == 404
        yesterday, today, tomorrow = (one for one in before[1] if one["game"] == EXAMPLE)
        assert yesterday["day"] < today["day"] < tomorrow["day"]
        assert [one["seed"] is None for one in (yesterday, today, tomorrow)] == [False, True, True]
        if yesterday["seed_hash"]:
            hashed = hashlib.sha256(bytes.fromhex(yesterday["salt"] + yesterday["seed"])).hexdigest()
            assert hashed == yesterday["seed_hash"]


async def test_earlier_deals_are_played_for_nothing_and_no_others_at_all(ready: Server) -> None:
    async with visitor(ready.base, "Ann") as ann:
        yesterday = (await ann.get("/api/day"))[0]["day"]
        one, other = await begin(ann, yesterday), await begin(ann, yesterday)
        assert one["id"] != other["id"]
        assert one["seed_hash"] == other["seed_hash"]
        deal = await ann.get(f"{DAY}/{yesterday}")
        assert (deal["standing"], deal["table"]) == ("new", None)
        assert deal["world"]["bots"] == []
        assert (await ann.get(DAY))["row"] == 0
        for day, code in (("2999-01-01", "day_to_come"), ("1999-01-01", "day_too_old")):
            assert (await ann.post(DAY, {"day": day}, 409))["code"] == code
            assert (await ann.http.get(f"{DAY}/{day}")).json()["code"] == code
        assert (await ann.post(DAY, {"day": "soon"}, 400))["code"] == "bad_day"
        assert (await ann.http.get("/api/day/chess")).status_code == 404
        async with ann.at(one["id"]) as live:
            await live.turn()
            assert (await live.reply(type="hint", seq=live.state["seq"]))["code"] == "no_hints"
            await live.move()
            assert live.state["can_undo"] is None
            assert (await live.reply(type="undo"))["code"] == "deal_stands"
        assert (await ann.http.post(f"/api/tables/{one['id']}/hand")).json()["code"] == "deal_stands"


async def test_a_clock_that_was_set_back_is_told_and_costs_nothing(ready: Server) -> None:
    async with visitor(ready.base, "Ann") as ann:
        mine = await begin(ann)
        ahead = deals_table.c.game == EXAMPLE, deals_table.c.day > mine["deal"]
        await ready.in_database(lambda c: c.execute(sa.update(deals_table).where(*ahead).values(begun=1.0)))
        try:
            told = await ann.get(DAY)
            assert told["back"] == told["tomorrow"]["day"]
            assert (await begin(ann))["id"] == mine["id"], "who has begun goes on"
            async with visitor(ready.base, "Bob") as bob:
                assert (await bob.post(DAY, {"day": mine["deal"]}, 409))["code"] == "clock_back"
                await begin(bob, (await bob.get("/api/day"))[0]["day"])
        finally:
            await ready.in_database(lambda c: c.execute(sa.update(deals_table).where(*ahead).values(begun=None)))


async def test_tries_come_along_and_go_with_whose_they_are(ready: Server) -> None:
    async with visitor(ready.base, "Ann") as ann, visitor(ready.base) as guest:
        first, second = await begin(ann), await begin(guest)
        assert first["id"] != second["id"]
        link = await ann.post("/api/me/link")
        await guest.post("/api/sign-in", {"secret": link["secret"]})
        assert (await guest.get(DAY))["today"]["table"] == first["id"], "which was begun first"
        kept = (await guest.get("/api/me/everything"))["deals"]
        assert [(one["game"], one["table_id"], one["points"]) for one in kept] == [(EXAMPLE, first["id"], None)]
        assert (await ann.http.delete("/api/me")).status_code == 204
        left = await ready.in_database(
            lambda c: c.execute(sa.select(tries).where(tries.c.table_id == first["id"])).all()
        )
        assert left == []
