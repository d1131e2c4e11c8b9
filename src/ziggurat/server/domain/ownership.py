"""The owner of a seat: a person comes back under another identity, or is deleted."""

from __future__ import annotations

from dataclasses import replace

from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.seating import next_host
from ziggurat.server.domain.substitutes import SUBSTITUTE_BOT
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem


def sits_twice(table: Table, one: str, other: str) -> bool:
    """Whether two identities of one person sit at a game that is not over."""
    both = all(any(person in (s.owner, s.kept) for s in table.seats) for person in (one, other))
    return both and table.status in ("waiting", "playing")


def hand_over(table: Table, guest: str, person: str) -> Table:
    """Return the table with everything that was a guest's in the hands of the signed-in person who they are."""
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
    if (kept := table.kept_seat(guest)) is not None:
        seat, seats = kept, table.with_seat(replace(kept, kept=person))
    seats = tuple(replace(other, guardian=person) if other.guardian == guest else other for other in seats)
    host = person if table.host == guest else table.host
    return table.after("owner", seat.seat if seat is not None else None, seats=seats, host=host)


def forget(table: Table, person: str) -> Table:
    """Return the table without the data of a deleted person: in a finished game their seat stays, nameless; in a
    running one a bot plays on; in a waiting room the seat is open again, and another person starts the game."""
    if not table.is_member(person):
        return table
    seat = next((seat for seat in table.seats if person in (seat.person, seat.kept, seat.guardian)), None)
    host = HOUSE_PERSON.id if table.host == person else table.host
    if table.status == "waiting" and table.host == person:
        if (other := next_host(table, person)) != person:
            return table.after("gone", seat.seat if seat else None, seats=_without(table, person), host=other)
        return table.after("expire", status="expired", invite=None, host=host, seats=_without(table, person))
    if seat is None:
        return table.after("owner", host=host)
    return table.after("gone", seat.seat, seats=_without(table, person), host=host)


def _without(table: Table, person: str) -> tuple[Seat, ...]:
    return tuple(
        _emptied(table, seat) if person in (seat.person, seat.kept, seat.guardian) else seat for seat in table.seats
    )


def _emptied(table: Table, seat: Seat) -> Seat:
    if seat.kept is not None or table.status == "waiting":
        return Seat(seat.seat, "open")
    bot = SUBSTITUTE_BOT if table.status == "playing" else None
    return replace(seat, name="", mark="", person=None, guardian=None, away=True, bot=bot)
