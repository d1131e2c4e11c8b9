"""Connections that cost nothing to open and something to keep: each has a bound, and nobody else pays for it."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import os
import re
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import uvicorn
from tests.patience import patience

from ziggurat.server.live.connections import ConnectionLimiter, protocols, raise_descriptors
from ziggurat.server.live.websocket import HANDOVER_EXTENSION, WebSocketTransport
from ziggurat.server.settings import Settings

pytestmark = pytest.mark.slow

LIMITS = Settings(connections_per_address=5, request_seconds=0.3, send_seconds=0.5)
GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
PATIENCE = patience(60.0)


class Echo:
    """Answers with as many bytes as the path says; on a socket, too, without end. It notes what it hears on a socket,
    and when somebody has gone."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.heard: list[str | bytes] = []
        self.line: WebSocketTransport | None = None
        self.size = 0
        self.server: uvicorn.Server | None = None
        self.before: Callable[[], Awaitable[Any]] | None = None
        """What is waited for before anything is answered."""
        self.asked = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.asked.set()
        if self.before is not None:
            await self.before()
        size = int(scope["path"].strip("/refusd") or 2)
        if scope["type"] == "http":
            while (await receive()).get("more_body"):
                pass
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % size)]})
            await send({"type": "http.response.body", "body": b"x" * size})
        elif scope["type"] == "websocket":
            assert (await receive())["type"] == "websocket.connect"
            if scope["path"] == "/refused":
                await send({"type": "websocket.http.response.start", "status": 403, "headers": []})
                await send({"type": "websocket.http.response.body", "body": b"no"})
                return
            await send({"type": "websocket.accept"})
            scope["extensions"][HANDOVER_EXTENSION]["named"].append(self)
            self.size = size

    def begin(self, line: WebSocketTransport) -> None:
        self.line = line
        while self.size > 2 and line.free:
            line.send_texts([b"x" * self.size])

    def hear(self, message: str | bytes) -> None:
        self.heard.append(message)

    def gone(self) -> None:
        self.ended.set()


@asynccontextmanager
async def serving(
    settings: Settings = LIMITS, room: int = 1000, pings: float | None = 0.2, graceful: int | None = None
) -> AsyncIterator[tuple[Echo, ConnectionLimiter, int]]:
    app, limiter = Echo(), ConnectionLimiter(settings, room)
    http, sockets = protocols(settings, limiter)
    config = uvicorn.Config(
        app,
        http=http,
        ws=sockets,
        lifespan="off",
        log_level="error",
        log_config=None,
        timeout_keep_alive=1,  # 5 seconds in use
        timeout_graceful_shutdown=graceful,
        ws_ping_interval=pings,
        ws_ping_timeout=pings,
    )
    server = app.server = uvicorn.Server(config)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        task = asyncio.create_task(server.serve([listener]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            yield app, limiter, listener.getsockname()[1]
        finally:
            server.should_exit = server.force_exit = True
            await task


@asynccontextmanager
async def connected(port: int, first: bytes = b"") -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2**16)
    try:
        if first:
            writer.write(first)
        yield reader, writer
    finally:
        writer.transport.abort()


async def everything(reader: asyncio.StreamReader) -> bytes:
    return await asyncio.wait_for(reader.read(), PATIENCE)


async def until(holds: Any) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.01)


def handshake(path: str = "/") -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    return (
        f"GET {path} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n"
        f"sec-websocket-version: 13\r\nsec-websocket-key: {key}\r\n\r\n"
    ).encode()


