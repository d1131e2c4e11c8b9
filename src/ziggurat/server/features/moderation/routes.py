"""`/api/host/...`: the operators' page. For everybody else it does not exist.

`/api/house` says to everybody what hosts say; `/api/me/host` makes the person who has the token a host.
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any, Literal

import msgspec
from litestar import delete, get, post, put
from litestar.di import NamedDependency
from litestar.exceptions import NotFoundException
from litestar.params import FromPath, FromQuery, JSONBody, QueryParameter

from ziggurat.server.api.accounts import add_way_back, iso
from ziggurat.server.api.endpoints import (
    ANYONE,
    CHANGE_ROWS,
    SECRET_HOLDER,
    SMALL_BODY,
    Access,
    AnyConnection,
    Endpoint,
)
from ziggurat.server.api.guard import PERSON, PERSON_KEY, asker
from ziggurat.server.api.parts import part
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import current_person, require_person
from ziggurat.server.features.moderation import rows
from ziggurat.server.features.moderation.house import House
from ziggurat.server.features.moderation.rows import Deed
from ziggurat.server.features.moderation.rules import (
    MOST_BAR_DAYS,
    MOST_MESSAGE_HOURS,
    MOST_NOTICE_MINUTES,
    Announcement,
    InLanguages,
    Maintenance,
    Ready,
    Text,
)
from ziggurat.server.features.moderation.service import Do, Moderation, Numbers, became_operator, must_be_usable
from ziggurat.server.features.moderation.views import PersonRow, Report, TableRow
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.store import accounts
from ziggurat.server.store.database import Database

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Before = Annotated[int | None, QueryParameter(ge=0, le=2**53)]
"""The number of a deed, as far as a database can count."""


async def _operators_only(connection: AnyConnection) -> None:
    """Answer everybody who is no operator with a 404."""
    database: Database = part(connection, "database")
    try:
        person = await current_person(connection, database)
    except Problem:
        person = None
    if person is None or not await database.read(partial(rows.is_operator, person=person.id)):
        raise NotFoundException
    connection.scope["state"][PERSON_KEY] = person


SERVICE_HOST = Access("house", _operators_only, hidden=True)
"""A host of the service (`guard.asker`); for all others there is nothing."""


def _me(request: AnyRequest) -> str:
    return asker(request).id


# --- For everybody -----------------------------------------------------------------------------------------------


class HouseMessage(msgspec.Struct):
    """The operators' message to everybody."""

    id: str
    text: InLanguages


class HouseMaintenance(msgspec.Struct):
    """Maintenance of the service from a moment on; `on`: it has begun."""

    begins: str
    on: bool
    text: InLanguages


class HouseWord(msgspec.Struct):
    """A message of the operators to me: a ready `phrase` or a `text`."""

    id: str
    phrase: str
    text: str


class HouseInfo(msgspec.Struct):
    """The operators' messages to everybody and to me. `barred`: until when they have barred me; empty: for good."""

    message: HouseMessage | None
    maintenance: HouseMaintenance | None
    words: list[HouseWord]
    barred: str | None
    host: bool


class HostToken(msgspec.Struct, forbid_unknown_fields=True):
    """The token of the link that the server has printed."""

    token: Id


def _message(said: Announcement | None) -> HouseMessage | None:
    return HouseMessage(said.id, said.text) if said is not None else None


def _maintenance(plan: Maintenance | None) -> HouseMaintenance | None:
    return HouseMaintenance(iso(plan.begins), plan.is_on(), plan.text) if plan is not None else None


@get("/api/house", summary="What the hosts say", endpoint=Endpoint(ANYONE))
async def get_house(
    request: AnyRequest, database: NamedDependency[Database], house: NamedDependency[House]
) -> HouseInfo:
    """Return the operators' messages to everybody and to the asker, and whether the service is maintained."""
    barred, me = None, None
    try:
        me = await current_person(request, database)
    except Problem as problem:
        until = problem.args_.get("until")
        barred = iso(until) if until is not None else ""
    return HouseInfo(
        _message(house.said()),
        _maintenance(house.maintenance),
        [
            HouseWord(one.id, one.phrase, one.text)
            for one in (await database.read(partial(rows.words_to, person=me.id)) if me else [])
        ],
        barred,
        me is not None and await database.read(partial(rows.is_operator, person=me.id)),
    )


@delete(
    "/api/me/words/{word:str}",
    status_code=204,
    summary="I have read what a host said to me",
    endpoint=Endpoint(PERSON),
)
async def read_word(request: AnyRequest, database: NamedDependency[Database], word: FromPath[str]) -> None:
    """Delete an operator's message to me, which I have read."""
    me = asker(request)
    await database.write(partial(rows.read_word, person=me.id, id=word))


