"""People to rows and back."""

from __future__ import annotations

import time

import sqlalchemy as sa

from ziggurat.server.domain.people import FIRST_DEVICE, Person, hashed
from ziggurat.server.store.models import devices, people

BAR_COLUMNS = people.c.barred, people.c.bars_network
NO_TOKEN_PREFIX = "-"
"""The prefix in the column of token hashes where nobody has a token."""


def by_token(connection: sa.Connection, token: str) -> tuple[Person, float] | None:
    """Return the person who holds a session token, and when they were last seen."""
    known = people.c.id, people.c.name, people.c.language, people.c.by_hand, people.c.mark, *BAR_COLUMNS
    first = sa.select(*known, sa.literal(FIRST_DEVICE).label("device"), people.c.seen)
    other = sa.select(*known, devices.c.id.label("device"), devices.c.seen).join(devices)
    row = connection.execute(first.where(people.c.token_hash == hashed(token))).one_or_none()
    if row is None:
        row = connection.execute(other.where(devices.c.token_hash == hashed(token))).one_or_none()
    if row is None:
        return None
    found = Person(row.id, row.name, row.language, row.device, row.by_hand, row.mark, row.barred, row.bars_network)
    return found, row.seen


def saw(connection: sa.Connection, person: Person) -> None:
    """Note when a person was last seen."""
    now = time.time()
    connection.execute(sa.update(people).where(people.c.id == person.id).values(seen=now))
    if person.device != FIRST_DEVICE:
        connection.execute(sa.update(devices).where(devices.c.id == person.device).values(seen=now))


def known(connection: sa.Connection, id: str) -> bool:
    """Return whether there is a person with this id."""
    return connection.execute(sa.select(people.c.id).where(people.c.id == id)).one_or_none() is not None


def name_of(connection: sa.Connection, person: str) -> str:
    """Return a person's name; empty if they have given none."""
    return connection.execute(sa.select(people.c.name).where(people.c.id == person)).scalar() or ""


def insert(
    connection: sa.Connection, person: Person, token: str | None, device: str = "", guardian: str | None = None
) -> None:
    """Insert a person who came by a device of this name; the token itself is not stored. None: by no device yet, or by
    that of their guardian."""
    row = {"id": person.id, "name": person.name, "language": person.language, "device": device, "guardian": guardian}
    now, known = time.time(), hashed(token) if token else NO_TOKEN_PREFIX + person.id
    connection.execute(sa.insert(people).values(**row, token_hash=known, created=now, seen=now))


def update(connection: sa.Connection, person: Person) -> None:
    """Write a person's name, language, avatar and preferences."""
    told = {"name": person.name, "language": person.language, "mark": person.mark, "by_hand": person.by_hand}
    connection.execute(sa.update(people).where(people.c.id == person.id).values(told))
