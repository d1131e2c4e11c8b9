"""`/api/turns`: the other tables at which it is a person's turn."""

from __future__ import annotations

import msgspec
from litestar import get
from litestar.di import NamedDependency

from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import moment_of
from ziggurat.server.api.sessions import current_person
from ziggurat.server.api.tables import LISTED
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.store.engine import Database
from ziggurat.server.store.my_turns import asked


class WaitingTable(msgspec.Struct):
    """A table at which an answer of mine is awaited, and what the other people there are called."""

    id: str
    game: str
    since: str
    people: list[str]


class MyTurns(msgspec.Struct):
    """The tables that wait for me, the one that has waited longest first; `playing`: all at which I play."""

    tables: list[WaitingTable]
    playing: list[str]


@get("/api/turns", summary="The tables that wait for me")
async def get_turns(
    request: AnyRequest, database: NamedDependency[Database], share: NamedDependency[LoopShare]
) -> MyTurns:
    """Return the running tables at which an answer of the asker's own is awaited."""
    person = await current_person(request, database)
    if person is None:
        return MyTurns([], [])
    found = await database.read(lambda c: asked(c, person.id, LISTED))
    async with share:
        waiting = [WaitingTable(one.table, one.game, moment_of(one.since), one.people) for one in found if one.awaited]
        return MyTurns(waiting, [one.table for one in found])
