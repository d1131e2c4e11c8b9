"""Transactions of reads and writes, the same on SQLite and on PostgreSQL.

A job is a plain function of a synchronous connection; all its statements run in one transaction.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import Context, ContextVar, copy_context
from typing import Any, TypeVar
from urllib.parse import unquote

import sqlalchemy as sa

from ziggurat.server.alarms import DATABASE, alarms
from ziggurat.server.store.trouble import cause, is_away

GROWING_TABLES: ContextVar[frozenset[str] | None] = ContextVar("GROWING_TABLES", default=None)
"""The tables to which the request that is answered may add rows; None: no request is, and none is out of bounds."""
log = logging.getLogger("ziggurat.server")
T = TypeVar("T")
Job = Callable[[sa.Connection], T]
LOOK_SECONDS = 1.0
"""Seconds between looks whether a database that could not be used can be."""


def may_add_to(tables: frozenset[str] | None) -> None:
    """Let the current request add rows to these tables and to no others; None: no request is current."""
    GROWING_TABLES.set(tables)


def unbounded() -> Context:
    """Return a context for work that a request starts and that is not its own: a bot's turn, a letter."""
    context = copy_context()
    context.run(GROWING_TABLES.set, None)
    return context


def _bounded(job: Job[T]) -> Job[T]:
    """Return a job that adds rows only where its request may."""
    adds = GROWING_TABLES.get()
    if adds is None:
        return job

    def bounded(connection: sa.Connection) -> T:
        before = connection.info.get(GROWING_TABLES.name)
        connection.info[GROWING_TABLES.name] = adds
        try:
            return job(connection)
        finally:
            connection.info[GROWING_TABLES.name] = before

    return bounded


def watch_rows(engine: sa.Engine) -> None:
    """Let an engine refuse rows that a request has not declared (`_bounded`): it fails, and nothing is written."""
    if not sa.event.contains(engine, "before_cursor_execute", _must_be_declared):
        sa.event.listen(engine, "before_cursor_execute", _must_be_declared)


def _must_be_declared(connection: sa.Connection, _cursor: Any, statement: str, *_: Any) -> None:
    adds = connection.info.get(GROWING_TABLES.name)
    if adds is not None and statement.startswith("INSERT INTO "):
        table = statement.split(None, 3)[2].partition("(")[0].strip('"')
        if table not in adds:
            says = f"this request declares no rows of {table}, but of {', '.join(sorted(adds))}"
            log.error("%s", says)  # it tells no value; what is raised is logged without its words
            raise LookupError(says)


RARE_LOOK_SECONDS = 300.0
"""Seconds after which it is looked again for what others have written, also where nothing seems to have been."""


class Unseen:
    """A poll that looks only when something has been written since the last time."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen: object = None
        self._looked = -math.inf

    async def look(self, look: Callable[[], Awaitable[None]]) -> None:
        """Look, if there may be anything new."""
        there = await self._database.written()
        if there is None or there != self._seen or time.monotonic() >= self._looked + RARE_LOOK_SECONDS:
            await look()
            self._seen, self._looked = there, time.monotonic()


def nothing_changed(connection: sa.Connection) -> None:
    """Write without changing anything: a probe of whether the database can be written."""
    connection.execute(sa.text("UPDATE alembic_version SET version_num = version_num"))


class Database(ABC):
    """The database: every read and write passes through here."""

    url: sa.URL

    def __init__(self, seconds: float) -> None:
        """`seconds`: the time limit of a write until it is durable; after it the database counts as hanging."""
        self.seconds = seconds
        self._writes: dict[object, float] = {}  # that are under way, and when each began: the oldest first
        self._late: set[asyncio.Task[Any]] = set()
        self._watch: asyncio.Task[None] | None = None

    @property
    def where(self) -> str:
        """The address of the database, without a password."""
        shown = {name: value for name, value in self.url.query.items() if name in ("host", "port")}
        url = self.url.set(drivername=self.url.get_backend_name(), query=shown)
        return unquote(url.render_as_string(hide_password=True))

    def note(self, error: BaseException) -> None:
        """Note that the database cannot be used, if an error says so: an outage begins, or goes on."""
        if not is_away(error):
            return
        alarms.failed(DATABASE, f"{self.where}: {cause(error)}", 0)
        self.watch()

    def watch(self) -> None:
        """Start to watch for the end of an outage, if one lasts."""
        if alarms.lasting(DATABASE) and (self._watch is None or self._watch.done()):
            self._watch = asyncio.get_running_loop().create_task(self._until_it_can_be_used(), name="outage")

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Note every error that says that the database cannot be used."""
        try:
            yield
        except sa.exc.DBAPIError as error:
            self.note(error)
            raise

    async def _until_it_can_be_used(self) -> None:
        """Probe the database until the outage is over: nobody else may want to write for hours."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._transact(nothing_changed)
            except Exception as error:
                if is_away(error) or not isinstance(error, sa.exc.DBAPIError):
                    alarms.failed(DATABASE, cause(error), 0)
                    continue
            if not alarms.works(DATABASE):
                return

    async def _end_watch(self) -> None:
        if self._watch is not None:
            self._watch.cancel()
            await asyncio.gather(self._watch, return_exceptions=True)

    def hangs(self) -> bool:
        """Whether a write has been under way for longer than its time limit."""
        return time.monotonic() - next(iter(self._writes.values()), float("inf")) > self.seconds

    async def written(self) -> object:
        """Return a version that differs after every commit, whoever made it, without a query; None: only a query can
        tell."""
        return None

    async def open(self) -> None:  # noqa: B027 -- not every kind needs it
        """Start the tasks and threads that the database needs."""

    @abstractmethod
    async def close(self) -> None:
        """Finish the jobs that were asked for, and close the connections."""

    @abstractmethod
    async def _read(self, job: Job[T]) -> T: ...

    @abstractmethod
    async def _transact(self, job: Job[T]) -> T: ...

    async def read(self, job: Job[T]) -> T:
        """Run a job that only reads."""
        with self.watched():
            return await self._read(job)

    async def attempt(self, job: Job[T]) -> T:
        """Run a job in a transaction of its own; what fails begins no outage."""
        return await self._transact(_bounded(job))

    async def transact(self, job: Job[T]) -> T:
        """Run a job in a transaction of its own."""
        with self.watched():
            return await self._transact(_bounded(job))

    async def write(self, job: Job[T], *, person: bool = True, patient: bool = False) -> T:
        """Run a job in a transaction and return when it is durable. A job that raised may be run once more.

        Args:
            person: a person waits for it; bots have time.
            patient: wait as long as it takes.

        Raises:
            sa.exc.OperationalError: when it took too long; it goes on, and nobody knows how it will end.
        """
        job = _bounded(job)
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
            error = sa.exc.OperationalError("write", None, TimeoutError())
            self.note(error)
            raise error
        return writing.result()

    async def write_own(self, job: Job[T]) -> T:
        """Run a job as `write` does, which adds rows on behalf of no request: a bar, or the server's own records."""
        return await asyncio.get_running_loop().create_task(self.write(job), context=unbounded())

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
