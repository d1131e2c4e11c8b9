"""`/api/levels`: how people stand, as far as they let it be seen."""

from __future__ import annotations

from functools import partial

import msgspec
import sqlalchemy as sa
from litestar import get, put
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from ziggurat.server.api.accounts import iso
from ziggurat.server.api.endpoints import SMALL_BODY, Endpoint
from ziggurat.server.api.guard import INVITED, PERSON, PERSON_KEY, TABLE_KEY, asker
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.domain import avatars
from ziggurat.server.domain.avatars import AvatarChoice
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import Curve, is_bot
from ziggurat.server.features.levels.marks import Mark
from ziggurat.server.features.levels.metre import Metre, metre_of
from ziggurat.server.features.levels.reliability import Reliability, reliability
from ziggurat.server.features.levels.rows import Shows
from ziggurat.server.features.levels.rules import (
    WhyNot,
    game_ids,
    games_to_go,
    height,
    is_sure,
    rung_names,
    why_not_begun,
)
from ziggurat.server.features.levels.service import LevelService, LevelStanding
from ziggurat.server.problems import Problem
from ziggurat.server.settings import Settings
from ziggurat.server.store.models import people as people_table

MARKS = ("level_marks",)
"""What is written where a fit is made."""
MOST_CURVE_POINTS = 120
"""Points of a curve that are sent."""
MOST_OPPONENTS = 5


class CurvePoint(msgspec.Struct):
    """A point of a curve: when, the level in rungs (0 is the lowest), and its range."""

    at: str
    level: float
    low: float
    high: float


class Opponent(msgspec.Struct):
    """Somebody with whom a person has played a game often. `page`: of theirs, if they show one."""

    name: str
    mark: AvatarChoice | None
    games: int
    page: str


class GameLevel(msgspec.Struct):
    """How a person stands in a game.

    Attributes:
        games: that counted.
        with_bots: of these, those with a bot at the table.
        level, low, high: in rungs, 0 the lowest; null as long as too little is known.
        to_go: about how many more games it takes until then; 0: it is known.
        curve: the level after each game, as it is seen today; thinned.
    """

    game: str
    games: int
    with_bots: int
    level: float | None
    low: float | None
    high: float | None
    to_go: int
    curve: list[CurvePoint]
    opponents: list[Opponent]


class LevelsOf(msgspec.Struct):
    """The levels of a person. `rungs`: the bots that stand on them, from the lowest."""

    name: str
    mark: AvatarChoice | None
    you: bool
    shows: Shows
    page: str
    """The name of their page; empty while nobody else may see it."""
    rungs: list[str]
    games: list[GameLevel]
    reliability: Reliability
    on: bool
    """Whether games count on this server."""


class ShowLevels(msgspec.Struct, forbid_unknown_fields=True):
    """Who may see my levels."""

    shows: Shows


class SeatLevel(msgspec.Struct):
    """What is shown of the person of a seat, before one plays with them.

    Attributes:
        level: in rungs; null: it is not known, or not shown.
        reliability: at a table that anyone may join.
    """

    seat: int
    level: float | None
    low: float | None
    high: float | None
    games: int
    page: str
    reliability: Reliability | None


class TableLevels(msgspec.Struct):
    """What is shown of the people of a table. `why_not`: why its game will not count; null: it will."""

    rungs: list[str]
    seats: list[SeatLevel]
    why_not: WhyNot | None


def _unknown_page() -> Problem:
    return Problem(404, "no_levels", "There is no such page, or its person does not show it to you.")


def _must_be_on(settings: Settings) -> None:
    if not settings.levels:
        raise Problem(404, "levels_off", "On this server no games are counted for levels.")


def _rounded(place: float, metre: Metre) -> float:
    """Return a place in rungs, as it is published."""
    return round(height(place, metre.rungs), 2)


def _level(game: str, curve: Curve | None, mark: Mark | None, known: list[Opponent]) -> GameLevel:
    metre = metre_of(game)
    if curve is None or mark is None:
        return GameLevel(game, 0, 0, None, None, None, games_to_go(None, metre), [], [])
    count, met = len(curve.points), curve.with_bots
    if not is_sure(curve, metre):
        return GameLevel(game, count, met, None, None, None, games_to_go(curve, metre), [], known)
    return GameLevel(game, count, met, *_shown(curve, mark, metre), 0, _thinned(curve, mark, metre), known)


def _shown(curve: Curve, mark: Mark, metre: Metre) -> tuple[float, float, float]:
    """Return the level as it is shown, and its range, in rungs."""
    sigma = curve.final.sigma
    level, low, high = (_rounded(place, metre) for place in (mark.place, mark.place - sigma, mark.place + sigma))
    return level, low, high


