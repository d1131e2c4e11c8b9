"""Companions: people who play on somebody else's device, and have no browser of their own.

A companion is a person of their own at one table and its rematches, so that every rule about people holds for them. All
that reaches them goes by the device of their guardian, who sits at the table as well: the guardian's browser names the
seat for which it speaks, and is sent that seat's view alone.
"""

from __future__ import annotations

import msgspec

from ziggurat.server.domain.create import Text, companion
from ziggurat.server.domain.guards import must_be_told_apart, must_wait
from ziggurat.server.domain.locking import must_not_be_locked
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem


class SeatCompanion(msgspec.Struct, forbid_unknown_fields=True):
    """A companion to be seated: a person who plays on the asker's device, on a free seat."""

    seat: int
    name: Text


def seat_companion(table: Table, wish: SeatCompanion, person: str) -> Table:
    """Return the table with a companion of a person on a free seat."""
    must_wait(table)
    must_not_be_locked(table)
    if table.seat_of(person) is None:
        raise Problem(409, "not_seated", "You do not sit at this table.")
    free = [seat.seat for seat in table.seats if seat.kind == "open" and seat.kept is None]
    if wish.seat not in free:
        raise Problem(409, "seat_taken", f"Seat {wish.seat + 1} is not free.", seat=wish.seat, free=free)
    seat = companion(wish.seat, wish.name, person)
    must_be_told_apart(table.seats, seat.name, seat.seat)
    return table.after("join", seat.seat, seats=table.with_seat(seat))


def speaker(table: Table, person: str | None, seat: int | None) -> str | None:
    """Return the person for whom a device speaks: its own, or the companion on a seat that it names."""
    if person is None or seat is None:
        return person
    named = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if named is None or named.owner != person:
        raise Problem(403, "not_companion", f"Nobody on seat {seat + 1} plays on your device.", seat=seat)
    return named.person
