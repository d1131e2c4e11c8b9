"""The rules of moderation: what operators do at tables and say to people, and in which languages and places it is
read."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated, Literal

import msgspec

from ziggurat.server.domain.people import alike
from ziggurat.server.domain.table import Table

Ready = Literal["thanks", "looked", "warned", "renamed", "hidden"]
"""What can be said to a person in their language: keys `host.word.*` of the catalogues."""
MESSAGE_CHARACTERS = 300
"""Characters of what is said."""
Text = Annotated[str, msgspec.Meta(max_length=MESSAGE_CHARACTERS)]
MOST_BAR_DAYS, MOST_MESSAGE_HOURS, MOST_NOTICE_MINUTES = 3660, 720, 1440
"""The most days of a bar that is not for good, hours of a message to everybody, and minutes from the announcement of a
maintenance to its beginning."""
NETWORK_BAR_SECONDS = 30 * 86_400.0
"""Seconds for which a network is barred, at most: others will have its address later."""


InLanguages = dict[str, Text]
"""A text by language; to those in whose language it is not, it is shown in the first one that there is."""


class Announcement(msgspec.Struct, frozen=True):
    """A message to everybody, until a moment."""

    id: str
    text: InLanguages
    until: float


class Maintenance(msgspec.Struct, frozen=True):
    """Maintenance of the service from a moment on: until then nobody begins a table, and afterwards nothing changes at
    any."""

    begins: float
    text: InLanguages = msgspec.field(default_factory=dict)

    def is_on(self, now: float | None = None) -> bool:
        """Whether maintenance has begun."""
        return (time.time() if now is None else now) >= self.begins


def end(table: Table) -> Table:
    """Return the table ended by an operator: a running game is ended unfinished, a waiting table expires."""
    if table.status == "playing":
        return table.after("host_end", status="ended", vote=None, undo=None)
    if table.status == "waiting":
        return table.after("expire", status="expired", invite=None)
    return table


def rename(table: Table, person: str, name: str) -> Table:
    """Return the table with another name for a person who sits there; with a number behind it where they could be
    mistaken for another person there."""
    seat = table.seat_of(person)
    if seat is None or seat.name == name:
        return table
    others = [other.name for other in table.seats if other.seat != seat.seat and other.kind == "human"]
    names = (name, *(f"{name[:27]} {number}" for number in range(2, len(table.seats) + 2)))
    free = next(one for one in names if not any(alike(one, other) for other in others))
    return table.after("renamed", seat.seat, seats=table.with_seat(replace(seat, name=free)))
