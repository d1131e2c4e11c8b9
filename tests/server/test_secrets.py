"""What a seat may not know never leaves the server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

from tests.server.player import Live, idle, visitor


def _hands(value: Any) -> Iterator[dict[str, Any]]:
    """Every open hand anywhere in a message."""
    if isinstance(value, dict):
        if value.get("hand") is not None:
            yield value
        for inner in value.values():
            yield from _hands(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _hands(inner)


def _check(live: Live, seat: int | None, secret: str) -> int:
    updates = 0
    for message in live.messages:
        for owner in _hands(message):
            assert owner["seat"] == seat, "a hand that is somebody else's"
        if message["type"] == "update":
            updates += 1
            table = message["table"]
            assert table["you"] == seat
            assert (table["seed"] is None) == (table["status"] != "finished")
            assert (table["salt"] is None) == (table["status"] != "finished")
            assert secret not in json.dumps(message)
            if seat not in table["actors"]:
                assert idle(message["decision"])
            if seat is not None:
                assert message["view"]["owners"][seat]["hand"] is not None
    return updates


async def test_no_message_shows_another_hand_the_deck_or_the_seed(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob, visitor(base) as eve:
        table = await ann.table("me", "open", "random")
        secret = table["invite"]
        assert (await bob.join(table, "Bob"))["invite"] == secret
        await ann.post(f"/api/tables/{table['id']}/start")
        async with (
            ann.at(table["id"]) as a,
            bob.at(table["id"]) as b,
            eve.at(table["id"], invite=secret) as e,
        ):
            answer = await e.reply(type="move", seq=e.state["seq"], steps=[0])
            assert answer["code"] == "not_seated"
            answer = await e.reply(type="preview", seq=e.state["seq"], steps=[])
            assert answer["code"] == "not_seated"
            await asyncio.gather(a.play(), b.play())
            for live in (a, b, e):
                await live.until_over()
            assert _check(a, 0, secret) > 10
            assert _check(b, 1, secret) > 10
            assert _check(e, None, secret) > 10


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


async def test_what_a_seat_alone_has_seen_travels_to_it_alone(base: str) -> None:
    """The cat of Architects shows a card to one seat (and Halicarnassus five, if it is there); others hear of it."""
    options = {"wonders": "chosen", "halicarnassus_reveal_public": "no"}
    async with visitor(base, "Ann") as ann, visitor(base, "Bob") as bob, visitor(base) as eve:
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
