"""`/api/day`: each day's deal of each game, the same for everybody, and its results.

Of a deal that anybody may still play so that it counts everybody is told nothing but a hash (`rules.closed`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import date, timedelta
from functools import partial

import msgspec
import sqlalchemy as sa
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

import ziggurat
from ziggurat.bots import searches
from ziggurat.bots.levels import LEVELS
from ziggurat.core.replay import seed_hash
from ziggurat.server.api.endpoints import ANYONE, NEWCOMER, SMALL_BODY, TABLE_ROWS, Endpoint
from ziggurat.server.api.requests import AnyRequest
from ziggurat.server.api.schemas import TableInfo, table_info
from ziggurat.server.api.sessions import address, current_person, require_person
from ziggurat.server.api.tables import MAKING_COST_FACTOR, dealing
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.features.daily import rows as daily_store
from ziggurat.server.features.daily import rules as daily
from ziggurat.server.features.daily.rules import DailyOutcome, PlayDeal, Try, TryStatus
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.table_service import TableService


class SeedCommitment(msgspec.Struct):
    """The commitment to the seed of a daily deal: SHA-256 of `salt` followed by `seed`, published the day before, and
    both of them from the day `opens` on, when no try of it counts any more. No hash: on a machine that nobody else can
    reach a deal follows from its date alone.
    """

    game: str
    day: str
    opens: str
    seed_hash: str | None
    seed: str | None
    salt: str | None


class FriendResult(msgspec.Struct):
    """The result of a person with whom I have played."""

    name: str
    outcome: DailyOutcome


class BotResult(msgspec.Struct):
    """A bot's result in a deal where I sat; null: it still thinks."""

    bot: str
    outcome: DailyOutcome | None


class ScoreDistribution(msgspec.Struct):
    """The distribution of scores in a deal. `points`: how many people have how many points, myself among them."""

    points: list[tuple[int, int]]
    friends: list[FriendResult]
    bots: list[BotResult]


class DealInfo(msgspec.Struct):
    """A deal, as far as I may know it. `table`: where I played it. `closed`: no try of it counts any more, so that its
    moves can be looked at, its file had, and everybody may play it for nothing; that is from the day `sealed.opens` on.
    """

    day: str
    closed: bool
    seat: int
    sealed: SeedCommitment
    standing: TryStatus
    table: str | None
    outcome: DailyOutcome | None
    world: ScoreDistribution | None


class CalendarEntry(msgspec.Struct):
    """My result in the deal of a day."""

    day: str
    standing: TryStatus
    outcome: DailyOutcome | None


class DayInfo(msgspec.Struct):
    """The deals of a game. `lone`: they follow from their dates alone. `back`: the clock was set back, for the deal of
    that day was begun already. `archive`: my tries, the newest first; `first`: the earliest day that can be played."""

    game: str
    bot: str
    players: int
    lone: bool
    ready: bool
    back: str | None
    today: DealInfo
    tomorrow: SeedCommitment
    before: list[SeedCommitment]
    """Yesterday's, which still counts for those who have begun it, and the last one that is closed."""
    archive: list[CalendarEntry]
    first: str
    row: int
    """For how many days in a row I have finished the day's deal, up to now."""
    best: int


def _days(today: date) -> list[date]:
    """Return the days of an answer: from the last closed one to tomorrow."""
    return [today + timedelta(n) for n in range(-daily.GRACE_DAYS - 1, 2)]


async def _seeds(table_service: TableService, game: str, days: Iterable[date]) -> dict[date, daily_store.DailySeed]:
    """Return the seeds of these days' deals; the first request fixes them."""
    wanted = [*days]
    found = await table_service.database.read(partial(daily_store.seeds, game=game, days=wanted))
    if len(found) < len(wanted):
        found = await table_service.database.write(
            partial(daily_store.fix, game=game, days=wanted, lone=table_service.settings.lone)
        )
    return found


