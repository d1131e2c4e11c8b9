"""`/api/me/...` and `/api/sign-in/...`: sign in from another device, read all that is stored, delete it.

There are no passwords. A guest who makes a passkey or recovery codes has a way back, and is a guest no more.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from functools import partial
from typing import Annotated, Any, TypeVar

import msgspec
import segno
import sqlalchemy as sa
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api import passkeys
from ziggurat.server.api.endpoints import ANYONE, CHANGE_ROWS, NEWCOMER, SECRET_HOLDER, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import BARRED_PERSON, PERSON, asker
from ziggurat.server.api.profile import Me, profile_of
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import (
    NEW_TOKEN_KEY,
    PROXY_DEVICE,
    current_person,
    device_name,
    new_token,
    proxy_user,
    require_person,
    token_of,
)
from ziggurat.server.domain.people import Person
from ziggurat.server.problems import Problem
from ziggurat.server.services.accounts import Accounts
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import accounts, identities
from ziggurat.server.store.database import Database

T = TypeVar("T")
RECOVERY_CODES = 10
RECOVERY_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Of recovery codes: none that is mistaken for another; twelve of them cannot be guessed."""
LINK_SECONDS = 600
QUESTION_SECONDS = 300
Short = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class DeviceInfo(msgspec.Struct):
    """A browser in which I am signed in."""

    id: str
    name: str
    created: str
    seen: str
    here: bool


class PasskeyInfo(msgspec.Struct):
    """A passkey of mine."""

    id: str
    name: str
    created: str
    used: str


class LinkedIdentity(msgspec.Struct):
    """A person's identity at the operator's provider."""

    id: str
    created: str
    used: str


class Account(msgspec.Struct):
    """The ways in which I can sign in: recovery codes, passkeys, identities, devices."""

    codes: int
    """Recovery codes that were not used."""
    passkeys: list[PasskeyInfo]
    identities: list[LinkedIdentity]
    devices: list[DeviceInfo]


class RecoveryCodes(msgspec.Struct):
    """New recovery codes, which are shown once."""

    codes: list[str]


class Link(msgspec.Struct):
    """A single-use link: it signs in another device of mine, or gives my seat to a friend.

    `qr` are the rows of its QR code, of 0 and 1.
    """

    secret: str
    url: str
    seconds: int
    qr: list[str]


class SignInSecret(msgspec.Struct, forbid_unknown_fields=True):
    """The secret of a link, or a recovery code."""

    secret: Short


class Credential(msgspec.Struct, forbid_unknown_fields=True):
    """The credential that a browser's passkey answers with."""

    credential: passkeys.CredentialResponse


def link_to(request: AnyRequest, place: str, secret: str, seconds: int) -> Link:
    """Return a link to a place in the page with a secret in it."""
    url = address_of(request, f"{place}/{secret}")
    return Link(secret, url, seconds, qr_code(url))


def address_of(request: AnyRequest, place: str) -> str:
    """Return the URL of a place in the page, with the hostname under which the asker's browser knows the server."""
    return f"{request.url.scheme}://{request.headers['host']}/#/{place}"


def qr_code(url: str) -> list[str]:
    """Return the modules of the QR code of a URL: rows of 0 and 1."""
    return ["".join(map(str, row)) for row in segno.make(url, micro=False).matrix]


def iso(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).isoformat(timespec="seconds")


