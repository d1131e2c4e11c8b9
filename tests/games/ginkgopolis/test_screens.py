"""What lies behind the screens of Ginkgopolis, and on the table face down, travels to its own seat alone."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from tests.server.player import Live, idle, visitor

import ziggurat

OPTIONS = {"characters": "draft"}
# Fewer tiles, so that they run out and some are returned.
COMPONENTS = "[setup]\ntiles_removed = [20, 20, 20, 20, 20]\n"
PRIVATE = {"chose", "drew_cards", "saw_tiles", "saw_returned"}


@asynccontextmanager
async def table_for_two(base: str) -> AsyncIterator[tuple[Live, Live, Live]]:
    """Ann and Bob play, with a bot; Eve looks on."""
    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as eve:
        table = await ann.table("me", "open", "random", game="ginkgopolis", options=OPTIONS, components=COMPONENTS)
        await bob.join(table, "Bob")
        await ann.post(f"/api/tables/{table['id']}/start")
        async with (
            ann.at(table["id"]) as a,
            bob.at(table["id"]) as b,
            eve.at(table["id"], invite=table["invite"]) as e,
        ):
            yield a, b, e


async def steps_of(live: Live, chance: random.Random) -> list[int]:
    """A whole move: a card with any tile or none, some tiles that are returned, or a single step."""
    legal = [choice for choice in live.legal if choice["type"] != "new_hand" or chance.random() < 0.2]
    choice = chance.choice(legal)
    if choice["type"] in ("return", "done"):
        given = [c["action"] for c in live.legal if c["type"] == "return" and chance.random() < 0.8]
        return [*given, next(c["action"] for c in live.legal if c["type"] == "done")]
    steps = [choice["action"]]
    if choice["type"] == "card":
        answer = await live.reply(type="preview", seq=live.state["seq"], steps=steps)
        if answer["type"] == "preview":
            found = answer["preview"]
            more = [step["action"] for step in (*found["add"], *found["confirm"])]
            steps += [chance.choice(more)] if more else []
    return steps


async def play(live: Live, seed: int) -> None:
    chance = random.Random(seed)
    while await live.turn():
        answer = await live.move(await steps_of(live, chance))
        assert answer["type"] == "ack" or answer["code"] in ("stale", "not_your_turn"), answer


def sealed(live: Live, seat: int | None) -> Counter[str]:
    """No message shows what is another seat's; returns what there was to be hidden."""
    hidden = Counter[str]()
    for message in live.messages:
        if message["type"] != "update":
            assert message["type"] in ("ack", "preview", "error", "pong", "presence", "thinking")
            continue
        for event in message["events"]:
            if event.get("private") or event["type"] in PRIVATE:
                assert event["seat"] == seat, event
                assert seat is not None
            if event["type"] == "committed":
                assert set(event["args"]) == {"with_tile"}
            if event["type"] == "returned":
                assert set(event["args"]) == {"count", "points"}
                hidden["returned"] += event["args"]["count"]
            if event["type"] == "drew_tiles":
                assert set(event["args"]) == {"count"}
        if seat not in message["table"]["actors"]:
            assert idle(message["decision"])
        assert (message["table"]["seed"] is None) == (message["table"]["status"] != "finished")
        view = message["view"]
        if view is None:
            continue
        for builder in view["builders"]:
            if builder["seat"] == seat:
                assert builder["hand"] is not None
                assert builder["tiles"] is not None
                continue
            assert (builder["hand"], builder["tiles"], builder["draft"]) == (None, None, None)
            assert (builder["points"] is None) == (not view["finished"])
            if view["phase"] == "draft":
                assert builder["characters"] == []
                hidden["draft"] += 1
            if builder["chosen"] is not None:
                assert (builder["chosen"]["card"], builder["chosen"]["tile"]) == (None, None)
                hidden["chosen"] += 1
                hidden["with a tile"] += builder["chosen"]["with_tile"]
            if seat is None:
                assert builder["known"] == []
            hidden["known"] += len(builder["known"])
    return hidden


async def test_chosen_cards_tiles_and_returned_tiles_never_travel_to_others(sqlite_base: str) -> None:
    async with table_for_two(sqlite_base) as (a, b, e):
        await asyncio.gather(play(a, 1), play(b, 2))
        for live in (a, b, e):
            await live.until_over()
        for live, seat in ((a, 0), (b, 1), (e, None)):
            hidden = sealed(live, seat)
            assert hidden["draft"] > 0
            assert hidden["chosen"] > 10
            assert hidden["with a tile"] > 5
            assert (hidden["known"] > 0) == (seat is not None)
        # What Ann and Bob may read is what there is, less what is somebody's own.
        public = [event for event in e.log if event["type"] not in PRIVATE]
        assert e.log == public
        assert "returned" in {event["type"] for event in public}
        for live in (a, b):
            assert [event for event in live.log if not event.get("private")] == public
            assert {event["type"] for event in live.log} >= {"chose", "drew_cards", "saw_tiles"}


async def test_in_the_moment_of_choosing_nobody_else_learns_more_than_that_a_tile_lies_there(sqlite_base: str) -> None:
    async with table_for_two(sqlite_base) as (a, b, e):
        chance = random.Random(5)
        for _ in range(3):  # the draft
            for live in (a, b):
                if await live.turn() and live.state["view"]["phase"] == "draft":
                    await live.move([live.legal[0]["action"]])
        await a.until(lambda: a.state["view"]["phase"] == "choose" and a.legal)
        await b.until(lambda: b.state["view"]["phase"] == "choose" and b.legal)
        card = next(choice for choice in a.legal if choice["type"] == "card")
        found = (await a.reply(type="preview", seq=a.state["seq"], steps=[card["action"]]))["preview"]
        marks = {live: len(live.messages) for live in (b, e)}
        steps = [card["action"], chance.choice(found["add"] or found["confirm"])["action"]]
        answer = await a.move(steps)
        assert answer["type"] == "ack", answer
        mine = a.state["view"]["builders"][0]["chosen"]
        assert mine["card"] == card["card"]
        for live, mark in marks.items():
            await live.until(lambda live=live: live.state["seq"] >= a.state["seq"])  # type: ignore[misc]
            for message in live.messages[mark:]:
                if message["type"] == "update":
                    theirs = message["view"]["builders"][0]["chosen"]
                    assert theirs is None or theirs == {"card": None, "tile": None, "with_tile": mine["with_tile"]}
            said = [event for event in live.log if event["seat"] == 0 and event["type"] in ("committed", "chose")]
            assert [event["type"] for event in said] == ["committed"]
        # It is not taken back for another card either.
        answer = await a.reply(type="move", seq=a.state["seq"], steps=steps)
        assert answer["type"] == "error"


async def test_the_replay_of_a_finished_game_can_be_verified(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table: dict[str, Any] = await ann.table("me", "greedy", game="ginkgopolis")
        async with ann.at(table["id"]) as live:
            await play(live, 3)
            await live.until_over()
        text = (await ann.http.get(f"/api/tables/{table['id']}/replay")).text
        ziggurat.Replay.parse(text).verify()
        frames = (await ann.get(f"/api/tables/{table['id']}/history"))["frames"]
        assert all(builder["hand"] is not None for builder in frames[-1]["view"]["builders"])
        assert json.dumps(frames[-1]["events"][-1]["type"]) == '"finished"'
