"""The day's deal: one shuffle for everybody, one try, and who may know what of it when."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.example import EXAMPLE
from tests.server.player import Json, Live, Player, visitor
from tests.server.process import Server

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
