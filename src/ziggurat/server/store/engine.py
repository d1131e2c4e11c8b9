"""Reading and writing, the same on SQLite and on PostgreSQL.

A job is a plain function of a synchronous connection; all its statements run in one transaction.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeVar

import sqlalchemy as sa

from ziggurat.server.settings import Settings

T = TypeVar("T")
Job = Callable[[sa.Connection], T]


class Database(ABC):
    """The one door to the database."""

    url: sa.URL

    async def open(self) -> None:  # noqa: B027 -- not every kind needs it
        """Start what has to run beside."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what was asked for, and close the connections."""

    @abstractmethod
    async def read(self, job: Job[T]) -> T:
        """Run a job that only reads."""

    @abstractmethod
    async def transact(self, job: Job[T]) -> T:
        """Run a job in a transaction of its own."""

    async def write(self, job: Job[T], *, person: bool = True) -> T:
        """Run a job in a transaction and return when it is durable. A job that raised may be run once more.

        `person`: somebody waits for it; bots have time.
        """
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
