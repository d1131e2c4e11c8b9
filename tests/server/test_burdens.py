"""What everybody would wait for: what one visitor can make the event loop do at a stretch has a bound."""

from __future__ import annotations

import asyncio
import gc
import socket
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.server.player import PATIENCE
from tests.server.test_connections import connected, everything, handshake, until

from ziggurat.server import worker
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.wire import protocols
from ziggurat.server.wire.protocols import Doorman, Listener
from ziggurat.server.workers import engines

ME = b"GET /api/me HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"


@asynccontextmanager
async def house(settings: Settings) -> AsyncIterator[int]:
    """The whole server in this loop, so that it can be looked into; gives its port."""
    database = open_database(settings)
    await migrate(database)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server, listener = worker._server(settings, database, listening)
    running = asyncio.create_task(worker._run(server, listener, lambda: None))
    try:
        while not server.started:
            await asyncio.sleep(0.01)
        yield port
    finally:
        server.should_exit = True
        await running


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data=tmp_path, prepare=False, refusal_seconds=0.05)


def of_connections(port: int) -> Counter[str]:
    """What is in memory of the connections that have come to a port, and is not garbage by itself."""
    found: Counter[str] = Counter()
    for one in gc.get_objects():
        kind = type(one).__qualname__
        if "Transport" in kind and hasattr(one, "get_extra_info"):
            found[kind] += (one.get_extra_info("sockname") or (0, 0))[1] == port
        else:
            found[kind] += kind in ("protocols.<locals>.Http", "protocols.<locals>.WebSocket", "WebSocket")
    return +found


@pytest.mark.parametrize(
    ("said", "most", "expected"),
    [
        (ME, 100, b"HTTP/1.1 200"),
        (handshake("/api/tables/none/live").replace(b"host: x", b"host: localhost"), 100, b"HTTP/1.1 101"),
        (ME, 0, b"HTTP/1.1 429"),
    ],
    ids=["a request", "a socket", "a refusal"],
)
async def test_connections_that_have_ended_leave_nothing_to_the_garbage(
    settings: Settings, said: bytes, most: int, expected: bytes
) -> None:
    """Collecting it takes a millisecond for a thousand objects, for which everybody waits; a socket left a hundred."""
    async with house(replace(settings, connections_per_address=most)) as port:
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                async with connected(port, said) as (reader, _):
                    answer = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
                    assert answer.startswith(expected)
            await until(lambda: not of_connections(port))
        finally:
            gc.enable()


async def test_garbage_is_collected_in_small_pieces(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    before = gc.get_threshold()
    monkeypatch.setattr(engines.Engines, "_fill", lambda _: None)
    seen: list[int] = []

    def note(phase: str, info: dict[str, Any]) -> None:
        if phase == "stop" and info["generation"] < 2:
            seen.append(info["collected"])

    try:
        async with house(replace(settings, prepare=True)):
            gc.callbacks.append(note)
            for _ in range(100_000):
                circle: list[Any] = []
                circle.append(circle)
        assert sum(seen) > 50_000
        assert max(seen) <= 5000
    finally:
        gc.callbacks.remove(note)
        gc.unfreeze()
        gc.set_threshold(*before)


async def test_other_things_go_on_while_many_connect(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    many, rounds, let_in = 100, 0, Counter[int]()
    made = Doorman.enter

    def enter(doorman: Doorman, address: str) -> None:
        let_in[rounds] += 1
        made(doorman, address)

    monkeypatch.setattr(Doorman, "enter", enter)
    async with house(settings) as port:

        def count() -> None:
            nonlocal rounds
            rounds += 1
            loop.call_soon(count)

        loop = asyncio.get_running_loop()
        waiting = [socket.create_connection(("127.0.0.1", port)) for _ in range(many)]  # before the server hears of any
        loop.call_soon(count)
        await until(lambda: let_in.total() == many)
        assert max(let_in.values()) <= protocols.AT_ONCE
        for one in waiting:
            one.close()


async def test_whoever_has_been_refused_often_enough_gets_no_answer(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor anything made for it: from one address that comes a thousand times a second only a few wait for theirs."""
    monkeypatch.setattr(protocols, "HELD_EACH", 3)
    doormen: list[Doorman] = []
    of = Listener.of

    def listener(listening: socket.socket, doorman: Doorman) -> Listener:
        doormen.append(doorman)
        return of(listening, doorman)

    monkeypatch.setattr(Listener, "of", listener)
    async with house(replace(settings, connections_per_address=1, refusal_seconds=PATIENCE)) as port:
        (doorman,) = doormen
        async with connected(port):
            await until(lambda: doorman.here.total() == 1)
            held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(3)]
            await until(lambda: doorman.held.total() == 3)
            monkeypatch.setattr(protocols, "get_remote_addr", pytest.fail)  # what a connection asks that is let in
            for _ in range(20):
                try:
                    async with connected(port, ME) as (reader, _):
                        assert await everything(reader) == b""
                except ConnectionError:
                    pass
            assert doorman.held.total() == 3
            monkeypatch.undo()
            for _, each in held:
                each.transport.abort()
            await until(lambda: not doorman.held)
            async with connected(port, ME):
                await until(lambda: doorman.held.total() == 1)


def test_a_proxy_speaks_for_many() -> None:
    doorman = Doorman(Settings(proxies=("10.0.0.1",), connections_per_address=1), room=500)
    for address in ("10.0.0.1", "10.0.0.2"):
        doorman.enter(address)
        for _ in range(protocols.HELD_EACH):
            doorman.hold(address)
    assert not doorman.shuts("10.0.0.1")
    assert doorman.shuts("10.0.0.2")
    assert not doorman.shuts("10.0.0.3")
    for _ in range(500):
        doorman.enter("10.0.0.1")
    assert not doorman.shuts("10.0.0.1"), "told that there is no room"
    for _ in range(250):
        doorman.hold("10.0.0.1")
    assert doorman.shuts("10.0.0.1")