async def sign_in_as(
    request: AnyRequest, table_service: TableService, person: str, use: Callable[[], Awaitable[bool]]
) -> Me:
    """Sign this browser in as a person; the guest of this browser is merged into them.

    The browser gets a new token in any case: others may know the old one, or have set it. `use` uses up the secret of
    the sign-in and returns whether it was still valid; it is called when nothing else can refuse.
    """
    database = table_service.database
    if proxy_user(request) is not None:
        raise Problem(409, "by_proxy", "Who you are is said by the proxy in front of this server; sign in there.")
    before = await current_person(request, database)
    old, here = token_of(request), before is not None and before.id == person
    guest = before is not None and not here and not await database.read(partial(accounts.has_account, person=before.id))
    if before is not None and guest:
        await database.read(partial(accounts.must_let_join, guest=before.id))
        await Accounts(table_service).must_be_one(before.id, person)
    if not await use():
        raise _used_up()
    if before is not None and guest:
        await Accounts(table_service).join(before.id, person)
    new, name = new_token(), device_name(request)

    def job(connection: sa.Connection) -> None:
        if before is not None:
            accounts.note_replaced(connection, old)
            if here and accounts.renew_token(connection, person, before.device, old, new):
                return
            if not here:
                accounts.end_device(connection, before.id, before.device)
        accounts.add_device(connection, person, new, name)

    await database.write(job)
    request.scope["state"][NEW_TOKEN_KEY] = new
    if before is not None:
        table_service.bus.signed_out(before.id, "" if guest else before.device)
    found = await database.read(partial(accounts.person, id=person))
    return profile_of(found)


async def add_way_back(
    request: AnyRequest, database: Database, bus: Bus, me: Person, add: Callable[[sa.Connection], T]
) -> T:
    """Add recovery codes, a passkey or an identity of mine; return what `add` returns, which refuses by raising
    Problem.

    Others may know this browser's token, or have set it, so the browser gets a new one. The first way back turns a
    guest into a person who is kept: from then on only this browser is signed in.
    """
    old, new = token_of(request), new_token()

    def job(connection: sa.Connection) -> tuple[T, bool]:
        first = not accounts.has_account(connection, me.id)
        added = add(connection)
        if me.device == PROXY_DEVICE:
            return added, first
        if not accounts.renew_token(connection, me.id, me.device, old, new):
            raise Problem(409, "signed_in_meanwhile", "This browser has signed in meanwhile; load the page again.")
        accounts.note_replaced(connection, old)
        if first:
            accounts.end_others(connection, me.id, me.device)
        return added, first

    added, first = await database.write(job)
    if me.device != PROXY_DEVICE:
        request.scope["state"][NEW_TOKEN_KEY] = new
        bus.signed_out(me.id, "" if first else me.device)
    return added


def _used_up() -> Problem:
    return Problem(403, "bad_secret", "This link or code was used already, or is none that can be used.")


# --- What is mine ------------------------------------------------------------------------------------------------


@get("/api/me/account", summary="How I can come back", endpoint=Endpoint(PERSON))
async def get_account(request: AnyRequest, database: NamedDependency[Database]) -> Account:
    """Return my devices, my passkeys, and how many recovery codes I have left."""
    me = asker(request)

    def job(connection: Any) -> Account:
        return Account(
            accounts.codes_left(connection, me.id),
            [PasskeyInfo(p.id, p.name, iso(p.created), iso(p.used)) for p in accounts.passkeys_of(connection, me.id)],
            [LinkedIdentity(i.id, iso(i.created), iso(i.used)) for i in identities.of_person(connection, me.id)],
            [
                DeviceInfo(d.id, d.name, iso(d.created), iso(d.seen), d.id == me.device)
                for d in accounts.devices_of(connection, me.id)
            ],
        )

    return await database.read(job)


@post(
    "/api/me/codes",
    status_code=200,
    summary="New recovery codes",
    endpoint=Endpoint(NEWCOMER, body=SMALL_BODY, rows=("codes", "tickets")),
)
async def make_codes(
    request: AnyRequest,
    database: NamedDependency[Database],
    bus: NamedDependency[Bus],
    rate_limits: NamedDependency[RateLimits],
) -> RecoveryCodes:
    """Return ten new recovery codes, each good for one sign-in; the earlier ones are revoked."""
    me = await require_person(request, database, rate_limits)
    codes = ["".join(secrets.choice(RECOVERY_CODE_LETTERS) for _ in range(12)) for _ in range(RECOVERY_CODES)]
    await add_way_back(request, database, bus, me, partial(accounts.renew_codes, person=me.id, new=codes))
    return RecoveryCodes(["-".join((code[:4], code[4:8], code[8:])) for code in codes])


