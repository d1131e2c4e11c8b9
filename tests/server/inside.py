"""The application in the process of the tests: asked directly, or as a whole server in the loop of a test."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Litestar
from litestar.testing import TestClient
from tests.server.migrated import lay

from ziggurat.server import worker
from ziggurat.server.app import HANDLERS, create_app
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate


@cache
def remember() -> list[object]:
    """Have the handlers know what Litestar has found out about them for one application: it is copied into the next."""
    return [handler.signature_model for handler in HANDLERS]


def application(data: Path, ending: Callable[[], bool] = lambda: False, **settings: Any) -> Litestar:
    """The application on a folder, with an up-to-date database; nobody compiles there."""
    wanted = Settings(
        **{"data": data, "host": "testserver.local", "prepare": False, "refusal_seconds": 0.0, **settings}
    )
    if wanted.sqlite:
        lay(data)
    made = create_app(wanted, open_database(wanted), ending)
    remember()
    return made


@contextmanager
def browser(data: Path, base_url: str = "http://testserver.local", **settings: Any) -> Iterator[TestClient[Any]]:
    """A browser at a server of its own."""
    with TestClient(application(data, **settings), base_url=base_url) as client:
        yield client


@asynccontextmanager
async def house(settings: Settings) -> AsyncIterator[int]:
    """The whole server in this loop, so that it can be looked into; gives its port."""
    if settings.sqlite:
        lay(settings.data)
    database = open_database(settings)
    await migrate(database)
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server, listener = worker._server(settings, database, listening)
    remember()
    running = asyncio.create_task(worker._run(server, listener, lambda: None))
    try:
        while not server.started:
            await asyncio.sleep(0.01)
        yield port
    finally:
        server.should_exit = True
        await running