@pytest.mark.parametrize(
    "first",
    [b"", b"GET / HT", GET[:-2], b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n12", GET + b"GET / HT"],
    ids=["silent", "half a line", "half a head", "half a body", "half a second request"],
)
async def test_whoever_does_not_finish_a_request_is_sent_away(first: bytes) -> None:
    async with serving() as (_, limiter, port), connected(port, first) as (reader, _writer):
        said = await everything(reader)
        # In the middle of an answer nothing else can be said.
        assert said.startswith(b"HTTP/1.1 200" if first.startswith(GET) else b"HTTP/1.1 408") or b"POST" in first
        await until(lambda: not limiter.here)


async def test_a_request_may_come_in_pieces_and_others_after_it() -> None:
    patient = replace(LIMITS, request_seconds=PATIENCE)
    async with serving(patient) as (_, _doorman, port), connected(port) as (reader, writer):
        for _ in range(2):
            for at in range(0, len(GET), 7):
                writer.write(GET[at : at + 7])
                await writer.drain()
            assert (await asyncio.wait_for(reader.readuntil(b"xx"), PATIENCE)).startswith(b"HTTP/1.1 200")


CHUNKED = b"transfer-encoding: chunked\r\n"
HANDSHAKE = handshake()
UPGRADE = HANDSHAKE.partition(b"sec-")[0]
SMUGGLED = b"0\r\n\r\n" + GET.replace(b"/ ", b"/7 ")


@pytest.mark.parametrize(
    "request_",
    [
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n" + CHUNKED,
        b"POST / HTTP/1.1\r\nhost: x\r\n" + CHUNKED + b"Content-Length: 0\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n" + CHUNKED,
        UPGRADE + b"content-length: 5\r\n" + CHUNKED,
        b"POST / HTTP/1.0\r\nhost: x\r\nconnection: keep-alive\r\n" + CHUNKED,
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5, 6\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: gzip, chunked\r\n",
        b"POST / HTTP/1.1\r\nhost: x\r\n" + CHUNKED + CHUNKED,
        b"POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding : chunked\r\n",
        b"GET / HTTP/1.1\r\nhost: x\r\nhost: y\r\n",
        b"GET / HTTP/1.0\r\nhost: x\r\nhost: x\r\n",
        b"GET / HTTP/1.1\r\n",
    ],
)
async def test_who_says_in_two_ways_where_a_request_ends_is_heard_no_more(request_: bytes) -> None:
    """Nor is whoever names two servers, or none."""
    async with serving() as (_, limiter, port):
        for before in (b"", GET):
            async with connected(port, before + request_ + b"\r\n" + SMUGGLED) as (reader, _):
                answers = re.split(rb"HTTP/1.1 (?=\d)", await everything(reader))[1:]
                assert [answer[:3] for answer in answers] == ([b"200"] if before else []) + [b"400"]
                head, _, body = answers[-1].partition(b"\r\n\r\n")
                assert b"connection: close" in head
                assert b"application/problem+json" in head
                assert json.loads(body)["code"] == "bad_request"
        await until(lambda: not limiter.here)


LINES = GET[:-2] + b"x-one: 1\r\nx-two: 2\r\n\r\n"


@pytest.mark.parametrize("pieces", [1, 2])
@pytest.mark.parametrize("upgrade", [False, True])
async def test_a_line_ends_by_two_signs_and_a_head_is_no_longer_whole_than_in_pieces(
    pieces: int, upgrade: bool
) -> None:
    """Each line of it, in a request and in a handshake, and behind a body in chunks."""
    whole = handshake() if upgrade else LINES
    lines = whole.count(b"\r\n")
    bare = [
        b"\n".join([b"\r\n".join(parts[:at]), b"\r\n".join(parts[at:])])
        for parts in [whole.split(b"\r\n")]
        for at in range(1, lines + 1)
    ]
    trailer = b"POST / HTTP/1.1\r\nhost: x\r\n" + CHUNKED + b"\r\n0\r\nx-one: 1\n\r\n"
    long = whole[:-2] + b"x-pad: " + b"x" * 17_000 + b"\r\n\r\n"
    async with serving() as (_, limiter, port):
        for said, status in [*((one, b"400") for one in (*bare, trailer)), (long, b"431")]:
            async with connected(port) as (reader, writer):
                for at in range(pieces):
                    writer.write(said[at * len(said) // pieces : (at + 1) * len(said) // pieces])
                    await writer.drain()
                assert (await everything(reader)).startswith(b"HTTP/1.1 " + status), said[:300]
        await until(lambda: not limiter.here)


async def test_a_length_that_is_said_twice_is_one_length() -> None:
    async with serving() as (_, _, port), connected(port) as (reader, writer):
        for _ in range(2):
            writer.write(b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n12")
            assert (await asyncio.wait_for(reader.readuntil(b"xx"), PATIENCE)).startswith(b"HTTP/1.1 200")


async def test_whoever_has_just_come_is_answered_although_the_server_ends() -> None:
    patient = replace(LIMITS, request_seconds=PATIENCE)
    async with serving(patient) as (app, limiter, port), connected(port) as (reader, writer):
        await until(lambda: limiter.here)
        server = app.server
        assert server is not None
        server.should_exit = True
        await until(lambda: not server.servers[0].is_serving())
        writer.write(GET)
        assert (await everything(reader)).startswith(b"HTTP/1.1 200")


def is_told_to_come_again(answer: bytes) -> bool:
    head, _, body = answer.partition(b"\r\n\r\n")
    said = head.lower().split(b"\r\n")
    return (
        said[0].startswith(b"http/1.1 503 ")
        and {b"retry-after: 1", b"connection: close", b"content-type: application/problem+json"} <= {*said}
        and json.loads(body)["code"] == "restarting"
    )


@pytest.mark.parametrize("first", [HANDSHAKE, GET], ids=["a handshake", "a request"])
async def test_what_is_not_answered_yet_when_the_server_ends_may_come_again(
    first: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """It is no mistake of ours, and the log says of none. Nor is it one that the other end would not repeat."""
    async with serving(replace(LIMITS, request_seconds=30), graceful=0) as (app, limiter, port):
        app.before = asyncio.Event().wait
        async with connected(port, first) as (reader, _):
            await app.asked.wait()
            assert app.server
            app.server.should_exit = True
            assert is_told_to_come_again(await everything(reader))
        await until(lambda: not limiter.here)
    assert "Exception" not in caplog.text


async def test_a_handshake_that_the_app_answers_too_late_is_over(caplog: pytest.LogCaptureFixture) -> None:
    for path in ("/", "/refused"):
        async with serving(replace(LIMITS, request_seconds=30)) as (app, _, port):
            go = asyncio.Event()
            app.before = go.wait
            async with connected(port, handshake(path)) as (reader, _):
                await app.asked.wait()
                assert app.server
                app.server.should_exit = True
                assert is_told_to_come_again(await everything(reader))
                go.set()
                await until(lambda: not app.server.server_state.tasks)
            assert app.line is None
    assert "Exception" not in caplog.text


async def test_a_handshake_on_a_connection_of_before_comes_too_late() -> None:
    async with serving(replace(LIMITS, request_seconds=30)) as (app, _, port), connected(port) as (reader, writer):
        await until(lambda: app.server and app.server.server_state.connections)
        assert app.server
        app.server.should_exit = True
        await until(lambda: not app.server.servers[0].is_serving())
        writer.write(handshake())
        assert is_told_to_come_again(await everything(reader))
        assert not app.asked.is_set()


@pytest.mark.parametrize("first", [HANDSHAKE, GET], ids=["a handshake", "a request"])
@pytest.mark.parametrize("error", [ValueError, asyncio.CancelledError])
async def test_a_mistake_of_the_app_remains_one(
    first: bytes, error: type[BaseException], caplog: pytest.LogCaptureFixture
) -> None:
    async def breaks() -> None:
        raise error

    async with serving() as (app, _, port), connected(port) as (reader, writer):
        app.before = breaks
        writer.write(first)
        assert (await everything(reader)).startswith(b"HTTP/1.1 500 ")
    assert caplog.text.count("Exception in ASGI application") == 1


async def test_an_address_has_so_many_connections_and_gets_one_when_another_ends() -> None:
    async with serving(replace(LIMITS, request_seconds=PATIENCE)) as (_, limiter, port):
        async with connected(port) as (_reader, writer):
            held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(4)]
            await until(lambda: limiter.here.total() == 5)
            async with connected(port, GET) as (reader, _):
                said = await everything(reader)
                assert said.startswith(b"HTTP/1.1 429")
                assert b"retry-after" in said
                assert json.loads(said.partition(b"\r\n\r\n")[2])["code"] == "too_many_sockets"
            assert limiter.here.total() == 5
            held[0][1].close()
            await until(lambda: limiter.here.total() == 4)
            async with connected(port, GET) as (reader, _):
                assert (await asyncio.wait_for(reader.readuntil(b"xx"), PATIENCE)).startswith(b"HTTP/1.1 200")
            for _, each in held[1:]:
                each.close()
            writer.close()
        await until(lambda: not limiter.here)


async def test_proxies_have_as_many_as_there_is_room_for() -> None:
    settings = replace(LIMITS, proxies=("127.0.0.1",), request_seconds=PATIENCE)
    async with serving(settings, room=7) as (_, limiter, port):
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(7)]
        await until(lambda: limiter.here.total() == 7)
        async with connected(port, GET) as (reader, _):
            assert (await everything(reader)).startswith(b"HTTP/1.1 503")
        for _, each in held:
            each.close()
        await until(lambda: not limiter.here)


async def test_sockets_are_counted_as_the_connections_that_they_were() -> None:
    async with serving() as (_, limiter, port):
        async with connected(port, handshake()) as (reader, _writer):
            await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
            assert limiter.here.total() == 1
        await until(lambda: not limiter.here)


@pytest.mark.parametrize(
    "more",
    [b"x-pad: " + b"x" * 9000, b"cookie: " + b"x" * 60_000, b"\r\n".join(b"x-%d: x" % one for one in range(200))],
    ids=["a long line", "a very long line", "many lines"],
)
async def test_a_handshake_that_is_too_long_is_refused_and_not_held(more: bytes) -> None:
    """HTTP takes longer heads than sockets do: who sent one waited for ever, and held a connection for as long."""
    async with serving() as (_, limiter, port):
        said = handshake()[:-2] + more + b"\r\n\r\n"
        async with connected(port, said) as (reader, _writer):
            assert (await everything(reader)).startswith(b"HTTP/1.1 431 ")
        await until(lambda: not limiter.here)


async def test_whoever_does_not_read_an_answer_is_cut_off() -> None:
    async with serving() as (_, limiter, port), connected(port, GET.replace(b"/ ", b"/50000000 ")):
        await until(lambda: limiter.here)
        await until(lambda: not limiter.here)


async def test_a_socket_that_nobody_reads_is_gone() -> None:
    async with serving() as (app, limiter, port), connected(port, handshake("/1000000")):
        await asyncio.wait_for(app.ended.wait(), PATIENCE)
        await until(lambda: not limiter.here)


async def test_a_socket_that_answers_no_ping_is_gone() -> None:
    async with serving() as (app, limiter, port), connected(port, handshake()):
        await asyncio.wait_for(app.ended.wait(), PATIENCE)
        await until(lambda: not limiter.here)


async def test_text_that_is_no_text_ends_the_socket_without_a_word_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    mask = b"\0\0\0\0"
    async with serving() as (app, _, port), connected(port, handshake()) as (reader, writer):
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        with caplog.at_level(logging.DEBUG):
            writer.write(b"\x81\x82" + mask + b"\xff\xfe")
            said = await everything(reader)
        assert (1007).to_bytes(2, "big") in said
        await asyncio.wait_for(app.ended.wait(), PATIENCE)
        assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []


def test_some_descriptors_are_kept_for_the_house() -> None:
    import resource

    room = raise_descriptors()
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert 0 < room < soft