@post(
    "/api/me/link",
    status_code=200,
    summary="A link for another device",
    endpoint=Endpoint(NEWCOMER, body=SMALL_BODY, rows=("tickets",)),
)
async def make_link(
    request: AnyRequest, database: NamedDependency[Database], rate_limits: NamedDependency[RateLimits]
) -> Link:
    """Return a link that signs in another device of mine: once, within ten minutes. The link before is revoked."""
    me = await require_person(request, database, rate_limits)
    secret = secrets.token_urlsafe(18)
    await database.write(partial(accounts.add_ticket, kind="link", secret=secret, person=me.id, seconds=LINK_SECONDS))
    return link_to(request, "me", secret, LINK_SECONDS)


@delete("/api/me/devices/{device:str}", status_code=204, summary="Sign a device out", endpoint=Endpoint(PERSON))
async def end_device(
    request: AnyRequest, database: NamedDependency[Database], bus: NamedDependency[Bus], device: FromPath[str]
) -> None:
    """Sign out one of my devices (`here`: this one, `others`: all but this one, and all programs)."""
    me = asker(request)
    mine = [one.id for one in await database.read(partial(accounts.devices_of, person=me.id))]
    if device == "others":
        ending = [id for id in mine if id != me.device]
    else:
        ending = [me.device if device == "here" else device]
        if ending[0] not in mine:
            raise Problem(404, "unknown_device", "You are not signed in there.")
    for id in ending:
        await database.write(partial(accounts.end_device, person=me.id, device=id))
        bus.signed_out(me.id, id)
    if device == "others":
        for id in await database.write(partial(accounts.end_feature_sign_ins, person=me.id)):
            bus.signed_out(me.id, id)
    if me.device in ending:
        request.scope["state"][NEW_TOKEN_KEY] = ""


@get("/api/me/everything", summary="Everything that is known of me", endpoint=Endpoint(BARRED_PERSON))
async def get_everything(
    request: AnyRequest, table_service: NamedDependency[TableService], share: NamedDependency[LoopShare]
) -> dict[str, Any]:
    """Return all that is stored about me: who I am, how I come back, my tables and what I did there."""
    me = asker(request)
    async with share.line:  # it may be a lot
        found = await share.counted(table_service.database.read, partial(accounts.everything, person=me.id))
    return {"told": iso(time.time()), **found}


@delete(
    "/api/me", status_code=204, summary="Forget me", endpoint=Endpoint(BARRED_PERSON, rows=("people", *CHANGE_ROWS))
)
async def forget_me(request: AnyRequest, table_service: NamedDependency[TableService]) -> None:
    """Delete everything that is stored about me. Finished games keep a nameless seat; in the others a bot plays on."""
    me = asker(request)
    await table_service.database.read(partial(accounts.must_let_go, person=me.id))
    await Accounts(table_service).forget(me.id)
    table_service.bus.signed_out(me.id)
    request.scope["state"][NEW_TOKEN_KEY] = ""


# --- Passkeys ----------------------------------------------------------------------------------------------------


@post(
    "/api/me/passkeys/question",
    status_code=200,
    summary="Begin to make a passkey",
    endpoint=Endpoint(NEWCOMER, body=SMALL_BODY, rows=("tickets",)),
)
async def ask_for_passkey(
    request: AnyRequest, database: NamedDependency[Database], rate_limits: NamedDependency[RateLimits]
) -> dict[str, Any]:
    """Return the options with which the browser creates a passkey."""
    me = await require_person(request, database, rate_limits)
    mine = await database.read(partial(accounts.passkeys_of, person=me.id))
    challenge = secrets.token_bytes(32)
    options = passkeys.creation_options(request, me, challenge, [one.id for one in mine])
    ticket = partial(accounts.add_ticket, kind="passkey", person=me.id, seconds=QUESTION_SECONDS)
    await database.write(lambda c: ticket(c, secret=challenge.hex()))
    return options


