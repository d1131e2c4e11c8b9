"""`/api/home`: what the first page shows of a person: their tables, and their groups with the next evening of each."""

from __future__ import annotations

import time
from functools import partial

import msgspec
from litestar import get
from litestar.di import NamedDependency

from ziggurat.server.api.endpoints import ANYONE, Endpoint
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import AwaitedInfo, TableInfo, awaited_info, moment_of
from ziggurat.server.api.sessions import current_person
from ziggurat.server.api.tables import tables_of
from ziggurat.server.domain.awaited import awaited, awaited_seats
from ziggurat.server.domain.table import Table
from ziggurat.server.features.groups import rows as groups
from ziggurat.server.features.groups.routes import table_of_group
from ziggurat.server.features.groups.rules import Evening, next_evening
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks

TABLES = 20
"""Tables of all groups together; a group's own page shows all of its."""


class MyNextEvening(msgspec.Struct):
    """The next evening of a group of mine: who comes, and whether I do; null: I have not said."""

    evening: Evening
    next: str
    coming: list[str]
    comes: bool | None


class MyGroupNow(msgspec.Struct):
    """A group of mine, as it is now: its tables that wait or go on, and its next evening.

    `called`: my name there. Tables that wait carry the secret of their invitation.
    """

    id: str
    name: str
    called: str
    count: int
    tables: list[TableInfo]
    evening: MyNextEvening | None


class WaitsInfo(AwaitedInfo):
    """What a table waits for; `seats`: of whom, be it me or others."""

    seats: list[int]


class HomeInfo(msgspec.Struct):
    """What the first page shows of a person; nothing of either: they have just come. `waits`: of the tables that are
    not over, by their ids."""

    tables: list[TableInfo]
    waits: dict[str, WaitsInfo]
    groups: list[MyGroupNow]


@get("/api/home", summary="My tables and groups", endpoint=Endpoint(ANYONE))
async def get_home(
    request: AnyRequest, table_service: NamedDependency[TableService], share: NamedDependency[LoopShare]
) -> HomeInfo:
    """Return the asker's tables, newest first, and their groups."""
    person = await current_person(request, table_service.database)
    if person is None:
        return HomeInfo([], {}, [])
    mine = await table_service.database.read(partial(groups.of_person, person=person.id))
    ids = [group.id for group, _ in mine]
    found = list[MyGroupNow]()
    if ids:
        here, going, blocking = await table_service.database.read(
            lambda c: (
                groups.members_of(c, ids),
                groups.going(c, ids, TABLES),
                blocks.blocking(c, person=person.id),
            )
        )
        for group, _ in mine:
            tables = list[TableInfo]()
            for id in going[group.id]:
                async with share.line:  # they may all have to be read
                    table = await table_service.get(id)
                async with share:
                    tables.append(table_of_group(table, person.id, blocking, table_service.bus))
            members, meets = here[group.id], next_evening(group.evenings, time.time())
            me = next(one for one in members if one.person == person.id)
            evening = None
            if meets is not None:
                coming = [one.name for one in members if one.comes_to(meets.begins)]
                evening = MyNextEvening(meets.evening, moment_of(meets.begins), coming, me.comes_to(meets.begins))
            found.append(MyGroupNow(group.id, group.name, me.name, len(members), tables, evening))
    theirs = await tables_of(request, person.id, table_service, share)
    waits = {table.id: _waits(table, person.id) for table, _ in theirs if table.status in ("waiting", "playing")}
    return HomeInfo([info for _, info in theirs], waits, found)


def _waits(table: Table, person: str) -> WaitsInfo:
    told = awaited_info(awaited(table, person))
    return WaitsInfo(told.wishes, told.until, awaited_seats(table))


ROUTES = (get_home,)