def _commitment(game: str, day: date, today: date, daily_seed: daily_store.DailySeed) -> SeedCommitment:
    seed, salt = daily_seed.keys
    told = daily.closed(day, today)
    return SeedCommitment(
        game,
        f"{day}",
        f"{daily.opens(day)}",
        None if daily_seed.lone else seed_hash(seed, salt),
        seed.hex() if told else None,
        salt.hex() if told else None,
    )


@get(
    "/api/day",
    summary="What the deals of these days follow from",
    endpoint=Endpoint(ANYONE, rows=("deals",)),
)
async def get_day(table_service: NamedDependency[TableService]) -> list[SeedCommitment]:
    """Return the commitments to all games' deals, from the last closed one to tomorrow's, and that one's seed and
    salt."""
    today = await table_service.database.read(daily_store.today)
    found = []
    for game in ziggurat.registered_games():
        seeds = await _seeds(table_service, game, _days(today))
        found += [_commitment(game, day, today, daily_seed) for day, daily_seed in sorted(seeds.items())]
    return found


def _distribution(connection: sa.Connection, game: str, day: date, person: str) -> ScoreDistribution:
    friends = [FriendResult(name, outcome) for name, outcome in daily_store.friends(connection, game, day, person)]
    bots = sorted(
        daily_store.bots(connection, game, day), key=lambda one: LEVELS.index(one[0]) if one[0] in LEVELS else -1
    )
    return ScoreDistribution(
        daily_store.points(connection, game, day), friends, [BotResult(bot, outcome) for bot, outcome in bots]
    )


def _deal(
    connection: sa.Connection,
    game: str,
    day: date,
    today: date,
    daily_seed: daily_store.DailySeed,
    tried: Try | None,
    person: str,
) -> DealInfo:
    stands = daily.standing(tried, today)
    return DealInfo(
        f"{day}",
        daily.closed(day, today),
        daily.seat_of(day),
        _commitment(game, day, today, daily_seed),
        stands,
        tried.table if tried else None,
        tried.outcome if tried else None,
        _distribution(connection, game, day, person) if daily.may_see(stands, day, today) else None,
    )


@get("/api/day/{game_id:str}", summary="The day's deal of a game", endpoint=Endpoint(ANYONE, rows=("deals",)))
async def get_deals(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    compiled_rules: NamedDependency[CompiledRules],
    game_id: FromPath[str],
) -> DayInfo:
    """Return today's deal, my earlier results, and the others' results, as far as I may know them."""
    game = ziggurat.game(game_id).id
    person = await current_person(request, table_service.database)
    me = person.id if person else ""
    today = await table_service.database.read(daily_store.today)
    seeds = await _seeds(table_service, game, _days(today))

    def job(connection: sa.Connection) -> DayInfo:
        mine = daily_store.of_person(connection, game, me)
        tried = next((one for one in mine if one.day == today), None)
        back = daily_store.latest(connection, game, today)
        row, best = daily.streaks([one.day for one in mine if one.counts], today)
        first = today - timedelta(daily.DEAL_KEPT_DAYS)
        return DayInfo(
            game,
            daily.DEAL_BOT,
            daily.DEAL_PLAYERS,
            seeds[today].lone,
            _ready(compiled_rules, game),
            f"{back}" if back else None,
            _deal(connection, game, today, today, seeds[today], tried, me),
            _commitment(game, today + timedelta(1), today, seeds[today + timedelta(1)]),
            [_commitment(game, day, today, seeds[day]) for day in reversed(_days(today)) if day < today],
            [
                CalendarEntry(f"{one.day}", daily.standing(one, today), one.outcome)
                for one in reversed(mine)
                if first <= one.day < today
            ],
            f"{first}",
            row,
            best,
        )

    return await table_service.database.read(job)


@get(
    "/api/day/{game_id:str}/{day:str}",
    summary="The deal of an earlier day",
    endpoint=Endpoint(ANYONE, rows=("deals",)),
)
async def get_deal(
    request: AnyRequest, table_service: NamedDependency[TableService], game_id: FromPath[str], day: FromPath[str]
) -> DealInfo:
    """Return a deal, my result, and the others' results, as far as I may know them."""
    game, which = ziggurat.game(game_id).id, daily.read_day(day)
    person = await current_person(request, table_service.database)
    me = person.id if person else ""
    today = await table_service.database.read(daily_store.today)
    daily.must_be_there(which, today)
    daily_seed = (await _seeds(table_service, game, [which]))[which]

    def job(connection: sa.Connection) -> DealInfo:
        return _deal(connection, game, which, today, daily_seed, daily_store.tried(connection, game, which, me), me)

    return await table_service.database.read(job)


