"""`/api/tables/{id}/result` and `results.csv`, and `/api/me/results.csv`: results of finished games for elsewhere.

Nothing is sent anywhere: a person saves a file, or follows a link that their page makes.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Stream

from ziggurat.server.api.endpoints import READ_SCOPES, Endpoint
from ziggurat.server.api.guard import MEMBER, PERSON, asked_table, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import moment_of
from ziggurat.server.domain.guards import must_be_over
from ziggurat.server.features.results import rows
from ziggurat.server.features.results.rules import GameResult, csv_text, known_as, minutes
from ziggurat.server.problems import Problem, rate_limited
from ziggurat.server.services.rate_limits import LoopShare, TokenBucket
from ziggurat.server.store.database import Database

CSV = "text/csv; charset=utf-8; header=present"
MOST_GAMES = 10_000
"""Games in one file, the newest: 70,000 lines at most, of which spreadsheets hold a million."""
FILES_PER_HOUR = 20
"""Files with all games of a person."""


class ResultInfo(msgspec.Struct):
    """What a page needs besides the table to hand on a result. `name`: of the game, in English, by which other
    programs know it; `bgg`: its number at BoardGameGeek; `minutes`: null where it was not played at one sitting;
    `starter`: the seat that moved first."""

    name: str
    bgg: int | None
    begun: str
    ended: str
    minutes: int | None
    starter: int | None


class ResultRate:
    """How often each person may have the file of all their games made, in this worker."""

    def __init__(self) -> None:
        self._bucket = TokenBucket(FILES_PER_HOUR, 3600)

    def must(self, person: str) -> None:
        """Refuse what is too often."""
        says = "The file of all your games was made very often; try again in {minutes} minutes."
        rate_limited(self._bucket.use(person), "too_fast", says)


async def _result(request: AnyRequest, database: Database) -> GameResult:
    table, person = asked_table(request), asker(request)
    must_be_over(table)
    found = await database.read(partial(rows.of_table, table=table.id, person=person.id))
    if found is None:
        raise Problem(409, "not_begun", "This game was ended before it began; it has no result.")
    return found


@get(
    "/api/tables/{table_id:str}/result",
    summary="What else is told of a finished game elsewhere",
    endpoint=Endpoint(MEMBER, programs=READ_SCOPES),
)
async def get_result(request: AnyRequest, database: NamedDependency[Database], table_id: FromPath[str]) -> ResultInfo:
    """Return when a finished game was played, who began, and by which name and number others know the game."""
    one = await _result(request, database)
    known = known_as(one.game)
    return ResultInfo(known.name, known.bgg, moment_of(one.begun), moment_of(one.ended), minutes(one), one.starter)


@get(
    "/api/tables/{table_id:str}/results.csv",
    media_type=CSV,
    summary="The result of a finished game as CSV",
    endpoint=Endpoint(MEMBER, programs=READ_SCOPES),
)
async def get_table_csv(
    request: AnyRequest, database: NamedDependency[Database], table_id: FromPath[str]
) -> Response[str]:
    """Return a finished game as CSV: a line for each player, below the names of the columns."""
    one = await _result(request, database)
    return Response(csv_text([one]), media_type=CSV, headers=_saved(f"{one.game}-{one.table}"))


@get(
    "/api/me/results.csv",
    media_type=CSV,
    summary="The results of all my finished games as CSV",
    endpoint=Endpoint(PERSON),
)
async def get_my_csv(
    request: AnyRequest,
    database: NamedDependency[Database],
    share: NamedDependency[LoopShare],
    result_rate: NamedDependency[ResultRate],
) -> Stream:
    """Return my finished games as CSV, the newest first: a line for each player of each game."""
    person = asker(request)
    result_rate.must(person.id)
    return Stream(_mine(database, share, person.id), media_type=CSV, headers=_saved("ziggurat-games"))


async def _mine(database: Database, share: LoopShare, person: str) -> AsyncIterator[str]:
    before, sent = None, 0
    while True:
        job = partial(rows.of_person, person=person, before=before)
        async with share.line:
            found, before = await database.read(job)
        async with share:
            text = csv_text(found, first=not sent)
        yield text
        sent += len(found) or 1
        if before is None or sent >= MOST_GAMES:
            return


def _saved(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}.csv"', "cache-control": "no-store"}


ROUTES = (get_result, get_table_csv, get_my_csv)
