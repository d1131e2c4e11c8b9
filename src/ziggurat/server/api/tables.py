"""`/api/tables`: make a table, sit down, start, leave, play again, and look at a finished game."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import sqlalchemy as sa
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec.structs import replace

from ziggurat.server.api.endpoints import (
    ANYONE,
    CHANGE_ROWS,
    LARGE_BODY,
    NEWCOMER,
    READ_SCOPES,
    SECRET_HOLDER,
    SIT_SCOPES,
    SMALL_BODY,
    TABLE_ROWS,
    Endpoint,
)
from ziggurat.server.api.guard import INVITED, MEMBER, SEATED, TABLE_HOST, allow, asked_table, asker, asker_or_none
from ziggurat.server.api.invitations import guests_of, not_asked
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import TableInfo, table_info
from ziggurat.server.api.sessions import address, bearer_token, current_person, keep_name, require_person
from ziggurat.server.domain.again import accept, decline, play_again
from ziggurat.server.domain.companions import SeatCompanion, seat_companion
from ziggurat.server.domain.create import NewTable, create
from ziggurat.server.domain.guards import must_be_over, must_let_programs, seat_gone
from ziggurat.server.domain.patience import must_be_patient
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import (
    ChangeSeat,
    Join,
    change_seat,
    invited,
    join,
    leave,
    may_join,
    might_come,
    people_at,
)
from ziggurat.server.domain.start import start_by
from ziggurat.server.domain.table import Table
from ziggurat.server.feature import circles
from ziggurat.server.problems import Problem
from ziggurat.server.services.acquaintances import Acquaintances
from ziggurat.server.services.components_reader import Reader
from ziggurat.server.services.rate_limits import ClientKey, LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks, log

MOST_TABLES_LISTED = 100
MAKING_COST_FACTOR = 5.0
"""How many times the processor's time for making a table counts: it runs outside the event loop, and in its way."""
dealing = asyncio.Semaphore(1)


def without_link(request: AnyRequest, info: TableInfo) -> TableInfo:
    """Return a table as it is shown to the asker: a program needs no invitation link."""
    return replace(info, invite=None) if bearer_token(request) is not None else info


async def change_by(
    request: AnyRequest, table_service: TableService, table_id: str, command: Callable[[Table, str], Table]
) -> TableInfo:
    """Apply a command of the asker, who is a member, to a table."""
    person = asker(request)
    table = await table_service.change(table_id, lambda t: command(t, person.id))
    return without_link(request, table_info(table, person.id, table_service.bus))


@get("/api/tables", summary="My tables, newest first", endpoint=Endpoint(ANYONE, programs=READ_SCOPES))
async def list_tables(
    request: AnyRequest, table_service: NamedDependency[TableService], share: NamedDependency[LoopShare]
) -> list[TableInfo]:
    """Return the tables that the asker made or sits at."""
    person = await current_person(request, table_service.database)
    found = await tables_of(request, person.id, table_service, share) if person is not None else []
    return [info for _, info in found]


async def tables_of(
    request: AnyRequest, person: str, table_service: TableService, share: LoopShare
) -> list[tuple[Table, TableInfo]]:
    """Return the tables that a person made or sits at, newest first, each as they may see it."""
    ids = await table_service.database.read(lambda c: log.of_person(c, person, MOST_TABLES_LISTED))
    found = []
    for id in ids:
        async with share.line:  # they may all have to be read
            table = await table_service.get(id)
        async with share:
            found.append((table, without_link(request, table_info(table, person, table_service.bus))))
    return found


