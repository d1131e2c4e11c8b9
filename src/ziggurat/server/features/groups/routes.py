"""`/api/groups`: groups of people, their link, tables, results and evening."""

from __future__ import annotations

import hmac
import time
from collections.abc import Set
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

import msgspec
import sqlalchemy as sa
from litestar import Response, delete, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody

import ziggurat
from ziggurat.core.languages import known
from ziggurat.server.api.endpoints import NEWCOMER, SECRET_HOLDER, SMALL_BODY, Access, AnyConnection, Endpoint
from ziggurat.server.api.guard import PERSON_KEY, asker
from ziggurat.server.api.parts import part
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import Handle, TableInfo, moment_of, table_info
from ziggurat.server.api.sessions import current_person, keep_name, require_person
from ziggurat.server.domain import avatars
from ziggurat.server.domain.avatars import AvatarChoice
from ziggurat.server.domain.create import Text
from ziggurat.server.domain.people import Person, clean_name
from ziggurat.server.domain.seating import might_come, people_at
from ziggurat.server.domain.table import Table
from ziggurat.server.features.groups import rows as groups
from ziggurat.server.features.groups.calendar import CalendarEvent, calendar
from ziggurat.server.features.groups.rules import (
    MOST_EVENINGS,
    Evening,
    NextEvening,
    Role,
    check_evening,
    group_name,
    must_be_next,
    must_keep,
    next_evening,
    to_come,
    unknown_group,
    withdrawn,
)
from ziggurat.server.problems import Problem
from ziggurat.server.services.acquaintances import Acquaintances
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.rate_limits import LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import blocks
from ziggurat.server.store.database import Database
from ziggurat.server.words import words


class NewGroup(msgspec.Struct, forbid_unknown_fields=True):
    """A group to be founded, and the founder's name there."""

    name: Text
    called: Text


class JoinGroup(msgspec.Struct, forbid_unknown_fields=True):
    """The request to join a group by its link."""

    invite: Text
    name: Text


class GroupChange(msgspec.Struct, forbid_unknown_fields=True):
    """Changes to a group. `link`: a new one, which revokes the old one, or none."""

    name: Text | None = None
    link: Literal["renew", "withdraw"] | None = None
    evenings: Annotated[list[Evening], msgspec.Meta(max_length=MOST_EVENINGS)] | msgspec.UnsetType = msgspec.UNSET
    """All of its evenings, instead of those that it had."""


class GroupPersonChange(msgspec.Struct, forbid_unknown_fields=True):
    """A person's new role in a group; null: they are taken out."""

    person: Handle
    role: Literal["keeper", "member"] | None


class EveningAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """My answer to an evening, which begins when the group's `next` says; null: I take it back."""

    evening: Text
    comes: bool | None


class GroupPerson(msgspec.Struct):
    """A member of a group. `games` and `wins`: of its finished games, by game. `comes`: whether they come to the next
    evening; null: they have not said."""

    id: str
    name: str
    mark: AvatarChoice | None
    role: Role
    you: bool
    games: dict[str, int]
    wins: dict[str, int]
    comes: bool | None


class EveningInfo(msgspec.Struct):
    """The next evening of a group: when it begins, and the address of the calendar of all of them."""

    evening: Evening
    next: str
    calendar: Annotated[str, msgspec.Meta(max_length=300)]


class GroupInfo(msgspec.Struct):
    """A group, as its members see it; a person with its link sees its name, who invites, and how many there are."""

    id: str
    name: str
    count: int
    by: str
    """The name of its founder."""
    role: Role | None
    """What I am there; null: I do not belong to it."""
    invite: str | None
    """The secret of its link; null: it was withdrawn."""
    people: list[GroupPerson]
    tables: list[TableInfo]
    """Those that wait carry the secret of their invitation: who belongs to the group may sit down."""
    evening: EveningInfo | None
    evenings: list[Evening]
    """Those that are not over, the next one first."""


class GroupId(msgspec.Struct):
    """The id of a group that was founded."""

    id: str


def _opens(group: groups.PlayGroup, secret: str | None) -> bool:
    return (
        secret is not None and group.invite is not None and hmac.compare_digest(group.invite.encode(), secret.encode())
    )