def _thinned(curve: Curve, mark: Mark, metre: Metre) -> list[CurvePoint]:
    """Return at most so many points of a curve, evenly, and the last as it is shown."""
    many = len(curve.points)
    step = max(1, -(-many // MOST_CURVE_POINTS))
    chosen = [point for i, point in enumerate(curve.points) if (many - 1 - i) % step == 0]
    found = []
    for point in chosen:
        place = mark.place if point is curve.points[-1] else point.mean
        level, low, high = (_rounded(p, metre) for p in (place, place - point.sigma, place + point.sigma))
        found.append(CurvePoint(iso(point.ended), level, low, high))
    return found


def _often_met(standing: LevelStanding, person: str) -> list[tuple[str, int]]:
    """Return the people with whom a person has played most of the counted games."""
    met: dict[str, int] = {}
    for game in standing.games:
        there = game.people()
        if person in there:
            for other in there:
                if other != person and not is_bot(other) and not other.startswith(rows.FORGOTTEN_PREFIX):
                    met[other] = met.get(other, 0) + 1
    return sorted(met.items(), key=lambda one: (-one[1], one[0]))[: 4 * MOST_OPPONENTS]


def _opponents(connection: sa.Connection, met: list[tuple[str, int]], open_alone: bool) -> list[Opponent]:
    """Return what is said of people often met; `open_alone`: only of those who show their levels to anybody."""
    shown = rows.shows_of(connection, [person for person, _ in met])
    query = sa.select(people_table.c.id, people_table.c.name, people_table.c.mark)
    there = {row.id: row for row in connection.execute(query.where(people_table.c.id.in_([one for one, _ in met])))}
    found = []
    for person, games in met:
        wish, page = shown.get(person, (rows.USUAL_SHOWS, ""))
        if person in there and there[person].name and (wish == "anyone" or not open_alone):
            mark = avatars.parsed_avatar(there[person].mark)
            found.append(Opponent(there[person].name, mark, games, page if wish == "anyone" else ""))
    return found[:MOST_OPPONENTS]


async def _levels_of(levels: LevelService, person: str, you: bool) -> LevelsOf:
    games = []
    for game in game_ids():
        standing = await levels.of(game)
        if (curve := standing.curves.get(person)) is not None or you:
            met = _often_met(standing, person)
            known = await levels.database.read(partial(_opponents, met=met, open_alone=not you)) if met else []
            games.append(_level(game, curve, standing.marks.get(person), known))
    games.sort(key=lambda one: (-one.games, one.game))

    def job(connection: sa.Connection) -> LevelsOf:
        shows, page = rows.shows(connection, person)
        row = connection.execute(
            sa.select(people_table.c.name, people_table.c.mark).where(people_table.c.id == person)
        ).one()
        return LevelsOf(
            row.name,
            avatars.parsed_avatar(row.mark),
            you,
            shows,
            page if shows != "me" else "",
            list(rung_names()),
            games,
            reliability(connection, person),
            True,
        )

    return await levels.database.read(job)


@get("/api/levels/me", summary="My levels", endpoint=Endpoint(PERSON, rows=MARKS))
async def my_levels(request: AnyRequest, levels: NamedDependency[LevelService]) -> LevelsOf:
    """Return how I stand in each game, and who may see it."""
    _must_be_on(levels.settings)
    return await _levels_of(levels, asker(request).id, True)


@put(
    "/api/levels/me",
    status_code=200,
    summary="Who may see my levels",
    endpoint=Endpoint(PERSON, body=SMALL_BODY, rows=("level_people", *MARKS)),
)
async def show_levels(
    request: AnyRequest, levels: NamedDependency[LevelService], data: JSONBody[ShowLevels]
) -> LevelsOf:
    """Set who may see my levels. Whenever I close my page its address lapses."""
    _must_be_on(levels.settings)
    me = asker(request).id
    await levels.database.write(partial(rows.set_shows, person=me, wish=data.shows))
    return await _levels_of(levels, me, True)


@get("/api/levels/people/{page:str}", summary="The levels of a person", endpoint=Endpoint(PERSON, rows=MARKS))
async def levels_of_person(request: AnyRequest, levels: NamedDependency[LevelService], page: FromPath[str]) -> LevelsOf:
    """Return how a person stands who lets me see it."""
    _must_be_on(levels.settings)
    me = asker(request).id

    def find(connection: sa.Connection) -> str | None:
        person = rows.person_of_page(connection, page[:40])
        return person if person is not None and may_see(connection, me, person) else None

    person = await levels.database.read(find)
    if person is None:
        raise _unknown_page()
    return await _levels_of(levels, person, person == me)


def may_see(connection: sa.Connection, asker: str | None, person: str) -> bool:
    """Whether somebody may see a person's levels."""
    if asker == person:
        return True
    wish, _ = rows.shows(connection, person)
    return wish == "anyone" or (wish == "known" and asker is not None and rows.have_played(connection, asker, person))


@get("/api/tables/{table_id:str}/levels", summary="The people of a table", endpoint=Endpoint(INVITED, rows=MARKS))
async def levels_of_table(
    request: AnyRequest, levels: NamedDependency[LevelService], table_id: FromPath[str]
) -> TableLevels:
    """Return what the people of a table let be seen, to those who may look on: their level; at a table that anyone may
    join, also how their last games went."""
    _must_be_on(levels.settings)
    table: Table = request.scope["state"][TABLE_KEY]
    me: Person | None = request.scope["state"][PERSON_KEY]
    metre = metre_of(table.game)
    standing = await levels.of(table.game) if metre.usable else None
    strangers = table.policy.join == "anyone" or table.policy.terms is not None

    def job(connection: sa.Connection) -> list[SeatLevel]:
        found = []
        for seat in table.seats:
            if seat.kind != "human" or seat.person is None or seat.guardian is not None:
                continue
            shown = may_see(connection, me.id if me is not None else None, seat.person)
            curve = standing.curves.get(seat.person) if shown and standing is not None else None
            mark = standing.marks.get(seat.person) if standing is not None else None
            _, page = rows.shows(connection, seat.person)
            last = reliability(connection, seat.person) if strangers else None
            games = len(curve.points) if curve is not None else 0
            one = SeatLevel(seat.seat, None, None, None, games, page if shown else "", last)
            if curve is not None and mark is not None and is_sure(curve, metre):
                one.level, one.low, one.high = _shown(curve, mark, metre)
            found.append(one)
        return found

    return TableLevels(list(rung_names()), await levels.database.read(job), why_not_begun(table))


ROUTES = (my_levels, show_levels, levels_of_person, levels_of_table)
