"""What a deal is, whom it counts for, and what is kept of it: without a server, in a time of the tests' own."""

from __future__ import annotations

import dataclasses
from datetime import date, timedelta
from functools import partial

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, first_move, needs
from tests.server.fixtures import MOSTLY_SQLITE, own_on_both
from tests.server.test_undo_rules import whole_move

from ziggurat import Position
from ziggurat.bots.levels import LEVELS
from ziggurat.core.replay import seed_hash
from ziggurat.server.domain.chance import chance
from ziggurat.server.domain.move import move, play
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seat_transfer import transferable_seat
from ziggurat.server.domain.table import Result, Table
from ziggurat.server.domain.undo import can_undo, undo
from ziggurat.server.domain.votes import ask_end
from ziggurat.server.features.daily import bots as daily_bots
from ziggurat.server.features.daily import rows as daily_store
from ziggurat.server.features.daily import rules as daily
from ziggurat.server.features.daily.models import tries
from ziggurat.server.features.daily.rules import DailyOutcome, Try
from ziggurat.server.problems import Problem
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import ClientKey, RateLimits
from ziggurat.server.services.search_pool import BACKGROUND_CLIENT, SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import accounts, log, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.models import seats

DATABASES = MOSTLY_SQLITE
ANN, BOB, CAT = (Person(name.lower(), name, "en") for name in ("Ann", "Bob", "Cat"))
TODAY = date(2026, 11, 24)


def ago(days: int) -> date:
    return TODAY - timedelta(days)


def dealt(person: Person = ANN, day: date = TODAY, game: str = EXAMPLE) -> Table:
    return daily.deal(game, day, daily.keys("secret", game, day), person, "instant")


def over(table: Table, points: int = 50) -> Table:
    """The table at the end of a game, with so many points for the person and 40 for the others."""
    scores = [points if seat.kind == "human" else 40 for seat in table.seats]
    winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
    return table.after("move", status="finished", result=Result(scores, winners))


def test_everybody_has_the_same_shuffle_and_nobody_knows_it_before() -> None:
    one, other = dealt(ANN), dealt(BOB)
    assert (one.seed, one.salt, one.seats[daily.seat_of(TODAY)].person) == (other.seed, other.salt, "ann")
    assert [event.text for event in one.changes[-1].events] == [event.text for event in other.changes[-1].events]
    keys = {daily.keys(secret, game, day) for secret in (None, "a", "b") for game in "xy" for day in (TODAY, ago(1))}
    assert len(keys) == 12, "another secret, game or day is another shuffle"
    assert daily.keys(None, EXAMPLE, TODAY) == daily.keys(None, EXAMPLE, TODAY), "from the date alone"
    assert {daily.seat_of(ago(n)) for n in range(4)} == {0, 1, 2, 3}


@needs("ginkgopolis")  # where all choose at once
def test_people_go_first_where_several_decide() -> None:
    """Or whoever answers faster would draw other cards."""
    table, mine, together = dealt(game="ginkgopolis"), daily.seat_of(TODAY), 0
    for _ in range(40):
        seat = table.bot_due
        together += len(table.actors) > 1
        assert (seat is None) == (mine in table.actors)
        seat = mine if seat is None else seat
        table = play(table, seat, whole_move(table, seat))
    assert together > 10


def test_chance_follows_from_the_seed_the_seat_and_the_number_of_the_move() -> None:
    table = dealt()
    before = chance(table, 1)
    assert len(before) == 32
    assert chance(table, 2) != before
    assert chance(dealt(day=ago(1)), 1) != before
    moves = table.changes[-1], dataclasses.replace(table.changes[-1], kind="move", seat=2)
    assert chance(dataclasses.replace(table, changes=moves), 1) == before, "others' moves change nothing"
    moved = dataclasses.replace(table, changes=(*moves, dataclasses.replace(moves[1], seat=1)))
    assert chance(moved, 1) != before


def test_nothing_is_taken_back_handed_on_or_ended() -> None:
    table, mine = dealt(), daily.seat_of(TODAY)
    while mine not in table.actors:
        seat = table.bot_due
        assert seat is not None
        table = play(table, seat, whole_move(table, seat))
    table = move(table, mine, "first", table.seq, whole_move(table, mine))
    assert can_undo(table, mine) is None
    for refused in (
        lambda: undo(table, mine, "u"),
        lambda: ask_end(table, mine, "e"),
        lambda: transferable_seat(table, "ann"),
    ):
        with pytest.raises(Problem) as problem:
            refused()
        assert problem.value.code == "deal_stands"
    assert not table.hints


