"""What a seat alone was shown travels to it alone, and seven bots at one table."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import psutil  # type: ignore[import-untyped]
from tests.server.player import Live, visitor
from tests.server.process import Server


def busy(running: Server) -> float:
    """The processor time that a server has used, in seconds: what else the machine does is not in it."""
    times = psutil.Process(running.pid).cpu_times()
    return float(times.user + times.system)


def moved_on(live: Live, seq: int) -> bool:
    return live.over or live.state["seq"] > seq


async def test_seven_bots_play_in_seconds(server_on: Callable[[str], Server]) -> None:
    running = server_on("sqlite")
    before = busy(running)
    async with visitor(running.base, "Ann") as ann:
        table = await ann.table(*["greedy"] * 7, game="architects", options={"wonders": "drafted"})
        async with asyncio.timeout(120), ann.at(table["id"]) as live:
            while not live.over:  # each news is waited for, however long the game
                await live.until(partial(moved_on, live, live.state["seq"]))
            assert len(live.state["table"]["scores"]) == 7
            assert live.log[-1]["type"] == "finished"
    assert busy(running) - before < 10


async def test_what_a_seat_alone_has_seen_travels_to_it_alone(sqlite_base: str) -> None:
    """The cat of Architects shows a card to one seat (and Halicarnassus five, if it is there); others hear of it."""
    options = {"wonders": "chosen", "halicarnassus_reveal_public": "no"}
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base, "Bob") as bob, visitor(sqlite_base) as eve:
        table = await ann.table("me", "open", "greedy", "random", game="architects", options=options)
        await bob.join(table, "Bob")
        path = f"/api/tables/{table['id']}"
        async with (
            ann.at(table["id"]) as a,
            bob.at(table["id"]) as b,
            eve.at(table["id"], invite=table["invite"]) as e,
        ):
            await ann.post(f"{path}/start")
            playing = asyncio.create_task(b.play())
            await a.play(12)
            for visited in (f"{path}/history", f"{path}/replay"):
                assert (await ann.http.get(visited)).status_code == 409
            async with ann.at(table["id"]) as again:  # a whole log is as careful as single updates
                assert _private(again, 0) == [event for event in a.log if event.get("private")]
            await a.play()
            await playing
            for live in (a, b, e):
                await live.until_over()
            peeked = [event["seat"] for event in e.log if event["type"] == "peeked"]
            assert [event["type"] for event in _private(a, 0)].count("saw") == peeked.count(0)
            assert [event["type"] for event in _private(b, 1)].count("saw") == peeked.count(1)
            assert _private(e, None) == []
            assert peeked
            for live, seat in ((a, 0), (b, 1), (e, None)):
                _only_what_was_seen(live, seat)
            frames = (await ann.get(f"{path}/history"))["frames"]
        told = [event for frame in frames for event in frame["events"] if event["type"] == "saw"]
        assert len(told) == len(peeked)  # when the game is over everything may be read


def _private(live: Live, seat: int | None) -> list[dict[str, Any]]:
    """The private events that travelled to somebody; none is for another seat."""
    updates = [message for message in live.messages if message["type"] == "update"]
    found = [event for update in updates for event in update["events"] if event["type"] in ("saw", "saw_cards")]
    assert all(event["private"] is True and event["seat"] == seat for event in found)
    return [event for event in live.log if event.get("private")]


def _only_what_was_seen(live: Live, seat: int | None) -> None:
    """The top central card is in a view only after it was shown to that seat."""
    known = None
    for message in live.messages:
        if message["type"] != "update":
            continue
        if message["from"] == 0:
            known = None
        for event in message["events"]:
            if event["type"] == "took" and event["args"]["deck"] == "central":
                known = None
            elif event["type"] == "saw":
                known = event["args"]["card"]
        if message["view"] is None:
            continue
        central = message["view"]["central"]
        assert central["seen"] == known
        assert (seat in central["known_by"]) == (known is not None)
        if message["view"]["looked"] is not None:
            assert message["view"]["turn"] == seat
