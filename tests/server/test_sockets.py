"""Reconnecting, repeating, and everything that a socket refuses."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import httpx
import pytest
from tests.example import GAME
from tests.server.player import Live, Player, socket_url, visitor
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus


async def test_a_client_gets_what_it_missed(base: str) -> None:
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", "random")
        async with ann.at(table["id"]) as live:
            await live.play(2)
            await live.turn()
            seen, log = live.state["seq"], list(live.log)
            await live.play(2)
            await live.turn()
            whole, now = list(live.log), live.state
        async with ann.raw(table["id"]) as live:
            update = await live.hello(seen)
            assert update["from"] == seen
            assert log + update["events"] == whole
            assert update["view"] == now["view"]
            # Nobody is told twice on one socket, however often they ask.
            await live.send(type="hello", since=None)
            await live.send(type="hello", since=seen)
            await live.send(type="ping")
            await live.until(lambda: live.messages[-1]["type"] == "pong")
            assert sum(message["type"] == "update" for message in live.messages) == 1
        async with ann.raw(table["id"]) as live:
            assert (await live.hello(None))["events"] == whole
        async with ann.raw(table["id"]) as live:
            # A number from the future (another database, say) means: everything again.
            assert (await live.hello(now["seq"] + 50))["from"] == 0


async def test_a_move_sent_twice_is_one_move(base: str) -> None:
    """After a lost connection nobody knows whether a move arrived: sending it again is always right."""
    async with visitor(base, "Ann") as ann:
        table = await ann.table("me", "random")
        async with ann.at(table["id"]) as live:
            await live.turn()
            seq, steps = live.state["seq"], await live.choose()
            first = await live.reply(type="move", id="once", seq=seq, steps=steps)
            again = await live.reply(type="move", id="once", seq=seq, steps=steps)
            assert first == again == {"type": "ack", "id": "once", "seq": first["seq"]}
        async with ann.at(table["id"]) as live:
            assert await live.reply(type="move", id="once", seq=seq, steps=steps) == first
            other = await live.reply(type="move", id="once", seq=seq, steps=[*steps, 0])
            assert other["code"] == "id_reused"


async def test_moves_that_are_not_possible_change_nothing(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open")
        await bob.join(table, "Bob")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            assert (await a.reply(type="move", seq=a.state["seq"], steps=[0]))["code"] == "not_started"
            await ann.post(f"/api/tables/{table['id']}/start")
            await a.until(lambda: a.state["table"]["status"] == "playing")
            await b.until(lambda: b.state["table"]["status"] == "playing")
            mover, waiter = (a, b) if a.legal else (b, a)
            seq = mover.state["seq"]

            async def refused(live: Live, **message: Any) -> str:
                answer = await live.reply(type="move", **message)
                assert answer["type"] == "error", answer
                assert answer["detail"].endswith(".")
                return str(answer["code"])

            assert await refused(waiter, seq=seq, steps=mover.takes()[:1]) == "not_your_turn"
            assert await refused(mover, seq=seq, steps=[GAME.actions - 1]) == "illegal_action"
            assert await refused(mover, seq=seq, steps=[2_000_000_000]) == "illegal_action"
            assert await refused(mover, seq=seq, steps=mover.takes()[:1] * 2) == "too_many_steps"
            assert await refused(mover, seq=seq + 1, steps=mover.takes()[:1]) == "bad_seq"
            assert await refused(mover, seq=seq - 1, steps=mover.takes()[:1]) == "stale"
            buys = [choice["action"] for choice in mover.legal if choice["type"] == "buy"]
            if buys:
                assert await refused(mover, seq=seq, steps=buys[:1]) == "unfinished_move"
            assert mover.state["seq"] == seq
            assert (await mover.move(mover.takes()[:1]))["type"] == "ack"


BAD: list[str | bytes] = [
    "",
    "hello",
    "[]",
    "null",
    "{}",
    '{"type":"move"}',
    '{"type":"teleport","id":"x"}',
    '{"type":"move","id":"x","seq":"1","steps":[0]}',
    '{"type":"move","id":"x","seq":1,"steps":[]}',
    '{"type":"move","id":"x","seq":1,"steps":[-1]}',
    '{"type":"move","id":"x","seq":1,"steps":[1e400]}',
    '{"type":"move","id":"","seq":1,"steps":[0]}',
    '{"type":"move","id":"x","seq":1,"steps":[0],"seat":1}',
    '{"type":"undo_answer","id":"x","agree":"yes"}',
    "[" * 5000,
    '{"type":"ping","x":"\\ud800"}',
    b"\x00\xff",
    json.dumps({"type": "move", "id": "x", "seq": 1, "steps": [0] * 500}),
]


async def test_malformed_messages_are_answered_and_stop_nothing(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", "random")
        async with ann.at(table["id"]) as live:
            for number, raw in enumerate(BAD, start=1):
                await live.connection.send(raw)
                await live.until_errors(number)
                assert _errors(live)[-1]["code"] == "bad_message", raw
            await live.connection.send(json.dumps({"type": "ping", "x": "y" * 20_000}))
            await live.until(lambda: _errors(live)[-1]["code"] == "too_large")
            await live.play(1)


def _errors(live: Live) -> list[dict[str, Any]]:
    return [message for message in live.messages if message["type"] == "error"]


async def test_a_frame_of_absurd_size_ends_only_its_own_socket(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", "random")
        async with ann.at(table["id"]) as live:
            with suppress(ConnectionClosed):
                await live.connection.send("x" * 1_000_000)
            assert await live.until_closed() == 1009
        async with ann.at(table["id"]) as live:
            await live.play(1)


async def test_the_first_message_is_a_hello(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", "random")
        async with ann.raw(table["id"]) as live:
            assert (await live.reply(type="move", seq=1, steps=[0]))["code"] == "hello_first"
            await live.send(type="ping")
            await live.until(lambda: any(message["type"] == "pong" for message in live.messages))
            await live.hello()


async def test_a_flood_is_slowed_down_and_nothing_is_lost(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", "random")
        async with ann.at(table["id"]) as live:
            for _ in range(130):
                await live.send(type="ping")
            await live.until(lambda: sum(message["type"] == "pong" for message in live.messages) == 130)


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
async def test_a_socket_from_a_foreign_page_is_refused(sqlite_base: str, origin: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", "random")
        with pytest.raises(InvalidStatus) as refused:
            async with connect(socket_url(sqlite_base, table["id"]), additional_headers=ann.cookie, origin=origin):  # type: ignore[arg-type]
                pass
        assert refused.value.response.status_code == 403
        assert json.loads(refused.value.response.body or b"")["code"] == "foreign_origin"


async def test_our_own_page_may_open_a_socket(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", "random")
        async with ann.raw(table["id"], origin=sqlite_base) as live:
            await live.hello()


async def test_sockets_of_strangers_are_told_why_and_closed(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as eve:
        table = await ann.table("me", "random")
        for id in (table["id"], "nosuchtable1"):
            async with eve.raw(id) as live:
                assert await live.until_closed() == 4404
                assert live.messages[0]["code"] == "unknown_table"


async def test_presence_and_coming_back(base: str) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open")
        await bob.join(table, "Bob")
        await ann.post(f"/api/tables/{table['id']}/start")
        async with ann.at(table["id"]) as a:
            async with bob.at(table["id"]):
                await a.until(lambda: _online(a) == [0, 1])
            await a.until(lambda: _online(a) == [0])
            await bob.post(f"/api/tables/{table['id']}/leave")
            await a.until(lambda: a.state["table"]["seats"][1]["away"])
            async with bob.at(table["id"]):
                await a.until(lambda: not a.state["table"]["seats"][1]["away"])


def _online(live: Live) -> list[int] | None:
    news = [message["online"] for message in live.messages if message["type"] == "presence"]
    return news[-1] if news else None


async def test_one_person_cannot_open_sockets_without_end(sqlite_base: str) -> None:
    async with visitor(sqlite_base, "Ann") as ann:
        table = await ann.table("me", "random")
        await _open_many(ann, table["id"], 40)


async def _open_many(player: Player, table: str, left: int) -> None:
    async with player.raw(table) as live:
        if left:
            await live.send(type="ping")
            await live.until(lambda: live.messages)
            await _open_many(player, table, left - 1)
        else:
            assert await live.until_closed() == 4429
            assert live.messages[0]["code"] == "too_many_sockets"


async def test_http_and_socket_agree_on_who_one_is(base: str) -> None:
    async with visitor(base, "Ann") as ann, httpx.AsyncClient(base_url=base, verify=False) as nobody:
        table = await ann.table("me", "random")
        assert (await nobody.get(f"/api/tables/{table['id']}")).status_code == 404
        forged = {"cookie": "ziggurat=" + "x" * 32}
        assert (await nobody.get(f"/api/tables/{table['id']}", headers=forged)).status_code == 404
        assert (await nobody.get("/api/tables", headers=forged)).json() == []
