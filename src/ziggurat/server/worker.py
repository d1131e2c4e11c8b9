"""A worker: one process that serves, alone or as one of several under a parent.

python -m ziggurat.server.worker     is started by `supervisor`, which tells the rest
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
import uvicorn

from ziggurat.server import heap
from ziggurat.server.address_hash import AddressHasher
from ziggurat.server.alarms import alarms
from ziggurat.server.api.health import answers
from ziggurat.server.api.trusted_proxies import behind
from ziggurat.server.app import create_app
from ziggurat.server.counters import counted
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.table import Table
from ziggurat.server.feature import before_upgrade, features
from ziggurat.server.live.connections import AT_ONCE, ConnectionLimiter, LimitedListener, protocols, raise_descriptors
from ziggurat.server.logs import identified, set_up_logging
from ziggurat.server.problems import StartError, unexpected
from ziggurat.server.settings import Settings
from ziggurat.server.siblings import Siblings
from ziggurat.server.startup_responder import StartupResponder
from ziggurat.server.store import log, people
from ziggurat.server.store.database import LOOK_SECONDS, Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import DatabaseAway, migrate_when_there, start_error
from ziggurat.server.supervisor import (
    BEAT_SECONDS,
    LAST_SECONDS,
    Alive,
    Counted,
    Missed,
    Orders,
    Ready,
    Refused,
    Usable,
    framed,
)


async def write_laid(database: Database, table: Table) -> str:
    """Write a table of the house; return its place in the page, with the secret of its invitation."""

    def job(connection: sa.Connection) -> None:
        if not people.known(connection, HOUSE_PERSON.id):
            people.insert(connection, HOUSE_PERSON, secrets.token_urlsafe(24))
        log.insert(connection, table)

    await database.transact(job)
    return f"#/join/{table.id}/{table.invite}"


async def greet(settings: Settings, database: Database, port: int, token: str) -> str:
    """Tell features that the service is up; return a place in the page for the person who has started the server, or
    empty. `token`: a single-use one."""
    places = [await one.greet(settings, database, port, token) for one in features() if one.greet is not None]
    return next(filter(None, places), "")


def _worth_a_line(record: logging.LogRecord) -> bool:
    """Whether a log record is worth a line: uvicorn also logs every refused handshake, every request that is no HTTP,
    and every failed start, of which we say why."""
    theirs = ("without completing handshake", "Invalid HTTP request", "Unsupported upgrade request", "startup failed")
    return not any(said in record.msg for said in theirs)


class _Application:
    """The application for uvicorn. It keeps the error that prevents its services from being opened: uvicorn would log
    all that the error says, and end the process."""

    def __init__(self, settings: Settings, database: Database, ending: Callable[[], bool]) -> None:
        self._app = create_app(settings, database, ending)
        self._answer = behind(identified(self._app), settings)
        self.failure: Exception | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request, or open and close the services."""
        if scope["type"] != "lifespan":
            await self._answer(scope, receive, send)
            return
        await receive()
        opened = False
        try:
            async with self._app.lifespan():
                opened = True
                await send({"type": "lifespan.startup.complete"})
                await receive()
        except Exception as error:
            if opened:
                raise
            while isinstance(error, ExceptionGroup):  # of what is opened side by side
                error = error.exceptions[0]
            self.failure = error
            await send({"type": "lifespan.startup.failed"})
        else:
            await send({"type": "lifespan.shutdown.complete"})


