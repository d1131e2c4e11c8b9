"""The database of a simulation: what a worker believes to be PostgreSQL, or its SQLite, over one real SQLite file.

The statements are those of `store/`, and their transactions are real. Other tasks go on between two statements, and
around each commit. A statement can fail or hang, and so can a commit: before it is done or after.

Of PostgreSQL it shows reads of what is committed (`READ COMMITTED`), LISTEN and NOTIFY, and one writer at a time, from
its first statement that writes to its commit: fewer orders than the real one has, and none that it has not.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.util import await_only, greenlet_spawn
from tests.server.migrated import lay
from tests.server.order_loop import PROCESS, Loop, Process

from ziggurat.server.store.prepared import Prepared

WRITES = ("INSERT", "UPDATE", "DELETE")
ALONE = "pg_advisory_xact_lock"
"""What waits for others, though it writes nothing."""
CLOCK = "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)"
LEDGER = """
create table ledger (n integer primary key, what text, id text, way text, of text, kind text, seq int, batch text,
    begun int, at real, now real, reached int);
create trigger told after insert on outbox begin
    insert into ledger (what, id, way, of, kind, seq, batch, begun, at, now)
    values ('new', new.id, new.way, new.table_id, new.kind, new.seq, null, 0, new.at, real_now());
end;
create trigger gone after delete on outbox begin
    insert into ledger (what, id, way, of, kind, seq, batch, begun, at, now, reached)
    values ('gone', old.id, old.way, old.table_id, old.kind, old.seq, old.batch, old.begun, old.at, real_now(),
        (select seq from tables where id = old.table_id));
end;
create table seen (n integer primary key, of text, seq int, status text, now real);
create trigger made after insert on tables begin
    insert into seen (of, seq, status, now) values (new.id, new.seq, new.status, real_now());
end;
create trigger changed after update of seq on tables begin
    insert into seen (of, seq, status, now) values (new.id, new.seq, new.status, real_now());
end;
create trigger deleted after delete on tables begin
    insert into seen (of, seq, status, now) values (old.id, old.seq, 'deleted', real_now());
