"""`/api/home`: a person's first page: their tables, and the sections of features."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.di import NamedDependency

from ziggurat.server.api.endpoints import ANYONE, Endpoint
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import AwaitedInfo, TableInfo, awaited_info
from ziggurat.server.api.sections import answers, read_sections, with_sections
from ziggurat.server.api.sessions import current_person
from ziggurat.server.api.tables import tables_of
from ziggurat.server.domain.awaited import awaited, awaited_seats
from ziggurat.server.domain.table import Table
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.services.table_service import TableService


class WaitsInfo(AwaitedInfo):
    """What a table waits for; `seats`: of whom, me or others."""

    seats: list[int]


class HomeInfo(msgspec.Struct):
    """A person's first page; empty for a newcomer. `waits`: of the unfinished tables, by their ids."""

    tables: list[TableInfo]
    waits: dict[str, WaitsInfo]


HOME_FORM = with_sections("home", HomeInfo)


@get("/api/home", summary="My tables and groups", endpoint=Endpoint(ANYONE))
@answers(HOME_FORM)
async def get_home(
    request: AnyRequest, table_service: NamedDependency[TableService], share: NamedDependency[LoopShare]
) -> msgspec.Struct:
    """Return the asker's tables, newest first, and the sections of features, such as their groups."""
    person = await current_person(request, table_service.database)
    more = await read_sections("home", table_service, person, share)
    theirs = await tables_of(request, person.id, table_service, share) if person is not None else []
    waits = {
        table.id: _waits(table, person.id)
        for table, _ in theirs
        if person is not None and table.status in ("waiting", "playing")
    }
    return HOME_FORM(tables=[info for _, info in theirs], waits=waits, **more)


def _waits(table: Table, person: str) -> WaitsInfo:
    told = awaited_info(awaited(table, person))
    return WaitsInfo(told.wishes, told.until, awaited_seats(table))


ROUTES = (get_home,)
