"""Security of requests: checks of Host and Origin, rate limits, and security headers."""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from urllib.parse import unquote_to_bytes, urlsplit

import msgspec
import sqlalchemy as sa
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from ziggurat.server.api.sessions import (
    NEW_TOKEN_KEY,
    address,
    bearer_token,
    cookie_headers,
    current_person,
    is_to_be_upgraded,
)
from ziggurat.server.api.static_files import is_document, is_page
from ziggurat.server.counters import counters
from ziggurat.server.feature import features
from ziggurat.server.logs import request_id
from ziggurat.server.problems import Problem, maintained, rate_limited, unknown_table
from ziggurat.server.services.rate_limits import RateLimits, TokenBucket
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database

CSP = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # Places and colours of single pieces are set on the elements.
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
SECURITY_HEADERS = {
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
PAGE_COSTS = 0.2
"""Of a request: a page has many files, and each is quickly read."""
WRITES_COST = 3.0
"""Of a request that may write: it takes time of the database's thread too."""
REQUEST_SECONDS = 0.002
"""Of an address's share of the time, for any request: a thousand that come at once are answered one after another."""


PROBE_PATHS = ("/healthz", "/readyz")
"""The paths of health probes: a monitor asks for nothing else, and waits for nobody of its address, for it must know in
time."""
HOST_HEADER = re.compile(r"([^\s:/?#@\\\[\]]+|\[[^\s/?#@\\\[\]]+\])(:\d*)?")
"""A name or an address, and perhaps a port: nothing before it, such as a user name."""


def _hostname_of(host: str) -> str:
    """Return the hostname in a Host header, without the port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower() if HOST_HEADER.fullmatch(host) else ""
    except ValueError:
        return ""


def _origin(text: str) -> tuple[str, str, int] | None:
    """Return scheme, hostname and port of an origin, if it is one of the web."""
    scheme, _, host = text.partition("://")
    scheme = {"ws": "http", "wss": "https"}.get(scheme.lower(), scheme.lower())
    if not (name := _hostname_of(host)) or scheme not in ("http", "https"):
        return None
    try:
        return scheme, name, urlsplit(f"//{host}").port or (443 if scheme == "https" else 80)
    except ValueError:
        return None


def names_us(host: str, settings: Settings) -> bool:
    """Whether a Host header names us.

    A foreign page whose own name was pointed at this machine would count as the same origin; so names must be known.
    An address cannot be pointed elsewhere.
    """
    name = _hostname_of(host)
    if "*" in settings.hosts or name in settings.hosts:
        return True
    machine = socket.gethostname().lower()
    # As it calls itself in its network. Any other machine there may call itself what it likes, and then be us.
    local = f"{machine.partition('.')[0]}.local"
    mine = {settings.listen.lower(), "localhost", machine, local, urlsplit(settings.address).hostname}
    if name in mine or name.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def check_host(connection: ASGIConnection[Any, Any, Any, Any], settings: Settings) -> None:
    """Refuse requests whose Host header does not name us."""
    host = connection.headers.get("host", "")
    if not names_us(host, settings):
        name = _hostname_of(host)
        raise Problem(
            421,
            "unknown_host",
            f"This server does not answer to the name {name!r}; add it to ZIGGURAT_HOSTS.",
            host=name,
        )


def check_origin(connection: ASGIConnection[Any, Any, Any, Any], settings: Settings) -> None:
    """Refuse cross-origin requests: from another site, or from ours by another scheme, which an attacker on the way may
    have written. Programs other than browsers send no Origin and carry nobody's cookie."""
    origin = connection.headers.get("origin")
    if origin is None:
        if connection.headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise Problem(403, "foreign_origin", "This was sent by a page of another site; open our own page instead.")
        return
    host, scheme = connection.headers.get("host", "").lower(), connection.scope["scheme"]
    # Where people are is what the host says, if they do; else they came by this scheme, on a trusted proxy's word.
    ours, theirs = [_origin(f"{scheme}://{host}")], _origin(origin)
    if settings.address and urlsplit(settings.address).hostname == _hostname_of(host):
        ours.append(_origin("://".join(urlsplit(settings.address)[:2])))
    if theirs is None or theirs not in ours:
        same = theirs is not None and theirs[1] == _hostname_of(host)
        more = f", by {scheme} (a proxy that ends https has to be named in ZIGGURAT_PROXIES)" if same else ""
        raise Problem(
            403,
            "foreign_origin",
            f"This was sent by a page of {origin[:200]}; only pages of {host[:200]} may do that{more}.",
            origin=origin[:200],
            host=host[:200],
        )


PATHS_IN_MAINTENANCE = ("/api/me", "/api/sign-in")
"""The paths served during maintenance, besides those of features (`ServerFeature`): operators sign in by them."""


class SecurityMiddleware:
    """The middleware that checks and counts every request and handshake before anything else reads it."""

    def __init__(
        self, settings: Settings, rate_limits: RateLimits, database: Database, is_closed: Callable[[], bool]
    ) -> None:
        self.is_closed = is_closed
        self.served = (*PATHS_IN_MAINTENANCE, *(path for feature in features() for path in feature.served))
        self.settings = settings
        self.rate_limits = rate_limits
        self.database = database
        self.requests = TokenBucket(settings.requests_per_minute, 60)
        self.probes = TokenBucket(settings.requests_per_minute, 60)

    async def __call__(self, inside: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        # As routes are found: whoever writes //api for /api asks for the same, and is bound by the same.
        scope["path"] = "/" + "/".join(filter(None, scope["path"].split("/")))
        connection: ASGIConnection[Any, Any, Any, Any] = ASGIConnection(scope)
        try:
            await self._count(connection)
            _must_be_text(connection)
            check_host(connection, self.settings)
            if scope["type"] == ScopeType.WEBSOCKET or connection.scope.get("method") not in SAFE_METHODS:
                check_origin(connection, self.settings)
                self._must_serve(connection)
            elif scope["path"].startswith("/api/"):
                self._must_serve(connection)
            elif is_document(scope["path"]) and is_to_be_upgraded(connection) and bearer_token(connection) is None:
                await self._upgrade(connection)
        except Problem as problem:
            await _deny(problem, scope, send)
        else:
            await inside(scope, receive, send)

    def _must_serve(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """Refuse everybody during maintenance, but for the requests by which operators end it."""
        if self.is_closed() and not connection.scope["path"].startswith(self.served):
            raise maintained()

    async def _upgrade(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        """Upgrade a browser's session to a secure cookie with the page itself: of the page's requests, which come
        together, only the first would be answered as that person's."""
        connection.scope.setdefault("state", {})
        with suppress(sa.exc.DBAPIError):  # the page is shown all the same
            await current_person(connection, self.database)

    async def _count(self, connection: ASGIConnection[Any, Any, Any, Any]) -> None:
        page = connection.scope["type"] == ScopeType.HTTP and is_page(connection.scope["path"])
        at, costs = address(connection), PAGE_COSTS if page else 1.0
        if connection.scope["path"] in PROBE_PATHS:
            wait = self.probes.use(at, 1.0)
        else:
            wait = self.requests.use(at, costs)
            takes = costs if connection.scope.get("method", "GET") in SAFE_METHODS else costs * WRITES_COST
            await self.rate_limits.share(at).spend(takes * REQUEST_SECONDS)
        if not wait:
            return
        # A client that does not wait before it comes back is answered late: a refusal costs as much as a request.
        await asyncio.sleep(self.settings.refusal_seconds)
        rate_limited(wait, "rate_limited", "Too many requests; try again in {seconds} seconds.")


def _must_be_text(connection: ASGIConnection[Any, Any, Any, Any]) -> None:
    """Refuse a path with a NUL character: no name holds it, and PostgreSQL raises an error for it."""
    if "\0" in connection.scope["path"]:
        path = connection.scope["path"][:200]
        if path.startswith("/api/tables/"):
            raise unknown_table(path.split("/")[3][:40])
        raise Problem(404, "not_found", f"There is nothing at {path}.", path=path)
    if b"\0" in unquote_to_bytes(connection.scope["query_string"]):
        raise Problem(400, "bad_request", "This request is not understood: its address holds the sign of number 0.")


async def _deny(problem: Problem, scope: Scope, send: Send) -> None:
    """Answer with a problem document, also to a handshake."""
    counters.refused(problem.status, problem.code)
    kind = "http" if scope["type"] == ScopeType.HTTP else "websocket.http"
    headers = {"content-type": "application/problem+json", **problem.headers}
    start: Any = {
        "type": f"{kind}.response.start",
        "status": problem.status,
        "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
    }
    body: Any = {"type": f"{kind}.response.body", "body": msgspec.json.encode(problem.document())}
    await send(start)
    await send(body)


async def add_security_headers(message: Message, scope: Scope) -> None:
    """Add the request id, the security headers, and a newcomer's cookie, to an answer."""
    if message["type"] not in ("http.response.start", "websocket.accept", "websocket.http.response.start"):
        return
    headers = MutableScopeHeaders.from_message(message)
    headers["x-request-id"] = request_id.get()
    if message["type"] != "http.response.start":
        return
    for name, value in SECURITY_HEADERS.items():
        headers[name] = value
    path = scope["path"]
    if path.startswith(("/api/", "/schema")):
        headers["cache-control"] = "no-store"
    if (token := scope.get("state", {}).get(NEW_TOKEN_KEY)) is not None:
        for line in cookie_headers(token, scope.get("scheme") == "https"):
            headers.add("set-cookie", line)