@post(
    "/api/me/passkeys",
    status_code=200,
    summary="Keep a passkey",
    endpoint=Endpoint(PERSON, body=4 * SMALL_BODY, rows=("passkeys", "tickets")),
)
async def keep_passkey(
    request: AnyRequest, database: NamedDependency[Database], bus: NamedDependency[Bus], data: JSONBody[Credential]
) -> Account:
    """Store the passkey that the browser has created."""
    me = asker(request)
    challenge = passkeys.challenge_of(data.credential)
    if await database.write(lambda c: accounts.redeem_ticket(c, "passkey", challenge.hex())) != (me.id,):
        raise passkeys.refused()
    made = passkeys.verify_creation(request, data.credential, challenge)
    name = device_name(request)

    def add(connection: sa.Connection) -> None:
        if not accounts.add_passkey(connection, me.id, made.id, made.public_key, made.signed, name):
            raise Problem(409, "no_more_passkeys", "This passkey is known already, or you have too many of them.")

    await add_way_back(request, database, bus, me, add)
    account: Account = await get_account.fn(request, database)
    return account


@delete("/api/me/passkeys/{passkey:str}", status_code=204, summary="Forget a passkey", endpoint=Endpoint(PERSON))
async def end_passkey(request: AnyRequest, database: NamedDependency[Database], passkey: FromPath[str]) -> None:
    """Delete one of my passkeys."""
    me = asker(request)
    if not await database.write(partial(accounts.end_passkey, person=me.id, id=passkey)):
        raise Problem(404, "unknown_passkey", "You have no such passkey.")


# --- Coming back -------------------------------------------------------------------------------------------------


@post(
    "/api/sign-in",
    status_code=200,
    summary="Sign in by a link or a recovery code",
    endpoint=Endpoint(SECRET_HOLDER, rates=("sign_ins",), body=SMALL_BODY, rows=("devices", "tickets", *CHANGE_ROWS)),
)
async def enter(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    data: JSONBody[SignInSecret],
) -> Me:
    """Sign this browser in as the creator of the link or the recovery code; single use."""
    person = await table_service.database.read(partial(accounts.owner_of_secret, secret=data.secret))
    if person is None:
        raise _used_up()
    return await sign_in_as(
        request,
        table_service,
        person,
        lambda: table_service.database.write(partial(accounts.redeem, secret=data.secret)),
    )


@post(
    "/api/sign-in/passkey/question",
    status_code=200,
    summary="Begin to sign in by a passkey",
    endpoint=Endpoint(ANYONE, rates=("sign_ins",), body=SMALL_BODY, rows=("tickets",)),
)
async def ask_passkey(request: AnyRequest, database: NamedDependency[Database]) -> dict[str, Any]:
    """Return the options with which the browser asks for a passkey; the passkey itself names its owner."""
    challenge = secrets.token_bytes(32)
    ticket = partial(accounts.add_ticket, kind="sign-in", person=None, seconds=QUESTION_SECONDS)
    await database.write(lambda c: ticket(c, secret=challenge.hex()))
    return passkeys.request_options(request, challenge)


@post(
    "/api/sign-in/passkey",
    status_code=200,
    summary="Sign in by a passkey",
    endpoint=Endpoint(SECRET_HOLDER, body=4 * SMALL_BODY, rows=("devices", "tickets", *CHANGE_ROWS)),
)
async def enter_by_passkey(
    request: AnyRequest, table_service: NamedDependency[TableService], data: JSONBody[Credential]
) -> Me:
    """Sign this browser in as the owner of the passkey."""
    challenge = passkeys.challenge_of(data.credential)
    database = table_service.database
    # Each question is answered once, rightly or wrongly.
    asked = await database.write(lambda c: accounts.redeem_ticket(c, "sign-in", challenge.hex()))
    known = await database.read(partial(accounts.passkey, id=data.credential.id))
    if asked is None or known is None:
        raise passkeys.refused()
    signed = passkeys.verify_answer(request, data.credential, challenge, known.public_key, known.signed)

    async def use() -> bool:
        await database.write(partial(accounts.used_passkey, id=known.id, signed=signed))
        return True

    return await sign_in_as(request, table_service, known.person, use)


ROUTES = (
    get_account,
    make_codes,
    make_link,
    end_device,
    get_everything,
    forget_me,
    ask_for_passkey,
    keep_passkey,
    end_passkey,
    enter,
    ask_passkey,
    enter_by_passkey,
)
