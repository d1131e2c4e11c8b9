"""What hosts of the service do at tables and say to people, and in what it may be seen."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated, Literal

import msgspec

from ziggurat.server.domain.people import alike
from ziggurat.server.domain.policy import TablePolicy
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import RETRY, Problem

LOCKED = TablePolicy(watch="nobody", talk="off")
"""The policy of a locked table: nobody comes, looks on or speaks there; those who play go on."""
Ready = Literal["thanks", "looked", "warned", "renamed", "hidden"]
"""What can be said to a person in their language: keys `host.word.*` of the catalogues."""
LENGTH = 300
"""Characters of what is said."""
Text = Annotated[str, msgspec.Meta(max_length=LENGTH)]
BAR_DAYS, MESSAGE_HOURS, NOTICE_MINUTES = 3660, 720, 1440
"""The most days of a bar that is not for good, hours of a message to everybody, and minutes from the announcement of a
maintenance to its beginning."""
FOREVER = 4_102_444_800.0
"""When a bar for good ends: on the first day of 2100."""
NETWORK = 30 * 86_400.0
"""Seconds for which a network is barred, at most: others will have its address later."""


class TwoLanguages(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A text in the languages of the page; where one is empty, the other is shown."""

    en: Text = ""
    hu: Text = ""


class Announcement(msgspec.Struct, frozen=True):
    """What is said to everybody, until a moment."""

    id: str
    text: TwoLanguages
    until: float


class Maintenance(msgspec.Struct, frozen=True):
    """That the service is maintained from a moment on: until then nobody begins a table, and afterwards nothing
    changes at any."""

    begins: float
    text: TwoLanguages = TwoLanguages()

    def is_on(self, now: float | None = None) -> bool:
        """Whether it has begun."""
        return (time.time() if now is None else now) >= self.begins


def maintained() -> Problem:
    """Return the refusal while the service is maintained."""
    says = "The server is being maintained; games go on where they were. The page comes back by itself."
    return Problem(503, "maintenance", says, **{RETRY: 15})


def no_new_table() -> Problem:
    """Return the refusal of a new table before the service is maintained."""
    says = "The server is about to be maintained; new tables can be made afterwards. Running games are kept."
    return Problem(503, "maintenance_soon", says, **{RETRY: 120})


def is_locked(table: Table) -> bool:
    """Whether a host has locked a table."""
    kind = next((change.kind for change in reversed(table.changes) if change.kind in ("locked", "unlocked")), "")
    return kind == "locked"


def must_not_be_locked(table: Table) -> None:
    """Refuse whatever would bring somebody to a table that a host has locked, or undo what that means."""
    if is_locked(table):
        raise Problem(403, "locked", "A host of the server has locked this table: nobody can sit down there now.")


def lock(table: Table) -> Table:
    """Return the table locked: nobody comes, looks on or speaks there any more."""
    if is_locked(table):
        return table
    return table.after("locked", notation=msgspec.json.encode(table.policy).decode(), policy=LOCKED)


def unlock(table: Table) -> Table:
    """Return the table with the policy that it had before it was locked."""
    if not is_locked(table):
        return table
    said = next(change.notation for change in reversed(table.changes) if change.kind == "locked")
    return table.after("unlocked", policy=msgspec.json.decode(said, type=TablePolicy))


def end(table: Table) -> Table:
    """Return the table without a game: one that runs is ended unfinished, one that waits for people is cleared away."""
    if table.status == "playing":
        return table.after("host_end", status="ended", vote=None, undo=None)
    if table.status == "waiting":
        return table.after("expire", status="expired", invite=None)
    return table


def give_hosting(table: Table, seat: int) -> Table:
    """Return the table with the person of a seat as its host."""
    chair = table.seats[seat] if 0 <= seat < len(table.seats) else None
    if chair is None or chair.person is None or chair.guardian is not None:
        raise Problem(400, "bad_seat", "No person sits on this seat.", seat=seat)
    if chair.program == "bot":
        raise Problem(400, "bad_seat", "A program sits on this seat; it cannot start a game.", seat=seat)
    return table if chair.person == table.host else table.after("host", seat, host=chair.person)


def rename(table: Table, person: str, name: str) -> Table:
    """Return the table with another name for a person who sits there; with a number behind it where another person
    there could be mistaken for them."""
    seat = table.seat_of(person)
    if seat is None or seat.name == name:
        return table
    others = [other.name for other in table.seats if other.seat != seat.seat and other.kind == "human"]
    names = (name, *(f"{name[:27]} {number}" for number in range(2, len(table.seats) + 2)))
    free = next(one for one in names if not any(alike(one, other) for other in others))
    return table.after("renamed", seat.seat, seats=table.with_seat(replace(seat, name=free)))
