"""`/api/seasons`: the seasons of groups."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import sqlalchemy as sa
from litestar import Response, get, post, put
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec.structs import replace

from ziggurat.bots import BOTS
from ziggurat.server.api.endpoints import SMALL_BODY, Access, AnyConnection, Endpoint
from ziggurat.server.api.guard import PERSON, PERSON_KEY, asker
from ziggurat.server.api.parts import part
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.sessions import current_person
from ziggurat.server.domain.people import Person, clean_name
from ziggurat.server.feature import circles
from ziggurat.server.features.seasons import rows
from ziggurat.server.features.seasons.messages import (
    EnterSeason,
    NewSeason,
    RoundPresence,
    RoundWish,
    SeasonId,
    SeasonInfo,
    SeasonList,
)
from ziggurat.server.features.seasons.service import KnownSeason, Seasons, refused, unknown_season
from ziggurat.server.features.seasons.state import (
    AnyEvent,
    ByDays,
    Entered,
    Gone,
    Here,
    RoundAbsence,
    SeasonState,
    StandIn,
)
from ziggurat.server.features.seasons.terms import SeasonError, complete
from ziggurat.server.features.seasons.views import season_brief, season_csv, season_info
from ziggurat.server.problems import Problem
from ziggurat.server.services.rate_limits import LoopShare
from ziggurat.server.store.database import Database

SEASON_KEY = "ziggurat_season"
"""The key, in a request's state, of how a person belongs to a season."""


class Belonging(NamedTuple):
    """How a person belongs to a season: their number there, and their name in its group, if they belong to that."""

    who: int | None
    name: str | None


def _name_in(connection: sa.Connection, group: str, person: str) -> str:
    """Return a person's name in a group; refuse (Problem) who does not belong to it."""
    for circle in circles():
        return circle.name_in(connection, group, person)
    raise unknown_season()


def _belonging(connection: sa.Connection, id: str, person: str) -> Belonging | None:
    season = rows.load(connection, id)
    if season is None:
        return None
    who, name = rows.who_is(connection, id, person), None
    try:
        name = _name_in(connection, season.group, person)
    except Problem:
        if who is None:
            return None
    return Belonging(who, name)


async def _belongs(connection: AnyConnection) -> None:
    """Refuse a person who neither is in a season nor belongs to its group: others learn nothing."""
    database: Database = part(connection, "database")
    id = connection.path_params["season_id"]
    person = await current_person(connection, database)
    if person is None or not (id.isascii() and id.isalnum()):
        raise unknown_season()
    found = await database.read(partial(_belonging, id=id, person=person.id))
    if found is None:
        raise unknown_season()
    connection.scope["state"] |= {PERSON_KEY: person, SEASON_KEY: found}


SEASON_MEMBER = Access("season", _belongs)
"""A person of the season that is asked for, or of its group."""


def _found(request: AnyRequest) -> Belonging:
    found: Belonging = request.scope["state"][SEASON_KEY]
    return found


def _who(request: AnyRequest) -> int:
    """Return the asker's number in a season; refuse who has not entered."""
    who = _found(request).who
    if who is None:
        raise Problem(409, "not_entered", "You have not entered this season.")
    return who


async def _info(seasons: Seasons, id: str, me: Person, share: LoopShare) -> SeasonInfo:
    known = await seasons.known(id)
    people, tables = await seasons.database.read(lambda c: (rows.people_of(c, id), rows.tables_of(c, id)))
    async with share:
        return season_info(known, people, tables, me.id)


async def _act(request: AnyRequest, seasons: Seasons, id: str, event: type[AnyEvent], **fields: object) -> None:
    """Let the asker say something of a season."""
    who = _who(request)
    seasons.may_say(await seasons.known(id), who)
    await seasons.act(id, lambda _, now: [event(at=now, who=who, **fields)])  # type: ignore[arg-type,call-arg]


@get("/api/seasons", summary="The seasons of a group", endpoint=Endpoint(PERSON))
async def get_seasons(
    request: AnyRequest, seasons: NamedDependency[Seasons], share: NamedDependency[LoopShare], group: FromQuery[str]
) -> SeasonList:
    """Return the seasons of a group of mine, the newest first."""
    me = asker(request)

    def read(connection: sa.Connection) -> list[str]:
        _name_in(connection, group, me.id)
        return rows.of_group(connection, group)

    found = []
    for id in await seasons.database.read(read):
        known = await seasons.known(id)
        people = await seasons.database.read(partial(rows.people_of, id=id))
        async with share:
            found.append(season_brief(known, people, me.id))
    return SeasonList(found)


@post("/api/seasons", summary="Make a season", endpoint=Endpoint(PERSON, body=SMALL_BODY, rows=("seasons",)))
async def make_season(request: AnyRequest, seasons: NamedDependency[Seasons], data: JSONBody[NewSeason]) -> SeasonId:
    """Make a season of a group of mine. Its terms do not change any more; people enter until it starts."""
    me = asker(request)
    await seasons.database.read(lambda c: _name_in(c, data.group, me.id))
    try:
        terms = complete(replace(data.terms, name=clean_name(data.terms.name)))
    except SeasonError as error:
        raise Problem(400, "season", error.detail, **error.context) from None
    if terms.bot not in BOTS:
        known = ", ".join(BOTS)
        raise Problem(400, "unknown_bot", f"There is no bot {terms.bot!r}; there are: {known}.", known=[*BOTS])
    return SeasonId(await seasons.make(terms, data.group))