async def _known(database: Database, id: str) -> groups.PlayGroup:
    group = await database.read(partial(groups.load, id=id)) if id.isascii() and id.isalnum() else None
    if group is None:
        raise unknown_group()
    return group


async def _belongs(connection: AnyConnection) -> None:
    """Refuse a person who is not a member of a group: others learn nothing."""
    database: Database = part(connection, "database")
    id = connection.path_params["group_id"]
    await _known(database, id)
    person = await current_person(connection, database)
    if person is None:
        raise unknown_group()
    role = await database.read(partial(groups.must_belong, id=id, person=person.id))
    connection.scope["state"] |= {PERSON_KEY: person, ROLE_FOUND: role}


GROUP_MEMBER = Access("member", _belongs)
"""A person who belongs to the group that is asked for."""
ROLE_FOUND = "ziggurat_role"
"""What they are there, in the state of a request."""


def _role(request: AnyRequest) -> Role:
    role: Role = request.scope["state"][ROLE_FOUND]
    return role


def _evening(group: groups.PlayGroup, next: NextEvening | None, language: str) -> EveningInfo | None:
    if next is None:
        return None
    where = f"/api/groups/{group.id}/evening.ics?key={group.calendar}&language={language}"
    return EveningInfo(next.evening, moment_of(next.begins), where)


def table_of_group(table: Table, me: str, blocking: Set[str], bus: Bus) -> TableInfo:
    """Return a table of a group as one of its members sees it, who may sit down there."""
    full = table.is_out(me) or (might_come(table, me) and not blocking.isdisjoint(people_at(table)))
    info = table_info(table, me, bus, full)
    invite = table.invite if table.status == "waiting" else info.invite
    return msgspec.structs.replace(info, invite=invite, group=table.group)


async def _info(
    group: groups.PlayGroup,
    person: Person,
    role: Role,
    table_service: TableService,
    acquaintances: Acquaintances,
    share: LoopShare,
) -> GroupInfo:
    """Return a group as its members see it."""
    database, me, now = table_service.database, person.id, time.time()
    await acquaintances.open()
    people = await database.read(partial(groups.members, id=group.id))
    scores = await database.read(partial(groups.results, id=group.id))
    blocking = await database.read(partial(blocks.blocking, person=me))
    tables = []
    for id in await database.read(partial(groups.tables_of, id=group.id)):
        async with share.line:  # they may all have to be read
            table = await table_service.get(id)
        async with share:
            tables.append(table_of_group(table, me, blocking, table_service.bus))
    none, next = groups.Score(), next_evening(group.evenings, now)
    return GroupInfo(
        group.id,
        group.name,
        len(people),
        people[0].name,
        role,
        group.invite,
        [
            GroupPerson(
                acquaintances.handle(me, group.id, one.person),
                one.name,
                avatars.parsed_avatar(one.mark),
                one.role,
                one.person == me,
                scores.get(one.person, none).games,
                scores.get(one.person, none).wins,
                one.comes_to(next.begins) if next is not None else None,
            )
            for one in people
        ],
        tables,
        _evening(group, next, person.language),
        to_come(group.evenings, now),
    )


@post(
    "/api/groups",
    summary="Found a group",
    endpoint=Endpoint(NEWCOMER, rates=("joins",), body=SMALL_BODY, rows=("groups", "group_members")),
)
async def found_group(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    data: JSONBody[NewGroup],
) -> GroupId:
    """Found a group; the asker is its founder."""
    name, called = group_name(data.name), clean_name(data.called)
    me = await require_person(request, table_service.database, rate_limits)
    await keep_name(table_service.database, me, called)
    return GroupId(await table_service.database.write(partial(groups.found, name=name, person=me.id, called=called)))


@get("/api/groups/{group_id:str}", summary="A group", endpoint=Endpoint(SECRET_HOLDER))
async def get_group(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    share: NamedDependency[LoopShare],
    group_id: FromPath[str],
) -> GroupInfo:
    """Return a group to its members, and its name to those who have its link (header X-Invite)."""
    database = table_service.database
    group, me = await _known(database, group_id), await current_person(request, database)
    role = await database.read(partial(groups.role_of, id=group_id, person=me.id)) if me is not None else None
    if role is not None and me is not None:
        return await _info(group, me, role, table_service, acquaintances, share)
    secret = request.headers.get("x-invite")
    if secret is None:
        raise unknown_group()
    if not _opens(group, secret):
        raise withdrawn()
    people = await database.read(partial(groups.members, id=group_id))
    return GroupInfo(group.id, group.name, len(people), people[0].name, None, None, [], [], None, [])


