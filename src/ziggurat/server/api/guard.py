"""The guard: it enforces an endpoint's declaration (`endpoints.Endpoint`) before the handler runs."""

from __future__ import annotations

from litestar.handlers import BaseRouteHandler

from ziggurat.server.api.endpoints import ENDPOINT_OPTION, Access, AnyConnection, Endpoint, declared, must_say_so_short
from ziggurat.server.api.parts import part
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import address, current_person
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import may_look
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem, unknown_table
from ziggurat.server.services.rate_limits import Rate, RateLimits
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store.database import Database, may_add_to

PERSON_KEY, TABLE_KEY = "ziggurat_person", "ziggurat_table"
"""The keys, in a request's state, of what the guard has found."""


async def must_be_let(connection: AnyConnection, handler: BaseRouteHandler) -> None:
    """Refuse a request that the endpoint's declaration does not admit, before its handler runs and its body is read."""
    endpoint = declared(handler)
    connection.scope.setdefault("state", {})[ENDPOINT_OPTION] = endpoint
    may_add_to(endpoint.all_rows)
    if not endpoint.who.hidden:
        must_say_so_short(connection, endpoint.body)
    if endpoint.who.admit is not None:
        await endpoint.who.admit(connection)
    rate_limits: RateLimits = part(connection, "rate_limits")
    for rate in endpoint.rates:
        rate_limits.must(rate, address(connection))


def allow(request: AnyRequest, rate_limits: RateLimits, rate: Rate, much: float = 1.0) -> None:
    """Take tokens from a rate limit of the asker's address that the endpoint declares as used later."""
    endpoint: Endpoint = request.scope["state"][ENDPOINT_OPTION]
    if rate not in endpoint.later:
        raise LookupError(f"{request.scope['path']} declares no later={rate!r}")
    if much:
        rate_limits.must(rate, address(request), much)


async def _known(connection: AnyConnection, *, barred: bool = False) -> None:
    database: Database = part(connection, "database")
    person = await current_person(connection, database, barred=barred)
    if person is None:
        raise Problem(401, "nobody_yet", "This browser is nobody's yet: say a name, or sign in.")
    connection.scope["state"][PERSON_KEY] = person


async def _barred_too(connection: AnyConnection) -> None:
    await _known(connection, barred=True)


async def _table(connection: AnyConnection) -> tuple[Table, Person | None]:
    table_service: TableService = part(connection, "table_service")
    table = await table_service.newest(connection.path_params["table_id"])
    person = await current_person(connection, table_service.database)
    connection.scope["state"] |= {TABLE_KEY: table, PERSON_KEY: person}
    return table, person


async def _belongs(connection: AnyConnection) -> None:
    table, person = await _table(connection)
    if person is None or not table.is_member(person.id):
        raise unknown_table(table.id)


async def _looks(connection: AnyConnection) -> None:
    table, person = await _table(connection)
    secret = connection.headers.get("x-invite", connection.query_params.get("invite"))
    may_look(table, person.id if person else None, secret)


PERSON = Access("person", _known)
"""A guest or a signed-in person (`asker`)."""
BARRED_PERSON = Access("person", _barred_too)
"""The same, and who is shut out: what is stored of them is theirs."""
MEMBER = Access("member", _belongs)
"""A person who made the table or sits there (`asker`, `asked_table`); to others there is no such table."""
SEATED = Access("seated", _belongs)
"""A member who sits there; whether they do is decided with the change itself (`domain`)."""
TABLE_HOST = Access("host", _belongs)
"""A member who is the host; whether they are is decided with the change itself (`domain`)."""
INVITED = Access("invited", _looks)
"""Who may look at the table (`domain.seating.may_look`): members, and who has its secret."""


def asker(request: AnyRequest) -> Person:
    """Return the person who asks, at an endpoint for known people."""
    person: Person = request.scope["state"][PERSON_KEY]
    return person


def asker_or_none(request: AnyRequest) -> Person | None:
    """Return the person who asks, at an endpoint for everybody who may look at a table."""
    person: Person | None = request.scope["state"][PERSON_KEY]
    return person


def asked_table(request: AnyRequest) -> Table:
    """Return the requested table, as the guard has found it."""
    table: Table = request.scope["state"][TABLE_KEY]
    return table
