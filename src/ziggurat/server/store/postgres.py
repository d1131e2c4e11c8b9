"""PostgreSQL: any number of workers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager

import asyncpg
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from ziggurat.server.counters import counters, gauge_callbacks
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database, Job, T, watch_rows


class PostgresDatabase(Database):
    """A PostgreSQL database: jobs run on a pool of connections."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.write_seconds)
        # Parameters never reach an error message, for they may hold a hand or a secret.
        self.engine = create_async_engine(
            settings.url,
            hide_parameters=True,
            pool_size=settings.pool // 2,  # which are kept; the others are closed when nobody needs them
            max_overflow=settings.pool - settings.pool // 2,
            pool_pre_ping=True,
        )
        self.url = self.engine.url
        watch_rows(self.engine.sync_engine)
        self._waiting = self._used = 0
        gauge_callbacks["connections"], gauge_callbacks["connecting"] = lambda: self._used, lambda: self._waiting

    async def close(self) -> None:
        await self._end_watch()
        await self.engine.dispose()

    async def _read(self, job: Job[T]) -> T:
        with reachable():
            async with self._connection() as connection:
                return await connection.run_sync(job)

    async def _transact(self, job: Job[T]) -> T:
        with reachable():
            async with self._connection() as connection, connection.begin():
                return await connection.run_sync(job)

    @asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection]:
        """Wait for a connection of the pool."""
        async with AsyncExitStack() as stack:
            begun = time.perf_counter()
            self._waiting += 1
            try:
                connection = await stack.enter_async_context(self.engine.connect())
            finally:
                self._waiting -= 1
                counters.connected.since(begun)
            self._used += 1
            stack.callback(self._release)
            yield connection

    def _release(self) -> None:
        self._used -= 1


@contextmanager
def reachable() -> Iterator[None]:
    """Report a refused connection like any other database error."""
    try:
        yield
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, sa.exc.TimeoutError) as error:
        raise sa.exc.OperationalError("connect", None, error) from error
