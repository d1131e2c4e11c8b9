"""Seat transfer: a player who leaves for good gives the seat to a friend, by a link that works once."""

from __future__ import annotations

from dataclasses import replace

import msgspec
from msgspec.structs import replace as changed

from ziggurat.server.domain.clock import known_zone
from ziggurat.server.domain.create import Text
from ziggurat.server.domain.guards import must_be_free, must_be_told_apart, must_play
from ziggurat.server.domain.locking import must_not_be_locked
from ziggurat.server.domain.people import Person, clean_name
from ziggurat.server.domain.resign import resigned
from ziggurat.server.domain.seating import put_out
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem


class TakeSeat(msgspec.Struct, forbid_unknown_fields=True):
    """The request to take a seat that a player gives away, with the secret of their link."""

    secret: Text
    name: Text
    zone: Text = ""
    """The time zone in which they are, such as Europe/Budapest."""


def bad_link() -> Problem:
    """Return the refusal of a transfer link that is unknown or used."""
    return Problem(
        403,
        "bad_seat_link",
        "This link was used already, was taken back, or is too old; ask your friend for a new one.",
    )


def transferable_seat(table: Table, person: str) -> Seat:
    """Return the seat that a person can give away, while the game waits for people or is played; refuse if there is
    none."""
    seat = table.seat_of(person)
    if seat is None:
        raise Problem(409, "not_seated", "You do not sit at this table.")
    must_be_free(table)
    if seat.resigned:
        raise resigned()
    if table.status != "waiting":
        must_play(table)
    return seat


def transfer_seat(table: Table, giver: str, person: Person, wish: TakeSeat) -> Table:
    """Return the table with the giver's seat in the hands of another person: with its hand and its time, as it is. A
    bot that plays there gets up. In a waiting room those who play on the giver's device go with the giver."""
    if table.seat_of(giver) is None:
        raise bad_link()  # they got up, or another friend was faster
    must_not_be_locked(table)
    if table.is_out(person.id):
        raise put_out()
    seat = transferable_seat(table, giver)
    if table.seat_of(person.id) is not None:
        raise Problem(409, "sits_here", "You sit at this table yourself; one person has one seat.")
    name = clean_name(wish.name)
    must_be_told_apart(table.seats, name, seat.seat)
    if table.status == "waiting":
        table = replace(table, seats=table.without_device(seat))
    seats = table.with_seat(Seat(seat.seat, "human", name, person=person.id, by_hand=person.by_hand, mark=person.mark))
    if table.time is not None:
        there = changed(table.time.seats[seat.seat], zone=known_zone(wish.zone))
        table = replace(table, time=table.time.with_seat(seat.seat, there))
    host = person.id if table.host == giver else table.host
    # What the one before has said does not bind the next.
    vote = table.vote.without(seat.seat) if table.vote is not None else None
    undo = table.undo.without(seat.seat) if table.undo is not None else None
    return table.after("handed", seat.seat, seats=seats, host=host, vote=vote, undo=undo)
