"""The loop of all work beside the requests: what it does when something fails, and that every service uses it."""

from __future__ import annotations

import ast
import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import asyncpg
import pytest
import sqlalchemy as sa

from ziggurat.server import services
from ziggurat.server.features.daily.bots import DailyBotRuns
from ziggurat.server.features.notifications.notifier import Notifier
from ziggurat.server.features.notifications.subscriptions import subscriptions_of
from ziggurat.server.problems import Problem
from ziggurat.server.services import background
from ziggurat.server.services.background import Background, Failures
from ziggurat.server.services.bot_turns import BotTurns
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.clocks import Clocks
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.housekeeping import Housekeeping
from ziggurat.server.services.postgres_bus import PostgresBus
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.postgres import PostgresDatabase, reachable
from ziggurat.server.store.sqlite import SqliteDatabase

REFUSED = Problem(409, "rules_changed", "The rules have changed.")
AWAY = sa.exc.OperationalError("SELECT", {}, OSError("no route"))
WRONG = sa.exc.ProgrammingError("SELEKT", {}, Exception("no such table"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails is tried again after 10 ms, and after 80 ms at most."""
    monkeypatch.setattr(background, "FIRST_PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(background, "LONGEST_PAUSE_SECONDS", 0.08)


class Script:
    """Work that does, time after time, what is written: fails, or says when it is to be done again. At the end it
    rests."""

    def __init__(self, *acts: Exception | float | None) -> None:
        self.acts: Iterator[Exception | float | None] = iter(acts)
        self.times: list[float] = []

    async def __call__(self) -> float | None:
        self.times.append(time.monotonic())
        act = next(self.acts, None)
        if isinstance(act, Exception):
            raise act.with_traceback(None)  # as one that was made now
        return act

    @property
    def pauses(self) -> list[float]:
        return [after - before for before, after in zip(self.times, self.times[1:], strict=False)]


@asynccontextmanager
async def going(script: Script, first: float = 0.0) -> AsyncIterator[Background]:
    loop = Background("work", script, first=first)
    loop.open()
    try:
        yield loop
    finally:
        await loop.close()


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not done():
            await asyncio.sleep(0.002)


def logged(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == level]


# --- One failure of each kind ---


@pytest.mark.parametrize(
    ("error", "level", "says"),
    [
        (REFUSED, logging.WARNING, "work: a table was left as it is"),
        (WRONG, logging.ERROR, "unexpected ProgrammingError"),
        (ValueError("a secret"), logging.ERROR, "unexpected ValueError"),
        (OSError("a file"), logging.ERROR, "unexpected OSError"),
    ],
    ids=["refused", "statement", "ours", "file"],
)
async def test_a_failure_is_logged_as_what_it_is_and_the_work_goes_on(
    error: Exception, level: int, says: str, caplog: pytest.LogCaptureFixture
) -> None:
    script = Script(error, error, error)
    async with going(script):
        await until(lambda: len(script.times) == 4)
    assert [record.levelno for record in caplog.records] == [level], "once"
    message = caplog.records[0].getMessage()
    assert message.startswith(says)
    assert "secret" not in message


async def test_a_database_that_is_away_is_not_logged_by_every_loop(caplog: pytest.LogCaptureFixture) -> None:
    """The database itself has done so, once for all."""
    script = Script(AWAY, AWAY)
    async with going(script):
        await until(lambda: len(script.times) == 3)
    assert caplog.records == []


async def test_another_kind_is_logged_too_and_the_same_again_when_all_went_well(
    caplog: pytest.LogCaptureFixture,
) -> None:
    script = Script(REFUSED, WRONG, REFUSED, WRONG, 0.0, REFUSED, REFUSED)
    async with going(script):
        await until(lambda: len(script.times) == 8)
    kinds = [record.levelname for record in caplog.records]
    assert kinds == ["WARNING", "ERROR", "WARNING"]


async def test_what_fails_again_and_again_is_tried_less_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "FIRST_PAUSE_SECONDS", 0.05)
    monkeypatch.setattr(background, "LONGEST_PAUSE_SECONDS", 0.4)
    script = Script(*[AWAY] * 5, 0.0, AWAY)
    async with going(script):
        await until(lambda: len(script.times) == 8)
    pauses = script.pauses
    for pause, least in zip(pauses, (0.05, 0.1, 0.2, 0.4, 0.4), strict=False):
        assert pause >= least * 0.9
    assert pauses[4] < 0.75, "no longer than the longest"
    assert pauses[5] < 0.3, "after it went well it goes on as before"
    assert pauses[6] < 0.3, "and begins with the shortest"


async def test_a_single_failure_concerns_nothing_else(caplog: pytest.LogCaptureFixture) -> None:
    """Ten tables that cannot be read are one line, until a round without any."""
    failures = Failures("work")

    async def fails() -> None:
        raise REFUSED

    for _ in range(10):
        await failures.attempt(fails())
    failures.round()
    await failures.attempt(fails())
    failures.round()
    assert len(logged(caplog, logging.WARNING)) == 1
    failures.round()
    await failures.attempt(fails())
    assert len(logged(caplog, logging.WARNING)) == 2


async def test_what_fails_for_good_hides_nothing_that_comes_and_goes(caplog: pytest.LogCaptureFixture) -> None:
    """One table that can never be read: what comes again is logged again all the same, and the table once."""
    passing = Problem(409, "passing", "Not now.")
    script = Script(0.0, 0.0, passing, passing, 0.0, 0.0, passing, passing, 0.0, 0.0)

    async def refused() -> None:
        raise REFUSED

    async def work() -> float | None:
        await loop.failures.attempt(refused())
        return await script()

    loop = Background("work", work)
    loop.open()
    await until(lambda: len(script.times) == 11)
    await loop.close()
    said = logged(caplog, logging.WARNING)
    assert [sum(word in line for line in said) for word in ("rules_changed", "passing")] == [1, 2], said


# --- When it is done ---


async def test_it_is_done_again_after_what_it_says() -> None:
    script = Script(0.03, 0.0)
    async with going(script, first=0.02):
        assert script.times == []
        await until(lambda: len(script.times) == 3)
    assert script.pauses[0] >= 0.027


async def test_it_is_done_when_it_is_woken_also_while_it_works() -> None:
    script = Script()
    async with going(script) as loop:
        await until(lambda: len(script.times) == 1)
        await asyncio.sleep(0.05)
        assert len(script.times) == 1, "it rests"
        loop.wake()
        await until(lambda: len(script.times) == 2)
    begun, go_on, times = asyncio.Event(), asyncio.Event(), 0

    async def slow() -> None:
        nonlocal times
        times += 1
        begun.set()
        await go_on.wait()

    busy = Background("work", slow)
    busy.open()
    await begun.wait()
    busy.wake()  # what it is to see may have come after it looked
    go_on.set()
    await until(lambda: times == 2)
    await busy.close()


async def test_who_wakes_it_does_not_try_what_fails_any_sooner() -> None:
    script = Script(*[AWAY] * 4)
    async with going(script) as loop:
        while len(script.times) < 5:
            loop.wake()
            await asyncio.sleep(0.001)
    assert script.pauses[3] >= 0.07


# --- Stopping ---


async def test_it_stops_at_once_wherever_it_is() -> None:
    started = asyncio.Event()

    async def endless() -> None:
        started.set()
        await asyncio.sleep(3600)

    works = Background("work", endless)
    rests = Background("work", Script())
    fails = Background("work", Script(*[AWAY] * 1000))
    waits = Background("work", Script(), first=3600)
    for loop in (works, rests, fails, waits):
        loop.open()
    await started.wait()
    async with asyncio.timeout(1):
        for loop in (works, rests, fails, waits):
            await loop.close()
    assert not [task for task in asyncio.all_tasks() if task.get_name() == "work"]


@pytest.mark.parametrize("ends", [0.0, 3600.0, None, AWAY], ids=["again", "later", "rests", "fails"])
async def test_it_stops_although_the_work_swallows_that_it_was_cancelled(
    ends: Exception | float | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver may say of a statement that is broken off that the database failed."""
    monkeypatch.setattr(background, "FIRST_PAUSE_SECONDS", 3600.0)
    started = asyncio.Event()

    async def deaf() -> float | None:
        if started.is_set():
            await asyncio.sleep(3600)
        started.set()
        with suppress(asyncio.CancelledError):
            await asyncio.sleep(3600)
        if isinstance(ends, Exception):
            raise ends.with_traceback(None)
        return ends

    loop = Background("work", deaf)
    loop.open()
    await started.wait()
    async with asyncio.timeout(1):
        await loop.close()


async def test_it_goes_on_when_what_the_work_waits_for_is_cancelled(caplog: pytest.LogCaptureFixture) -> None:
    """Otherwise it would be over, and nobody told."""
    times = 0

    async def work() -> None:
        nonlocal times
        times += 1
        if times == 1:
            other = asyncio.create_task(asyncio.sleep(3600))
            asyncio.get_running_loop().call_soon(other.cancel)
            await other

    loop = Background("work", work)
    loop.open()
    await until(lambda: times == 2)
    await loop.close()
    assert [message.partition("\n")[0] for message in logged(caplog, logging.ERROR)] == ["unexpected CancelledError"]


async def test_who_is_cancelled_while_it_closes_is_cancelled() -> None:
    """The loop swallows nobody's cancellation, neither its own nor that of whoever waits for its end."""
    started, go_on = asyncio.Event(), asyncio.Event()

    async def slow_to_end() -> None:
        started.set()
        try:
            await asyncio.sleep(3600)
        finally:
            await go_on.wait()

    loop = Background("work", slow_to_end)
    loop.open()
    await started.wait()
    closing = asyncio.create_task(loop.close())
    await asyncio.sleep(0.01)
    closing.cancel()
    go_on.set()
    with pytest.raises(asyncio.CancelledError):
        await closing
    await until(lambda: not [task for task in asyncio.all_tasks() if task.get_name() == "work"])


async def test_a_loop_that_never_began_can_be_closed() -> None:
    await Background("work", Script()).close()


# --- Every service ---


def parts(settings: Settings, database: Database) -> tuple[Clocks, BotTurns, DailyBotRuns, Housekeeping, Notifier]:
    """Every service with a loop that a worker has on SQLite."""
    bus, compiled_rules, pool, limits = Bus(settings), CompiledRules(settings), SearchPool(1), RateLimits(settings)
    table_service = TableService(settings, database, bus, compiled_rules)
    bots = Bots(compiled_rules, pool, limits)
    return (
        Clocks(settings, table_service),
        BotTurns(settings, table_service, bus, bots, limits),
        DailyBotRuns(table_service, bus, compiled_rules, pool, bots),
        Housekeeping(settings, table_service),
        Notifier(settings, table_service),
    )


def loops(settings: Settings, database: Database) -> dict[str, Background]:
    """The loop of each service."""
    clocks, turns, daily_bots, housekeeping, notifier = parts(settings, database)
    nowhere = Settings(database_url="postgresql://nobody@127.0.0.1:1/none", prepare=False)
    return {
        "clocks": clocks._loop,
        "turns": turns._sweeper,
        "daily_bots": daily_bots._loop,
        "housekeeping": housekeeping._loop,
        "notifier": notifier._loop,
        "postgres_bus": PostgresBus(nowhere, PostgresDatabase(nowhere))._listener,
    }


@pytest.mark.parametrize("name", ["clocks", "turns", "daily_bots", "housekeeping", "notifier", "postgres_bus"])
async def test_a_database_that_is_away_is_no_mistake_of_a_service(
    name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Its file is in no folder, its server on no port: nothing of the database is imitated."""
    settings = Settings(data=tmp_path / "none", prepare=False)
    database = open_database(settings)
    await database.open()
    loop = loops(settings, database)[name]
    loop._first = 0.0
    try:
        loop.open()
        await until(lambda: bool(caplog.records))
        await asyncio.sleep(0.3)
    finally:
        await loop.close()
        await database.close()
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith("outage: the database cannot be used (")


async def test_a_turn_at_one_table_does_not_take_it_for_a_mistake_either(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(data=tmp_path / "none", prepare=False)
    bus, compiled_rules, limits = Bus(settings), CompiledRules(settings), RateLimits(settings)
    database = open_database(settings)
    table_service = TableService(settings, database, bus, compiled_rules)
    turns = BotTurns(settings, table_service, bus, Bots(compiled_rules, SearchPool(1), limits), limits)
    for look in bus.on_followed:
        look("abc")  # somebody looks on where bots play
    for again in bus.on_gap:
        again()
    await until(lambda: bool(caplog.records))
    await asyncio.gather(*turns._looks, *subscriptions_of(table_service)._tasks)
    [line] = [record.getMessage() for record in caplog.records]
    assert line.startswith("outage: the database cannot be used (")
    await database.close()


async def test_every_service_can_be_closed_while_the_database_is_away(tmp_path: Path) -> None:
    """What is closed after one that fails at it would stay open."""
    settings = Settings(data=tmp_path / "data", prepare=False)
    settings.data.mkdir()
    database = open_database(settings)
    await migrate(database, None)
    await database.open()
    services = parts(settings, database)
    for service in services:
        await service.open()
    assert isinstance(database, SqliteDatabase)
    database.engine.dispose()  # whoever wants something has to open the file
    settings.data.rename(tmp_path / "gone")
    try:
        for service in services:
            await service.close()
    finally:
        await database.close()


def test_what_postgresql_says_of_a_connection_that_ends_is_trouble_of_the_database() -> None:
    for error in (asyncpg.ConnectionDoesNotExistError(), asyncpg.InterfaceError("closed"), ConnectionRefusedError()):
        with pytest.raises(sa.exc.OperationalError), reachable():
            raise error


def test_no_service_has_a_loop_of_its_own() -> None:
    """Nothing but `background` tries, logs and sleeps again and again."""
    own = []
    server = Path(services.__file__).parents[1]
    for file in sorted([*server.glob("services/*.py"), *server.glob("features/*/*.py")]):
        tree = ast.parse(file.read_text())
        asynchronous = [node for node in ast.walk(tree) if isinstance(node, ast.AsyncFunctionDef)]
        for node in (node for function in asynchronous for node in ast.walk(function)):
            if isinstance(node, ast.While):
                handlers = [part for part in ast.walk(node) if isinstance(part, ast.ExceptHandler)]
                caught = {ast.unparse(handler.type) if handler.type else "all" for handler in handlers}
                if caught & {"all", "Exception", "BaseException"} or any("DBAPIError" in one for one in caught):
                    own.append(file.name)
    assert own == ["background.py"]