@get("/api/seasons/{season_id:str}", summary="A season", endpoint=Endpoint(SEASON_MEMBER))
async def get_season(
    request: AnyRequest, seasons: NamedDependency[Seasons], share: NamedDependency[LoopShare], season_id: FromPath[str]
) -> SeasonInfo:
    """Return a season with its rounds, tables and standings."""
    return await _info(seasons, season_id, asker(request), share)


@post(
    "/api/seasons/{season_id:str}/enter",
    status_code=200,
    summary="Enter a season",
    endpoint=Endpoint(SEASON_MEMBER, body=SMALL_BODY, rows=("season_people", "season_events")),
)
async def enter_season(
    request: AnyRequest,
    seasons: NamedDependency[Seasons],
    share: NamedDependency[LoopShare],
    season_id: FromPath[str],
    data: JSONBody[EnterSeason],
) -> SeasonInfo:
    """Enter a season with a part of the beacon. Nothing changes for who has entered."""
    me, found = asker(request), _found(request)
    name = found.name
    if found.who is None and name is not None:
        called = name
        division = await seasons.division_before(season_id, me.id)

        def enters(state: SeasonState, now: int) -> Sequence[AnyEvent]:
            part = "" if state.started else data.part
            return [Entered(at=now, who=len(state.people) + 1, part=part, division=division)]

        def also(connection: sa.Connection, state: SeasonState) -> None:
            rows.enter(connection, season_id, len(state.people), me.id, called)

        await seasons.act(season_id, enters, also)
    elif found.who is None:
        raise unknown_season()
    return await _info(seasons, season_id, me, share)


@post(
    "/api/seasons/{season_id:str}/leave",
    status_code=200,
    summary="Leave a season",
    endpoint=Endpoint(SEASON_MEMBER, body=SMALL_BODY, rows=("season_events",)),
)
async def leave_season(
    request: AnyRequest, seasons: NamedDependency[Seasons], share: NamedDependency[LoopShare], season_id: FromPath[str]
) -> SeasonInfo:
    """Leave a season: I am drawn no more, and my place stays."""
    await _act(request, seasons, season_id, Gone)
    return await _info(seasons, season_id, asker(request), share)


@put(
    "/api/seasons/{season_id:str}/round",
    summary="Say what I want in a round of a season",
    endpoint=Endpoint(SEASON_MEMBER, body=SMALL_BODY, rows=("season_events",)),
)
async def put_round(
    request: AnyRequest,
    seasons: NamedDependency[Seasons],
    share: NamedDependency[LoopShare],
    season_id: FromPath[str],
    data: JSONBody[RoundWish],
) -> SeasonInfo:
    """Say that I play in a round that is not drawn yet, am absent, or sit in for others."""
    who = _who(request)
    seasons.may_say(await seasons.known(season_id), who)

    def wishes(state: SeasonState, now: int) -> Sequence[AnyEvent]:
        absent = who in state.absences.get(data.round, set())
        stands_in = who in state.standing_in.get(data.round, [])
        found: list[AnyEvent] = []
        if absent != (data.wish == "absent"):
            found.append(RoundAbsence(at=now, who=who, round=data.round, absent=not absent))
        if stands_in != (data.wish == "stand_in"):
            found.append(StandIn(at=now, who=who, round=data.round, ready=not stands_in))
        return found

    await seasons.act(season_id, wishes)
    return await _info(seasons, season_id, asker(request), share)


@post(
    "/api/seasons/{season_id:str}/here",
    status_code=200,
    summary="Say that I am there for a round",
    endpoint=Endpoint(SEASON_MEMBER, body=SMALL_BODY, rows=("season_events", "season_tables")),
)
async def post_here(
    request: AnyRequest,
    seasons: NamedDependency[Seasons],
    share: NamedDependency[LoopShare],
    season_id: FromPath[str],
    data: JSONBody[RoundPresence],
) -> SeasonInfo:
    """Say that I am there: my table begins when all are. Or that I would play it by days."""
    who = _who(request)
    known: KnownSeason = await seasons.known(season_id)
    state = known.state
    said = who in (state.here if data.how == "here" else state.by_days).get(state.round, ())
    if not said:
        await _act(request, seasons, season_id, Here if data.how == "here" else ByDays)
    return await _info(seasons, season_id, asker(request), share)


@get("/api/seasons/{season_id:str}/file", summary="The file of a season", endpoint=Endpoint(SEASON_MEMBER))
async def get_season_file(seasons: NamedDependency[Seasons], season_id: FromPath[str]) -> Response[bytes]:
    """Return the file from which `ziggurat verify season` makes everything anew."""
    try:
        data = await seasons.file(season_id)
    except SeasonError as error:
        raise refused(error) from None
    headers = {"content-disposition": f'attachment; filename="season-{season_id}.txt"', "cache-control": "no-store"}
    return Response(data, media_type="text/plain", headers=headers)


@get("/api/seasons/{season_id:str}/table.csv", summary="A season as CSV", endpoint=Endpoint(SEASON_MEMBER))
async def get_season_csv(seasons: NamedDependency[Seasons], season_id: FromPath[str]) -> Response[str]:
    """Return a line for each seat of each table of a season that has ended."""
    known = await seasons.known(season_id)
    people = await seasons.database.read(partial(rows.people_of, id=season_id))
    headers = {"content-disposition": f'attachment; filename="season-{season_id}.csv"', "cache-control": "no-store"}
    return Response(season_csv(known, people), media_type="text/csv", headers=headers)


ROUTES = (
    get_seasons,
    make_season,
    get_season,
    enter_season,
    leave_season,
    put_round,
    post_here,
    get_season_file,
    get_season_csv,
)