@post(
    "/api/tables",
    summary="Make a table",
    endpoint=Endpoint(NEWCOMER, later=("invites",), body=LARGE_BODY, rows=TABLE_ROWS),
)
async def make_table(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    reader: NamedDependency[Reader],
    acquaintances: NamedDependency[Acquaintances],
    data: JSONBody[NewTable],
) -> TableInfo:
    """Make a table; it starts at once when no seat is open."""
    settings = table_service.settings
    if data.scenario is not None and not settings.scenarios:
        raise Problem(
            403,
            "no_scenarios",
            "This server lays no tables from scenarios for its visitors; whoever runs it can, with "
            "'ziggurat scenario FILE --table'.",
        )
    must_be_patient(data.patience, data.time, settings.least_patience)
    visitor, at = await current_person(request, table_service.database), address(request)
    # Refused before a newcomer becomes a guest. Of one address not the next file is read before others' were, and none
    # where everybody's moves wait. A table that is made is dealt, and a scenario may take long.
    await table_service.must_have_room(visitor.id if visitor else "", at)
    handles = [seat.invite for seat in data.seats if seat.invite]
    me = visitor.id if visitor else ""
    allow(request, rate_limits, "invites", len(handles))
    guests = await guests_of(acquaintances, table_service, me, handles)
    if data.group is not None:
        called = await table_service.database.read(partial(_called_in, id=data.group, person=me))
        if visitor is not None:
            visitor = await keep_name(table_service.database, visitor, called)
    share, house_bots = rate_limits.share(at), settings.house_bots(data.game)
    async with share.line:
        if data.components is not None and data.scenario is None:
            await reader.read(ClientKey(at, visitor.id if visitor else ""), data.game, data.components)
        async with dealing:
            maker = visitor or Person("", "", "en")
            table = await share.counted(
                asyncio.to_thread, partial(create, data, maker, house_bots, guests), MAKING_COST_FACTOR
            )
            if visitor is None:
                visitor = await require_person(request, table_service.database, rate_limits)
                table = await share.counted(
                    asyncio.to_thread, partial(create, data, visitor, house_bots, guests), MAKING_COST_FACTOR
                )
    rate_limits.note_client(visitor.id, at)
    told = await _called(table_service, data, visitor.id) if data.call else ()
    return table_info(await table_service.add(table, at, called=told), visitor.id, table_service.bus)


async def _called(table_service: TableService, wish: NewTable, maker: str) -> list[str]:
    """Return the people of a group who are notified of a table that is made for it, without those who are blocked or
    block; nobody if they were notified of one a while ago."""
    group = wish.group
    if group is None:
        return []
    called = await table_service.database.write(
        lambda c: [one for circle in circles() for one in circle.call(c, group)]
    )
    apart = await table_service.database.read(partial(blocks.apart, people=[maker]))
    return [person for person in called if person not in apart]


def _called_in(connection: sa.Connection, id: str, person: str) -> str:
    """Return a person's name in the circle for which a table is made; refuse a person who is not in it."""
    for circle in circles():
        return circle.name_in(connection, id, person)
    raise Problem(404, "unknown_group", "There is no such group, or you do not belong to it.")


@get("/api/tables/{table_id:str}", summary="A table", endpoint=Endpoint(INVITED, programs=READ_SCOPES))
async def get_table(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    invite: FromQuery[str | None] = None,
) -> TableInfo:
    """Return a table to those who belong to it or know the secret of its invitation (query, or header X-Invite)."""
    person = asker_or_none(request)
    id = person.id if person else None
    return without_link(request, await info_for(asked_table(request), id, table_service))


async def info_for(table: Table, person: str | None, table_service: TableService) -> TableInfo:
    """Return a table as a person may see it; to one who is blocked there it looks full."""
    full = await table_service.is_unwelcome(table, person)
    return table_info(table, person, table_service.bus, full)


@post(
    "/api/tables/{table_id:str}/join",
    status_code=200,
    summary="Sit down at a table",
    endpoint=Endpoint(
        SECRET_HOLDER, later=("newcomers",), rates=("joins",), body=SMALL_BODY, rows=CHANGE_ROWS, programs=SIT_SCOPES
    ),
)
async def join_table(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    table_id: FromPath[str],
    data: JSONBody[Join],
) -> TableInfo:
    """Take a free seat. Nothing changes for a person who sits there already."""
    visitor = await current_person(request, table_service.database)
    table = await table_service.newest(table_id)
    full = False
    if visitor is not None and might_come(table, visitor.id) and may_join(table, has_link=invited(table, data.invite)):
        look = partial(blocks.is_welcome, person=visitor.id, others=people_at(table))
        full = not await table_service.database.read(look)
    # Refused before a newcomer becomes a guest.
    join(table, data, visitor or Person("", "", "en"), full=full)
    person = visitor or await require_person(request, table_service.database, rate_limits)
    table = await table_service.change(table_id, lambda t: join(t, data, person))
    if not person.program and (seat := table.seat_of(person.id)) is not None:
        await keep_name(table_service.database, person, seat.name)
    return without_link(request, table_info(table, person.id, table_service.bus))


