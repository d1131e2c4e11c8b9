"""What a seat of Alhambra may not know never leaves the server."""

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


async def test_no_message_shows_another_hand_the_deck_or_the_seed(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann, visitor(sqlite_base) as bob, visitor(sqlite_base) as eve:
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
