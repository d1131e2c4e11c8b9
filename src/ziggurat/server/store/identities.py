"""External identities of a person: accounts at the operator's provider, or users of a trusted proxy."""

from __future__ import annotations

import hashlib
import time

import msgspec
import sqlalchemy as sa

from ziggurat.server.domain.people import Person
from ziggurat.server.problems import Problem
from ziggurat.server.store.models import identities, people

MOST_IDENTITIES = 20
"""Of one person."""


class Identity(msgspec.Struct):
    """An external account of a person; `id` identifies it here, and tells nobody anything."""

    id: str
    issuer: str
    created: float
    used: float


def key(issuer: str, subject: str) -> str:
    """Return the id under which an external account is stored."""
    return hashlib.sha256(f"{issuer}\n{subject}".encode()).hexdigest()


def owner(connection: sa.Connection, id: str) -> str | None:
    """Return the person with an external identity."""
    found: str | None = connection.execute(sa.select(identities.c.person).where(identities.c.id == id)).scalar()
    return found


def person(connection: sa.Connection, id: str, device: str) -> tuple[Person, float] | None:
    """Return the person with an external identity, and when they were last seen."""
    row = connection.execute(sa.select(people).join(identities).where(identities.c.id == id)).one_or_none()
    if row is None:
        return None
    found = Person(row.id, row.name, row.language, device, row.by_hand, row.mark, row.barred, row.bars_network)
    return found, row.seen


def of_person(connection: sa.Connection, person: str) -> list[Identity]:
    """Return a person's external identities."""
    query = sa.select(identities).where(identities.c.person == person).order_by(identities.c.created, identities.c.id)
    return [Identity(row.id, row.issuer, row.created, row.used) for row in connection.execute(query)]


def add(connection: sa.Connection, id: str, issuer: str, person: str) -> None:
    """Link an external identity to a person.

    Raises IntegrityError where another person has it, and Problem where the person has very many.
    """
    if len(of_person(connection, person)) >= MOST_IDENTITIES:
        says = f"You sign in by {MOST_IDENTITIES} accounts already; remove one of them first."
        raise Problem(409, "too_many_identities", says, max=MOST_IDENTITIES)
    now = time.time()
    connection.execute(sa.insert(identities).values(id=id, issuer=issuer, person=person, created=now, used=now))


def used(connection: sa.Connection, id: str) -> None:
    """Note a sign-in by an external identity."""
    connection.execute(sa.update(identities).where(identities.c.id == id).values(used=time.time()))


def end(connection: sa.Connection, person: str, id: str) -> bool:
    """Unlink an external identity; return whether it was linked."""
    mine = identities.c.person == person, identities.c.id == id
    return connection.execute(sa.delete(identities).where(*mine)).rowcount == 1
