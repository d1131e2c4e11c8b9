"""The table service: the one place where a table is read and changed."""

from __future__ import annotations

import asyncio
import time
import weakref
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from traceback import clear_frames

import sqlalchemy as sa

from ziggurat.core.errors import ZigguratError
from ziggurat.server.counters import STORAGE_CODE, counters
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.clock import Outages
from ziggurat.server.domain.guards import must_be_over
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.seating import might_come, people_at
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import ran
from ziggurat.server.domain.upgrade import upgraded
from ziggurat.server.feature import by_name
from ziggurat.server.problems import RETRY_KEY, Problem, maintained, no_new_table, unknown_table
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.followers import TableFollower
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.standby import Standby
from ziggurat.server.settings import Settings
from ziggurat.server.store import blocks, log, quotas
from ziggurat.server.store.accounts import must_be_house
from ziggurat.server.store.database import Database

Command = Callable[[Table], Table]
CHANGES_PER_TABLE = 150
"""Log entries, for each table that may be kept in memory, of all of them together; a usual table has a hundred, one of
an abuser thousands."""
MOST_ATTEMPTS = 8


class TableService:
    """The tables in memory and in the database, changed by compare-and-swap on `(table, seq)`."""

    def __init__(self, settings: Settings, database: Database, bus: Bus, compiled_rules: CompiledRules) -> None:
        self.settings = settings
        self.database = database
        self.bus = bus
        self.followers: dict[str, TableFollower] = {
            name: feature.follower(self) for name, feature in by_name().items() if feature.follower is not None
        }
        """What features do with changes, by the names of these."""
        self.standby = Standby(database)
        """Whether nothing may happen by itself; whatever does asks."""
        self.compiled_rules = compiled_rules
        self._remembered: OrderedDict[str, Table] = OrderedDict()
        self._changes = 0
        self._asked: set[str] = set()  # tables that were asked for since the last look at those that were not
        self.outages: Outages = ()
        """When nobody's clock ran (`services.clocks`)."""
        self.is_closing: Callable[[], bool] = _no
        """Whether no new tables are made, because the service is about to be maintained (`features.moderation`)."""
        self.is_closed: Callable[[], bool] = _no
        """Whether it is maintained, and nothing changes at any table."""
        self.on_closed: list[Callable[[], None]] = []
        """Called when that begins."""
        self.on_deleted: list[Callable[[str], None]] = []
        """Called when a table is gone."""
        self._locks: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._running: set[asyncio.Task[Table]] = set()
        # Of a person, and of an address.
        self._quotas = [
            quotas.Quota(round(settings.quota * per_hour), round(settings.quota * unfinished))
            for per_hour, unfinished in zip(settings.tables_per_hour, settings.unfinished_tables, strict=True)
        ]

    async def may_be_shown(self, table: Table) -> None:
        """Refuse to reveal all of a running game, or of one that a feature keeps back."""
        must_be_over(table)
        await self.database.read(partial(self.may_go, table=table))

    def may_go(self, connection: sa.Connection, table: Table) -> None:
        """Refuse to reveal or delete a table where something is still open."""
        for follower in self.followers.values():
            follower.may_be_shown(connection, table)

    async def has_to_wait(self, table: Table) -> bool:
        """Whether a waiting table cannot start yet, whatever its clock says."""
        return any([await follower.has_to_wait(table) for follower in self.followers.values()])

    def must_not_be_closed(self) -> None:
        """Refuse during maintenance: called before a command writes anything, so that a command that changes tables too
        is done wholly or not at all."""
        if self.is_closed():
            raise maintained()

    async def get(self, id: str) -> Table:
        """Return the newest state of a table that this worker has heard of."""
        table = self._remembered.get(id)
        if table is not None and table.seq >= self.bus.newest_seq(id):
            self._remembered.move_to_end(id)
            self._asked.add(id)
            return table
        if not id.isascii() or not id.isalnum():
            raise unknown_table(id[:40])  # no such name is ever made
        found = await self.database.read(lambda c: log.load(c, id, table.changes if table is not None else ()))
        if found is None:
            raise unknown_table(id)
        return self._remember(rules_gateway.restore(*found))

    async def newest(self, id: str) -> Table:
        """Return the newest state of a table, checked against the database: for people who come from another worker."""
        table = await self.get(id)
        if await self._is_behind(table):
            table = await self.get(id)
        return table

    async def _is_behind(self, table: Table) -> bool:
        """Whether another worker has changed a table meanwhile; then the cached state is dropped."""
        if not self.bus.shared or await self.database.read(lambda c: log.newest_seq(c, table.id)) == table.seq:
            return False
        known = self._remembered.get(table.id)
        if known is not None and known.seq == table.seq:
            self.evict(table.id)
        return True

    def _remember(self, table: Table) -> Table:
        self.compiled_rules.use(table.game)
        known = self._remembered.get(table.id)
        if known is not None and known.seq > table.seq:
            return known
        self.evict(table.id)
        most = self.settings.tables_in_memory
        while self._remembered and (len(self._remembered) >= most or self._changes > CHANGES_PER_TABLE * most):
            self.evict(next(iter(self._remembered)))
        self._remembered[table.id] = table
        self._asked.add(table.id)
        self._changes += len(table.changes)
        return table

    def evict(self, id: str) -> None:
        """Drop a table from memory; the next `get` reads it again."""
        table = self._remembered.pop(id, None)
        if table is not None:
            self._changes -= len(table.changes)

    def evict_idle(self) -> None:
        """Drop the tables that nobody follows here, and that nobody has asked for since the last call."""
        for id in self._remembered.keys() - self._asked:
            if not self.bus.is_followed_here(id):
                self.evict(id)
        self._asked.clear()

    def in_memory(self, id: str) -> Table | None:
        """Return a table as this worker remembers it, if it does."""
        return self._remembered.get(id)

    def remembered(self) -> int:
        """Return the number of tables in memory."""
        return len(self._remembered)

    def known(self) -> dict[str, int]:
        """Return the seq of each table in memory."""
        return {id: table.seq for id, table in self._remembered.items()}

    def forget(self) -> None:
        """Drop all tables from memory, because changes may have been missed."""
        self._remembered.clear()
        self._changes = 0

    async def is_unwelcome(self, table: Table, person: str | None) -> bool:
        """Whether a person may not sit down at a table with a free seat, because somebody there has blocked them."""
        if person is None or not might_come(table, person):
            return False
        blocking = await self.database.read(lambda c: blocks.blocking(c, person))
        return not blocking.isdisjoint(people_at(table))

    async def must_have_room(self, person: str, address: str) -> None:
        """Refuse a new table beyond a quota; `add` checks it again."""
        await self.database.read(lambda c: self._check_quotas(c, person, address))

    def _check_quotas(self, connection: sa.Connection, person: str, address: str) -> None:
        hashes = self.settings.address_hasher.of(address)
        quotas.must_have_room(connection, person, self._quotas[0], hashes, self._quotas[1])

    def _may_be_made(self, connection: sa.Connection, table: Table, address: str) -> str:
        """Refuse a new table beyond a quota; return the hash of the address from which it is made.

        Every table that a person makes comes by here: a new one, a deal's, a rematch.
        """
        if self.is_closing():
            raise no_new_table()
        origin = self.settings.address_hasher.of(address)[0]
        quotas.queue(connection, origin)
        self._check_quotas(connection, table.host, address)
        for follower in self.followers.values():
            follower.may_be_made(connection, table, origin)
        return origin

    async def add(
        self,
        table: Table,
        address: str,
        also: Callable[[sa.Connection, Table], None] | None = None,
        called: Sequence[str] = (),
    ) -> Table:
        """Write a new table from an address, and `also`, or refuse it beyond a quota. `called`: people of its group who
        are notified."""
        return await self._add(table, lambda connection: self._may_be_made(connection, table, address), also, called)

    async def add_own(self, table: Table, also: Callable[[sa.Connection, Table], None]) -> Table:
        """Write a new table that the service makes by itself, and `also`: it counts for nobody's quota."""
        if self.is_closing():
            raise no_new_table()
        return await self._add(table, lambda _: None, also, ())

    async def _add(
        self,
        table: Table,
        origin: Callable[[sa.Connection], str | None],
        also: Callable[[sa.Connection, Table], None] | None,
        called: Sequence[str],
    ) -> Table:
        table = self._claimed(ran(None, table, self.outages))
        more = [(one, told) for one in self.followers.values() if (told := one.made(table, called))]

        def job(connection: sa.Connection) -> list[TableFollower]:
            if table.host == HOUSE_PERSON.id:
                must_be_house(connection)
            log.insert(connection, table, origin(connection))
            if also is not None:
                also(connection, table)
            return [follower for follower, told in more if told(connection)]

        wrote = await self.database.write(job)
        self._announce(table)
        for follower in wrote:
            follower.written()
        return table

    def _announce(self, table: Table) -> None:
        _count(table)
        self._remember(replace(table, spawned=None) if table.spawned is not None else table)
        self.bus.changed(table)
        if table.spawned is not None:
            self._announce(table.spawned)

    async def change(
        self,
        id: str,
        command: Command,
        *,
        person: bool = True,
        share: LoopShare | None = None,
        also: Callable[[sa.Connection], None] | None = None,
    ) -> Table:
        """Apply a command to the newest state of a table, write it, then announce it; return the new state.

        The command may be called again when another writer was faster; it refuses by raising Problem.

        Args:
            person: whether a person waits for the result.
            share: of the asker's address (`RateLimits.share`); needed where the command may make another table.
            also: what else is written with the change, if there is one.
        """
        # A socket that breaks off must not tear a change in two: the change goes on in a task of its own. So does one
        # that the database has held for too long: its asker is told so, and everybody if it becomes durable after all.
        told: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(self._in_time(id, command, person, share, told, also))
        self._running.add(task)
        task.add_done_callback(partial(self._carried_through, told))
        try:
            return await asyncio.shield(told)
        finally:
            del task, told  # a refusal knows this call, and by these itself; see below

    def _carried_through(self, told: asyncio.Future[Table], task: asyncio.Task[Table]) -> None:
        self._running.discard(task)
        trouble = None if task.cancelled() else task.exception()
        if trouble is not None:
            # It knows what was called, and that knew who waits for it: it would stay until the garbage is collected,
            # with the positions on which a move was tried.
            clear_frames(trouble.__traceback__)
        if told.done():
            return
        if task.cancelled():
            told.cancel()
        elif trouble is not None:
            told.set_exception(trouble)
            told.exception()  # perhaps nobody waits for it any more
        else:
            told.set_result(task.result())

    async def _in_time(
        self,
        id: str,
        command: Command,
        person: bool,
        share: LoopShare | None,
        told: asyncio.Future[Table],
        also: Callable[[sa.Connection], None] | None,
    ) -> Table:
        if share is not None:
            async with share:
                pass  # before the table is held: others wait for that
        late = asyncio.get_running_loop().call_later(self.database.seconds, _too_late, told)
        try:
            return await self._change(id, command, person, share, told, also)
        finally:
            late.cancel()

    async def _change(
        self,
        id: str,
        command: Command,
        person: bool,
        share: LoopShare | None,
        told: asyncio.Future[Table],
        more: Callable[[sa.Connection], None] | None,
    ) -> Table:
        self.must_not_be_closed()
        lock = self._locks.setdefault(id, asyncio.Lock())
        async with lock:
            for _ in range(MOST_ATTEMPTS):
                old = await self.get(id)
                if told.done():
                    return old  # they were told that it was not saved; nor will it be
                begun = time.thread_time()
                refusal: Problem | ZigguratError | None = None
                try:
                    # Mended rules stand in the log before anything is done by them.
                    new = upgraded(old) if old.mended else command(old)
                except (Problem, ZigguratError) as error:
                    new, refusal = old, error
                if share is not None:
                    share.used(time.thread_time() - begun)
                if new is old:
                    # What is refused, or was done already, may be neither as the table is by now.
                    if await self._is_behind(old):
                        continue
                    if refusal is not None:
                        raise refusal
                    return old
                new = self._claimed(ran(old, new, self.outages))
                with self.bus.writing(id):
                    written = await self._write(old, new, person, share, None if old.mended else more)
                    if written:
                        self._announce(new)
                if not written:
                    self.evict(id)
                elif not old.mended:
                    return new
        raise Problem(503, "busy", "Too many changes at this table at once; try again.", **{RETRY_KEY: 1})

    async def _write(
        self,
        old: Table,
        new: Table,
        person: bool,
        share: LoopShare | None,
        more: Callable[[sa.Connection], None] | None,
    ) -> bool:
        begun = time.perf_counter()
        jobs = [(follower, job) for follower in self.followers.values() if (job := follower.changed(old, new))]
        wrote = list[TableFollower]()

        def also(connection: sa.Connection) -> None:
            if more is not None:
                more(connection)
            wrote[:] = [follower for follower, job in jobs if job(connection)]

        def write(connection: sa.Connection) -> bool:
            blocks.must_not_meet(connection, old, new)
            at = share.address if share is not None else ""
            origin = self._may_be_made(connection, new.spawned, at) if new.spawned is not None else None
            return log.update(connection, old, new, also if jobs or more else None, origin)

        try:
            written = await self.database.write(write, person=person, patient=True)
            counters.written.since(begun)
            if written:
                for follower in wrote:
                    follower.written()
            return written
        except sa.exc.IntegrityError:
            return False  # the same entry of the log was written by another worker
        except sa.exc.DBAPIError as error:
            raise Problem(
                503,
                STORAGE_CODE,
                "The database cannot be written at the moment; nothing was changed. Try again.",
                **{RETRY_KEY: 5},
            ) from error

    def _claimed(self, table: Table) -> Table:
        """Return the change with a claim on the moves that it makes due, for this worker, in the same transaction."""
        if table.spawned is not None:
            table = replace(table, spawned=self._claimed(ran(None, table.spawned, self.outages)))
        if not table.due and table.bot_due is None:
            return replace(table, claim_by=None, lease=0.0) if table.claim_by is not None else table
        return replace(table, claim_by=self.settings.worker, lease=self.settings.lease, claimed=time.monotonic())

    async def settle(self) -> None:
        """Wait for changes that are under way."""
        await asyncio.gather(*self._running, return_exceptions=True)


def _no() -> bool:
    return False


def _too_late(told: asyncio.Future[Table]) -> None:
    """Fail the waiting changes, because the database hangs."""
    if not told.done():
        says = "The database has not answered in time; look at the table and try again."
        told.set_exception(Problem(503, STORAGE_CODE, says, **{RETRY_KEY: 5}))
        told.exception()  # perhaps nobody waits for it any more


def _count(table: Table) -> None:
    """Count the last change in the metrics, if it is a move."""
    change = table.changes[-1]
    if change.kind == "move" and change.seat is not None:
        counters.moved("forced" if change.forced else "bot" if table.seats[change.seat].bot else "person")
