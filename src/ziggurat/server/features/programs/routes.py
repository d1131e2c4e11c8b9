"""`/api/me/tokens`: the bearer tokens of a person's programs, and the scopes of a request with one."""

from __future__ import annotations

import secrets
import time
from functools import partial
from typing import Any

import msgspec
from litestar import delete, get, post
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency
from litestar.handlers import BaseRouteHandler
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.accounts import iso
from ziggurat.server.api.endpoints import SMALL_BODY, Endpoint, Scope, declared
from ziggurat.server.api.guard import PERSON, asker
from ziggurat.server.api.parts import part
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import ADMITTED_KEY, bearer_token
from ziggurat.server.domain.people import TOKEN_PREFIX
from ziggurat.server.features.programs import rows as tokens
from ziggurat.server.features.programs.rules import MOST_TOKENS, NewToken, clean_label
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.standby import Standby
from ziggurat.server.store import accounts, people
from ziggurat.server.store.database import Database

DAY_SECONDS = 24 * 3600.0
BEARER_KEY = "ziggurat_bearer"
"""The key, in a request's state, of the bearer of a token (`rows.Bearer`)."""


class TokenInfo(msgspec.Struct):
    """A token of mine, without its secret. `used`: when it was last used, to within an hour."""

    id: str
    name: str
    scope: Scope
    created: str
    used: str | None
    until: str


class MadeToken(msgspec.Struct):
    """A new token, which is shown once, and all tokens that I have now."""

    token: str
    mine: list[TokenInfo]


def _info(token: tokens.Token) -> TokenInfo:
    used = iso(token.used) if token.used else None
    return TokenInfo(token.id, token.name, token.scope, iso(token.created), used, iso(token.until))


async def must_be_allowed(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuse a program's request outside the scopes that an endpoint declares; a guard of every route.

    Whoever comes by a token is the person of the token for this request, whatever cookie it carries, and nobody becomes
    a guest by it.
    """
    secret = bearer_token(connection)
    if secret is None:
        return
    standby: Standby = part(connection, "standby")
    if standby.on:
        says = "This database is a restored copy; programs rest until its host says that it is the original."
        raise Problem(503, "quiet", says, **{RETRY_KEY: 60})
    database: Database = part(connection, "database")
    since: int = part(connection, "bus").sign_outs
    found = await database.read(partial(tokens.bearer, secret=secret)) if secret.startswith(TOKEN_PREFIX) else None
    if found is None:
        raise Problem(401, "bad_token", "This token does not hold: it was withdrawn, its time is over, or it is none.")
    allowed = declared(handler).programs
    if found.token.scope not in allowed:
        says = f"A token for {found.token.scope!r} does not do this" + (
            f"; one for {' or '.join(map(repr, allowed))} does."
            if allowed
            else ", and no token does: sign in with a browser."
        )
        raise Problem(403, "token_scope", says, scope=found.token.scope, allowed=list(allowed))
    now = time.time()
    if abs(now - found.token.used) > tokens.USE_NOTED_SECONDS:
        await database.write(partial(tokens.used, id=found.token.id))
    if abs(now - found.seen) > DAY_SECONDS:
        await database.write(partial(people.saw, person=found.person))
    found.since = since
    connection.scope.setdefault("state", {}).update({ADMITTED_KEY: found.person, BEARER_KEY: found})


def _must_be_session(request: AnyRequest) -> None:
    """Refuse a program, whatever its scopes: no token makes another."""
    if bearer_token(request) is not None:
        raise Problem(403, "token_scope", "No token makes or withdraws tokens: sign in with a browser.")


@get("/api/me/tokens", summary="My tokens", endpoint=Endpoint(PERSON))
async def list_tokens(request: AnyRequest, database: NamedDependency[Database]) -> list[TokenInfo]:
    """Return the valid tokens of my programs, the newest first, without their secrets."""
    _must_be_session(request)
    me = asker(request)
    return [_info(one) for one in await database.read(partial(tokens.of_person, person=me.id))]


@post(
    "/api/me/tokens",
    status_code=200,
    summary="A new token",
    endpoint=Endpoint(PERSON, body=SMALL_BODY, rows=("tokens",)),
)
async def make_token(request: AnyRequest, database: NamedDependency[Database], data: JSONBody[NewToken]) -> MadeToken:
    """Return a new token for a program of mine. It is shown this once; the server stores only its digest."""
    _must_be_session(request)
    me = asker(request)
    name = clean_label(data.name)
    if not await database.read(partial(accounts.has_account, person=me.id)):
        # Others may know a guest's cookie, or have set it: a token of theirs would outlive it.
        says = "Make a passkey or recovery codes first: a guest's programs would be lost with the browser."
        raise Problem(403, "guest_tokens", says)
    secret, id = f"{TOKEN_PREFIX}{secrets.token_urlsafe(32)}", secrets.token_hex(8)
    add = partial(tokens.add, person=me.id, id=id, secret=secret, name=name, scope=data.scope, days=data.days)
    if not await database.write(add):
        raise Problem(
            409, "too_many_tokens", f"You have {MOST_TOKENS} tokens; withdraw one of them first.", max=MOST_TOKENS
        )
    return MadeToken(secret, [_info(one) for one in await database.read(partial(tokens.of_person, person=me.id))])


@delete("/api/me/tokens/{token:str}", status_code=204, summary="Withdraw a token", endpoint=Endpoint(PERSON))
async def end_token(
    request: AnyRequest, database: NamedDependency[Database], bus: NamedDependency[Bus], token: FromPath[str]
) -> None:
    """Revoke one of my tokens: its streams end."""
    _must_be_session(request)
    me = asker(request)
    if not await database.write(partial(tokens.end, person=me.id, id=token)):
        raise Problem(404, "unknown_token", "You have no such token.")
    bus.signed_out(me.id, f"{tokens.DEVICE_PREFIX}{token}")


ROUTES = (list_tokens, make_token, end_token)
