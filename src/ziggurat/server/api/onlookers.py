"""`/api/tables/{id}/onlookers`: the onlookers of a table, and putting one of them out, for the players."""

from __future__ import annotations

import hmac
from functools import partial

import msgspec
import sqlalchemy as sa
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.endpoints import CHANGE_ROWS, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import MEMBER, asked_table, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import Handle, TableInfo
from ziggurat.server.api.tables import change_by
from ziggurat.server.domain.people import fit_to_show
from ziggurat.server.domain.seating import let_in, shut_out
from ziggurat.server.problems import Problem
from ziggurat.server.services.acquaintances import Acquaintances
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import blocks, people

PLACE_PREFIX = "look"


class OnlookerInfo(msgspec.Struct):
    """An onlooker, and the handle by which the asker may speak of them; unknown ones are only counted
    (`TableInfo.onlookers`). An empty `name`: they have given none."""

    id: str
    name: str


class PutOut(msgspec.Struct, forbid_unknown_fields=True):
    """The onlooker to be put out, and whether the asker blocks them, too."""

    person: Handle
    block: bool = False


def _names(connection: sa.Connection, there: list[str]) -> dict[str, str]:
    return {person: fit_to_show(people.name_of(connection, person)) for person in there}


@get("/api/tables/{table_id:str}/onlookers", summary="Who looks on", endpoint=Endpoint(MEMBER))
async def list_onlookers(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    table_id: FromPath[str],
) -> list[OnlookerInfo]:
    """Return the onlookers of a table, to its members."""
    table, me = asked_table(request), asker(request)
    await acquaintances.open()
    there = [person for person in table_service.bus.who_looks_on(table.id) if not table.is_member(person)]
    names = await table_service.database.read(partial(_names, there=there))
    place = f"{PLACE_PREFIX}{table.id}"
    return [OnlookerInfo(acquaintances.handle(me.id, place, person), names[person]) for person in there]


@post(
    "/api/tables/{table_id:str}/out",
    status_code=200,
    summary="Put out somebody who looks on",
    endpoint=Endpoint(MEMBER, body=SMALL_BODY, rows=("blocks", *CHANGE_ROWS)),
)
async def put_out(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    acquaintances: NamedDependency[Acquaintances],
    table_id: FromPath[str],
    data: JSONBody[PutOut],
) -> TableInfo:
    """Put an onlooker out: the host's right in the waiting room, then that of all who play."""
    table, me = asked_table(request), asker(request)
    await acquaintances.open()
    place, wanted = f"{PLACE_PREFIX}{table.id}", data.person.encode()
    there = table_service.bus.who_looks_on(table.id)
    found = (one for one in there if hmac.compare_digest(acquaintances.handle(me.id, place, one).encode(), wanted))
    other = next(found, None)
    if other is None:
        raise Problem(404, "unknown_person", "This person does not look on any more.")
    info = await change_by(request, table_service, table_id, partial(shut_out, other=other))
    if data.block:
        names = await table_service.database.read(partial(_names, there=[other]))
        await table_service.database.write(partial(blocks.add, person=me.id, blocked=other, name=names[other]))
    return info


@post(
    "/api/tables/{table_id:str}/in",
    status_code=200,
    summary="Let in again who was put out",
    endpoint=Endpoint(MEMBER, body=SMALL_BODY, rows=CHANGE_ROWS),
)
async def let_all_in(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> TableInfo:
    """Let everybody in again who was put out."""
    return await change_by(request, table_service, table_id, let_in)


ROUTES = (list_onlookers, put_out, let_all_in)
