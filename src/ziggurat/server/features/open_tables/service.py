"""The open tables in the memory of each worker, and the search for one that suits a person."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.create import create
from ziggurat.server.domain.guards import table_full
from ziggurat.server.domain.open_table import Listing, OpenTable, listing, shows_the_same
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.table import Table
from ziggurat.server.features.open_tables import find
from ziggurat.server.features.open_tables import rows as open_tables
from ziggurat.server.features.open_tables.attendance import is_attended, look_after
from ziggurat.server.features.open_tables.find import Find, NearTable
from ziggurat.server.problems import Problem
from ziggurat.server.services.background import Background
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks
from ziggurat.server.store.log import OPEN_TABLES_CHANNEL

MOST_TABLES_TRIED = 5
"""Tables at which it is tried to sit down before one is opened: others may be faster at each."""
LOOK_SECONDS = 5.0
"""Seconds between looks whether people are there who sit at open tables."""
MOST_RESTARTS = 3
"""Times that a search begins again, because another person has just opened what is looked for."""


class OpenTables:
    """The list of open tables: read from the database at the start, and updated by the bus."""

    def __init__(self, table_service: TableService, bus: Bus) -> None:
        self.table_service = table_service
        self.on_change: list[Callable[[str], None]] = []
        """Called with the id of a table of which the list says something new; without one where all may be new."""
        self._listed: dict[str, Listing] = {}
        self._dirty: set[str] = set()
        self._all = True
        self._reader = Background("open tables", self._read, standby=None)
        self._attendance = Background(
            "who is there", self._look_after, standby=table_service.standby, first=LOOK_SECONDS
        )
        self._line = asyncio.Lock()
        bus.on_change.append(self._changed)
        bus.listen(OPEN_TABLES_CHANNEL, self._heard)
        bus.on_gap.append(self._missed)

    async def open(self) -> None:
        """Read the open tables."""
        await self._read()
        self._reader.open()
        self._attendance.open()

    async def close(self) -> None:
        """Stop the updates."""
        await self._attendance.close()
        await self._reader.close()

    # --- The list ---

    def tables(self, but: Collection[str] = ()) -> list[OpenTable]:
        """Return the open tables, the newest first; without those made by certain people, or where they sit."""
        known = sorted(self._listed.values(), key=lambda one: (-one.table.created, one.table.id))
        return [one.table for one in known[: open_tables.MOST_LISTED] if one.people.isdisjoint(but)]

    async def blocking(self, person: Person | None) -> frozenset[str]:
        """Return the people who have blocked a person: their tables are not shown, for they would be full."""
        if person is None:
            return frozenset()
        return frozenset(await self.table_service.database.read(partial(blocks.blocking, person=person.id)))

    def get(self, id: str) -> OpenTable | None:
        """Return a table of the list."""
        one = self._listed.get(id)
        return one.table if one is not None else None

    def _changed(self, id: str, seq: int, table: Table | None) -> None:
        if table is not None and (table.policy.join == "anyone" or id in self._listed):
            self._put(id, listing(table))

    def _heard(self, id: str) -> None:
        """Mark an open table that has changed, here or at another worker: it is read again."""
        self._dirty.add(id)
        self._reader.wake()

    def _missed(self) -> None:
        self._all = True
        self._reader.wake()

    async def _read(self) -> None:
        """Read the open tables that have changed."""
        everything, self._all = self._all, False
        ids, self._dirty = self._dirty, set()
        if not (everything or ids):
            return
        try:
            read = partial(open_tables.find, ids=None if everything else ids)
            found = {one.table.id: one for one in await self.table_service.database.read(read)}
        except BaseException:
            self._all, self._dirty = self._all or everything, self._dirty | ids
            raise
        for id in {*ids, *found, *(self._listed if everything else ())}:
            one, known = found.get(id), self._listed.get(id)
            if one is None or known is None or one.seq >= known.seq:  # here it may have gone on meanwhile
                self._put(id, one)

    def _put(self, id: str, one: Listing | None) -> None:
        known = self._listed.get(id)
        if one is not None:
            self._listed[id] = one
        else:
            self._listed.pop(id, None)
        if not shows_the_same(known, one):
            for listener in self.on_change:
                listener(id)

    async def _look_after(self) -> float:
        """Free the seats of absent people, at the tables whose home is this worker."""
        here = [id for id in self._listed if self.table_service.settings.siblings.is_home(id)]
        for id in here if not self.table_service.is_closed() else ():
            await self._attendance.failures.attempt(self._look_after_one(id))
        return LOOK_SECONDS

    async def _look_after_one(self, id: str) -> None:
        await look_after(await self.table_service.get(id), self.table_service)

    # --- Finding ---

    async def near(self, wish: Find, person: str) -> list[NearTable]:
        """Return the waiting open tables, and how each differs from a search."""
        return find.near(await self._there(person), wish, person, time.time())

    async def _there(self, person: str) -> list[Listing]:
        """Return the open tables where a person may sit down, and somebody is present."""
        listed = await self.table_service.database.read(partial(open_tables.find, but=person))
        return [one for one in listed if is_attended(one, self.table_service.bus)]

    async def find(self, wish: Find, person: Person, address: str) -> Table:
        """Return the table at which a search has seated a person: an open one that suits it, or a new one.

        The same request again finds the same table. Of two people who wish the same at the same moment one opens a
        table, and the other sits down there.
        """
        find.check_games(wish.games)
        async with self._line:  # one after the other; other workers are waited for where a table is opened
            database = self.table_service.database
            known = await database.read(lambda c: open_tables.found(c, person.id, wish.id))
            if known is not None:
                return await self.table_service.get(known)
            try:
                return await self._find(wish, person, address)
            except Problem as problem:
                # The same request has come to another worker, and was faster.
                known = await database.read(lambda c: open_tables.found(c, person.id, wish.id))
                if known is None:
                    raise problem from None
                return await self.table_service.get(known)

    async def _find(self, wish: Find, person: Person, address: str) -> Table:
        for _ in range(MOST_RESTARTS):
            there = await self._there(person.id)
            for one in find.candidates(there, wish, person.id, time.time())[:MOST_TABLES_TRIED]:
                table = await self._sit_down(one, wish, person)
                if table is not None:
                    return table
            try:
                return await self._open(wish, person, address)
            except _Another:
                continue
        return await self._open(wish, person, address, look=False)

    async def _sit_down(self, one: Listing, wish: Find, person: Person) -> Table | None:
        """Return a table with the person seated; None where others were faster, or they cannot."""

        def command(table: Table) -> Table:
            now = listing(table)
            if now is None or not find.fits(now, wish, person.id, time.time()):
                raise table_full()
            return join(table, Join("", wish.name or person.name, zone=wish.zone), person)

        def note(connection: sa.Connection) -> None:
            open_tables.note_find(connection, person.id, wish.id, one.table.id)

        try:
            return await self.table_service.change(one.table.id, command, also=note)
        except Problem as problem:
            if problem.code in (
                "table_full",
                "seat_taken",
                "already_started",
                "expired",
                "name_taken",
                "unknown_table",
                "blocked_here",
                "put_out",
            ):
                return None
            raise

    async def _open(self, wish: Find, person: Person, address: str, look: bool = True) -> Table:
        """Return a new table for a search; raises `_Another` where another person has opened one meanwhile."""
        await self.table_service.must_have_room(person.id, address)
        house_bots = self.table_service.settings.house_bots(wish.games[0])
        table = await asyncio.to_thread(create, find.new_table(wish), person, house_bots)

        def also(connection: sa.Connection, table: Table) -> None:
            open_tables.queue(connection)
            there = open_tables.find(connection, but=person.id) if look else []
            there = [one for one in there if is_attended(one, self.table_service.bus)]
            if any(not one.table.running for one in find.candidates(there, wish, person.id, time.time())):
                raise _Another
            open_tables.note_find(connection, person.id, wish.id, table.id)

        return await self.table_service.add(table, address, also)


class _Another(Exception):
    """Another person has just opened a table that suits."""
