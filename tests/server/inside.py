"""The application in the process of the tests: asked directly, or as a whole server in the loop of a test."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from litestar.testing import AsyncTestClient, TestClient
from tests.server.migrated import lay

from ziggurat.server import worker
from ziggurat.server.app import Application, create_app
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate


def application(data: Path, ending: Callable[[], bool] = lambda: False, **settings: Any) -> Application:
    """The application on a folder, with an up-to-date database; nobody compiles there."""
    wanted = Settings(
        **{
            "data": data,
            "listen": "testserver.local",
            "prepare": False,
            "copies": None,
            "refusal_seconds": 0.0,
            **settings,
        }
    )
    if wanted.sqlite:
        lay(data)
    return create_app(wanted, open_database(wanted), ending)


@contextmanager
def browser(data: Path, base_url: str = "http://testserver.local", **settings: Any) -> Iterator[TestClient[Any]]:
    """A browser at a server of its own."""
    made = application(data, **settings)
    with TestClient(made, base_url=base_url) as client:
        client.app = made  # and not what Litestar has put around it
        yield client


def async_browser(data: Path, base_url: str = "http://testserver.local", **settings: Any) -> AsyncTestClient[Any]:
    """As `browser`, in the loop of a test."""
    made = application(data, **settings)
    client = AsyncTestClient(made, base_url=base_url)
    client.app = made
    return client


@asynccontextmanager
async def house(settings: Settings) -> AsyncIterator[int]:
    """The whole server in this loop, so that it can be looked into; gives its port."""
    if settings.sqlite:
        lay(settings.data)
    database = open_database(settings)
    await migrate(database, None)
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