def test_how_a_game_ended() -> None:
    assert daily.outcome(Result([50, 60, 40, 10], [1]), 0) == DailyOutcome(50, 2, -10)
    assert daily.outcome(Result([60, 60, 40, 10], [1]), 0) == DailyOutcome(60, 2, 0), "by what the rules say besides"
    assert daily.outcome(Result([60, 60, 40, 10], [0, 1]), 0) == DailyOutcome(60, 1, 0)
    assert daily.outcome(Result([60, 60, 60, 10], [1]), 3) == DailyOutcome(10, 4, -50)


def test_when_a_try_counts_and_who_may_see_what_others_did() -> None:
    def stands(days: int, counts: bool | None = None) -> str:
        tried = Try(ago(days), "t", DailyOutcome(1, 1, 1) if counts is not None else None, counts)
        return daily.standing(tried, TODAY)

    assert [stands(days) for days in (-1, 0, 1, 2)] == ["begun", "begun", "begun", "given_up"]
    assert (stands(0, True), stands(3, False), daily.standing(None, TODAY)) == ("done", "late", "new")
    assert [daily.in_time(ago(days), TODAY) for days in (-1, 0, 1, 2)] == [True, True, True, False]
    assert [daily.may_see("new", ago(days), TODAY) for days in (-1, 0, 1, 2)] == [False, False, False, True]
    assert not daily.may_see("begun", ago(1), TODAY), "it may still count"
    assert daily.may_see("done", TODAY, TODAY)


def test_a_deal_is_closed_when_no_try_can_count_any_more() -> None:
    for days in range(-1, 5):
        day = ago(days)
        counts = daily.standing(Try(day, "t", None, None), TODAY) == "begun"
        assert daily.closed(day, TODAY) is (not counts)
        assert daily.closed(day, TODAY) is (daily.opens(day) <= TODAY)
        if counts:
            with pytest.raises(Problem) as problem:
                daily.must_be_closed(day, TODAY)
            assert problem.value.code == "deal_open"
        else:
            daily.must_be_closed(day, TODAY)
    assert daily.opens(TODAY) == date(2026, 11, 26)
    assert daily.closed(date.min, date.max), "whatever day somebody names"
    assert not daily.closed(date.max, TODAY)


def test_rows_of_days() -> None:
    days = [ago(n) for n in (9, 8, 7, 4, 2, 1)]
    assert daily.streaks(days, TODAY) == (2, 3), "today is not over yet"
    assert daily.streaks([*days, TODAY], TODAY) == (3, 3)
    assert daily.streaks(days, TODAY + timedelta(1)) == (0, 3)
    assert daily.streaks([], TODAY) == (0, 0)


@pytest.mark.parametrize("said", ["", "today", "2026-13-01", "20261124", "2026-W48-2", "２０２６-11-24"])
def test_a_day_that_is_none(said: str) -> None:
    with pytest.raises(Problem) as problem:
        daily.read_day(said)
    assert problem.value.code == "bad_day"


# --- What is kept ------------------------------------------------------------------------------------------------


class Calendar:
    """The clock of the database, as a test sets it."""

    def __init__(self) -> None:
        self.today = TODAY


@pytest.fixture
def calendar(monkeypatch: pytest.MonkeyPatch) -> Calendar:
    made = Calendar()
    monkeypatch.setattr(daily_store, "today", lambda _: made.today)
    return made


@pytest.fixture
async def kept(database: Database) -> Database:
    def known(connection: sa.Connection) -> None:
        for person in (ANN, BOB, CAT):
            people.insert(connection, person, person.id)

    await database.transact(known)
    return database


def begun(connection: sa.Connection, person: Person, day: date = TODAY) -> Table:
    daily_store.fix(connection, EXAMPLE, [day], lone=False)
    table = dealt(person, day)
    log.insert(connection, table)
    daily_store.begin(connection, table, LEVELS)
    return table