@post(
    "/api/groups/{group_id:str}/join",
    status_code=200,
    summary="Join a group",
    endpoint=Endpoint(SECRET_HOLDER, later=("newcomers",), rates=("joins",), body=SMALL_BODY, rows=("group_members",)),
)
async def join_group(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    share: NamedDependency[LoopShare],
    rate_limits: NamedDependency[RateLimits],
    group_id: FromPath[str],
    data: JSONBody[JoinGroup],
) -> GroupInfo:
    """Join a group by its link. Nothing changes for a member."""
    database = table_service.database
    group, called = await _known(database, group_id), clean_name(data.name)
    if not _opens(group, data.invite):
        raise withdrawn()
    me = await require_person(request, database, rate_limits)

    def job(connection: sa.Connection) -> Role:
        found = groups.load(connection, group_id)
        if found is None or not _opens(found, data.invite):
            raise withdrawn()
        groups.join(connection, group_id, me.id, called)
        return groups.must_belong(connection, group_id, me.id)

    role = await database.write(job)
    await keep_name(database, me, called)
    return await _info(group, me, role, table_service, acquaintances, share)


@post(
    "/api/groups/{group_id:str}/leave",
    status_code=204,
    summary="Leave a group",
    endpoint=Endpoint(GROUP_MEMBER, body=SMALL_BODY),
)
async def leave_group(request: AnyRequest, database: NamedDependency[Database], group_id: FromPath[str]) -> None:
    """Leave a group. It ends with its last member."""
    me = asker(request)
    await database.write(partial(groups.leave, id=group_id, person=me.id))


@put("/api/groups/{group_id:str}", summary="Change a group", endpoint=Endpoint(GROUP_MEMBER, body=SMALL_BODY))
async def put_group(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    share: NamedDependency[LoopShare],
    group_id: FromPath[str],
    data: JSONBody[GroupChange],
) -> GroupInfo:
    """Change the name of a group, its link or its evenings: for its founder and keepers."""
    database = table_service.database
    me, role = asker(request), _role(request)
    must_keep(role)
    fields: dict[str, Any] = {}
    if data.name is not None:
        fields["name"] = group_name(data.name)
    if data.link is not None:
        # Who was sent away knows where the calendar is.
        fields["invite"] = groups.new_secret() if data.link == "renew" else None
        fields["calendar"] = groups.new_secret()
    if data.evenings is not msgspec.UNSET:
        now, known = time.time(), set(ziggurat.registered_games())
        fields["evening"] = groups.encode_evenings([check_evening(one, known, now) for one in data.evenings])

    def job(connection: sa.Connection) -> None:
        must_keep(groups.must_belong(connection, group_id, me.id))  # still
        groups.change(connection, group_id, **fields)

    await database.write(job)
    return await _info(await _known(database, group_id), me, role, table_service, acquaintances, share)


@put(
    "/api/groups/{group_id:str}/evening",
    summary="Say whether I come to a group's evening",
    endpoint=Endpoint(GROUP_MEMBER, body=SMALL_BODY),
)
async def put_evening(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    share: NamedDependency[LoopShare],
    group_id: FromPath[str],
    data: JSONBody[EveningAnswer],
) -> GroupInfo:
    """Answer whether I come to the next evening of a group: every member sees the answer."""
    database = table_service.database
    me, role = asker(request), _role(request)

    def job(connection: sa.Connection) -> None:
        groups.must_belong(connection, group_id, me.id)
        found = groups.load(connection, group_id)
        if found is None:
            raise unknown_group()
        next = next_evening(found.evenings, time.time())
        begins = next.begins if next is not None else 0.0
        must_be_next(data.evening, moment_of(begins) if begins else None)
        groups.answer(connection, group_id, me.id, begins, data.comes)

    await database.write(job)
    return await _info(await _known(database, group_id), me, role, table_service, acquaintances, share)


