"""Sessions: an opaque random token in a cookie; the database stores only its hash."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

import sqlalchemy as sa
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.enums import ScopeType
from msgspec.structs import replace

from ziggurat.core.languages import known
from ziggurat.server.address_hash import AddressHasher
from ziggurat.server.api.endpoints import ENDPOINT_OPTION, Endpoint
from ziggurat.server.api.parts import part
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.domain.people import BARRED_FOREVER, TOKEN_PREFIX, Person, fit_to_show
from ziggurat.server.feature import KeepOut, features
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import LoopShare, RateLimits, client_network
from ziggurat.server.store import accounts, identities, people
from ziggurat.server.store.database import Database

DAY_SECONDS = 24 * 3600.0
SESSION_COOKIE = "ziggurat"
SECURE_COOKIE = "__Host-ziggurat"
"""Over https: no other host of the same domain can set it. A browser with the other one gets this one with another
token, because nobody knows who has set the other one."""
COOKIE_SECONDS = 400 * 24 * 3600
NEW_TOKEN_KEY = "ziggurat_token"
"""The key, in a request's state, of the token that the answer puts into the cookie."""


PROXY_USER_KEY = "ziggurat_user"
"""The key, in a request's state, of the user whom a proxy introduces (`trusted_proxies`)."""
PROXY_DEVICE = "proxy"
"""The issuer, and the device, of everybody whom a proxy introduces."""


ADMITTED_KEY = "ziggurat_admitted"
"""The key, in a request's state, of the person for whom an admitted program acts."""


