"""The declaration of each endpoint: who may use it, how often, with how many bytes, and to which database tables it
adds rows.

It stands at the handler (`@get(..., endpoint=Endpoint(...))`); without one no server starts. `api.guard` enforces it
before the handler runs, `api.requests` the bytes, `store.database` the rows; a test tries each endpoint without the
right to use it, too often, and with too many bytes.

All of them are bounded by the requests of an address in a minute (`security.SecurityMiddleware`), by its share of the
event loop's time (`RateLimits.share`), by the messages of a socket in a second (`socket.Pace`) and by the quota of each
table of the database that grows (`ServerFeature.rows`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Any, Literal, NamedTuple

from litestar.connection import ASGIConnection

from ziggurat.server.feature import features
from ziggurat.server.problems import Problem
from ziggurat.server.services.rate_limits import Rate

AnyConnection = ASGIConnection[Any, Any, Any, Any]
ENDPOINT_OPTION = "endpoint"
"""The name by which a handler declares it."""
SMALL_BODY, LARGE_BODY = 16 * 1024, 256 * 1024
"""Bytes of a body: of what is typed, and of a file."""
TABLE_ROWS = ("tables", "seats", "changes", "files", "people")
"""The database tables to which a new table adds rows, and once the house, which is its host when its maker is gone."""
CHANGE_ROWS = ("changes",)
"""The database tables to which a change adds rows; features add theirs (`ServerFeature.rows_of_changes`)."""
Scope = Literal["read", "play", "bot"]
"""What a token is for; each lets a program do what those before it let it do.

    read: see what its person sees of their tables.
    play: make the moves of its person, who says that they choose them themselves.
    bot: sit down as a bot, and play as one.
"""
READ_SCOPES: tuple[Scope, ...] = ("read", "play", "bot")
PLAY_SCOPES: tuple[Scope, ...] = ("play", "bot")
SIT_SCOPES: tuple[Scope, ...] = ("bot",)


class Access(NamedTuple):
    """The people who may use an endpoint. `admit` refuses all others (Problem) before the handler runs and before the
    body is read, and leaves what it has found in the state of the request; None: the handler itself checks a secret in
    the request. `hidden`: others get a 404, whatever they send."""

    name: str
    admit: Callable[[AnyConnection], Awaitable[None]] | None = None
    hidden: bool = False


ANYONE = Access("anyone")
NEWCOMER = Access("newcomer")
"""Everybody; a stranger becomes a guest by it, and an address has so many of those."""
SECRET_HOLDER = Access("secret")
"""Who has the secret that is part of the request."""


class Endpoint(NamedTuple):
    """The declaration of an endpoint.

    Attributes:
        rates: allowances of an address (`RateLimits`) that are used before the handler runs.
        later: allowances that the handler uses (`guard.allow`), once it knows how much of them, or by whom.
        body: the bytes of a request's body, at most.
        rows: tables of the database to which it may add rows.
        programs: the scopes of tokens that let a program use it. Nothing else is done by a token: no account, no token,
            no table of its own, no talk, no hint, no puzzle and no deal of the day.
    """

    who: Access
    rates: tuple[Rate, ...] = ()
    later: tuple[Rate, ...] = ()
    body: int = 0
    rows: tuple[str, ...] = ()
    programs: tuple[Scope, ...] = ()

    @property
    def makes_guests(self) -> bool:
        """Whether the endpoint makes a guest of a stranger."""
        return self.who is NEWCOMER or "newcomers" in self.later

    @property
    def all_rows(self) -> frozenset[str]:
        """Return the database tables to which the endpoint may add rows: also new guests, and the server's own secrets,
        which are generated when first needed."""
        return _all_rows(self.rows, self.makes_guests)


@cache
def _all_rows(rows: tuple[str, ...], guests: bool) -> frozenset[str]:
    added = [name for feature in features() for name in feature.rows_of_changes] if "changes" in rows else []
    return frozenset(("secrets", *rows, *added, *(("people", "identities") if guests else ())))


PAGE_ENDPOINT = Endpoint(ANYONE)
"""A place of the page, or a file of it."""


def declared(handler: Any) -> Endpoint:
    """Return a handler's declaration; Litestar's own handlers serve the page, and take nothing."""
    found: Endpoint = handler.opt.get(ENDPOINT_OPTION, PAGE_ENDPOINT)
    return found


def endpoints_of(handlers: Iterable[Any]) -> dict[tuple[str, str], Endpoint]:
    """Return the declarations of handlers, by method and path, in their order."""
    found: dict[tuple[str, str], Endpoint] = {}
    for handler in handlers:
        for path in handler.paths:
            for method in sorted(getattr(handler, "http_methods", {"WS"})):
                found[str(method), path] = declared(handler)
    return found


def must_be_declared(handlers: Iterable[Any]) -> None:
    """Refuse to start with a handler without a declaration."""
    forgotten = sorted(path for handler in handlers for path in handler.paths if ENDPOINT_OPTION not in handler.opt)
    if forgotten:
        raise LookupError(f"these declare no endpoint=Endpoint(...): {', '.join(forgotten)}")


def must_say_so_short(connection: AnyConnection, most: int) -> None:
    """Refuse a body whose Content-Length is too large, before it is read."""
    told = connection.headers.get("content-length", "")
    if told.isdecimal():
        must_be_short(int(told), most)


def must_be_short(size: int, most: int) -> None:
    """Refuse a body that is too large."""
    if size > most:
        says = f"This request has at most {most} bytes; this one has {size} or more." if most else "This takes no body."
        raise Problem(413, "too_large", says, max=most, size=size)
