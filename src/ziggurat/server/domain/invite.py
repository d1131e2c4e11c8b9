"""Invitations by name: a free seat of a waiting table is kept for a person, who says yes or no."""

from __future__ import annotations

import hmac
from base64 import urlsafe_b64encode
from collections.abc import Collection
from dataclasses import replace
from hashlib import sha256

import msgspec

from ziggurat.server.domain.guards import must_be_told_apart, must_wait, table_full
from ziggurat.server.domain.locking import must_not_be_locked
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.problems import Problem

PLAYED_PLACE, BLOCKED_PLACE = "played", "blocked"
"""Where one person knows another from; also the id of a group."""


class Invited(msgspec.Struct, frozen=True):
    """An invited person, as the person who invites knows them.

    `deaf`: they have blocked who invites them. A seat is kept, and they are not asked: it looks as with everybody who
    does not answer.
    """

    person: str
    name: str
    mark: str = ""
    deaf: bool = False

    @property
    def kept(self) -> str:
        """The person for whom the seat is kept."""
        return HOUSE_PERSON.id if self.deaf else self.person


def handle(secret: str, asker: str, place: str, person: str) -> str:
    """Return the handle by which one person (the asker) may speak of another whom they know from a place. Nobody else
    has the same handle for them, and it says nothing."""
    said = "\0".join((asker, place, person)).encode()
    return urlsafe_b64encode(hmac.digest(secret.encode(), said, sha256)[:18]).decode()


def kept_for(number: int, guest: Invited) -> Seat:
    """Return a seat kept for a person."""
    return Seat(number, "open", guest.name, mark=guest.mark, kept=guest.kept)


def invite(table: Table, host: str, guest: Invited) -> Table:
    """Return the table with a free seat kept for a person. Who sits there or was asked already is not asked again."""
    if host != table.host:
        raise Problem(403, "not_host", "Only the person who made the table can invite others by name.")
    must_wait(table)
    must_not_be_locked(table)
    asked = any(
        seat.kept == HOUSE_PERSON.id and (seat.name, seat.mark) == (guest.name, guest.mark) for seat in table.seats
    )
    if table.deal is not None or table.is_member(guest.person) or (guest.deaf and asked):
        return table
    free = next((seat for seat in table.seats if seat.kind == "open" and seat.kept is None), None)
    if free is None:
        raise table_full()
    must_be_told_apart(table.seats, guest.name, free.seat)
    return table.after("invite", free.seat, seats=table.with_seat(kept_for(free.seat, guest)))


def uninvited(table: Table, blocked: Collection[str], deaf: Collection[str]) -> Table:
    """Return a new table without invitations between people who have blocked each other: those whom its maker has
    `blocked`, and those who have blocked its maker (`Invited.deaf`)."""
    seats = tuple(
        Seat(seat.seat, "open")
        if (seat.guardian or seat.kept) in blocked
        else replace(seat, kept=HOUSE_PERSON.id, guardian=None)
        if (seat.guardian or seat.kept) in deaf
        else seat
        for seat in table.seats
    )
    return replace(table, seats=seats)
