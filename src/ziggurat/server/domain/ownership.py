"""The owner of a seat: a person comes back under another identity, or is forgotten."""

from __future__ import annotations

from dataclasses import replace

from ziggurat.server.domain.people import HOUSE
from ziggurat.server.domain.seating import next_host
from ziggurat.server.domain.substitutes import SUBSTITUTE
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem


def sits_twice(table: Table, one: str, other: str) -> bool:
    """Whether two people sit at a game that is not over."""
    both = table.seat_of(one) is not None and table.seat_of(other) is not None
    return both and table.status in ("waiting", "playing")


def hand_over(table: Table, guest: str, person: str) -> Table:
    """Return the table with everything of a guest's in the hands of the person who they are."""
    if not table.is_member(guest):
        return table
    if sits_twice(table, guest, person):
        raise Problem(
            409,
            "sits_twice",
            "You sit twice at a table that is not over, as a guest and as yourself; leave one of the seats first.",
            table=table.id,
        )
    seat = table.seat_of(guest)
    seats = table.with_seat(replace(seat, person=person)) if seat is not None else table.seats
    host = person if table.host == guest else table.host
    return table.after("owner", seat.seat if seat is not None else None, seats=seats, host=host)


def forget(table: Table, person: str) -> Table:
    """Return the table without anything of a person: in a finished game their seat stays, nameless; in a running one a
    bot plays on; where people are waited for the seat is open again, and another person starts the game."""
    if not table.is_member(person):
        return table
    seat, host = table.seat_of(person), HOUSE.id if table.host == person else table.host
    if table.status == "waiting" and table.host == person:
        if (other := next_host(table, person)) != person:
            return table.after("gone", seat.seat if seat else None, seats=_without(table, person), host=other)
        return table.after("expire", status="expired", invite=None, host=host, seats=_without(table, person))
    if seat is None:
        return table.after("owner", host=host)
    return table.after("gone", seat.seat, seats=_without(table, person), host=host)


def _without(table: Table, person: str) -> tuple[Seat, ...]:
    seat = table.seat_of(person)
    if seat is None:
        return table.seats
    if table.status == "waiting":
        return table.with_seat(Seat(seat.seat, "open"))
    bot = SUBSTITUTE if table.status == "playing" else None
    return table.with_seat(replace(seat, name="", mark="", person=None, away=True, bot=bot))
