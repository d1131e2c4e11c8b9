"""Guests: an opaque random token in a cookie; the database knows only its hash."""

from __future__ import annotations

import math
import secrets
import time
from typing import Any

from litestar.connection import ASGIConnection

from ziggurat.server.problems import RETRY, Problem
from ziggurat.server.store import people
from ziggurat.server.store.engine import Database
from ziggurat.server.verbs.people import Person
from ziggurat.server.workers.visitors import Visitors, whence

DAY = 24 * 3600.0
COOKIE = "ziggurat"
SECURE_COOKIE = "__Host-ziggurat"
"""Over https: no other host of the same domain can set it. Whoever has the other one is given this one as well."""
COOKIE_SECONDS = 400 * 24 * 3600
TOKEN = "ziggurat_token"
"""What the answer is to put into the cookie."""


async def whoever(connection: ASGIConnection[Any, Any, Any, Any], database: Database) -> Person | None:
    """Return the person whose token the connection carries."""
    cookies = connection.cookies
    token = cookies.get(SECURE_COOKIE) or cookies.get(COOKIE)
    if not token or len(token) > 200:
        return None
    found = await database.read(lambda c: people.by_token(c, token))
    if found is None:
        return None
    person, seen = found
    if abs(time.time() - seen) > DAY:
        await database.write(lambda c: people.saw(c, person))  # or a guest might be forgotten who is here
    if SECURE_COOKIE not in cookies and connection.scope.get("scheme") == "https":
        connection.scope["state"][TOKEN] = token
    return person


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return from where a connection comes; a trusted proxy has said whom it speaks for."""
    return whence(connection.client.host) if connection.client else ""


async def somebody(connection: ASGIConnection[Any, Any, Any, Any], database: Database, visitors: Visitors) -> Person:
    """Return the person who asks, making a guest of a newcomer (the answer then carries the cookie)."""
    person = await whoever(connection, database)
    if person is not None:
        return person
    wait = visitors.newcomers.use(address(connection))
    if wait:
        seconds, minutes = math.ceil(wait), math.ceil(wait / 60)
        says = f"Too many new visitors from your address; try again in {minutes} minutes."
        raise Problem(429, "too_many_newcomers", says, **{RETRY: seconds}, minutes=minutes)
    token = secrets.token_urlsafe(24)
    newcomer = Person(secrets.token_hex(8), "", "en")
    device = device_name(connection)
    await database.write(lambda c: people.insert(c, newcomer, token, device))
    connection.scope["state"][TOKEN] = token
    return newcomer


def cookie_headers(token: str, secure: bool) -> list[str]:
    """Return the Set-Cookie lines for a new guest, or without a token those that take the cookie away."""
    name, more = (SECURE_COOKIE, "; Secure") if secure else (COOKIE, "")
    if not token:
        gone = "Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        return [f"{COOKIE}=; {gone}", *([f"{SECURE_COOKIE}=; {gone}; Secure"] if secure else [])]
    return [f"{name}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{more}"]


BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
}
BROWSERS |= {"CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "CrOS": "ChromeOS", "Windows": "Windows"}
SYSTEMS |= {"Mac OS X": "macOS", "Linux": "Linux"}


def device_name(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return how somebody may know a device again, as its browser tells: "Firefox, Linux"; nothing if it does not."""
    told = connection.headers.get("user-agent", "")
    parts = (next((name for mark, name in names.items() if mark in told), "") for names in (BROWSERS, SYSTEMS))
    return ", ".join(filter(None, parts))
