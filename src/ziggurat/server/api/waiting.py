"""`/api/tables/{id}/terms`, `/order`, `/host` and `/invitation`: the waiting room."""

from __future__ import annotations

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.accounts import address_of, qr_code
from ziggurat.server.api.endpoints import CHANGE_ROWS, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import INVITED, MEMBER, TABLE_HOST, asked_table, asker_or_none
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import TableInfo, host_gone_for
from ziggurat.server.api.tables import change_by
from ziggurat.server.domain.patience import must_be_patient
from ziggurat.server.domain.seating import invited
from ziggurat.server.domain.waiting import NewHost, SeatOrder, Terms, change_host, change_terms, order_seats
from ziggurat.server.problems import unknown_table
from ziggurat.server.services.table_service import TableService


class Invitation(msgspec.Struct):
    """The invitation link of a table: to play while it waits for people, and to look on.

    `qr` are the rows of its QR code, of 0 and 1.
    """

    url: str
    qr: list[str]


@post(
    "/api/tables/{table_id:str}/terms",
    status_code=200,
    summary="Change what is agreed",
    endpoint=Endpoint(TABLE_HOST, body=SMALL_BODY, rows=CHANGE_ROWS),
)
async def put_terms(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    data: JSONBody[Terms],
) -> TableInfo:
    """Change options, clock, hints and who may join, watch and talk: the host's right in the waiting room."""
    settings = table_service.settings
    must_be_patient(data.patience, data.time, settings.least_patience)
    return await change_by(
        request, table_service, table_id, lambda t, person: change_terms(t, data, person, settings.house_bots(t.game))
    )


@post(
    "/api/tables/{table_id:str}/order",
    status_code=200,
    summary="Change the order of the seats",
    endpoint=Endpoint(TABLE_HOST, body=SMALL_BODY, rows=CHANGE_ROWS),
)
async def put_order(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    data: JSONBody[SeatOrder],
) -> TableInfo:
    """Reorder the seats, as the host says or by lot: the host's right in the waiting room."""
    return await change_by(request, table_service, table_id, lambda t, person: order_seats(t, data, person))


@post(
    "/api/tables/{table_id:str}/host",
    status_code=200,
    summary="Make someone the host",
    endpoint=Endpoint(MEMBER, body=SMALL_BODY, rows=CHANGE_ROWS),
)
async def put_host(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    table_id: FromPath[str],
    data: JSONBody[NewHost],
) -> TableInfo:
    """Make a person who sits there the host; or take the role, if the host has been absent for a while."""
    bus, least = table_service.bus, table_service.settings.least_patience
    return await change_by(
        request, table_service, table_id, lambda t, person: change_host(t, data, person, host_gone_for(t, bus), least)
    )


@get("/api/tables/{table_id:str}/invitation", summary="The link to a table, as a QR code", endpoint=Endpoint(INVITED))
async def get_invitation(request: AnyRequest, table_id: FromPath[str]) -> Invitation:
    """Return the link of a table to those who have it: members, and people with its secret (header X-Invite)."""
    table, person = asked_table(request), asker_or_none(request)
    secret = table.invite if person and table.is_member(person.id) else request.headers.get("x-invite")
    if secret is None or not invited(table, secret):
        raise unknown_table(table_id)
    url = address_of(request, f"join/{table.id}/{secret}")
    return Invitation(url, qr_code(url))


ROUTES = (put_terms, put_order, put_host, get_invitation)