@post(
    "/api/groups/{group_id:str}/people",
    status_code=200,
    summary="Change what a person is in a group",
    endpoint=Endpoint(GROUP_MEMBER, body=SMALL_BODY),
)
async def put_group_person(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    share: NamedDependency[LoopShare],
    group_id: FromPath[str],
    data: JSONBody[GroupPersonChange],
) -> GroupInfo:
    """Make a member a keeper of the group, or one no more, or take them out of it."""
    database = table_service.database
    me, role = asker(request), _role(request)
    must_keep(role)
    if not data.person.startswith(f"{group_id}."):
        raise Problem(404, "unknown_person", "This person does not belong to the group.")
    other = (await acquaintances.find(me.id, [data.person]))[data.person]

    def job(connection: sa.Connection) -> None:
        theirs = groups.must_belong(connection, group_id, other.person)
        mine = groups.must_belong(connection, group_id, me.id)
        must_keep(mine)
        if theirs == "founder" or (mine != "founder" and (theirs == "keeper" or data.role is not None)):
            raise Problem(403, "not_keeper", "Only the person who founded the group and its keepers can do that.")
        if data.role is None:
            groups.leave(connection, group_id, other.person)
            groups.new_links(connection, group_id)
        else:
            groups.set_role(connection, group_id, other.person, data.role)

    await database.write(job)
    return await _info(await _known(database, group_id), me, role, table_service, acquaintances, share)


@delete("/api/groups/{group_id:str}", summary="End a group", endpoint=Endpoint(GROUP_MEMBER))
async def end_group(request: AnyRequest, database: NamedDependency[Database], group_id: FromPath[str]) -> None:
    """End a group: for its founder and keepers. Its games stay with those who played them."""
    me, role = asker(request), _role(request)
    must_keep(role)

    def job(connection: sa.Connection) -> None:
        must_keep(groups.must_belong(connection, group_id, me.id))  # still
        groups.end(connection, group_id)

    await database.write(job)


@get(
    "/api/groups/{group_id:str}/evening.ics",
    summary="The evenings of a group as a calendar",
    endpoint=Endpoint(SECRET_HOLDER),
)
async def get_evening(
    request: AnyRequest,
    database: NamedDependency[Database],
    settings: NamedDependency[Settings],
    group_id: FromPath[str],
    key: FromQuery[str] = "",
    language: FromQuery[str] = "en",
) -> Response[str]:
    """Return the evenings of a group as an iCalendar file (RFC 5545) to those who have its address."""
    group = await _known(database, group_id)
    if not group.evenings or not hmac.compare_digest(group.calendar.encode(), key.encode()):
        raise Problem(404, "unknown_group", "There is no such calendar, or its address was changed.")
    base = settings.address or f"{request.url.scheme}://{request.headers['host']}"
    say = words(known([language]))
    people = await database.read(partial(groups.members, id=group_id))
    now, page = time.time(), f"{base}/#/group/{group.id}"
    next = next_evening(group.evenings, now)

    def says(evening: Evening) -> str:
        """Return who invites, who comes to the next evening, and what is played."""
        told = [say("calendar.by", name=people[0].name)]
        if next is not None and next.evening == evening:
            coming = [one.name for one in people if one.comes_to(next.begins)]
            begins = datetime.fromtimestamp(next.begins, ZoneInfo(evening.zone))
            told.append(say("calendar.coming", day=f"{begins:%Y-%m-%d}", n=len(coming)))
        known = set(ziggurat.registered_games())
        names = [words(say.language, id)("name") for id in evening.games if id in known]
        return " ".join(told) + (f"\n{', '.join(names)}" if names else "")

    events = [CalendarEvent(one, says(one)) for one in group.evenings]
    text = calendar(group.id, group.name, events, group.created, now, page)
    headers = {"content-disposition": 'inline; filename="evening.ics"', "cache-control": "no-store"}
    return Response(text, media_type="text/calendar", headers=headers)


ROUTES = (
    found_group,
    get_group,
    join_group,
    leave_group,
    put_group,
    put_evening,
    put_group_person,
    end_group,
    get_evening,
)