def tried(connection: sa.Connection, person: Person, points: int, day: date = TODAY) -> Table:
    ended = over(begun(connection, person, day), points)
    daily_store.finish(connection, ended)
    daily_store.finish(connection, over(ended, 99))
    return ended


@own_on_both
async def test_what_people_made_of_it_is_kept_once(kept: Database, calendar: Calendar) -> None:
    def job(c: sa.Connection) -> None:
        tried(c, ANN, 50)
        late = begun(c, BOB)
        calendar.today += timedelta(2)
        daily_store.finish(c, over(late, 70))
        assert daily_store.tried(c, EXAMPLE, TODAY, "bob") == Try(TODAY, late.id, DailyOutcome(70, 1, 30), False)
        mine = daily_store.tried(c, EXAMPLE, TODAY, "ann")
        assert mine is not None
        assert (mine.outcome, mine.counts) == (DailyOutcome(50, 1, 10), True), "as it ended first"
        assert daily_store.points(c, EXAMPLE, TODAY) == [(50, 1)], "what was too late is nobody's measure"
        assert len(daily_store.unplayed(c)) == len(LEVELS), "once for everybody"

    await kept.transact(job)
    with pytest.raises(sa.exc.IntegrityError):
        await kept.transact(partial(begun, person=ANN))
    assert len(await kept.transact(partial(daily_store.of_person, game=EXAMPLE, person="ann"))) == 1


async def test_friends_are_those_one_has_sat_with(kept: Database, calendar: Calendar) -> None:
    def job(c: sa.Connection) -> None:
        tried(c, BOB, 44)
        table = tried(c, ANN, 50)
        assert daily_store.friends(c, EXAMPLE, TODAY, "ann") == []
        c.execute(
            seats.insert().values(log._seat_row(table, dataclasses.replace(table.seats[0], seat=9, person="bob")))
        )
        assert daily_store.friends(c, EXAMPLE, TODAY, "ann") == [("Bob", DailyOutcome(44, 1, 4))]
        assert daily_store.friends(c, EXAMPLE, TODAY, "cat") == []

    await kept.transact(job)


@own_on_both
async def test_a_guest_becomes_a_person_with_the_try_that_ended_first(kept: Database, calendar: Calendar) -> None:
    def job(c: sa.Connection) -> None:
        first = tried(c, ANN, 50, ago(2))
        begun(c, BOB, ago(2))
        begun(c, ANN, ago(1))
        second = tried(c, BOB, 61, ago(1))
        third = begun(c, ANN)
        begun(c, BOB)
        c.execute(sa.update(tries).where(tries.c.table_id == third.id).values(begun=1.0))
        daily_store.become(c, "ann", "bob")
        assert [one.table for one in daily_store.of_person(c, EXAMPLE, "bob")] == [first.id, second.id, third.id]
        assert daily_store.of_person(c, EXAMPLE, "ann") == []
        told = accounts.everything(c, "bob")["deals"]
        assert [(one["day"], one["points"]) for one in told] == [
            (f"{ago(2)}", 50),
            (f"{ago(1)}", 61),
            (f"{TODAY}", None),
        ]
        assert not any("person" in one for one in told)
        daily_store.forget(c, "bob")
        assert accounts.everything(c, "bob")["deals"] == []

    await kept.transact(job)


async def test_a_clock_that_was_set_back(kept: Database, calendar: Calendar) -> None:
    def job(c: sa.Connection) -> None:
        tried(c, ANN, 50)
        assert daily_store.latest(c, EXAMPLE, TODAY) is None
        assert daily_store.latest(c, EXAMPLE, ago(1)) == TODAY
        assert daily_store.latest(c, EXAMPLE, ago(60)) is None, "such a clock was wrong when it said a later day"
        calendar.today = ago(1)
        assert [one.counts for one in daily_store.of_person(c, EXAMPLE, "ann")] == [True], "nothing is lost"

    await kept.transact(job)


async def test_a_deal_stays_what_it_was_when_it_was_shown_first(kept: Database) -> None:
    def job(c: sa.Connection) -> None:
        lone = daily_store.fix(c, EXAMPLE, [TODAY], lone=True)[TODAY]
        both = daily_store.fix(c, EXAMPLE, [TODAY, ago(1)], lone=False)
        assert both[TODAY] == lone == daily_store.DailySeed(True, daily.keys(None, EXAMPLE, TODAY))
        assert not both[ago(1)].lone
        assert daily_store.fix(c, EXAMPLE, [ago(1)], lone=True)[ago(1)] == both[ago(1)]
        assert seed_hash(*both[ago(1)].keys) != seed_hash(*daily.keys(None, EXAMPLE, ago(1)))

    await kept.transact(job)


