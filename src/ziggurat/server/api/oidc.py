"""`/api/sign-in/oidc`: sign in with an account at the operator's OpenID Connect provider."""

from __future__ import annotations

import hashlib
import logging
import secrets
from functools import partial

import msgspec
import sqlalchemy as sa
from litestar import Response, delete, get, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

from ziggurat.server.api.accounts import QUESTION_SECONDS, add_way_back, sign_in_as
from ziggurat.server.api.endpoints import ANYONE, CHANGE_ROWS, SECRET_HOLDER, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import PERSON, allow, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import current_person, require_person, spoken
from ziggurat.server.domain.people import Person, fit_to_show
from ziggurat.server.problems import Problem
from ziggurat.server.services.oidc_provider import EndUser, Provider, refused
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import accounts, identities, people
from ziggurat.server.store.database import Database

log = logging.getLogger("ziggurat.server")
OIDC_PATH = "/api/sign-in/oidc"
OIDC_TICKET = "oidc"


class SignInMethods(msgspec.Struct):
    """The sign-in methods that not every server has."""

    provider: str | None
    """What the host's provider is called; null: there is none."""


class SignInRequest(msgspec.Struct, forbid_unknown_fields=True):
    """The start of a sign-in. `keep`: link the identity to the person of this browser."""

    keep: bool = False


class Redirect(msgspec.Struct):
    """The URL to which the browser is redirected for the sign-in."""

    url: str


def _cookie(request: AnyRequest) -> str:
    """Return the name of the cookie that ties a sign-in to its browser."""
    return "__Host-ziggurat-oidc" if request.url.scheme == "https" else "ziggurat-oidc"


def _drawn(secret: str, what: str) -> str:
    """Return one of the random values of a sign-in; it reveals none of the others."""
    return hashlib.sha256(f"{what} {secret}".encode()).hexdigest()


def _back(request: AnyRequest) -> str:
    """Return the redirect URI to which the provider sends people back. `SecurityMiddleware` has checked the
    hostname."""
    return f"{request.url.scheme}://{request.headers['host']}{OIDC_PATH}"


def _provider(provider: Provider | None) -> Provider:
    if provider is None:
        raise Problem(404, "no_provider", "This server has no provider to sign in with.")
    return provider


@get("/api/sign-in", summary="Ways to sign in that not every host has", endpoint=Endpoint(ANYONE))
async def get_ways(settings: NamedDependency[Settings]) -> SignInMethods:
    """Return the name of the operator's provider, if there is one."""
    return SignInMethods(settings.oidc.name if settings.oidc is not None else None)


@post(
    OIDC_PATH,
    status_code=200,
    summary="Begin to sign in with the host's provider",
    endpoint=Endpoint(ANYONE, later=("newcomers",), rates=("sign_ins",), body=SMALL_BODY, rows=("tickets",)),
)
async def begin(
    request: AnyRequest,
    database: NamedDependency[Database],
    rate_limits: NamedDependency[RateLimits],
    provider: NamedDependency[Provider | None],
    data: JSONBody[SignInRequest],
) -> Response[Redirect]:
    """Return the URL of the provider's sign-in page. The browser comes back by itself, within five minutes."""
    there = _provider(provider)
    me = await require_person(request, database, rate_limits) if data.keep else None
    secret = secrets.token_urlsafe(32)
    numbers = [_drawn(secret, what) for what in ("state", "nonce", "verifier")]
    url = await there.authorization_url(_back(request), *numbers)
    ticket = partial(accounts.add_ticket, kind=OIDC_TICKET, secret=secret, seconds=QUESTION_SECONDS)
    await database.write(lambda c: ticket(c, person=me.id if me else None))
    return Response(Redirect(url), cookies=[_set(request, secret, QUESTION_SECONDS)])


def _set(request: AnyRequest, value: str, seconds: int) -> Cookie:
    secure = request.url.scheme == "https"
    # Lax: it is sent when the provider sends the browser back, and with nothing else from elsewhere.
    return Cookie(_cookie(request), value=value, max_age=seconds, secure=secure, httponly=True, samesite="lax")


