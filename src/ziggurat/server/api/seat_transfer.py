"""`/api/tables/{id}/hand` and `/take`: a player who leaves for good gives their seat to a friend by a link."""

from __future__ import annotations

import secrets
import time
from functools import partial

import msgspec
from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.accounts import Link, link_to
from ziggurat.server.api.endpoints import CHANGE_ROWS, SECRET_HOLDER, SMALL_BODY, Endpoint
from ziggurat.server.api.guard import MEMBER, SEATED, asked_table, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import TableInfo, table_info
from ziggurat.server.api.sessions import address, current_person, keep_name, require_person
from ziggurat.server.domain.people import Person, clean_name
from ziggurat.server.domain.seat_transfer import TakeSeat, bad_link, transfer_seat, transferable_seat
from ziggurat.server.domain.seating import people_at
from ziggurat.server.domain.table import Table
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import accounts, blocks

OFFER_SECONDS = 7 * 24 * 3600


class TransferStatus(msgspec.Struct):
    """Whether my seat is offered to a friend."""

    seconds: int | None
    """Seconds for which the link can still be used; None: there is none."""


class SeatOffer(msgspec.Struct):
    """A seat that a player gives away, and its table."""

    table: TableInfo
    seat: int


def _kind(table: str) -> str:
    """Return the kind of the tickets for a seat at this table."""
    return f"seat:{table}"


async def _giver(table_service: TableService, table: str, secret: str) -> str:
    """Return the person who gives their seat away by a link."""
    person = await table_service.database.read(partial(accounts.ticket_holder, kind=_kind(table), secret=secret))
    if person is None:
        raise bad_link()
    return person


async def _must_be_welcome(table: Table, giver: str, person: Person | None, table_service: TableService) -> None:
    """Refuse a person where a block stands between them and somebody there; a blocked one as if the link were used."""
    if person is not None and not table.is_member(person.id):
        look = partial(blocks.must_be_welcome, person=person.id, others=people_at(table) - {giver}, gone=bad_link())
        await table_service.database.read(look)


@get("/api/tables/{table_id:str}/hand", summary="Whether I hand my seat on", endpoint=Endpoint(MEMBER))
async def get_transfer(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> TransferStatus:
    """Return for how long a friend can still take my seat."""
    person = asker(request)
    until = await table_service.database.read(partial(accounts.open_until, kind=_kind(table_id), person=person.id))
    return TransferStatus(max(0, round(until - time.time())) if until is not None else None)


@post(
    "/api/tables/{table_id:str}/hand",
    status_code=200,
    summary="Hand my seat to a friend",
    endpoint=Endpoint(SEATED, body=SMALL_BODY, rows=("tickets",)),
)
async def give_seat(request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]) -> Link:
    """Return a link by which a friend can take my seat: once, within seven days. The link before is revoked."""
    table, person = asked_table(request), asker(request)
    transferable_seat(table, person.id)
    secret = secrets.token_urlsafe(18)
    offer = partial(accounts.add_ticket, kind=_kind(table.id), secret=secret, person=person.id, seconds=OFFER_SECONDS)
    await table_service.database.write(offer)
    return link_to(request, f"take/{table.id}", secret, OFFER_SECONDS)


@delete("/api/tables/{table_id:str}/hand", status_code=204, summary="Keep my seat after all", endpoint=Endpoint(MEMBER))
async def keep_seat(request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]) -> None:
    """Revoke the link by which a friend could take my seat, if there is one."""
    person = asker(request)
    await table_service.database.write(partial(accounts.end_ticket, kind=_kind(table_id), person=person.id))


@get("/api/tables/{table_id:str}/take", summary="A seat that is handed on", endpoint=Endpoint(SECRET_HOLDER))
async def get_offer(
    request: AnyRequest, table_service: NamedDependency[TableService], table_id: FromPath[str]
) -> SeatOffer:
    """Return the table and the seat that a link (its secret in the header X-Invite) transfers."""
    giver = await _giver(table_service, table_id, request.headers.get("x-invite", ""))
    table = await table_service.newest(table_id)
    if table.seat_of(giver) is None:
        raise bad_link()
    person = await current_person(request, table_service.database)
    await _must_be_welcome(table, giver, person, table_service)
    return SeatOffer(
        table_info(table, person.id if person else None, table_service.bus), transferable_seat(table, giver).seat
    )


@post(
    "/api/tables/{table_id:str}/take",
    status_code=200,
    summary="Take the seat of a friend",
    endpoint=Endpoint(SECRET_HOLDER, later=("newcomers",), rates=("joins",), body=SMALL_BODY, rows=CHANGE_ROWS),
)
async def take_seat(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    table_id: FromPath[str],
    data: JSONBody[TakeSeat],
) -> TableInfo:
    """Take the seat that a friend transfers, with everything that is on it."""
    giver = await _giver(table_service, table_id, data.secret)
    visitor = await current_person(request, table_service.database)
    table = await table_service.newest(table_id)
    await _must_be_welcome(table, giver, visitor, table_service)
    # Refused before a newcomer becomes a guest.
    transfer_seat(table, giver, visitor or Person("", clean_name(data.name), "en"), data)
    person = visitor or await require_person(request, table_service.database, rate_limits)
    # Of two who open the link at once the second finds that the giver sits there no more.
    table = await table_service.change(table_id, lambda t: transfer_seat(t, giver, person, data))
    await table_service.database.write(partial(accounts.end_ticket, kind=_kind(table_id), person=giver))
    await keep_name(table_service.database, person, clean_name(data.name))
    rate_limits.note_client(person.id, address(request))
    return table_info(table, person.id, table_service.bus)


ROUTES = (get_transfer, give_seat, keep_seat, get_offer, take_seat)
