"""`/api/open-tables`: the open tables, the search for one, and wishes to be notified of new ones."""

from __future__ import annotations

import time
from functools import partial
from typing import Annotated

import msgspec
from litestar import get, post, put
from litestar.di import NamedDependency
from litestar.params import JSONBody
from msgspec.structs import replace

from ziggurat.server.api.endpoints import ANYONE, NEWCOMER, SMALL_BODY, TABLE_ROWS, Endpoint
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import TableInfo, table_info
from ziggurat.server.api.sessions import address, current_person, require_person
from ziggurat.server.domain.clock import Tempo
from ziggurat.server.domain.open_table import OpenTable
from ziggurat.server.domain.people import clean_name
from ziggurat.server.features.open_tables import rows as open_tables
from ziggurat.server.features.open_tables.find import Find, Games, NearTable, check_games
from ziggurat.server.features.open_tables.rows import MOST_WISHES, Wish
from ziggurat.server.features.open_tables.service import OpenTables
from ziggurat.server.services.rate_limits import LoopShare, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import people

Tempos = Annotated[list[Tempo], msgspec.Meta(min_length=1, max_length=3)]


class NewWish(msgspec.Struct, forbid_unknown_fields=True):
    """A wish to be notified of new tables: of any of these games, at any of these paces."""

    games: Games
    tempos: Tempos


class WishUpdate(msgspec.Struct, forbid_unknown_fields=True):
    """All of my wishes, instead of those that I had."""

    wishes: Annotated[list[NewWish], msgspec.Meta(max_length=MOST_WISHES)]


class Wishes(msgspec.Struct):
    """My wishes, and how many I may have."""

    wishes: list[Wish]
    most: int


@get("/api/open-tables", summary="The tables that anybody may join", endpoint=Endpoint(ANYONE))
async def list_open(
    request: AnyRequest,
    listed: NamedDependency[OpenTables],
    table_service: NamedDependency[TableService],
    share: NamedDependency[LoopShare],
) -> list[OpenTable]:
    """Return the open tables, the newest first; without those of people who have blocked the asker."""
    blocking = await listed.blocking(await current_person(request, table_service.database))
    async with share:
        return listed.tables(blocking)


@post(
    "/api/open-tables/find",
    status_code=200,
    summary="Find me a table",
    endpoint=Endpoint(NEWCOMER, rates=("joins",), body=SMALL_BODY, rows=(*TABLE_ROWS, "finds")),
)
async def find_table(
    request: AnyRequest,
    listed: NamedDependency[OpenTables],
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    share: NamedDependency[LoopShare],
    data: JSONBody[Find],
) -> TableInfo:
    """Sit down at an open table that suits, or at a new one that others find."""
    visitor = await current_person(request, table_service.database)
    name = clean_name(data.name or (visitor.name if visitor else ""))
    check_games(data.games)
    person = visitor or await require_person(request, table_service.database, rate_limits)
    if person.name != name:
        person = replace(person, name=name)
        await table_service.database.write(partial(people.update, person=person))
    rate_limits.note_client(person.id, address(request))
    async with share.line:
        table = await listed.find(data, person, address(request))
    return table_info(table, person.id, table_service.bus)


@post(
    "/api/open-tables/near",
    status_code=200,
    summary="What waits that is not quite what I look for",
    endpoint=Endpoint(ANYONE, body=SMALL_BODY),
)
async def near_tables(
    request: AnyRequest,
    listed: NamedDependency[OpenTables],
    table_service: NamedDependency[TableService],
    share: NamedDependency[LoopShare],
    data: JSONBody[Find],
) -> list[NearTable]:
    """Return waiting open tables, the closest first: offered before one more is opened."""
    check_games(data.games)
    person = await current_person(request, table_service.database)
    async with share.line:
        return await listed.near(data, person.id if person is not None else "")


@get("/api/me/wishes", summary="Of which new tables I want to be told", endpoint=Endpoint(ANYONE))
async def get_wishes(request: AnyRequest, table_service: NamedDependency[TableService]) -> Wishes:
    """Return the asker's wishes."""
    person = await current_person(request, table_service.database)
    if person is None:
        return Wishes([], MOST_WISHES)
    wishes = await table_service.database.read(partial(open_tables.wishes_of, person=person.id, now=time.time()))
    return Wishes(wishes, MOST_WISHES)


@put(
    "/api/me/wishes",
    summary="Say of which new tables I want to be told",
    endpoint=Endpoint(NEWCOMER, body=SMALL_BODY, rows=("wishes",)),
)
async def put_wishes(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    data: JSONBody[WishUpdate],
) -> Wishes:
    """Replace the asker's wishes, for a month from now on. They are notified by their channels."""
    for wish in data.wishes:
        check_games(wish.games)
    person = await require_person(request, table_service.database, rate_limits)
    wanted = [Wish(sorted({*wish.games}), sorted({*wish.tempos})) for wish in data.wishes]
    now = time.time()

    await table_service.database.write(partial(open_tables.set_wishes, person=person.id, wanted=wanted, now=now))
    return Wishes([replace(wish, until=now + open_tables.WISH_KEPT_SECONDS) for wish in wanted], MOST_WISHES)


ROUTES = (list_open, find_table, near_tables, get_wishes, put_wishes)
