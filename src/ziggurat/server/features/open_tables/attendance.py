"""Attendance at a waiting open table: a person who sat down by a search and never opened the page is absent.

Nobody is led to a table at which nobody is, none begins with a person who is not there, and their seat is free again
after a while. In a game of days people need not stay; they have to have opened the page once.
"""

from __future__ import annotations

import time
from functools import partial
from typing import NamedTuple

from ziggurat.server.domain.open_table import Listing
from ziggurat.server.domain.seating import give_up_absent
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.table_service import TableService

GRACE_SECONDS, NO_SHOW_SECONDS, GONE_SECONDS = 30.0, 60.0, 300.0
"""Seconds for which who has lost the connection counts as there, after which the seat is free again of who has never
been there, or keeps a full table waiting; and of who has gone from one at which a seat is free."""
SITTING_CHANGES = ("join", "handed", "owner")
REORDERING_CHANGES = ("order", "lots")


class Absence(NamedTuple):
    """The absence of a person: for how many seconds, and after how many their seat is free."""

    seconds: float
    most: float


def absences(table: Table, bus: Bus) -> dict[int, Absence]:
    """Return the absences at a waiting open table, by seat."""
    if table.status != "waiting" or table.policy.join != "anyone":
        return {}
    found = {seat.seat: _absence(table, seat, bus) for seat in table.seats}
    return {seat: absence for seat, absence in found.items() if absence is not None}


def _absence(table: Table, seat: Seat, bus: Bus) -> Absence | None:
    if seat.person is None or seat.guardian is not None or seat.program or bus.is_here(table.id, seat.seat):
        return None
    sat = max(
        (one.at for one in table.changes if one.kind in SITTING_CHANGES and one.seat == seat.seat),
        default=table.created,
    )
    seen, moved = bus.seen_at(table.id, seat.seat), [one.at for one in table.changes if one.kind in REORDERING_CHANGES]
    came = seen >= sat or bool(moved) or sat < bus.began  # as far as is known
    gone = time.time() - max(sat, seen, bus.began, *moved)
    if came and (table.by_days or (seen >= sat and gone < GRACE_SECONDS)):
        return None
    return Absence(gone, GONE_SECONDS if came and not _full(table) else NO_SHOW_SECONDS)


def _full(table: Table) -> bool:
    return all(seat.kind != "open" for seat in table.seats)


def is_attended(one: Listing, bus: Bus) -> bool:
    """Whether somebody is present at an open table, or was a moment ago; where a game goes on, or goes by days, nobody
    has to be."""
    table, now = one.table, time.time()
    if table.running or table.tempo == "days" or max(table.created, bus.began) > now - GRACE_SECONDS:
        return True
    return any(bus.seen_at(table.id, seat) > now - GRACE_SECONDS for seat in range(len(table.seats)))


async def look_after(table: Table, table_service: TableService) -> bool:
    """Free the seats of people who have been absent for too long; return whether a full table has to wait for
    somebody."""
    away = absences(table, table_service.bus)
    for seat, absence in away.items():
        person = table.seats[seat].person
        if absence.seconds >= absence.most and person is not None:
            command = partial(give_up_absent, seat=seat, person=person)
            await table_service.change(table.id, command, person=False)
    return bool(away) and _full(table)
