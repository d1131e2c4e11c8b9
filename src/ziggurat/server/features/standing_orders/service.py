"""Moves that are written ahead, in a worker: they follow the changes of tables, and are made when their time has come.

When one is to be made stands in the database, written with the change by which its question came. The worker that wrote
it makes it; others look every few minutes for what is left over, because that one may have died. Whoever is faster has
made it: a move is a change of the table like any other, for one state of it, and what is used of the list is deleted in
the same transaction.
"""

from __future__ import annotations

import math
import secrets
import time
from collections.abc import Callable, Collection
from typing import TypeVar

import sqlalchemy as sa

from ziggurat.core.errors import IllegalAction
from ziggurat.server.domain.move import move
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.features.standing_orders import rows
from ziggurat.server.features.standing_orders.rules import (
    OrderList,
    asked_at,
    left_after,
    moment,
    owner_after,
    playable,
)
from ziggurat.server.problems import Problem
from ziggurat.server.services.background import Background
from ziggurat.server.services.followers import Also, TableFollower
from ziggurat.server.services.moments import Moments
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import log
from ziggurat.server.store.database import RARE_LOOK_SECONDS
from ziggurat.server.store.models import tables

T = TypeVar("T")
AT_ONCE = 20
"""Moves at one table, one after the other, before others are looked at."""
AGAIN_SECONDS = 5.0
"""Seconds after which a move is tried again that could not be written."""


class OrderFollower(TableFollower):
    """What is left of the lists at each change of a table, and when the next of their moves is made."""

    def __init__(self, table_service: TableService) -> None:
        self.table_service = table_service
        self.making: set[tuple[str, int]] = set()
        """Tables and seats at which this worker is making a move that was written ahead."""
        self.on_scheduled: Callable[[str, float | None], None] = lambda table, at: None
        """Called when it is durable that something is due at a table, or nothing."""
        self._scheduled: list[tuple[str, float | None]] = []

    def changed(self, old: Table, new: Table) -> Also | None:
        """Return the write of what is left of the lists of a table."""
        if not old.by_days and not new.by_days:
            return None
        made = {seat for table, seat in self.making if table == new.id}
        seen = new.changes[-1].seat if new.changes[-1].kind == "move" else None

        def write(connection: sa.Connection) -> bool:
            wrote = False
            first: float | None = None
            for row in rows.of_table(connection, new.id):
                by_order = row.seat in made and row.seat == seen
                owner = owner_after(row.person, row.seat, old, new)
                left = left_after(row.orders, owner, row.seat, old, new, by_order)
                if left is None or not left.orders:
                    rows.delete(connection, new.id, row.seat)
                    wrote = True
                    continue
                asked = asked_at(new, row.seat)
                due = row.due if asked == row.asked else None
                if playable(new, row.seat, left) is None:
                    if row.due is not None:
                        self._is_asked_after_all(connection, new, row.seat)
                    due = asked = None
                elif due is None:
                    due = moment(new, row.seat, *self.table_service.settings.ahead)
                if left is not row.orders or owner != row.person:
                    rows.store(connection, new.id, row.seat, owner, left, due, asked)
                elif (due, asked) != (row.due, row.asked):
                    rows.schedule(connection, new.id, row.seat, due, asked)
                if due is not None:
                    first = due if first is None else min(first, due)
                wrote = True
            if wrote:
                self._scheduled.append((new.id, first))
            return wrote

        return write

    def _is_asked_after_all(self, connection: sa.Connection, table: Table, seat: int) -> None:
        """Tell a person that it is their turn, who was not told when their question came: what was to answer it does so
        no more."""
        owner = table.seats[seat].owner
        if owner is None or seat not in table.actors or not table.seats[seat].plays or table.paused:
            return
        for follower in self.table_service.followers.values():
            follower.tell(connection, table, "turn", (owner,))

    def plays_for(self, connection: sa.Connection, old: Table, new: Table) -> Collection[int]:
        """Return the seats for which a move that was written ahead answers what they are asked now."""
        if not new.by_days:
            return ()
        made = {seat for table, seat in self.making if table == new.id}
        found = []
        for row in rows.of_table(connection, new.id):
            owner = owner_after(row.person, row.seat, old, new)
            left = left_after(row.orders, owner, row.seat, old, new, row.seat in made)
            if left is not None and playable(new, row.seat, left) is not None:
                found.append(row.seat)
        return found

    def written(self) -> None:
        """Look after what is due now."""
        scheduled, self._scheduled = self._scheduled, []
        for table, at in scheduled:
            self.on_scheduled(table, at)