end;
"""
"""Written in the transactions of which it tells: what news there was and went, and how far the tables were."""


@dataclass
class Weather:
    """How often what goes wrong."""

    slow: float = 0.05
    """Statements that take a while."""
    fails: float = 0.0
    """Transactions that write, and fail."""
    hangs: float = 0.0
    """The same, and take many seconds."""
    unsure: float = 0.0
    """Commits of which it is not known that they were done."""
    late: float = 0.05
    """Seconds that a notice takes, at most."""
    twice: float = 0.0
    """Notices that come twice."""


def lost(why: str) -> sa.exc.OperationalError:
    """Return what is said of a connection that broke."""
    return sa.exc.OperationalError("simulated", None, ConnectionError(why))


@dataclass(eq=False)
class Listening:
    """A connection that hears notices; `broken`: it hears none any more, and has yet to find out."""

    database: SimulatedDatabase
    process: Process
    channels: dict[str, Callable[..., None]] = field(default_factory=dict)
    ended: list[Callable[[Any], None]] = field(default_factory=list)
    waiting: deque[tuple[str, str]] = field(default_factory=deque)
    broken: bool = False

    def add_termination_listener(self, told: Callable[[Any], None]) -> None:
        """Have somebody told when it breaks."""
        self.ended.append(told)

    async def add_listener(self, channel: str, told: Callable[..., None]) -> None:
        """Have somebody told of notices."""
        await self.database.travel()
        self.channels[channel] = told

    def deliver(self) -> None:
        """Tell of the next notice."""
        channel, payload = self.waiting.popleft()
        if not self.broken and channel in self.channels:
            self.channels[channel](self, 0, channel, payload)

    def end(self) -> None:
        """Find out that it is broken."""
        self.broken = True
        for told in self.ended:
            told(self)


class SimulatedDatabase:
    """One database, for all processes."""

    def __init__(
        self, folder: Path, loop: Loop, chance: random.Random, clock: Callable[[], float], *, postgres: bool
    ) -> None:
        lay(folder)
        self.path = folder / "ziggurat.db"
        self.loop, self.chance, self.clock, self.postgres = loop, chance, clock, postgres
        self.weather = Weather()
        self.down = False
        self.over = False
        self.tell: Callable[[str], None] = lambda line: None
        self.listening: list[Listening] = []
        self._using: dict[sqlite3.Connection, Process] = {}
        self._notices: dict[sqlite3.Connection, list[tuple[str, str]]] = {}
        self.cut: set[sqlite3.Connection] = set()
        self._writer: sqlite3.Connection | None = None
        self._writers: list[asyncio.Future[None]] = []
        self._opened_all: list[sqlite3.Connection] = []
        self.raw = self._opened()
        """For those who look on: what is committed."""
        self.raw.executescript(LEDGER)
        self.engine = _engine("postgresql" if postgres else "sqlite")

    # --- Connections ---

    def _opened(self) -> sqlite3.Connection:
        raw = sqlite3.connect(self.path, check_same_thread=False)
        raw.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF; PRAGMA foreign_keys=ON;")
        raw.create_function("real_now", 0, lambda: self.loop.now)
        raw.create_function("now_of_database", 0, self.clock)
        raw.create_function("julianday", 1, lambda _: 2_440_587.5 + self.clock() / 86_400)
        raw.create_function("pg_notify", 2, lambda *notice: self._notices.setdefault(raw, []).append(notice))
        raw.create_function(ALONE, 2, lambda *_: None)
        raw.create_function("hashtext", 1, lambda text: len(text))
        self._opened_all.append(raw)
        return raw

    def opened(self) -> sqlite3.Connection:
        """Return a new connection of a process."""
        raw = self._opened()
        if self.postgres:
            raw.isolation_level = None  # a transaction begins with the first statement that writes
        return raw

    def taken(self, raw: sqlite3.Connection) -> None:
        """Note that a process uses a connection."""
        process = PROCESS.get()
        if process is not None:
            self._using[raw] = process

    def given_back(self, raw: sqlite3.Connection) -> None:
        """Note that it does not any more; its transaction has ended."""
        with suppress(sqlite3.Error):
            raw.rollback()
        self._using.pop(raw, None)
        self.cut.discard(raw)
        self._notices.pop(raw, None)
        self._let_go(raw)

    def forget(self, process: Process) -> None:
        """A process is gone: what it had not committed never was."""
        self.listening = [one for one in self.listening if one.process is not process]
        for raw, user in [*self._using.items()]:
            if user is process:
                self.given_back(raw)

    def end(self) -> None:
        """Let the file go."""
        self.over = True
        self.engine.dispose()
        for raw in self._opened_all:
            raw.close()

    # --- What goes wrong ---

    def go_down(self) -> None:
        """Refuse all connections, and break those there are."""
        self.down = True
        self.cut |= self._using.keys()
        self.break_listening()

    def break_listening(self, delay: float = 0.0) -> None:
        """Break the connections that hear notices; they find out after a while."""
        for one in self.listening:
            one.broken = True
            context = copy_context()
            context.run(PROCESS.set, one.process)
            self.loop.call_later(delay * self.chance.random(), one.end, context=context)
        self.listening = []

    # --- Statements ---

    async def travel(self) -> None:
        """Take as long as a statement takes on its way."""
        draw = self.chance.random()
        if draw < self.weather.slow:
            await asyncio.sleep(0.05 * self.chance.random())
        elif draw < 0.5:
            await asyncio.sleep(0)

    async def step(self, raw: sqlite3.Connection, statement: str) -> None:
        """Let others go on before a statement is done."""
        await self.travel()
        self.must_be_there(raw)
        if not statement.startswith(WRITES) and ALONE not in statement:
            return
        if self._writer is not raw and self.postgres:
            await self._hold(raw)
            self.must_be_there(raw)
            raw.execute("BEGIN IMMEDIATE")
        draw = self.chance.random()
        if draw < self.weather.fails:
            self.tell("a statement fails")
            raise lost("the statement failed")
        if draw < self.weather.fails + self.weather.hangs:
            self.tell("a statement hangs")
            await asyncio.sleep(10 * self.chance.random())
            self.must_be_there(raw)

    async def _hold(self, raw: sqlite3.Connection) -> None:
        while self._writer is not None:
            turn = self.loop.create_future()
            self._writers.append(turn)
            await turn
        self._writer = raw

    def _let_go(self, raw: sqlite3.Connection) -> None:
        if self._writer is raw:
            self._writer = None
            waiting, self._writers = self._writers, []
            for turn in waiting:  # one of them is first; some are dead
                if not turn.done():
                    turn.set_result(None)

    def must_be_there(self, raw: sqlite3.Connection | None = None) -> None:
        """Refuse what comes to a database that is down, or by a connection that was cut."""
        if self.down or raw in self.cut:
            raise lost("the database is away")

    def committed(self, raw: sqlite3.Connection) -> None:
        """Tell who listens of what is durable."""
        self._let_go(raw)
        for notice in dict.fromkeys(self._notices.pop(raw, ())):
            for one in self.listening:
                for _ in range(1 + (self.chance.random() < self.weather.twice)):
                    one.waiting.append(notice)
                    context = copy_context()
                    context.run(PROCESS.set, one.process)
                    self.loop.call_later(self.weather.late * self.chance.random() ** 2, one.deliver, context=context)


CURRENT: list[SimulatedDatabase] = []
"""The one that is used; SQLAlchemy's engines, and what they have compiled, serve one after the other."""


