"""One process that serves: alone, or one of several under a parent.

python -m ziggurat.server.worker     is started by `supervisor`, which tells the rest
"""

from __future__ import annotations

import asyncio
import ctypes
import logging
import os
import secrets
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
import sqlalchemy as sa
import uvicorn

from ziggurat.server.address_hash import AddressHasher
from ziggurat.server.api.health import answers
from ziggurat.server.api.trusted_proxies import behind
from ziggurat.server.app import create_app
from ziggurat.server.counters import counted
from ziggurat.server.domain.people import HOUSE
from ziggurat.server.domain.table import Table
from ziggurat.server.live.connections import AT_ONCE, ConnectionLimiter, LimitedListener, protocols, raise_descriptors
from ziggurat.server.logs import identified, set_up_logging
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings
from ziggurat.server.startup_responder import StartupResponder
from ziggurat.server.store import log, people
from ziggurat.server.store.engine import Database, open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.supervisor import BEAT_SECONDS, LAST_SECONDS, Alive, Counted, Orders, Ready, Refused, framed

ARENA_MAX = -8
"""M_ARENA_MAX of `malloc.h`."""


async def write_laid(database: Database, table: Table) -> str:
    """Write a table of the house; return where people sit down at it, with the secret of its invitation."""

    def job(connection: sa.Connection) -> None:
        if not people.known(connection, HOUSE.id):
            people.insert(connection, HOUSE, secrets.token_urlsafe(24))
        log.insert(connection, table)

    await database.transact(job)
    return f"#/join/{table.id}/{table.invite}"


def _worth_a_line(record: logging.LogRecord) -> bool:
    """Whether a record is worth a line: uvicorn also logs every refused handshake and every request that is no HTTP."""
    theirs = ("without completing handshake", "Invalid HTTP request", "Unsupported upgrade request")
    return not any(said in record.msg for said in theirs)


def _share_heap() -> None:
    """Have all threads allocate from one heap, where that can be chosen (glibc).

    Ours take turns anyway, and each would keep what it once needed: 10 MB, and a sixth of what tables take.
    """
    with suppress(AttributeError, OSError, TypeError):
        ctypes.CDLL(None).mallopt(ARENA_MAX, 1)


def _server(settings: Settings, database: Database, listening: socket.socket) -> tuple[uvicorn.Server, LimitedListener]:
    """Return what answers, and where it listens; the database must be up to date."""
    # A thread that computes (a bot, the preparation of the engines) gives way to people after 1 ms instead of 5.
    sys.setswitchinterval(0.001)
    logging.getLogger("uvicorn.error").addFilter(_worth_a_line)
    limiter = ConnectionLimiter(settings, raise_descriptors())
    http, sockets = protocols(settings, limiter)
    server = uvicorn.Server(
        uvicorn.Config(
            behind(identified(create_app(settings, database, lambda: server.should_exit)), settings),
            lifespan="on",
            log_level="warning",
            log_config=None,
            access_log=False,  # addresses hold invitation secrets
            server_header=False,
            proxy_headers=False,  # `behind` believes them
            http=http,
            ws=sockets,
            backlog=AT_ONCE,
            ws_max_size=256 * 1024,
            # Compressing would cost some 300 kB for every socket; the messages are small.
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=5,
        )
    )
    return server, LimitedListener.of(listening, limiter)


async def serve_alone(
    settings: Settings, listener: socket.socket, announce: Callable[[str], None], laid: Table | None
) -> int:
    """Serve until interrupted."""
    _share_heap()
    responder = StartupResponder(listener)
    responder.open()

    def ready() -> None:
        responder.end()
        announce(place)

    try:
        database = open_database(settings)
        await migrate(database)
        place = "" if laid is None else await write_laid(database, laid)
        return await _run(*_server(settings, database, listener), ready)
    finally:
        responder.end()


async def _run(server: uvicorn.Server, listener: LimitedListener, ready: Callable[[], None]) -> int:
    serving = asyncio.create_task(server.serve([listener]))
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    if server.started:
        ready()
    await serving
    return 0 if server.started else 1


def _until_the_parent_ends(channel: socket.socket) -> None:
    """End with the parent, which says nothing more but by its end; whatever else goes on here."""
    try:
        while channel.recv(64):
            pass
    except OSError:
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_SECONDS)
    os._exit(1)


def _say(channel: socket.socket, report: msgspec.Struct) -> None:
    """Tell the parent something, unless it has stopped listening: nobody here waits for it."""
    if select.select([], [channel], [], 0)[1]:
        with suppress(OSError):
            channel.sendall(framed(report))


async def _serve_under_parent(orders: Orders, say: Callable[[msgspec.Struct], None]) -> int:
    _share_heap()
    settings = Settings(
        data=Path(orders.data),
        database_url=orders.database_url,
        host=orders.host,
        search_processes=orders.search_processes,
        worker=orders.worker,
        after=tuple(orders.after),
        bots=tuple(orders.bots),
        address_hasher=AddressHasher(orders.hash_keys),
    ).among(orders.workers)
    set_up_logging(settings.log)
    database = open_database(settings)
    await migrate(database)
    server, listener = _server(settings, database, socket.socket(fileno=orders.listener))

    def end(*_: object) -> None:
        server.should_exit = True

    # uvicorn raises its signals once more when it has ended.
    signal.signal(signal.SIGTERM, end)
    telling: list[asyncio.Task[None]] = []

    def ready() -> None:
        say(Ready())
        # From now on: one that does not serve yet is not counted among those who do.
        telling.append(asyncio.create_task(_report(say, orders.counts, database)))

    code = await _run(server, listener, ready)
    for task in telling:
        task.cancel()
    if orders.counts:
        say(Counted(counted()))
    return code


async def _report(say: Callable[[msgspec.Struct], None], counts: bool, database: Database) -> None:
    """Say to the parent that we live, and what we have counted; not where our writes hang though the database answers,
    for then another process may do better in our place."""
    while True:
        if not (database.hangs() and await answers(database)):
            say(Counted(counted()) if counts else Alive())
        await asyncio.sleep(BEAT_SECONDS)


def main() -> int:
    """Serve as the parent orders."""
    channel = socket.socket(fileno=os.dup(0))
    with Path(os.devnull).open() as nothing:
        os.dup2(nothing.fileno(), 0)
    with channel.makefile("rb") as file:
        line = file.readline()
    if not line:
        return 1
    orders = msgspec.json.decode(line, type=Orders)
    os.set_inheritable(orders.listener, False)
    threading.Thread(target=_until_the_parent_ends, args=(channel,), name="parent", daemon=True).start()
    try:
        return asyncio.run(_serve_under_parent(orders, partial(_say, channel)))
    except StartError as error:
        _say(channel, Refused(str(error)))
        return 2


if __name__ == "__main__":
    sys.exit(main())