@post(
    "/api/me/host",
    status_code=204,
    summary="Become a host of the service",
    endpoint=Endpoint(
        SECRET_HOLDER, later=("newcomers",), rates=("sign_ins",), body=SMALL_BODY, rows=("hosts", "host_log", "tickets")
    ),
)
async def become_host(
    request: AnyRequest,
    database: NamedDependency[Database],
    bus: NamedDependency[Bus],
    rate_limits: NamedDependency[RateLimits],
    data: JSONBody[HostToken],
) -> None:
    """Make the asker an operator by the token of a link, once. The browser gets another cookie: others may know its
    own."""
    await database.read(partial(must_be_usable, token=data.token))
    me = await require_person(request, database, rate_limits)
    await add_way_back(request, database, bus, me, partial(became_operator, person=me, token=data.token))
    bus.tell_here(rows.HOST_CHANNEL)


# --- For hosts ---------------------------------------------------------------------------------------------------


class HostInfo(msgspec.Struct):
    """An operator of the service."""

    person: str
    name: str
    since: str
    me: bool


class Overview(msgspec.Struct):
    """The numbers, the operators, and the message to everybody. `safe`: whether I have a way back to this page."""

    numbers: Numbers
    hosts: list[HostInfo]
    message: HouseMessage | None
    maintenance: HouseMaintenance | None
    safe: bool


class Settled(msgspec.Struct, forbid_unknown_fields=True):
    """The decision about a report, and a message to both people; `text`: to the person whom it is about, in words of
    one's own."""

    done: Text = ""
    to_person: Ready | None = None
    to_reporter: Ready | None = None
    text: Text = ""
    take: bool = False
    """Whether the line is taken away where it was said."""


class PersonDeed(msgspec.Struct, forbid_unknown_fields=True):
    """A deed about a person. `days`: of a bar; null: for good."""

    do: Literal["rename", "sign_out", "bar", "unbar", "delete", "word", "host", "no_host"]
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    days: Annotated[float, msgspec.Meta(gt=0, le=MOST_BAR_DAYS)] | None = None
    network: bool = False
    phrase: Ready | None = None
    text: Text = ""


class TableDeed(msgspec.Struct, forbid_unknown_fields=True):
    """A deed about a table. `seat`: of the person who becomes its host."""

    do: Do
    seat: Annotated[int, msgspec.Meta(ge=0, le=15)] = 0


class LookLink(msgspec.Struct):
    """The secret by which an operator looks on; empty: the table's URL alone is enough."""

    secret: str


class Telling(msgspec.Struct, forbid_unknown_fields=True):
    """A message to everybody for so many hours; null: none any more."""

    text: InLanguages | None
    hours: Annotated[float, msgspec.Meta(gt=0, le=MOST_MESSAGE_HOURS)] = 24.0


class Maintaining(msgspec.Struct, forbid_unknown_fields=True):
    """The minutes until maintenance begins; null: it is over."""

    minutes: Annotated[float, msgspec.Meta(ge=0, le=MOST_NOTICE_MINUTES)] | None
    text: InLanguages = msgspec.field(default_factory=dict)


@get("/api/host", summary="How the service is", endpoint=Endpoint(SERVICE_HOST))
async def get_overview(request: AnyRequest, hosting: NamedDependency[Moderation]) -> Overview:
    """Return the numbers, the operators and the message to everybody."""
    me = _me(request)
    # As it is written: this worker may not have heard yet of what the host has just done, perhaps at another one.
    message, plan = await hosting.state()
    return Overview(
        await hosting.numbers(),
        [HostInfo(one.person, one.name, iso(one.since), one.person == me) for one in await hosting.hosts()],
        _message(message),
        _maintenance(plan),
        await hosting.database.read(partial(accounts.has_account, person=me)),
    )


@get("/api/host/reports", summary="Reports of talk and names", endpoint=Endpoint(SERVICE_HOST))
async def get_reports(
    request: AnyRequest, hosting: NamedDependency[Moderation], status: FromQuery[Literal["new", "seen"]] = "new"
) -> list[Report]:
    """Return reports with the lines around them: of new ones the oldest first, of others the newest."""
    return await hosting.reports(_me(request), status)


@post(
    "/api/host/reports/{report:str}",
    status_code=204,
    summary="Settle a report",
    endpoint=Endpoint(SERVICE_HOST, body=SMALL_BODY, rows=("host_log", "host_words")),
)
async def settle_report(
    request: AnyRequest, hosting: NamedDependency[Moderation], report: FromPath[str], data: JSONBody[Settled]
) -> None:
    """Settle a report: note the decision, and send a message to both people."""
    await hosting.settle(_me(request), report, data.done, data.to_person, data.to_reporter, data.text, data.take)


