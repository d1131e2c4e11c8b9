"""The clocks of tables: the worker that first sees that something is due does it, and nobody pays for time in which
the service was down."""

from __future__ import annotations

import time
from contextlib import suppress
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import excuse, pass_time
from ziggurat.server.features.open_tables.attendance import look_after
from ziggurat.server.services.background import Background
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import housekeeping, log

LOOK = 1.0
"""Seconds between looks whether something is due."""
BEAT = 5.0
"""Seconds between notes that the service is up."""
GAP = 3 * BEAT
"""Seconds without such a note after which it was down: other workers may have gone on. One that is alone, and has just
begun, knows that nobody did."""
AT_ONCE = 20
"""Things that are due at one table, one after the other, before others are looked at."""


class Clocks:
    """Looks every second for tables where something is due because time has passed."""

    def __init__(self, settings: Settings, table_service: TableService) -> None:
        self.settings = settings
        self.table_service = table_service
        self._others: set[str] = set()  # what was due at the last look, and is for another worker to do
        self._beaten = 0.0
        self._run = False
        self._loop = Background("clocks", self._look, quiet=table_service.quiet)
        table_service.quiet.on_begin.append(self._stand)

    async def open(self) -> None:
        """Begin to look. Before anything is changed it is known when the service was down."""
        if not self.table_service.quiet.on:
            await self.beat(0.0 if self.settings.sqlite else GAP)
        self._loop.open()

    async def _stand(self) -> None:
        """At a copy all clocks stand until someone says that it is the original (`original.make_quiet`)."""
        self.table_service.outages = tuple(await self.table_service.database.read(housekeeping.known_outages))

    async def close(self) -> None:
        """Stop; no clock counts until a worker begins again."""
        await self._loop.close()
        if self._run and not self.table_service.quiet.on and not self.table_service.is_closed():
            with suppress(sa.exc.DBAPIError):  # then what was noted last counts
                await self.beat(GAP)

    async def _look(self) -> float:
        await self.look()
        return LOOK

    async def look(self) -> None:
        """Do what is due. While the service is maintained, nothing is: it is as if it were down."""
        if self.table_service.is_closed():
            return
        now, database = time.time(), self.table_service.database
        if abs(now - self._beaten) >= BEAT:
            # Before anything is done it is known whether the service was down, of which the database is a part.
            ran, self._run = self._run, await database.read(log.clocks_tick)
            if self._run or ran:
                await self.beat(GAP)
            self._beaten = now
        due = await database.read(partial(log.ticking, before=now))
        left, self._others = self._others, {id for id in due if not self.settings.siblings.is_home(id)}
        for id in due:
            # A table is read where it is in memory; what is still left at the next look, any worker does.
            if id in left or id not in self._others:
                await self._loop.failures.attempt(self._pass(id))

    async def beat(self, gap: float) -> None:
        """Note that the service is up; give back the time in which it was down."""
        now, known = time.time(), self.table_service.outages
        note = partial(housekeeping.beat, now=now, gap=gap)
        try:
            found = await self.table_service.database.write(note, person=False)
        except sa.exc.IntegrityError:  # another worker has just seen it, too
            found = await self.table_service.database.write(note, person=False)
        self.table_service.outages = tuple(found)
        if set(found) - set(known):
            for id in await self.table_service.database.read(log.ticking):
                await self._loop.failures.attempt(self._excuse(id, now))

    async def _excuse(self, id: str, now: float) -> None:
        """Give back what is known at the moment of a note that the service is up, and charge nobody for the time since:
        the next note may tell that the service was down in it, too."""
        await self.table_service.change(id, lambda t: excuse(t, now, self.table_service.outages), person=False)

    async def _pass(self, id: str) -> None:
        now = time.time()

        def command(table: Table) -> Table:
            return pass_time(table, now, self.table_service.outages)

        for _ in range(AT_ONCE):
            before = await self.table_service.get(id)
            if await look_after(before, self.table_service):
                return  # until they are there, or their seat is free
            after = await self.table_service.change(id, command, person=False)
            if after.tick is None or after.tick > now:
                return
            if after is before:
                # The game cannot go on with these rules, and its clock cannot either.
                await self.table_service.database.write(
                    partial(log.nothing_ticks, table=id, seq=after.seq), person=False
                )
                return