def _ready(compiled_rules: CompiledRules, game: str) -> bool:
    return not searches(daily.DEAL_BOT, ziggurat.game(game)) or compiled_rules.can_search(game)


async def _tried(table_service: TableService, game: str, day: date, person: str) -> Table | None:
    """Return the table of a person's try that still counts; refuse a person who has finished today's deal."""
    today = await table_service.database.read(daily_store.today)
    tried = await table_service.database.read(partial(daily_store.tried, game=game, day=day, person=person))
    stands = daily.standing(tried, today)
    if tried is not None and stands == "begun":
        return await table_service.get(tried.table)
    if tried is not None and day == today:
        again = daily.opens(day)
        says = f"You have played today's deal; there is one try. From {again} (UTC) on it can be played for nothing."
        raise Problem(409, "deal_tried", says, table=tried.table, opens=f"{again}")
    return None


@post(
    "/api/day/{game_id:str}",
    summary="Play a deal",
    endpoint=Endpoint(NEWCOMER, body=SMALL_BODY, rows=(*TABLE_ROWS, "tries", "rungs", "deals")),
)
async def play_deal(
    request: AnyRequest,
    table_service: NamedDependency[TableService],
    rate_limits: NamedDependency[RateLimits],
    compiled_rules: NamedDependency[CompiledRules],
    game_id: FromPath[str],
    data: JSONBody[PlayDeal],
) -> TableInfo:
    """Make a table with today's deal, once, or with a closed one, for nothing; a begun try is continued."""
    game, day = ziggurat.game(game_id).id, daily.read_day(data.day)
    today = await table_service.database.read(daily_store.today)
    daily.must_be_there(day, today)
    visitor, at = await current_person(request, table_service.database), address(request)
    if visitor is not None and (table := await _tried(table_service, game, day, visitor.id)) is not None:
        return table_info(table, visitor.id, table_service.bus)
    if day < today:
        daily.must_be_closed(day, today)
    if not _ready(compiled_rules, game):
        says = "The bots of the day's deal are still being prepared; try again in a minute."
        raise Problem(503, "deal_not_ready", says, **{RETRY_KEY: 60})
    if day == today and (
        back := await table_service.database.read(partial(daily_store.latest, game=game, today=today))
    ):
        says = f"The clock was set back: it says {today}, and the deal of {back} was begun already. Nothing is lost."
        raise Problem(409, "clock_back", says, today=f"{today}", day=f"{back}")
    await table_service.must_have_room(visitor.id if visitor else "", at)
    keys = (await _seeds(table_service, game, [day]))[day].keys
    share = rate_limits.share(at)
    async with share.line, dealing:
        person = visitor or await require_person(request, table_service.database, rate_limits)
        making = partial(daily.deal, game, day, keys, person, data.pace)
        table = await share.counted(asyncio.to_thread, making, MAKING_COST_FACTOR)
    rate_limits.note_client(person.id, at)
    if day < today:
        return table_info(await table_service.add(table, at), person.id, table_service.bus)
    return table_info(await _try(table_service, table, person, at), person.id, table_service.bus)


async def _try(table_service: TableService, table: Table, person: Person, address: str) -> Table:
    """Write a try; where the person asked twice at the same moment, return the first one."""
    assert table.deal is not None
    try:
        return await table_service.add(
            table, address, partial(daily_store.begin, bots=LEVELS if table_service.settings.deal_bots else ())
        )
    except sa.exc.IntegrityError:
        first = await _tried(table_service, table.game, date.fromisoformat(table.deal), person.id)
        if first is None:
            raise
        return first


ROUTES = (get_day, get_deals, get_deal, play_deal)