@own_on_both
async def test_a_bot_plays_a_deal_once(kept: Database, calendar: Calendar) -> None:
    def job(c: sa.Connection) -> None:
        begun(c, ANN)
        assert daily_store.claim(c, EXAMPLE, TODAY, "mason", 60)
        assert not daily_store.claim(c, EXAMPLE, TODAY, "mason", 60)
        daily_store.extend_lease(c, EXAMPLE, TODAY, "mason", -1)
        assert daily_store.claim(c, EXAMPLE, TODAY, "mason", 60), "whoever played it died"
        daily_store.store_result(c, EXAMPLE, TODAY, "mason", DailyOutcome(40, 2, -3))
        daily_store.store_result(c, EXAMPLE, TODAY, "mason", DailyOutcome(41, 2, -3))
        assert "mason" not in [bot for _, _, bot in daily_store.unplayed(c)]
        assert dict(daily_store.bots(c, EXAMPLE, TODAY))["mason"] == DailyOutcome(40, 2, -3)
        calendar.today += timedelta(daily.DEAL_KEPT_DAYS + 2)
        daily_store.forget_old(c)
        assert daily_store.bots(c, EXAMPLE, TODAY) == []
        assert len(daily_store.of_person(c, EXAMPLE, "ann")) == 1, "people's tries are theirs"

    await kept.transact(job)


# --- The bots on the same seat -----------------------------------------------------------------------------------


async def test_bots_play_it_from_the_same_seat_when_nobody_else_thinks(
    kept: Database, calendar: Calendar, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, int, bytes]] = []
    spare = [False, True, True] * 100

    async def fixed(
        _: object, position: Position, seat: int, bot: str, chance: bytes, who: ClientKey
    ) -> tuple[int, ...]:
        asked.append((bot, seat, chance))
        assert who == BACKGROUND_CLIENT
        return first_move(position, seat)

    monkeypatch.setattr(Bots, "fixed", fixed)
    monkeypatch.setattr(CompiledRules, "can_search", lambda *_: True)
    monkeypatch.setattr(SearchPool, "spare", property(lambda _: spare.pop() if spare else True))
    monkeypatch.setattr(daily_bots, "FREE_PROCESS_LOOK_SECONDS", 0.0)
    await kept.transact(lambda c: daily_store.begin(c, _inserted(c), ["mason", "master"]))
    await kept.transact(lambda c: daily_store.claim(c, EXAMPLE, TODAY, "mason", 60))
    settings = Settings()
    compiled_rules, search_pool = CompiledRules(settings), SearchPool(1)
    bus = Bus(settings)
    table_service = TableService(settings, kept, bus, compiled_rules)
    worker = daily_bots.DailyBotRuns(
        table_service, bus, compiled_rules, search_pool, Bots(compiled_rules, search_pool, RateLimits(settings))
    )
    assert await worker._play_all(), "what another worker plays is left, for it may die"
    made = dict(await kept.read(partial(daily_store.bots, game=EXAMPLE, day=TODAY)))
    assert made["master"] is not None
    assert made["mason"] is None
    mine = daily.seat_of(TODAY)
    assert {(bot, seat == mine) for bot, seat, _ in asked} == {("master", True), (daily.DEAL_BOT, False)}
    assert len({chance for _, _, chance in asked}) == len(asked), "each decision has a chance of its own"
    first = {seat: chance for _, seat, chance in reversed(asked)}
    seeds = await kept.read(partial(daily_store.seeds, game=EXAMPLE, days=[TODAY]))
    theirs = daily.deal(EXAMPLE, TODAY, seeds[TODAY].keys, ANN, "calm")
    assert first == {seat: chance(theirs, seat) for seat in range(4)}, "that of the people's tables"


def _inserted(connection: sa.Connection) -> Table:
    daily_store.fix(connection, EXAMPLE, [TODAY], lone=False)
    table = dealt()
    log.insert(connection, table)
    return table
