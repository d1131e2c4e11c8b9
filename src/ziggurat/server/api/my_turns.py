"""`/api/turns`: the tables that wait for a person."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.di import NamedDependency

from ziggurat.server.api.endpoints import ANYONE, READ_SCOPES, Endpoint
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import AwaitedInfo, awaited_info, moment_of
from ziggurat.server.api.sessions import current_person
from ziggurat.server.api.tables import MOST_TABLES_LISTED
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.store.database import Database
from ziggurat.server.store.my_turns import turns_of_person


class WaitingTable(msgspec.Struct):
    """A table that waits for me: since when and for what, and the names of the other people there."""

    id: str
    game: str
    since: str
    people: list[str]
    awaited: AwaitedInfo


class MyTurns(msgspec.Struct):
    """The tables that wait for me, the one that has waited longest first; `going`: all unfinished tables where I sit,
    or am invited."""

    tables: list[WaitingTable]
    going: list[str]


@get("/api/turns", summary="The tables that wait for me", endpoint=Endpoint(ANYONE, programs=READ_SCOPES))
async def get_turns(
    request: AnyRequest, database: NamedDependency[Database], share: NamedDependency[LoopShare]
) -> MyTurns:
    """Return the tables that wait for the asker: their turn, their answer, or whether they sit down."""
    person = await current_person(request, database)
    if person is None:
        return MyTurns([], [])
    found = await database.read(lambda c: turns_of_person(c, person.id, MOST_TABLES_LISTED))
    async with share:
        waiting = [
            WaitingTable(one.table, one.game, moment_of(one.since), one.people, awaited_info(one.awaited))
            for one in found
            if one.awaited.wishes
        ]
        return MyTurns(waiting, [one.table for one in found])
