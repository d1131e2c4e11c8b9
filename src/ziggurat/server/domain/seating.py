"""Seating: sit down, get up, and come back."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from dataclasses import replace
from typing import Literal

import msgspec
from msgspec.structs import replace as changed

from ziggurat.server.domain.bounds import is_full
from ziggurat.server.domain.clock import known_zone
from ziggurat.server.domain.create import Text, check_bot
from ziggurat.server.domain.guards import must_wait
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.people import HOUSE, Person, alike, clean_name, hashed
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import LogEntry, Seat, Table
from ziggurat.server.problems import Problem, unknown_table

HOST_LEFT = (1,)
"""The steps of the change by which the host leaves a waiting room."""


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """Sitting down, with the secret of the invitation."""

    invite: Text
    name: Text
    seat: int | None = None
    zone: Text = ""
    """The time zone in which they are, such as Europe/Budapest."""


class ChangeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """Another occupant for a chair."""

    seat: int
    kind: Literal["open", "bot"]
    bot: str | None = None


def invited(table: Table, invite: str | None) -> bool:
    """Whether a secret opens this table."""
    return invite is not None and hmac.compare_digest(hashed(invite), table.invite_hash)


def may_look(table: Table, person: str | None, invite: str | None) -> None:
    """Refuse those who neither belong to a table nor know its secret."""
    if not table.is_member(person) and not invited(table, invite):
        raise unknown_table(table.id)


def join(table: Table, wish: Join, person: Person) -> Table:
    """Return the table with a person on an open seat. A person who sits there already stays."""
    if table.seat_of(person.id) is not None:
        return table
    if not invited(table, wish.invite):
        raise Problem(403, "bad_invite", "This invitation does not open the table; ask for the link again.")
    name = clean_name(wish.name)
    must_wait(table)
    free = [seat.seat for seat in table.seats if seat.kind == "open"]
    if not free:
        raise Problem(409, "table_full", "No seat is free at this table.")
    seat = free[0] if wish.seat is None else wish.seat
    if seat not in free:
        raise Problem(409, "seat_taken", f"Seat {seat} is not free.", seat=seat, free=free)
    must_be_told_apart(table, name, seat)
    seats = table.with_seat(Seat(seat, "human", name, person=person.id, by_hand=person.by_hand, mark=person.mark))
    if table.time is not None:
        there = changed(table.time.seats[seat], zone=known_zone(wish.zone))
        table = replace(table, time=table.time.with_seat(seat, there))
    if table.host == HOUSE.id and free == [seat]:
        return start(replace(table, seats=seats))  # nobody else could say that it begins
    return table.after("join", seat, seats=seats, host=person.id if _host_has_left(table) else table.host)


def must_be_told_apart(table: Table, name: str, seat: int) -> None:
    """Refuse a name for a seat by which it could be mistaken for another person at the table."""
    people = (other for other in table.seats if other.kind == "human" and other.seat != seat)
    taken = next((other.name for other in people if alike(other.name, name)), None)
    if taken is not None:
        raise Problem(409, "name_taken", f"Somebody at this table is called {taken}; choose another name.", name=taken)


def change_seat(table: Table, wish: ChangeSeat, person: str, hosted: Collection[str] = ()) -> Table:
    """Return the table with another occupant on a seat: the host decides while people are waited for.

    `hosted`: the host's own bots.
    """
    if person != table.host:
        raise Problem(403, "not_host", "Only the person who made the table can change its seats.")
    must_wait(table)
    if not 0 <= wish.seat < len(table.seats):
        raise Problem(400, "bad_seat", f"The seats of this table are 0 to {len(table.seats) - 1}.", seat=wish.seat)
    bot = check_bot(wish.bot, hosted) if wish.kind == "bot" else None
    seat = Seat(wish.seat, wish.kind, bot=bot)
    if seat == table.seats[wish.seat]:
        return table
    return table.after("seat", wish.seat, seats=table.with_seat(seat))


def leave(table: Table, person: str) -> Table:
    """Return the table without a person: the seat is open again, or marked away once the game runs."""
    seat = table.seat_of(person)
    if seat is None:
        raise Problem(409, "not_seated", "You do not sit at this table.")
    if table.status == "waiting":
        seats = table.with_seat(Seat(seat.seat, "open"))
        steps = HOST_LEFT if person == table.host else ()
        return table.after("leave", seat.seat, steps=steps, seats=seats, host=next_host(table, person))
    if seat.away or table.status != "playing":
        return table
    seats = table.with_seat(replace(seat, away=True))
    return table.after("away", seat.seat, seats=seats)


def next_host(table: Table, leaver: str) -> str:
    """Return who starts the game after a person gets up: if it was the leaver, the first person who sits there."""
    sits = (seat.person for seat in table.seats if seat.person is not None and seat.person != leaver)
    return next(sits, table.host) if table.host == leaver else table.host


def _host_has_left(table: Table) -> bool:
    """Whether the maker of the table has sat there and got up: the next person who sits down is its host."""
    left = any(change.kind == "leave" and change.steps == HOST_LEFT for change in table.changes)
    return left and table.seat_of(table.host) is None


def come_back(table: Table, person: str | None) -> Table:
    """Return the table with a person who has opened it no longer away. Who has done that very often looks on."""
    seat = table.seat_of(person)
    if seat is None or is_full("back", seat.seat, table.changes):
        return table
    return _here_again(table, seat)


def _is_back(change: LogEntry) -> bool:
    return change.kind == "back"


@idempotent(_is_back)
def take_over(table: Table, seat: int) -> Table:
    """Return the table with the person of a seat no longer away, because they say so."""
    return _here_again(table, table.seats[seat])


def _here_again(table: Table, seat: Seat) -> Table:
    """Return the table with a person who plays themselves again: a bot that played for them gets up."""
    if not seat.away and seat.bot is None:
        return table
    return table.after("back", seat.seat, seats=table.with_seat(replace(seat, away=False, bot=None)))


def by_hand(table: Table, person: str, wish: bool) -> Table:
    """Return the table with a person who gives forced answers themselves, or does not."""
    seat = table.seat_of(person)
    if seat is None or seat.by_hand == wish or table.over or is_full("by_hand", seat.seat, table.changes):
        return table  # who changes their mind again and again: it stays as it is here
    return table.after("by_hand", seat.seat, seats=table.with_seat(replace(seat, by_hand=wish)))