@cache
def _engine(kind: str) -> sa.Engine:
    engine = sa.create_engine(
        "sqlite:///simulated", creator=lambda: CURRENT[-1].opened(), hide_parameters=True, pool_size=40, max_overflow=-1
    )
    engine.dialect.name = kind
    sa.event.listen(engine, "before_cursor_execute", _before, retval=True)
    sa.event.listen(engine, "commit", _before_commit)
    sa.event.listen(engine, "checkout", _taken)
    sa.event.listen(engine, "checkin", _given_back)
    sa.event.listen(engine, "invalidate", _given_back)  # whoever waited for a statement was cancelled
    return engine


_texts: dict[tuple[Prepared, str], tuple[str, tuple[tuple[str, Any], ...]]] = {}


def run_prepared(this: Prepared, connection: sa.Connection, values: Mapping[str, Any]) -> sa.CursorResult[Any]:
    """Run a prepared statement: what is compiled for this PostgreSQL has SQLite's marks, and is for nobody else."""
    key = this, connection.dialect.name
    if key not in _texts:
        kept = {**this._texts}
        _texts[key] = this._compile(connection.dialect)
        this._texts = kept
    text, parameters = _texts[key]
    return connection.exec_driver_sql(text, tuple(values.get(name, usual) for name, usual in parameters))


def _taken(raw: sqlite3.Connection, *_: object) -> None:
    if CURRENT:
        CURRENT[-1].taken(raw)


def _given_back(raw: sqlite3.Connection | None, *_: object) -> None:
    if CURRENT and raw is not None:
        CURRENT[-1].given_back(raw)


def raw_of(connection: sa.Connection) -> sqlite3.Connection:
    """Return what is below a connection."""
    raw: Any = connection.connection.dbapi_connection
    return raw  # type: ignore[no-any-return]


def _before(connection: sa.Connection, _cursor: Any, statement: str, given: Any, *_: Any) -> tuple[str, Any]:
    database = CURRENT[-1]
    if PROCESS.get() is not None and not database.over:
        await_only(database.step(raw_of(connection), statement))
    return statement.replace(CLOCK, "now_of_database()"), given


def _before_commit(connection: sa.Connection) -> None:
    database = CURRENT[-1]
    if PROCESS.get() is not None and not database.over:
        await_only(database.travel())
        database.must_be_there(raw_of(connection))


class Session:
    """What SQLAlchemy's asynchronous connection is to `PostgresDatabase`."""

    def __init__(self, database: SimulatedDatabase) -> None:
        self.database = database
        self._connection: sa.Connection | None = None
        self._heard: Listening | None = None

    async def __aenter__(self) -> Session:
        await self.database.travel()
        if self.database.down:
            raise ConnectionRefusedError
        self._connection = self.database.engine.connect()
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._connection is not None and not self.database.over:
            self._connection.close()
        if self._heard in self.database.listening:
            self.database.listening.remove(self._heard)

    async def run_sync(self, job: Callable[[sa.Connection], Any]) -> Any:
        """Do a job."""
        return await greenlet_spawn(job, self._connection)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[None]:
        """Commit at the end, if all went well."""
        yield
        connection, database = self._connection, self.database
        assert connection is not None
        raw = raw_of(connection)
        writes = raw.in_transaction
        await greenlet_spawn(connection.commit)  # which takes its time, and may fail
        database.committed(raw)
        await database.travel()
        if (writes and database.chance.random() < database.weather.unsure) or raw in database.cut:
            database.tell("a commit is done, and nobody hears of it")
            raise lost("the connection broke")

    async def get_raw_connection(self) -> Any:
        """Return what has the connection of the driver."""
        process = PROCESS.get()
        assert process is not None
        self._heard = Listening(self.database, process)
        self.database.listening.append(self._heard)
        return self

    @property
    def driver_connection(self) -> Listening | None:
        """The connection of the driver."""
        return self._heard

    async def invalidate(self) -> None:
        """Use it no more."""


class SimulatedEngine:
    """What SQLAlchemy's asynchronous engine is to `PostgresDatabase`."""

    url = sa.make_url("postgresql+asyncpg://simulated/")

    def __init__(self, database: SimulatedDatabase) -> None:
        self.database = database
        self.sync_engine = database.engine

    def connect(self) -> Session:
        """Return a connection."""
        return Session(self.database)

    async def dispose(self) -> None:
        """Close what is open."""


@contextmanager
def current(database: SimulatedDatabase) -> Iterator[None]:
    """Let SQLAlchemy use this database."""
    CURRENT.append(database)
    try:
        yield
    finally:
        database.end()
        CURRENT.pop()