@post(
    "/api/tables/{table_id:str}/seats",
    status_code=200,
    summary="Change a seat",
    endpoint=Endpoint(TABLE_HOST, body=SMALL_BODY, rows=CHANGE_ROWS),
)
async def put_seat(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    data: JSONBody[ChangeSeat],
) -> TableInfo:
    """Open a seat or give it to a bot: the host's right in the waiting room."""
    house_bots = table_service.settings.house_bots
    return await change_by(
        request, table_service, table_id, lambda t, person: change_seat(t, data, person, house_bots(t.game))
    )


@post(
    "/api/tables/{table_id:str}/start",
    status_code=200,
    summary="Start the game",
    endpoint=Endpoint(TABLE_HOST, body=SMALL_BODY, rows=CHANGE_ROWS),
)
async def start_table(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> TableInfo:
    """Start the game: the host's right once every seat is taken."""
    return await change_by(request, table_service, table_id, start_by)


@post(
    "/api/tables/{table_id:str}/leave",
    status_code=200,
    summary="Leave a table",
    endpoint=Endpoint(SEATED, body=SMALL_BODY, rows=CHANGE_ROWS, programs=SIT_SCOPES),
)
async def leave_table(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    bot: FromQuery[bool] = False,
) -> TableInfo:
    """Get up: the seat is open again, or marked away once the game runs, and a bot plays there until the asker is
    back if they wish so (query `bot`). A seat that is kept for the asker is open for others then."""
    program = bearer_token(request) is not None

    def gets_up(table: Table, person: str) -> Table:
        if program and table.status == "playing":
            must_let_programs(table)  # their person plays there
        return decline(table, person) if table.kept_seat(person) is not None else leave(table, person, bot)

    return await change_by(request, table_service, table_id, gets_up)


@post(
    "/api/tables/{table_id:str}/companions",
    status_code=200,
    summary="Seat a person who plays on your device",
    endpoint=Endpoint(SEATED, body=SMALL_BODY, rows=("people", *CHANGE_ROWS)),
)
async def seat_companion_here(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    data: JSONBody[SeatCompanion],
) -> TableInfo:
    """Give a free seat to a companion, a person who has no browser of their own, in the waiting room."""
    return await change_by(request, table_service, table_id, lambda t, person: seat_companion(t, data, person))


@post(
    "/api/tables/{table_id:str}/accept",
    status_code=200,
    summary="Sit down where a seat is kept for you",
    endpoint=Endpoint(MEMBER, body=SMALL_BODY, rows=CHANGE_ROWS, programs=SIT_SCOPES),
)
async def accept_seat(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> TableInfo:
    """Sit down at a table to which the asker was invited by name. With the last of them the game starts."""
    person = asker(request)
    table = await _accept(table_service, table_id, person)
    return without_link(request, table_info(table, person.id, table_service.bus))


async def _accept(table_service: TableService, id: str, person: Person) -> Table:
    try:
        return await table_service.change(id, lambda t: accept(t, person, table_service.bus.present(id)))
    except Problem as problem:
        kept = (await table_service.get(id)).kept_seat(person.id)
        if problem.code == seat_gone().code and kept is not None:
            # Somebody who sits there has blocked them: what they are told is so from now on.
            await table_service.change(id, lambda t: decline(t, person.id))
        raise


@post(
    "/api/tables/{table_id:str}/rematch",
    status_code=200,
    summary="Play again with the same people",
    endpoint=Endpoint(MEMBER, body=SMALL_BODY, rows=TABLE_ROWS),
)
async def rematch_table(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    table_id: FromPath[str],
    game: FromQuery[str | None] = None,
) -> TableInfo:
    """Return the rematch, where the asker sits down. The first who asks makes it, like any table, and may choose
    another game for it (query `game`); the others are asked."""
    table, person = asked_table(request), asker(request)
    must_be_over(table)
    if table.rematch is None:
        at, house_bots = address(request), table_service.settings.house_bots(game or table.game)
        await table_service.must_have_room(person.id, at)  # before it is dealt
        blocked, deaf = await not_asked(table_service, person.id)
        table = await table_service.change(
            table_id, lambda t: play_again(t, person.id, blocked, deaf, game, house_bots), share=rate_limits.share(at)
        )
    assert table.rematch is not None
    again = await table_service.newest(table.rematch)
    if again.status == "waiting" and again.kept_seat(person.id) is not None:
        again = await _accept(table_service, again.id, person)
    return await info_for(again, person.id, table_service)


ROUTES = (
    list_tables,
    make_table,
    get_table,
    join_table,
    put_seat,
    start_table,
    leave_table,
    accept_seat,
    seat_companion_here,
    rematch_table,
)