def _server(settings: Settings, database: Database, listening: socket.socket) -> tuple[uvicorn.Server, LimitedListener]:
    """Return the uvicorn server and its listener; the database must have the present schema."""
    # A thread that computes (a bot, the preparation of the engines) gives way to people after 1 ms instead of 5.
    sys.setswitchinterval(0.001)
    logging.getLogger("uvicorn.error").addFilter(_worth_a_line)
    limiter = ConnectionLimiter(settings, raise_descriptors())
    http, sockets = protocols(settings, limiter)
    server = uvicorn.Server(
        uvicorn.Config(
            _Application(settings, database, lambda: server.should_exit),
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
    settings: Settings, listener: socket.socket, announce: Callable[[str, str], None], laid: Table | None
) -> int:
    """Serve until interrupted."""
    heap.share()
    responder = StartupResponder(listener)
    responder.open()

    def ready() -> None:
        responder.end()
        announce(place, hosts)

    place, laying, hosts, token = "", laid, "", secrets.token_urlsafe(18)

    async def lay(database: Database) -> None:
        nonlocal place, laying, hosts
        if laying is not None:
            place, laying = await write_laid(database, laying), None
        hosts = await greet(settings, database, listener.getsockname()[1], token)

    try:
        await serve_when_there(settings, listener, lay, lambda *_: ready())
        return 0
    finally:
        responder.end()


async def serve_when_there(
    settings: Settings,
    listening: socket.socket,
    first: Callable[[Database], Awaitable[None]],
    ready: Callable[[uvicorn.Server, Database], None],
) -> None:
    """Serve until told to end. Wait for the database as long as it cannot be reached.

    Args:
        first: what is done when the database is there, before anybody is served.
        ready: is called when people are served.

    Raises StartError when waiting mends nothing.
    """
    while True:
        database = open_database(settings)
        try:
            await migrate_when_there(database, partial(before_upgrade, settings))
            for feature in features():
                if feature.before_serving is not None:
                    await feature.before_serving(settings, database)
            await first(database)
            server, listener = _server(settings, database, listening)
            try:
                await _run(server, listener, partial(ready, server, database), settings.siblings)
                return
            except sa.exc.DBAPIError:
                listening = listener.given_back()
                raise
        except sa.exc.DBAPIError as error:
            # It went away in between; whatever was opened is closed again.
            if not isinstance(failed := start_error(database, error), DatabaseAway):
                raise failed from error
            database.note(error)
            await asyncio.sleep(LOOK_SECONDS)
        finally:
            await database.close()


async def _run(
    server: uvicorn.Server, listener: LimitedListener, ready: Callable[[], None], siblings: Siblings | None = None
) -> None:
    """Serve until told to end. Raises what prevents the start."""
    application = server.config.app
    assert isinstance(application, _Application)

    def passed_on(request: bytes) -> asyncio.Protocol:
        given = {"config": server.config, "server_state": server.server_state, "app_state": server.lifespan.state}
        return server.config.http_protocol_class(request=request, **given)  # type: ignore[call-arg]

    async def serve() -> None:
        with suppress(SystemExit):  # of a start that fails; it would end the loop at once
            await server.serve([listener])

    serving = asyncio.create_task(serve())
    while not server.started and not serving.done():
        await asyncio.sleep(0.005)
    if server.started:
        if siblings is not None:
            siblings.open(passed_on)
        ready()
    await serving
    if application.failure is not None:
        raise application.failure


def _until_the_parent_ends(channel: socket.socket) -> None:
    """End with the parent, whose only message is its end; whatever else goes on here."""
    try:
        while channel.recv(64):
            pass
    except OSError:
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LAST_SECONDS)
    os._exit(1)


def _say(channel: socket.socket, report: msgspec.Struct) -> None:
    """Send the parent a message, unless it has stopped listening: nobody here waits for it."""
    if select.select([], [channel], [], 0)[1]:
        with suppress(OSError):
            channel.sendall(framed(report))


async def _serve_under_parent(orders: Orders, say: Callable[[msgspec.Struct], None]) -> None:
    heap.share()
    settings = Settings(
        data=Path(orders.data),
        database_url=orders.database_url,
        listen=orders.listen,
        search_processes=orders.search_processes,
        worker=orders.worker,
        after=tuple(orders.after),
        bots=tuple(orders.bots),
        address_hasher=AddressHasher(orders.hash_keys),
        siblings=Siblings(orders.siblings),
    ).among(orders.workers)
    set_up_logging(settings.log)
    # The parent logs what several workers miss as one.
    alarms.on_begin = lambda what, why: say(Missed(what, why))
    alarms.on_over = lambda what, _, failed: say(Usable(what, failed))
    loop = asyncio.get_running_loop()
    telling: list[asyncio.Task[None]] = []

    hosts = ""
    listener = socket.socket(fileno=orders.listener)

    async def first(database: Database) -> None:
        nonlocal hosts
        hosts = await greet(settings, database, listener.getsockname()[1], orders.host_token)

    def ready(server: uvicorn.Server, database: Database) -> None:
        def end(*_: object) -> None:
            server.should_exit = True
            loop.call_soon_threadsafe(settings.siblings.close)

        # Not uvicorn's own, which raises the signal once more when it has ended.
        signal.signal(signal.SIGTERM, end)
        say(Ready(hosts))
        # From now on: one that does not serve yet is not counted among those who do.
        telling.append(asyncio.create_task(_report(say, orders.counts, database)))

    await serve_when_there(settings, listener, first, ready)
    for task in telling:
        task.cancel()
    if orders.counts:
        say(Counted(counted()))


async def _report(say: Callable[[msgspec.Struct], None], counts: bool, database: Database) -> None:
    """Send the parent our heartbeat and counters; no heartbeat where our writes hang though the database answers, for
    then another process may do better in our place."""
    while True:
        if not (database.hangs() and await answers(database)):
            say(Counted(counted()) if counts else Alive())
        await asyncio.sleep(BEAT_SECONDS)


def main() -> int:
    """Serve with the configuration that the parent sends."""
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
        asyncio.run(_serve_under_parent(orders, partial(_say, channel)))
    except StartError as error:
        _say(channel, Refused(str(error)))
        return 2
    except Exception as error:
        unexpected(error)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
