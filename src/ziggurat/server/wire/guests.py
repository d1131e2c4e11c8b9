"""Guests: an opaque random token in a cookie; the database knows only its hash."""

from __future__ import annotations

import secrets
from typing import Any

from litestar.connection import ASGIConnection

from ziggurat.server.store import people
from ziggurat.server.store.engine import Database
from ziggurat.server.verbs.people import Person

COOKIE = "ziggurat"
COOKIE_SECONDS = 400 * 24 * 3600
NEW_TOKEN = "ziggurat_new_token"


async def whoever(connection: ASGIConnection[Any, Any, Any, Any], database: Database) -> Person | None:
    """Return the person whose token the connection carries."""
    token = connection.cookies.get(COOKIE)
    if not token or len(token) > 200:
        return None
    return await database.read(lambda c: people.by_token(c, token))


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return from where a connection comes; a trusted proxy has said whom it speaks for."""
    return connection.client.host if connection.client else ""


async def somebody(connection: ASGIConnection[Any, Any, Any, Any], database: Database) -> Person:
    """Return the person who asks, making a guest of a newcomer (the answer then carries the cookie)."""
    person = await whoever(connection, database)
    if person is not None:
        return person
    token = secrets.token_urlsafe(24)
    newcomer = Person(secrets.token_hex(8), "", "en")
    await database.write(lambda c: people.insert(c, newcomer, token))
    connection.scope["state"][NEW_TOKEN] = token
    return newcomer


def cookie_header(token: str, secure: bool) -> str:
    """Return the Set-Cookie line for a new guest."""
    line = f"{COOKIE}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax"
    return line + "; Secure" if secure else line
