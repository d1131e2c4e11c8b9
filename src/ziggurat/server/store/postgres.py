"""PostgreSQL: any number of workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import asyncpg
import sqlalchemy as sa
from sqlalchemy.ext.asyncio import create_async_engine

from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import Database, Job, T


class PostgresDatabase(Database):
    """Jobs run on a pool of connections."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings.write_seconds)
        # Parameters never reach an error message, for they may hold a hand or a secret.
        self.engine = create_async_engine(
            settings.url, hide_parameters=True, pool_size=8, max_overflow=8, pool_pre_ping=True
        )
        self.url = self.engine.url

    async def close(self) -> None:
        await self.engine.dispose()

    async def read(self, job: Job[T]) -> T:
        with reachable():
            async with self.engine.connect() as connection:
                return await connection.run_sync(job)

    async def transact(self, job: Job[T]) -> T:
        with reachable():
            async with self.engine.begin() as connection:
                return await connection.run_sync(job)


@contextmanager
def reachable() -> Iterator[None]:
    """A server that refuses connections is said as any other trouble of the database."""
    try:
        yield
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, sa.exc.TimeoutError) as error:
        raise sa.exc.OperationalError("connect", None, error) from error
