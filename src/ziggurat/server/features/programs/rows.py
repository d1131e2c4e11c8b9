"""Rows of tokens. Of a token itself only its SHA-256 is stored: it is random and long."""

from __future__ import annotations

import time
from typing import Any, Literal

import msgspec
import sqlalchemy as sa

from ziggurat.server.api.endpoints import Scope
from ziggurat.server.domain.people import Person, hashed
from ziggurat.server.features.programs.models import tokens
from ziggurat.server.features.programs.rules import MOST_TOKENS
from ziggurat.server.store.log import DB_NOW
from ziggurat.server.store.models import people
from ziggurat.server.store.people import BAR_COLUMNS

DEVICE_PREFIX = "token:"
"""The prefix of a program's device id; the id of its token follows."""
USE_NOTED_SECONDS = 3600.0
"""Seconds from one note of a token's use to the next."""


class Token(msgspec.Struct):
    """A token's row; `id` is no secret. `used`: when it was last used, to within an hour; 0: never."""

    id: str
    name: str
    scope: Scope
    created: float
    used: float
    until: float


class Bearer(msgspec.Struct):
    """The person of a token, and the token. `since`: how many sign-outs had been heard of before the look-up
    (`Bus.is_signed_out`)."""

    person: Person
    token: Token
    seen: float
    since: int = 0


def of_person(connection: sa.Connection, person: str) -> list[Token]:
    """Return a person's valid tokens, the newest first."""
    query = sa.select(tokens).where(tokens.c.person == person, tokens.c.until > DB_NOW)
    rows = connection.execute(query.order_by(tokens.c.created.desc(), tokens.c.id))
    return [Token(row.id, row.name, row.scope, row.created, row.used, row.until) for row in rows]


def add(connection: sa.Connection, person: str, id: str, secret: str, name: str, scope: Scope, days: int) -> bool:
    """Insert a token; return whether there was room for it. Expired ones make room."""
    connection.execute(sa.delete(tokens).where(tokens.c.person == person, tokens.c.until <= DB_NOW))
    mine = sa.select(sa.func.count()).select_from(tokens).where(tokens.c.person == person)
    if connection.execute(mine).scalar_one() >= MOST_TOKENS:
        return False
    row = {"id": id, "person": person, "token_hash": hashed(secret), "name": name, "scope": scope}
    connection.execute(sa.insert(tokens).values(**row, created=time.time(), used=0.0, until=DB_NOW + days * 86_400.0))
    return True


def bearer(connection: sa.Connection, secret: str) -> Bearer | None:
    """Return the bearer of a valid token."""
    known = (
        people.c.name.label("called"),
        people.c.language,
        people.c.by_hand,
        people.c.mark,
        people.c.seen,
        *BAR_COLUMNS,
    )
    query = sa.select(tokens, *known).join(people, people.c.id == tokens.c.person)
    row = connection.execute(query.where(tokens.c.token_hash == hashed(secret), tokens.c.until > DB_NOW)).one_or_none()
    if row is None:
        return None
    program: Literal["", "play", "bot"] = row.scope if row.scope != "read" else ""
    who = Person(
        row.person,
        row.called,
        row.language,
        f"{DEVICE_PREFIX}{row.id}",
        row.by_hand,
        row.mark,
        row.barred,
        row.bars_network,
        program,
    )
    return Bearer(who, Token(row.id, row.name, row.scope, row.created, row.used, row.until), row.seen)


def used(connection: sa.Connection, id: str) -> None:
    """Note the use of a token."""
    connection.execute(sa.update(tokens).where(tokens.c.id == id).values(used=time.time()))


def end(connection: sa.Connection, person: str, id: str) -> bool:
    """Revoke a token; return whether there was one."""
    return connection.execute(sa.delete(tokens).where(tokens.c.person == person, tokens.c.id == id)).rowcount == 1


def end_all(connection: sa.Connection, person: str) -> list[str]:
    """Revoke all tokens of a person; return the device ids of their programs."""
    ids = connection.execute(sa.select(tokens.c.id).where(tokens.c.person == person)).scalars().all()
    forget(connection, person)
    return [f"{DEVICE_PREFIX}{id}" for id in ids]


def forget(connection: sa.Connection, *people: str) -> None:
    """Delete the tokens of people."""
    connection.execute(sa.delete(tokens).where(tokens.c.person.in_(people)))


def forget_old(connection: sa.Connection) -> None:
    """Delete expired tokens."""
    connection.execute(sa.delete(tokens).where(tokens.c.until <= DB_NOW))


def everything(connection: sa.Connection, person: str) -> list[dict[str, Any]]:
    """Return all stored data about a person's tokens, for them."""
    query = sa.select(tokens).where(tokens.c.person == person).order_by(tokens.c.created, tokens.c.id)
    kept = ("id", "name", "scope", "created", "used", "until")
    return [{name: getattr(row, name) for name in kept} for row in connection.execute(query)]
