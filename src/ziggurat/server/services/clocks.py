"""The clocks of tables: one worker acts when a clock is due, and an outage of the service costs nobody time.

Each worker knows the moments of all tables: what it has written itself, what the others tell with each change, and what
it has read at the start. So nobody asks the database, and a worker that dies leaves nothing to be found.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from contextlib import suppress
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import excuse, pass_time
from ziggurat.server.problems import Problem
from ziggurat.server.services.background import Background
from ziggurat.server.services.moments import Moments
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import housekeeping, log
from ziggurat.server.store.database import RARE_LOOK_SECONDS
from ziggurat.server.store.log import Notice

LOOK_SECONDS = 1.0
"""Seconds after which, while clocks run, the clock on the wall is looked at again, which may be set, or stand while a
machine sleeps; and for which what is due is left to the home of its table."""
BEAT_SECONDS = 5.0
"""Seconds between notes that the service is up, while clocks run."""
OUTAGE_SECONDS = 3 * BEAT_SECONDS
"""Seconds without such a note after which it was down: other workers may have gone on. One that is alone, and has just
begun, knows that nobody did."""
AT_ONCE = 20
"""Things that are due at one table, one after the other, before others are looked at."""


class Clocks:
    """The schedule of what is due at tables because time passes, and the loop that does it."""

    def __init__(self, settings: Settings, table_service: TableService) -> None:
        self.settings = settings
        self.table_service = table_service
        self._moments = Moments()
        self._left = set[str]()  # what was due a moment ago, and is for another worker to do
        self._found = -math.inf  # when the database was asked for all of them, by `monotonic`
        self._until = -math.inf  # when it is looked again, by the clock on the wall
        self._beaten = 0.0
        self._run = False
        self._loop = Background("clocks", self.look, standby=table_service.standby)
        table_service.standby.on_begin.append(self._stand)
        table_service.bus.on_change.append(self._on_change)
        table_service.bus.on_due.append(self._on_due)
        table_service.bus.on_gap.append(self._on_gap)

    async def open(self) -> None:
        """Start the loop. The last outage is known before anything is changed."""
        if not self.table_service.standby.on:
            await self.beat(0.0 if self.settings.sqlite else OUTAGE_SECONDS)
        self._loop.open()

    async def _stand(self) -> None:
        """Stop all clocks of a copy until someone declares it the original (`original.make_standby`)."""
        self.table_service.outages = tuple(await self.table_service.database.read(housekeeping.known_outages))

    async def close(self) -> None:
        """Stop; no clock counts until a worker begins again."""
        await self._loop.close()
        if self._run and not self.table_service.standby.on and not self.table_service.is_closed():
            with suppress(sa.exc.DBAPIError):  # then what was noted last counts
                await self.beat(OUTAGE_SECONDS)

    # --- What is due, and when ---

    def _on_change(self, id: str, _: int, table: Table | None) -> None:
        if table is not None:
            self._note(id, table.tick)

    def _on_due(self, notice: Notice) -> None:
        self._note(notice.table, notice.tick)

    def _on_gap(self) -> None:
        self._found = -math.inf
        self._loop.wake()

    def _note(self, id: str, tick: float | None) -> None:
        self._left.discard(id)
        self._moments.set(id, tick)
        if tick is not None and tick < self._until:
            self._loop.wake()

    async def _find(self) -> Collection[str]:
        """Read the due moments of all tables, and return the tables."""
        self._found = time.monotonic()
        try:
            ticking = await self.table_service.database.read(log.ticking)
        except BaseException:
            self._found = -math.inf
            raise
        for id, tick in ticking.items():
            self._note(id, tick)
        return ticking

    async def look(self) -> float:
        """Do what is due; return when to look again. During maintenance nothing is done: the service counts as down."""
        if self.table_service.is_closed():
            return LOOK_SECONDS
        self._until = -math.inf  # whatever is noted meanwhile is seen below
        if time.monotonic() >= self._found + RARE_LOOK_SECONDS:
            await self._find()
        now = time.time()
        if abs(now - self._beaten) >= BEAT_SECONDS:
            # Before anything is done it is known whether the service was down, of which the database is a part.
            ran, self._run = self._run, len(self._moments) > 0
            if self._run or ran:
                await self.beat(OUTAGE_SECONDS)
            self._beaten = now
        for id in self._moments.due(now):
            await self._loop.failures.attempt(self._pass(id))
        first = self._moments.first()
        if first is None:
            self._until = math.inf
            return RARE_LOOK_SECONDS
        pause = min(LOOK_SECONDS, max(0.0, first - time.time()))
        self._until = time.time() + pause
        return pause

    async def beat(self, gap: float) -> None:
        """Write the heartbeat of the service; give back the time of an outage."""
        now, known = time.time(), self.table_service.outages
        note = partial(housekeeping.write_heartbeat, now=now, gap=gap)
        try:
            found = await self.table_service.database.write(note, person=False)
        except sa.exc.IntegrityError:  # another worker has just seen it, too
            found = await self.table_service.database.write(note, person=False)
        self.table_service.outages = tuple(found)
        if set(found) - set(known):
            for id in await self._find():
                await self._loop.failures.attempt(self._excuse(id, now))

    async def _excuse(self, id: str, now: float) -> None:
        """Give back the outages known at the moment of a heartbeat, and charge nobody for the time since: the next
        heartbeat may reveal an outage in it, too."""
        await self.table_service.change(id, lambda t: excuse(t, now, self.table_service.outages), person=False)

    async def _pass(self, id: str) -> None:
        """Do what is due at a table. The worker that has it in memory goes first; any worker does what is left a moment
        later."""
        now = time.time()
        self._moments.set(id, now + LOOK_SECONDS)  # if it cannot be done
        if id not in self._left and not self.settings.siblings.is_home(id):
            self._left.add(id)
            return
        self._left.discard(id)
        try:
            stuck = await self._passed(id, now)
            table = await self.table_service.get(id)
        except Problem as problem:
            if problem.code != "unknown_table":
                raise
            self._moments.set(id, None)
            return
        if stuck == table.seq:
            self._moments.set(id, None)
        elif table.tick is None or table.tick > now:
            self._moments.set(id, table.tick)

    async def _passed(self, id: str, now: float) -> int | None:
        """Apply everything that is due to a table; return the seq at which nothing can be done, if that is so."""

        def command(table: Table) -> Table:
            return pass_time(table, now, self.table_service.outages)

        for _ in range(AT_ONCE):
            before = await self.table_service.get(id)
            if before.status == "waiting" and await self.table_service.has_to_wait(before):
                return None  # until they are there, or their seat is free
            after = await self.table_service.change(id, command, person=False)
            if after.tick is None or after.tick > now:
                return None
            if after is before:
                # The game cannot go on with these rules, and its clock cannot either.
                never = partial(log.nothing_ticks, table=id, seq=after.seq)
                await self.table_service.database.write(never, person=False)
                return after.seq
        return None
