"""Reading and writing, the same on SQLite and on PostgreSQL.

A job is a plain function of a synchronous connection; all its statements run in one transaction.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from ziggurat.server.settings import Settings

T = TypeVar("T")
Job = Callable[[sa.Connection], T]
BATCH = 64


def _pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    # FULL: a commit is on the disk before anybody hears of it, also when the power fails.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=5000", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def make_engine(settings: Settings) -> AsyncEngine:
    """Return the engine; parameters never reach an error message, for they may hold a hand or a secret."""
    if settings.sqlite:
        engine = create_async_engine(settings.url, hide_parameters=True)
        sa.event.listen(engine.sync_engine, "connect", _pragmas)
        return engine
    return create_async_engine(settings.url, hide_parameters=True, pool_size=8, max_overflow=8, pool_pre_ping=True)


class Database:
    """The one door to the database.

    SQLite has one writer: a task that commits whatever is waiting together, so that many tables share one
    synchronisation of the disk. Jobs of people go before those of bots. PostgreSQL needs none of this.
    """

    def __init__(self, settings: Settings) -> None:
        self.engine = make_engine(settings)
        self.sqlite = settings.sqlite
        self._queue: asyncio.PriorityQueue[tuple[int, int, Job[Any], asyncio.Future[Any]]] = asyncio.PriorityQueue()
        self._order = itertools.count()
        self._writer: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Start the writer."""
        if self.sqlite:
            self._writer = asyncio.create_task(self._write_batches(), name="writer")

    async def close(self) -> None:
        """Stop the writer when it has written all that was asked for, and close the connections."""
        if self._writer is not None:
            await self._queue.join()
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)
        await self.engine.dispose()

    async def read(self, job: Job[T]) -> T:
        """Run a job that only reads."""
        async with self.engine.connect() as connection:
            return await connection.run_sync(job)

    async def write(self, job: Job[T], *, person: bool = True) -> T:
        """Run a job in a transaction and return when it is durable. A job that raised may be run once more."""
        if not self.sqlite:
            return await self._alone(job)
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue.put_nowait((0 if person else 1, next(self._order), job, done))
        return await done

    async def execute(self, statement: sa.Executable) -> None:
        """Run one statement in a transaction and return when it is durable."""

        def job(connection: sa.Connection) -> None:
            connection.execute(statement)

        await self.write(job)

    async def _alone(self, job: Job[T]) -> T:
        async with self.engine.begin() as connection:
            return await connection.run_sync(job)

    async def _write_batches(self) -> None:
        while True:
            batch = [await self._queue.get()]
            while len(batch) < BATCH and not self._queue.empty():
                batch.append(self._queue.get_nowait())
            jobs = [(job, done) for _, _, job, done in batch]
            try:
                results = await self._alone(lambda connection: [job(connection) for job, _ in jobs])  # noqa: B023
            except Exception:
                # One of them failed and took the others with it: each for itself then.
                await self._write_singly(jobs)
            else:
                for (_, done), result in zip(jobs, results, strict=True):
                    if not done.done():
                        done.set_result(result)
            for _ in batch:
                self._queue.task_done()

    async def _write_singly(self, jobs: list[tuple[Job[Any], asyncio.Future[Any]]]) -> None:
        for job, done in jobs:
            try:
                result = await self._alone(job)
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)
