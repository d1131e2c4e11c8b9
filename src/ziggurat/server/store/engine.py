"""Reads and writes, the same on SQLite and on PostgreSQL.

A job is a plain function of a synchronous connection; all its statements run in one transaction.
"""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, TypeVar

import sqlalchemy as sa

from ziggurat.server.settings import Settings

T = TypeVar("T")
Job = Callable[[sa.Connection], T]


def is_away(error: BaseException) -> bool:
    """Whether an error says that the database cannot be used at the moment, and not that a statement is wrong."""
    wrong = (sa.exc.ProgrammingError, sa.exc.DataError, sa.exc.NotSupportedError)
    return isinstance(error, sa.exc.DBAPIError) and not isinstance(error, wrong)


class Database(ABC):
    """The database: every read and write passes through here."""

    url: sa.URL

    def __init__(self, seconds: float) -> None:
        """`seconds`: within which a write is durable, or the database hangs."""
        self.seconds = seconds
        self._writes: dict[object, float] = {}  # that are under way, and when each began: the oldest first
        self._late: set[asyncio.Task[Any]] = set()

    def hangs(self) -> bool:
        """Whether a write has been under way for too long."""
        return time.monotonic() - next(iter(self._writes.values()), float("inf")) > self.seconds

    async def open(self) -> None:  # noqa: B027 -- not every kind needs it
        """Start the tasks and threads that the database needs."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was asked for, and close the connections."""

    @abstractmethod
    async def read(self, job: Job[T]) -> T:
        """Run a job that only reads."""

    @abstractmethod
    async def transact(self, job: Job[T]) -> T:
        """Run a job in a transaction of its own."""

    async def write(self, job: Job[T], *, person: bool = True, patient: bool = False) -> T:
        """Run a job in a transaction and return when it is durable. A job that raised may be run once more.

        Args:
            person: a person waits for it; bots have time.
            patient: wait as long as it takes.

        Raises:
            sa.exc.OperationalError: when it took too long; it goes on, and nobody knows how it will end.
        """
        if patient:
            return await self._noted(job, person)
        writing = asyncio.create_task(self._noted(job, person))
        try:
            await asyncio.wait([writing], timeout=self.seconds)
        except asyncio.CancelledError:
            writing.cancel()
            raise
        if not writing.done():
            self._late.add(writing)
            writing.add_done_callback(self._came)
            raise sa.exc.OperationalError("write", None, TimeoutError())
        return writing.result()

    async def _noted(self, job: Job[T], person: bool) -> T:
        mark = object()
        self._writes[mark] = time.monotonic()
        try:
            return await self._write(job, person)
        finally:
            del self._writes[mark]

    def _came(self, late: asyncio.Task[Any]) -> None:
        self._late.discard(late)
        if not late.cancelled():
            late.exception()  # nobody waits for it any more

    async def _write(self, job: Job[T], person: bool) -> T:
        return await self.transact(job)

    async def execute(self, statement: sa.Executable) -> None:
        """Run one statement in a transaction and return when it is durable."""

        def job(connection: sa.Connection) -> None:
            connection.execute(statement)

        await self.write(job)


def open_database(settings: Settings) -> Database:
    """Return the database that the settings name. Nothing is read or made yet."""
    if settings.sqlite:
        from ziggurat.server.store.sqlite import SqliteDatabase

        return SqliteDatabase(settings)
    # Its driver is an extra, and not there for those who need no PostgreSQL.
    from ziggurat.server.store.postgres import PostgresDatabase

    return PostgresDatabase(settings)
