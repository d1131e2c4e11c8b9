"""The health probes `/healthz` and `/readyz`, for the monitor that routes visitors to this process or restarts it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import sqlalchemy as sa
from litestar import MediaType, Response, get
from litestar.di import NamedDependency

from ziggurat.server.api.endpoints import ANYONE, READ_SCOPES, Endpoint
from ziggurat.server.store.database import Database
from ziggurat.server.store.migrate import is_current

DATABASE_SECONDS = 2.0
"""Seconds within which a usable database answers."""
BELIEVED_SECONDS = 1.0
"""Seconds for which an answer is given again, so that frequent requests cost no more."""


class Readiness:
    """The readiness of this process to serve people."""

    def __init__(self, database: Database, ending: Callable[[], bool]) -> None:
        self._database = database
        self._ending = ending
        self._asking = asyncio.Lock()
        self._asked = float("-inf")
        self._trouble = ""
        self._late: asyncio.Task[bool] | None = None

    async def trouble(self) -> str:
        """Return why this process is not ready; empty if it is."""
        if self._ending():
            return "ending"
        async with self._asking:
            if time.monotonic() > self._asked + BELIEVED_SECONDS:
                self._trouble = await self._ask()
                self._asked = time.monotonic()
        return self._trouble

    async def _ask(self) -> str:
        if self._database.hangs() or (self._late is not None and not self._late.done()):
            return "database"
        # Not waited for any longer, not even until it has stopped: a driver may first want to say goodbye to a database
        # that does not answer.
        self._late = asyncio.create_task(self._database.read(is_current), name="readiness")
        done, _ = await asyncio.wait([self._late], timeout=DATABASE_SECONDS)
        if not done:
            self._late.cancel()
            return "database"
        try:
            return "" if self._late.result() else "database of another version"
        except sa.exc.DBAPIError:
            return "database"


async def answers(database: Database) -> bool:
    """Whether a database can be read."""
    try:
        async with asyncio.timeout(DATABASE_SECONDS):
            await database.read(is_current)
    except (sa.exc.DBAPIError, TimeoutError):
        return False
    return True


def _plain(text: str, status: int = 200) -> Response[str]:
    return Response(text + "\n", media_type=MediaType.TEXT, status_code=status, headers={"cache-control": "no-store"})


@get("/healthz", include_in_schema=False, endpoint=Endpoint(ANYONE, programs=READ_SCOPES))
async def healthz() -> Response[str]:
    """Answer the liveness probe: this process lives."""
    return _plain("ok")


@get("/readyz", include_in_schema=False, endpoint=Endpoint(ANYONE, programs=READ_SCOPES))
async def readyz(readiness: NamedDependency[Readiness]) -> Response[str]:
    """Answer the readiness probe: the database answers and has our schema, and we are not about to end."""
    trouble = await readiness.trouble()
    return _plain(f"not ready: {trouble}", 503) if trouble else _plain("ok")
