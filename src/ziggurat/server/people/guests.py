"""Guests: an opaque random token in a cookie; the database knows only its hash."""

from __future__ import annotations

import hashlib
import secrets
import time
import unicodedata
from typing import Any

import msgspec
import sqlalchemy as sa
from litestar.connection import ASGIConnection

from ziggurat.server.problems import Problem
from ziggurat.server.store.engine import Database
from ziggurat.server.store.models import people

COOKIE = "ziggurat"
COOKIE_SECONDS = 400 * 24 * 3600
NAME_LENGTH = 30
NEW_TOKEN = "ziggurat_new_token"


class Person(msgspec.Struct, frozen=True):
    """Somebody who came by; `id` is not a secret, the token is."""

    id: str
    name: str
    language: str


def hashed(secret: str) -> str:
    """Return what the database keeps of a secret. The secrets are random and long, so one plain SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def clean_name(name: str) -> str:
    """Return a name fit to be shown, or refuse it."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    if any(unicodedata.category(letter) in ("Cc", "Cf", "Co", "Cs", "Cn") for letter in name):
        raise Problem(400, "bad_name", "A name is made of visible characters.")
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Problem(400, "bad_name", f"A name has 1 to {NAME_LENGTH} characters.", max=NAME_LENGTH)
    return name


async def whoever(connection: ASGIConnection[Any, Any, Any, Any], database: Database) -> Person | None:
    """Return the person whose token the connection carries."""
    token = connection.cookies.get(COOKIE)
    if not token or len(token) > 200:
        return None
    query = sa.select(people.c.id, people.c.name, people.c.language).where(people.c.token_hash == hashed(token))
    row = await database.read(lambda c: c.execute(query).one_or_none())
    return Person(row.id, row.name, row.language) if row is not None else None


async def somebody(connection: ASGIConnection[Any, Any, Any, Any], database: Database) -> Person:
    """Return the person who asks, making a guest of a newcomer (the answer then carries the cookie)."""
    person = await whoever(connection, database)
    if person is not None:
        return person
    token = secrets.token_urlsafe(24)
    person = Person(secrets.token_hex(8), "", "en")
    row = {**msgspec.structs.asdict(person), "token_hash": hashed(token), "created": time.time()}
    await database.execute(sa.insert(people).values(row))
    connection.scope["state"][NEW_TOKEN] = token
    return person


def cookie_header(token: str, secure: bool) -> str:
    """Return the Set-Cookie line for a new guest."""
    line = f"{COOKIE}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax"
    return line + "; Secure" if secure else line
