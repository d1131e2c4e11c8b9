"""`/api/people`, `/api/blocks`: the people I have played with, invitations by name, and the people I have blocked."""

from __future__ import annotations

from functools import partial

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.endpoints import ANYONE, CHANGE_ROWS, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import PERSON, TABLE_HOST, asked_table, asker
from ziggurat.server.api.invitations import guests_of
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import Handle, TableInfo, moment_of, table_info
from ziggurat.server.api.sections import answers, read_sections, with_sections
from ziggurat.server.api.sessions import current_person
from ziggurat.server.domain import avatars
from ziggurat.server.domain.avatars import AvatarChoice
from ziggurat.server.domain.invite import BLOCKED_PLACE, PLAYED_PLACE, invite
from ziggurat.server.problems import Problem
from ziggurat.server.services.acquaintances import Acquaintances
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks
from ziggurat.server.store.played_with import played_with, waiting_tables


class KnownPerson(msgspec.Struct):
    """A person with whom I have played: `id` is my handle for them, which nobody else can use.

    `name`, `mark`, `game`, `when`: at the last table. `mine`, `theirs`: the points there, null while it goes on, or
    where it was not played to the end; `won`, `resigned`: whether I and they won it, and gave it up. `times`: at how
    many tables.
    """

    id: str
    name: str
    mark: AvatarChoice | None
    game: str
    table: str
    when: str
    running: bool
    times: int
    mine: int | None
    theirs: int | None
    won: tuple[bool, bool]
    resigned: tuple[bool, bool]


class BlockedPerson(msgspec.Struct):
    """A person whom I have blocked."""

    id: str
    name: str
    when: str


class MyWaitingTable(msgspec.Struct):
    """A waiting table to which I can invite: `free` seats are nobody's."""

    id: str
    game: str
    created: str
    free: int


class MyPeople(msgspec.Struct):
    """The people I know."""

    played: list[KnownPerson]
    blocked: list[BlockedPerson]
    tables: list[MyWaitingTable]


class InvitePerson(msgspec.Struct, forbid_unknown_fields=True):
    """The person to be invited."""

    person: Handle


class BlockPerson(msgspec.Struct, forbid_unknown_fields=True):
    """The person to be blocked."""

    person: Handle


PEOPLE_FORM = with_sections("people", MyPeople)


@get("/api/people", summary="The people I know", endpoint=Endpoint(ANYONE))
@answers(PEOPLE_FORM)
async def get_people(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    share: NamedDependency[LoopShare],
) -> msgspec.Struct:
    """Return the people with whom the asker has played, those they have blocked, their groups, and their waiting
    tables."""
    database = table_service.database
    me = await current_person(request, database)
    more = await read_sections("people", table_service, me, share)
    if me is None:
        return PEOPLE_FORM(played=[], blocked=[], tables=[], **more)
    await acquaintances.open()
    found, blocked, wait = await database.read(
        lambda c: (
            played_with(c, me.id),
            blocks.of_person(c, me.id),
            waiting_tables(c, me.id),
        )
    )
    async with share.line:  # they may all have to be read
        waiting = [await table_service.get(id) for id in wait]
    away = {one.blocked for one in blocked}
    return PEOPLE_FORM(
        played=[
            KnownPerson(
                acquaintances.handle(me.id, PLAYED_PLACE, one.person),
                one.name,
                avatars.parsed_avatar(one.mark),
                one.game,
                one.table,
                moment_of(one.updated),
                one.running,
                one.times,
                one.mine,
                one.theirs,
                one.won,
                one.resigned,
            )
            for one in found
            if one.person not in away
        ],
        blocked=[
            BlockedPerson(acquaintances.handle(me.id, BLOCKED_PLACE, one.blocked), one.name, moment_of(one.created))
            for one in blocked
        ],
        tables=[
            MyWaitingTable(table.id, table.game, moment_of(table.created), free)
            for table in waiting
            if (free := sum(seat.kind == "open" and seat.kept is None for seat in table.seats))
        ],
        **more,
    )


@post(
    "/api/tables/{table_id:str}/invite",
    status_code=200,
    summary="Invite a person by name",
    endpoint=Endpoint(TABLE_HOST, rates=("invites",), body=SMALL_BODY, rows=("people", *CHANGE_ROWS)),
)
async def invite_person(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    table_id: FromPath[str],
    data: JSONBody[InvitePerson],
) -> TableInfo:
    """Keep a free seat of a waiting table for a person whom the host knows; their notification channels tell them."""
    table, me = asked_table(request), asker(request)
    if table.host != me.id:
        raise Problem(403, "not_host", "Only the person who made the table can invite others by name.")
    guest = (await guests_of(acquaintances, table_service, me.id, [data.person]))[data.person]
    changed = await table_service.change(table_id, lambda t: invite(t, me.id, guest))
    return table_info(changed, me.id, table_service.bus)


@post(
    "/api/blocks",
    status_code=204,
    summary="Block a person",
    endpoint=Endpoint(PERSON, body=SMALL_BODY, rows=("blocks",)),
)
async def block_person(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    data: JSONBody[BlockPerson],
) -> None:
    """Block a person: the asker never sits down with them, nor reads what they say. They are not told, and running
    games go on."""
    me = asker(request)
    other = (await acquaintances.find(me.id, [data.person]))[data.person]
    job = partial(blocks.add, person=me.id, blocked=other.person, name=other.name)
    await table_service.database.write(job)


@delete("/api/blocks/{handle:str}", summary="Block a person no more", endpoint=Endpoint(PERSON))
async def end_block(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    handle: FromPath[str],
) -> None:
    """Remove a block of the asker's."""
    me = asker(request)
    other = (await acquaintances.find(me.id, [handle]))[handle]
    await table_service.database.write(partial(blocks.end, person=me.id, blocked=other.person))


ROUTES = (get_people, invite_person, block_person, end_block)