class OrdersAtWork:
    """The loop that makes the moves whose time has come."""

    def __init__(self, table_service: TableService, follower: OrderFollower) -> None:
        self.table_service = table_service
        self.follower = follower
        self._moments = Moments()
        self._found = -math.inf
        self._until = -math.inf
        self._loop = Background("standing orders", self.look, standby=table_service.standby)
        follower.on_scheduled = self.note
        table_service.bus.on_gap.append(self._on_gap)

    async def open(self) -> None:
        """Start the loop."""
        self._loop.open()

    async def close(self) -> None:
        """Stop; what is due stands in the database."""
        await self._loop.close()

    def _on_gap(self) -> None:
        self._found = -math.inf
        self._loop.wake()

    def note(self, table: str, at: float | None) -> None:
        """Note when something is due at a table; None: nothing is."""
        self._moments.set(table, at)
        if at is not None and at < self._until:
            self._loop.wake()

    async def rewrite(
        self,
        table: Table,
        seat: int,
        person: str,
        change: Callable[[OrderList], OrderList],
        tell: Callable[[Table, Seat, rows.OrderRow | None], T],
    ) -> T:
        """Change a seat's list as its person wants; return what is told of it then. It is no change of the table:
        nobody else hears of it. `change` may refuse (Problem)."""

        def write(connection: sa.Connection) -> rows.OrderRow | None:
            self.table_service.must_not_be_closed()
            # Of two that change it at once, one waits; and so does a move that is being made.
            connection.execute(sa.select(tables.c.id).where(tables.c.id == table.id).with_for_update())
            if log.newest_seq(connection, table.id) != table.seq:
                raise Problem(409, "stale", "The table has moved on meanwhile; look at it again.", now=table.seq)
            row = rows.of_seat(connection, table.id, seat, person)
            now = change(row.orders if row is not None else OrderList())
            asked = asked_at(table, seat)
            due: float | None = None
            if playable(table, seat, now) is not None:
                kept = row.due if row is not None and row.asked == asked else None
                due = kept if kept is not None else moment(table, seat, *self.table_service.settings.ahead)
            rows.store(connection, table.id, seat, person, now, due, asked if due is not None else None)
            return rows.of_seat(connection, table.id, seat, person)

        row = await self.table_service.database.write(write)
        if row is not None and row.due is not None:
            at = self._moments.at(table.id)
            self.note(table.id, row.due if at is None else min(at, row.due))
        return tell(table, table.seats[seat], row)

    async def look(self) -> float:
        """Make what is due; return when to look again."""
        if self.table_service.is_closed():
            return RARE_LOOK_SECONDS
        self._until = -math.inf  # whatever is noted meanwhile is seen below
        now = time.time()
        if time.monotonic() >= self._found + RARE_LOOK_SECONDS:
            self._found = time.monotonic()
            try:
                due = await self.table_service.database.read(rows.all_due)
            except BaseException:
                self._found = -math.inf
                raise
            for table, at in due.items():
                self._moments.set(table, at)
        for table in self._moments.due(now):
            self._moments.set(table, now + AGAIN_SECONDS)
            await self._loop.failures.attempt(self._make(table))
        now = time.time()
        firsts = (now + RARE_LOOK_SECONDS, self._moments.first())
        self._until = min(first for first in firsts if first is not None)
        return max(0.0, self._until - now)

    async def _make(self, id: str) -> None:
        """Make the moves that are due at a table, one after the other."""
        database = self.table_service.database
        for _ in range(AT_ONCE):
            if self.table_service.standby.on or self.table_service.is_closed():
                return
            found = await database.read(lambda c: rows.of_table(c, id))
            due = [row for row in found if row.due is not None]
            first = min(due, key=lambda row: row.due or 0.0, default=None)
            if first is None or first.due is None or first.due > time.time():
                self._moments.set(id, first.due if first is not None else None)
                return
            if not await self._make_one(id, first):
                return

    async def _make_one(self, id: str, row: rows.OrderRow) -> bool:
        """Make one move; return whether there may be more to make at once."""
        service = self.table_service
        table = await service.get(id)
        answer = playable(table, row.seat, row.orders)
        if answer is None:
            # Whatever prevents it was a change, which has looked after it; or it is from before a restart.
            await service.database.write(lambda c: rows.schedule(c, id, row.seat, None, None), person=False)
            return True

        def stands(connection: sa.Connection) -> None:
            now = rows.of_seat(connection, id, row.seat, row.person, hold=True)
            if now is None or now.version != row.version:
                raise Problem(409, "orders_changed", "The list was changed meanwhile.")

        def made(now: Table) -> Table:
            again = playable(now, row.seat, row.orders)
            if again is None or again.steps != answer.steps:
                return now
            # As one made by hand: it has an id, takes the time that it waited, and costs it.
            return move(now, row.seat, secrets.token_urlsafe(12), table.seq, answer.steps)

        self.follower.making.add((id, row.seat))
        try:
            await service.change(id, made, person=False, also=stands)
        except (Problem, IllegalAction):
            return False  # the table has gone on, or the list has; it is looked at again in a moment
        finally:
            self.follower.making.discard((id, row.seat))
        return True
