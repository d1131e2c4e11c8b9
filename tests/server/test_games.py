"""Whole games through HTTP and the socket."""

from __future__ import annotations

import asyncio
import hashlib
from typing import Any

import msgspec
from tests.example import SHORT
from tests.server.fixtures import MOSTLY_SQLITE
from tests.server.player import visitor

import ziggurat

DATABASES = MOSTLY_SQLITE


async def test_a_person_plays_a_whole_game_against_bots_which_can_be_looked_at_again_and_taken_away(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base, "Eve") as eve:
        table = await ann.table("me", "greedy", "random", game=SHORT)
        path = f"/api/tables/{table['id']}"
        assert table["status"] == "playing"
        assert table["seed_hash"]
        assert table["seed"] is None
        async with ann.at(table["id"]) as live:
            early = await ann.http.get(f"{path}/history")
            assert (early.status_code, early.json()["code"]) == (409, "not_over")
            assert (await ann.http.get(f"{path}/replay")).status_code == 409
            assert await live.play() > 5
            over = live.state["table"]
        assert over["winners"]
        assert len(over["scores"]) == 3
        assert live.log[-1]["type"] == "finished"
        assert over["seed_hash"] == table["seed_hash"]

        replay = (await ann.http.get(f"{path}/replay")).text
        frames = (await ann.get(f"{path}/history"))["frames"]
        assert [e for frame in frames for e in frame["events"] if not e.get("private")] == live.public
        assert frames[0]["seat"] is None
        assert all(frame["notation"] for frame in frames[1:])
        # As it travels: JSON knows no tuples.
        seen = msgspec.json.encode(ziggurat.Replay.parse(replay).play().view_all())
        assert frames[-1]["view"] == msgspec.json.decode(seen)
        assert (await eve.http.get(f"{path}/history")).status_code == 404
        ziggurat.Replay.parse(replay).verify()
        assert over["seed"] in replay

        # Fair shuffles: the hash is public from the start, salt and seed at the end, and the game follows from them.
        seed, salt = bytes.fromhex(over["seed"]), bytes.fromhex(over["salt"])
        assert hashlib.sha256(salt + seed).hexdigest() == table["seed_hash"]
        again = ziggurat.new(SHORT, players=3, seed=seed, options=over["options"])
        dealt = msgspec.to_builtins(again.events)
        assert live.log[: len(dealt)] == dealt


async def test_two_people_and_a_bot_see_the_same_game(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", "greedy", game=SHORT)
        assert table["status"] == "waiting"
        joined = await bob.join(table, "Bob")
        assert joined["you"] == 1
        assert [seat["name"] for seat in joined["seats"][:2]] == ["Ann", "Bob"]
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await ann.post(f"/api/tables/{table['id']}/start")
            await asyncio.gather(a.play(), b.play())
            await a.until(lambda: a.over)
            await b.until(lambda: b.over)
            assert a.public == b.public
            assert a.state["table"]["scores"] == b.state["table"]["scores"]
            path = f"/api/tables/{table['id']}/rematch"
            again, same = await asyncio.gather(ann.post(path), bob.post(path))
            assert again["id"] == same["id"] != table["id"], "asked for at once, it is one table for everybody"
            await b.until(lambda: b.state["table"]["rematch"] == again["id"])
        assert [one["id"] for one in await bob.get("/api/tables")] == [again["id"], table["id"]]


async def test_several_tables_at_once_and_bots_alone(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        tables = [await ann.table("greedy", "random", "random", game=SHORT) for _ in range(2)]

        async def watch(table: dict[str, Any]) -> None:
            async with ann.at(table["id"]) as live:
                assert live.state["table"]["you"] is None
                await live.until(lambda: live.over)

        await asyncio.gather(*(watch(table) for table in tables))
        listed = [table["id"] for table in await ann.get("/api/tables")]
        assert listed == [table["id"] for table in reversed(tables)]