@get("/api/host/people", summary="Find people", endpoint=Endpoint(SERVICE_HOST))
async def find_people(hosting: NamedDependency[Moderation], text: FromQuery[str] = "") -> list[PersonRow]:
    """Return people by a part of their name, by their id or by their table; without a text those who came last."""
    return await hosting.people(text[:100])


@post(
    "/api/host/people/{person:str}",
    status_code=204,
    summary="Do something about a person",
    endpoint=Endpoint(
        SERVICE_HOST, body=SMALL_BODY, rows=("host_log", "host_words", "hosts", "barred_networks", *CHANGE_ROWS)
    ),
)
async def do_about_person(
    request: AnyRequest, hosting: NamedDependency[Moderation], person: FromPath[str], data: JSONBody[PersonDeed]
) -> None:
    """Rename a person, sign them out, bar them or lift the bar, delete them, send them a message, or make them an
    operator or none."""
    by = _me(request)
    if data.do == "rename":
        await hosting.rename(by, person, data.name)
    elif data.do == "sign_out":
        await hosting.sign_out(by, person)
    elif data.do == "bar":
        await hosting.bar(by, person, data.days, network=data.network)
    elif data.do == "unbar":
        await hosting.unbar(by, person)
    elif data.do == "delete":
        await hosting.delete_person(by, person)
    elif data.do == "word":
        await hosting.say(by, person, data.phrase, data.text)
    elif data.do == "host":
        await hosting.add_host(by, person)
    else:
        await hosting.remove_host(by, person)


@post(
    "/api/host/people/{person:str}/everything",
    status_code=200,
    summary="Export a person",
    endpoint=Endpoint(SERVICE_HOST, body=SMALL_BODY, rows=("host_log",)),
)
async def export_person(
    request: AnyRequest, hosting: NamedDependency[Moderation], person: FromPath[str]
) -> dict[str, Any]:
    """Return all stored data about a person, for them; nothing of what they did in running games."""
    return await hosting.export(_me(request), person)


@get("/api/host/tables", summary="Find tables", endpoint=Endpoint(SERVICE_HOST))
async def find_tables(hosting: NamedDependency[Moderation], text: FromQuery[str] = "") -> list[TableRow]:
    """Return tables by their id or by who sits there; without a text those where people are now, then others."""
    return await hosting.tables(text[:100])


@post(
    "/api/host/tables/{table:str}",
    status_code=204,
    summary="Do something about a table",
    endpoint=Endpoint(SERVICE_HOST, body=SMALL_BODY, rows=("host_log", *CHANGE_ROWS)),
)
async def do_about_table(
    request: AnyRequest, hosting: NamedDependency[Moderation], table: FromPath[str], data: JSONBody[TableDeed]
) -> None:
    """Lock, unlock, end or delete a table, make a person who sits there its host, or let its game count nowhere."""
    await hosting.do(_me(request), table, data.do, data.seat)


@post(
    "/api/host/tables/{table:str}/look",
    status_code=200,
    summary="Look on at a table",
    endpoint=Endpoint(SERVICE_HOST, body=SMALL_BODY, rows=("host_log",)),
)
async def look_on(request: AnyRequest, hosting: NamedDependency[Moderation], table: FromPath[str]) -> LookLink:
    """Return the secret by which an operator looks on, as everybody can who has the table's link."""
    return LookLink(await hosting.look(_me(request), table))


@put(
    "/api/host/message",
    status_code=204,
    summary="Say something to everybody",
    endpoint=Endpoint(SERVICE_HOST, body=SMALL_BODY, rows=("host_log", "house_state")),
)
async def put_message(request: AnyRequest, hosting: NamedDependency[Moderation], data: JSONBody[Telling]) -> None:
    """Show a message to everybody on their pages, for some hours."""
    await hosting.tell(_me(request), data.text, data.hours)


@put(
    "/api/host/maintenance",
    status_code=204,
    summary="Begin or end the maintenance",
    endpoint=Endpoint(SERVICE_HOST, body=SMALL_BODY, rows=("host_log", "house_state")),
)
async def put_maintenance(
    request: AnyRequest, hosting: NamedDependency[Moderation], data: JSONBody[Maintaining]
) -> None:
    """Announce maintenance in some minutes, or end it."""
    await hosting.maintain(_me(request), data.minutes, data.text)


@get("/api/host/deeds", summary="What hosts did", endpoint=Endpoint(SERVICE_HOST))
async def get_deeds(hosting: NamedDependency[Moderation], before: Before = None) -> list[Deed]:
    """Return the operators' deeds, the newest first."""
    return await hosting.deeds(before)


ROUTES = (
    get_house,
    read_word,
    become_host,
    get_overview,
    get_reports,
    settle_report,
    find_people,
    do_about_person,
    export_person,
    find_tables,
    do_about_table,
    look_on,
    put_message,
    put_maintenance,
    get_deeds,
)
