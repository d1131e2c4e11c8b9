"""People to rows and back."""

from __future__ import annotations

import time

import msgspec
import sqlalchemy as sa

from ziggurat.server.store.models import people
from ziggurat.server.verbs.people import Person, hashed


def by_token(connection: sa.Connection, token: str) -> tuple[Person, float] | None:
    """Return the person who holds a token, and when they were seen last."""
    known = people.c.id, people.c.name, people.c.language, people.c.seen
    row = connection.execute(sa.select(*known).where(people.c.token_hash == hashed(token))).one_or_none()
    return (Person(row.id, row.name, row.language), row.seen) if row is not None else None


def saw(connection: sa.Connection, id: str) -> None:
    """Note that somebody is here."""
    connection.execute(sa.update(people).where(people.c.id == id).values(seen=time.time()))


def known(connection: sa.Connection, id: str) -> bool:
    """Return whether there is somebody with this id."""
    return connection.execute(sa.select(people.c.id).where(people.c.id == id)).one_or_none() is not None


def insert(connection: sa.Connection, person: Person, token: str) -> None:
    """Write a new person; the token itself is not kept."""
    row = {**msgspec.structs.asdict(person), "token_hash": hashed(token), "created": time.time(), "seen": time.time()}
    connection.execute(sa.insert(people).values(row))


def update(connection: sa.Connection, person: Person) -> None:
    """Write a person's name and language."""
    values = {"name": person.name, "language": person.language}
    connection.execute(sa.update(people).where(people.c.id == person.id).values(values))