def bearer_token(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return a program's bearer token; None: there is none, or it belongs to a proxy."""
    said = next((value for name, value in connection.scope.get("headers", ()) if name == b"authorization"), b"")
    kind, _, token = said.decode("latin-1").partition(" ")
    token = token.strip()
    if kind.lower() != "bearer" or (proxy_user(connection) is not None and not token.startswith(TOKEN_PREFIX)):
        return None
    return token[:200]


def proxy_user(connection: ASGIConnection[Any, Any, Any, Any]) -> str | None:
    """Return the user name by which a trusted proxy introduces the asker; None if it introduces nobody."""
    return connection.scope.get("state", {}).get(PROXY_USER_KEY)


async def current_person(
    connection: ASGIConnection[Any, Any, Any, Any], database: Database, *, barred: bool = False
) -> Person | None:
    """Return the person whose token the connection carries, or whom a proxy introduces.

    `barred`: also one whom a host has shut out; all others are refused.
    """
    person = await _current_person(connection, database)
    if person is not None and person.barred is not None and not barred and person.barred > time.time():
        if person.bars_network:
            hash = _hashes(connection)[0]
            await database.write_own(partial(_note_barred, hash=hash, person=person.id, until=person.barred))
        says = "A host of this server has shut you out for now."
        raise Problem(403, "barred", says, until=None if person.barred >= BARRED_FOREVER else person.barred)
    return person


def _keepers() -> list[KeepOut]:
    return [feature.keep_out for feature in features() if feature.keep_out is not None]


def _note_barred(connection: sa.Connection, hash: str, person: str, until: float) -> None:
    for keep in _keepers():
        keep.note(connection, hash, person, until)


def _shut_until(connection: sa.Connection, hashes: Sequence[str]) -> float | None:
    ends = (keep.until(connection, hashes) for keep in _keepers())
    return max((end for end in ends if end is not None), default=None)


def _came_again(connection: sa.Connection, hashes: Sequence[str]) -> None:
    for keep in _keepers():
        keep.again(connection, hashes)


def _hashes(connection: ASGIConnection[Any, Any, Any, Any]) -> tuple[str, str]:
    """Return the hashes of an address that the database may store, by today's key and yesterday's."""
    hasher: AddressHasher = part(connection, "settings").address_hasher
    return hasher.of(address(connection))


async def _must_be_open(connection: ASGIConnection[Any, Any, Any, Any], database: Database) -> None:
    """Refuse newcomers from a network that an operator has barred."""
    hashes = _hashes(connection)
    until = await database.read(partial(_shut_until, hashes=hashes))
    if until is not None:
        await database.write_own(partial(_came_again, hashes=hashes))
        raise Problem(403, "barred_network", "Nobody new can come from your network for now.", until=until)


def must_be_signed_in(bus: Bus, person: str, device: str, since: int) -> None:
    """Refuse a person who was signed out while the session was looked up (`Bus.is_signed_out`)."""
    if bus.is_signed_out(person, device, since):
        raise Problem(401, "signed_out", "You were signed out here a moment ago.")


async def _current_person(connection: ASGIConnection[Any, Any, Any, Any], database: Database) -> Person | None:
    if bearer_token(connection) is not None:
        admitted: Person | None = connection.scope.get("state", {}).get(ADMITTED_KEY)
        if admitted is None:  # for what no guard of a route was asked
            raise Problem(403, "token_scope", "No token does this: sign in with a browser.")
        return admitted
    if (user := proxy_user(connection)) is not None:
        met = await database.read(
            partial(identities.person, id=identities.key(PROXY_DEVICE, user), device=PROXY_DEVICE)
        )
        return await _here(database, *met) if met is not None else None
    token = token_of(connection)
    if not token:
        return None
    found = await database.read(lambda c: people.by_token(c, token))
    if found is None:
        return None
    person = await _here(database, *found)
    if is_to_be_upgraded(connection) and not await _upgrade(connection, database, person, token):
        return None  # another request with the same cookie was faster
    return person


def token_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return a browser's session token; empty if it sends none of the right form."""
    state = connection.scope.get("state", {})
    if NEW_TOKEN_KEY in state:
        return str(state[NEW_TOKEN_KEY])  # this request has been given another one
    cookies = connection.cookies
    token = cookies.get(SECURE_COOKIE) if _is_secure(connection) else None
    token = token or cookies.get(SESSION_COOKIE, "")
    return token if len(token) <= 200 else ""


def _is_secure(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    return connection.scope.get("scheme") in ("https", "wss")


def is_to_be_upgraded(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a browser comes over https with only the insecure cookie, which anybody on the way could have set."""
    cookies, state = connection.cookies, connection.scope.get("state", {})
    return (
        _is_secure(connection)
        and SESSION_COOKIE in cookies
        and SECURE_COOKIE not in cookies
        and NEW_TOKEN_KEY not in state
    )


async def _upgrade(
    connection: ASGIConnection[Any, Any, Any, Any], database: Database, person: Person, old: str
) -> bool:
    """Give a browser that comes over https a new session token; return whether its old one was still valid.

    From then on the guest is this browser's alone: another person may have set its old cookie and used it elsewhere.
    """
    if connection.scope["type"] != ScopeType.HTTP:
        return False  # the answer to the handshake of a socket carries no cookie; the page has asked before
    new = new_token()

    def job(transaction: sa.Connection) -> bool:
        if not accounts.renew_token(transaction, person.id, person.device, old, new):
            return False
        if not accounts.has_account(transaction, person.id):
            accounts.end_others(transaction, person.id, person.device)
        return True

    if not await database.write(job):
        return False
    connection.scope["state"][NEW_TOKEN_KEY] = new
    return True


def new_token() -> str:
    """Return a random session token."""
    return secrets.token_urlsafe(24)


async def _here(database: Database, person: Person, seen: float) -> Person:
    if abs(time.time() - seen) > DAY_SECONDS:
        await database.write(lambda c: people.saw(c, person))  # or a guest might be forgotten who is here
    return person


def address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the address of a connection, as a trusted proxy reports it."""
    return client_network(connection.client.host) if connection.client else ""


def loop_share(request: AnyRequest, rate_limits: NamedDependency[RateLimits]) -> LoopShare:
    """Return the share of the event loop of a request's address."""
    return rate_limits.share(address(request))


async def require_person(
    connection: ASGIConnection[Any, Any, Any, Any], database: Database, rate_limits: RateLimits
) -> Person:
    """Return the person who asks, making a guest of a newcomer (the answer then carries the cookie)."""
    endpoint: Endpoint = connection.scope["state"][ENDPOINT_OPTION]
    if not endpoint.makes_guests:
        raise LookupError(f"{connection.scope['path']} does not declare that it makes guests")
    person = await current_person(connection, database)
    if person is not None:
        return person
    if await database.read(partial(accounts.was_replaced, token=token_of(connection))):
        # It was sent by another window of the same browser; a new guest's cookie would take the place of the right one.
        says = "This browser has signed in meanwhile; load the page again."
        raise Problem(401, "signed_in_meanwhile", says)
    await _must_be_open(connection, database)
    rate_limits.must("newcomers", address(connection))
    if (user := proxy_user(connection)) is not None:
        return await _meet(connection, database, user)
    token = new_token()
    newcomer = Person(secrets.token_hex(8), "", spoken(connection))
    device = device_name(connection)
    await database.write(lambda c: people.insert(c, newcomer, token, device))
    connection.scope["state"][NEW_TOKEN_KEY] = token
    return newcomer


async def keep_name(database: Database, person: Person, name: str) -> Person:
    """Store the name that a nameless person has given, so that they need not type it again; return the person."""
    if not name or person.name:
        return person
    named = replace(person, name=name)
    await database.write(lambda c: people.update(c, named))
    return named


async def _meet(connection: ASGIConnection[Any, Any, Any, Any], database: Database, user: str) -> Person:
    """Return the new person for a user whom a proxy introduces for the first time."""
    newcomer = Person(secrets.token_hex(8), fit_to_show(user), spoken(connection), PROXY_DEVICE)

    def job(transaction: sa.Connection) -> None:
        people.insert(transaction, newcomer, None)
        identities.add(transaction, identities.key(PROXY_DEVICE, user), PROXY_DEVICE, newcomer.id)

    try:
        await database.write(job)
    except sa.exc.IntegrityError:  # by two requests at once
        return await current_person(connection, database) or newcomer
    return newcomer


def cookie_headers(token: str, secure: bool) -> list[str]:
    """Return the Set-Cookie lines that set a new session token, or without one those that delete the cookie."""
    name, more = (SECURE_COOKIE, "; Secure") if secure else (SESSION_COOKIE, "")
    if not token:
        gone = "Path=/; Max-Age=0; HttpOnly; SameSite=Lax"
        return [f"{SESSION_COOKIE}=; {gone}", *([f"{SECURE_COOKIE}=; {gone}; Secure"] if secure else [])]
    return [f"{name}={token}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Lax{more}"]


BROWSER_NAMES = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
}
BROWSER_NAMES |= {"CriOS": "Chrome", "Chrome": "Chrome", "Safari": "Safari"}
SYSTEM_NAMES = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "CrOS": "ChromeOS", "Windows": "Windows"}
SYSTEM_NAMES |= {"Mac OS X": "macOS", "Linux": "Linux"}


def spoken(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the language of a newcomer, by the Accept-Language of a request; else English."""
    wanted = connection.headers.get("accept-language", "").split(",")
    return known(one.partition(";")[0].strip() for one in wanted)


def device_name(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the name of a device by its User-Agent: "Firefox, Linux"; else empty."""
    told = connection.headers.get("user-agent", "")
    parts = (
        next((name for mark, name in names.items() if mark in told), "") for names in (BROWSER_NAMES, SYSTEM_NAMES)
    )
    return ", ".join(filter(None, parts))