@get(
    OIDC_PATH,
    summary="Come back from the host's provider",
    include_in_schema=False,
    endpoint=Endpoint(
        SECRET_HOLDER, later=("sign_ins",), rows=("people", "identities", "devices", "tickets", *CHANGE_ROWS)
    ),
)
async def come_back(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    provider: NamedDependency[Provider | None],
    code: FromQuery[str | None] = None,
    iss: FromQuery[str | None] = None,
) -> Response[None]:
    """Sign this browser in as the person whom the provider has sent back, and show them their page."""
    place = "/#/me"
    try:
        allow(request, rate_limits, "sign_ins")  # not before: a refusal is a page, too
        await _enter(request, table_service, _provider(provider), code, iss)
    except Problem as problem:
        log.info("somebody was not signed in by the provider: %s", problem.code)
        place = f"/#/me//{problem.code}"
    return Response(None, status_code=303, headers={"location": place}, cookies=[_set(request, "", 0)])


async def _enter(
    request: AnyRequest, table_service: TableService, provider: Provider, code: str | None, issuer: str | None
) -> None:
    database, secret = table_service.database, request.cookies.get(_cookie(request), "")
    # Each question is answered once, by the browser that asked it, rightly or wrongly.
    asked = await database.write(lambda c: accounts.redeem_ticket(c, OIDC_TICKET, secret)) if secret else None
    state = request.query_params.get("state", "")
    if asked is None or not secrets.compare_digest(state.encode(), _drawn(secret, "state").encode()):
        raise refused()
    if code is None or len(code) > 2000 or issuer not in (None, provider.settings.issuer):
        raise refused()  # they said no, or it is another's answer
    end_user = await provider.end_user(_back(request), code, _drawn(secret, "nonce"), _drawn(secret, "verifier"))
    id = identities.key(provider.settings.issuer, end_user.subject)
    owner = await database.read(partial(identities.owner, id=id))
    here = await current_person(request, database)
    (keeps,) = asked
    if keeps is not None and (here is None or here.id != keeps):
        raise refused()  # the browser has become another person's meanwhile
    if keeps is not None and owner not in (None, keeps):
        if await database.read(partial(accounts.has_account, person=keeps)):
            raise Problem(409, "somebody_elses", "Somebody else signs in like this here; delete one of the two first.")
    elif owner is None:
        guest = here is not None and not await database.read(partial(accounts.has_account, person=here.id))
        mine = here if here is not None and (guest or keeps is not None) else None
        owner = mine.id if mine is not None else await _newcomer(database, end_user, spoken(request))
        add = partial(identities.add, id=id, issuer=provider.settings.issuer, person=owner)
        try:
            if mine is not None:
                await add_way_back(request, database, table_service.bus, mine, add)
            else:
                await database.write(add)
        except sa.exc.IntegrityError:
            raise refused() from None  # in two windows at once

    async def use() -> bool:
        await database.write(partial(identities.used, id=id))
        return True

    assert owner is not None
    await sign_in_as(request, table_service, owner, use)


async def _newcomer(database: Database, end_user: EndUser, language: str) -> str:
    person = Person(secrets.token_hex(8), fit_to_show(end_user.name), language)
    await database.write(lambda c: people.insert(c, person, None))
    return person.id


@delete(
    "/api/me/identities/{identity:str}",
    status_code=204,
    summary="Sign in with the provider no more",
    endpoint=Endpoint(PERSON),
)
async def end_identity(request: AnyRequest, database: NamedDependency[Database], identity: FromPath[str]) -> None:
    """Unlink my identity at the provider."""
    me = asker(request)
    if not await database.write(partial(identities.end, person=me.id, id=identity)):
        raise Problem(404, "unknown_identity", "You do not sign in like this.")


ROUTES = (get_ways, begin, come_back, end_identity)
