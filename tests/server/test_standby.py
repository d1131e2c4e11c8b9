"""A restored copy does nothing by itself: no bot moves, no clock runs, nobody is told anything, nothing goes away."""

from __future__ import annotations

import ast
import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import httpx
import pytest
import sqlalchemy as sa
from tests.example import first_move
from tests.server.copied import ANN, BOB, fill, timed
from tests.server.fixtures import MOSTLY_SQLITE
from tests.server.inside import house
from tests.server.watch import Watch

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.server.domain.move import play
from ziggurat.server.services.background import Background
from ziggurat.server.services.bot_turns import BotTurns
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.clocks import BEAT_SECONDS, Clocks
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, original, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.words import words

DATABASES = MOSTLY_SQLITE
SERVER = Path(ziggurat.__file__).parent / "server"
HOUR = 3600.0

ASK = {
    "beginnings",
    "bots",
    "clocks",
    "copies",
    "daily bots",
    "frequent copies",
    "housekeeping",
    "notifications",
    "seasons",
    "standing orders",
    "upgrades",
    "who is there",
}
"""The loops that rest while the service is quiet."""
NEED_NOT = {
    "bus": "hears what other workers write",
    "presence": "tells the other workers who is here",
    "rooms": "tells the other workers who leads",
    "open tables": "reads a list",
    "monitor": "looks how much is left",
    "lag": "measures how late it is",
    "garbage": "is about the memory of the process",
    "original": "looks whether it is quiet",
    "house": "reads what hosts say",
    "new version": "asks an address that the host has named, and tells it nothing",
}
"""Those that do not, and why nobody is harmed by it."""
TASKS = {
    "advice.py:_begin": "a person asks",
    "background.py:open": "the loops above",
    "bot_turns.py:_begin": "asks",
    "bot_turns.py:_on_followed": "begins turns by `_begin` alone",
    "bot_turns.py:_play_bot": "asks before",
    "compiled_rules.py:_load": "loads rules",
    "compiled_rules.py:main": "ends with the server",
    "compiled_rules.py:open": "compiles rules",
    "notifier.py:deliver": "asks",
    "postgres_bus.py:_begin": "tells the other workers",
    "search_pool.py:_begin": "thinks about a question of the above",
    "subscriptions.py:_again": "reads who wants to be told",
    "table_service.py:change": "carries through what was asked for",
}
"""What else begins something beside in the services."""


def loops(text: str) -> Iterator[tuple[str, bool | None]]:
    """Every loop of a file by its name, and whether it asks; None: it does not say."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Background":
            said = [keyword.value for keyword in node.keywords if keyword.arg == "standby"]
            asks = None if not said else not (isinstance(said[0], ast.Constant) and said[0].value is None)
            yield ast.literal_eval(node.args[0]), asks


def begun(text: str) -> set[str]:
    """The functions of a file that begin a task or a thread."""
    found = set()
    for function in ast.walk(ast.parse(text)):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("create_task", "threading.Thread")):
                    found.add(function.name)
    return found


def test_every_loop_says_whether_it_rests_at_a_copy() -> None:
    found = dict(loop for file in SERVER.rglob("*.py") for loop in loops(file.read_text(encoding="utf-8")))
    assert {name for name, asks in found.items() if asks is None} == set(), "say standby=... (services/standby.py)"
    assert {name for name, asks in found.items() if asks} == ASK
    assert {name for name, asks in found.items() if not asks} == NEED_NOT.keys()


SENDS = {"live.py", "relay.py", "streams.py", "night.py"}
"""Of the features, what sends to those who are connected, and the process of the night."""


def test_whatever_else_is_begun_beside_is_known() -> None:
    found = {
        f"{file.name}:{name}"
        for file in [*SERVER.glob("services/*.py"), *SERVER.glob("features/*/*.py")]
        if file.name not in SENDS
        for name in begun(file.read_text(encoding="utf-8"))
    }
    assert found == TASKS.keys()


def test_a_new_loop_that_does_not_ask_is_found() -> None:
    assert list(loops('Background("letters", self._write)')) == [("letters", None)]
    assert list(loops('Background("letters", self._write, standby=None)')) == [("letters", False)]
    assert list(loops('Background("letters", self._write, standby=service.standby, first=3)')) == [("letters", True)]
    assert begun("async def write():\n    asyncio.create_task(send())\n") == {"write"}


class Silent:
    def __init__(self) -> None:
        self.on = True
        self.on_end: list[Callable[[], None]] = []


async def test_a_loop_rests_until_standby_ends() -> None:
    standby, worked = Silent(), asyncio.Event()

    async def work() -> None:
        worked.set()

    async def awake() -> None:
        other.set()

    other = asyncio.Event()
    loop, beside = Background("work", work, standby=standby), Background("beside", awake)
    loop.open()
    beside.open()
    try:
        await other.wait()
        loop.wake()
        other.clear()
        beside.wake()
        await other.wait()
        assert not worked.is_set()
        standby.on = False
        for listener in standby.on_end:
            listener()
        async with asyncio.timeout(20):
            await worked.wait()
    finally:
        await loop.close()
        await beside.close()


# --- At a copy of a database with games ---


@pytest.fixture
def settings(tmp_path: Path, own_url: str | None) -> Settings:
    return Settings(data=tmp_path, database_url=own_url, prepare=False, pace=0.0, forced=(0.0, 0.0))


@pytest.fixture
async def service(settings: Settings) -> AsyncIterator[TableService]:
    database = open_database(settings)
    await migrate(database, None)
    await database.open()
    made = TableService(settings, database, Bus(settings), CompiledRules(settings))
    yield made
    await made.settle()
    await database.close()


async def make_quiet(database: Database) -> None:
    await database.write(lambda c: original.make_standby(c, time.time(), time.time()))


async def declare(database: Database) -> None:
    await database.write(lambda c: original.make_original(c, time.time()))


@pytest.mark.slow
async def test_no_bot_moves_at_a_copy(settings: Settings, service: TableService) -> None:
    ids = await service.database.write(fill)
    limits, pool = RateLimits(settings), SearchPool(1)
    bots = Bots(service.compiled_rules, pool, limits)
    turns = BotTurns(settings, service, service.bus, bots, limits)
    await make_quiet(service.database)
    await service.standby.look()
    await turns._sweep()
    before = await turns._look(ids["running"])
    assert before.bot_due is not None
    assert turns._tasks == {}
    await declare(service.database)
    await service.standby.look()
    await turns._sweep()
    assert turns._tasks.keys() == {(ids["running"], None)}
    await asyncio.gather(*turns._tasks.values())
    assert (await service.get(ids["running"])).seq > before.seq
    bots.close()
    await pool.close()


@pytest.mark.slow
async def test_clocks_stand_at_a_copy_and_nobody_owes_the_time(
    settings: Settings, service: TableService, watch: Watch
) -> None:
    table, clocks, database = timed(), Clocks(settings, service), service.database

    def job(connection: sa.Connection) -> None:
        for person in (ANN, BOB):
            people.insert(connection, person, person.id)
        log.insert(connection, table)

    await database.write(job)
    watch.now += BEAT_SECONDS
    await clocks.look()
    copied = watch.now
    watch.now += HOUR
    await make_quiet(database)
    await service.standby.look()
    await clocks.open()  # the server of the copy begins
    await clocks.close()
    # A person may move: time costs nothing.
    watch.now += HOUR
    mover = table.actors[0]
    assert table.position is not None
    steps = first_move(table.position, mover)
    moved = await service.change(table.id, lambda t: play(t, mover, steps))
    assert moved.time is not None
    assert table.time is not None
    assert moved.time.seats[mover].reserve == table.time.seats[mover].reserve
    asked = moved.actors[0]
    watch.now += 10 * HOUR
    assert service.outages[-1][1] > watch.now
    assert moved.tick is None or moved.tick > watch.now + HOUR
    await declare(database)
    await service.standby.look()
    await clocks.look()
    after = await service.get(table.id)
    assert after.time is not None
    control = after.time.control
    assert after.time.seats[asked].until == watch.now + control.step + control.reserve
    assert (copied, watch.now) in service.outages
    end = watch.now + control.step + control.reserve + 1
    while watch.now < end:
        watch.now += BEAT_SECONDS
        await clocks.look()
    assert "timeout" in {change.kind for change in (await service.get(table.id)).changes}


@pytest.mark.slow
async def test_every_page_of_a_copy_says_so_and_no_other_is_a_byte_longer(
    settings: Settings, service: TableService
) -> None:
    said = {language: words(language)("quiet.copy") for language in LANGUAGES}
    assert len(set(said.values())) == len(LANGUAGES)
    index = (settings.static / "index.html").read_text(encoding="utf-8")
    pages: dict[bool, str] = {}
    for quiet in (False, True):
        if quiet:
            await make_quiet(service.database)
        async with house(settings) as port, httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}") as http:
            pages[quiet] = (await http.get("/")).text
            for language in LANGUAGES:
                own = (await http.get("/", headers={"accept-language": language})).text
                assert [one for one, there in said.items() if there in own] == ([language] if quiet else [])
            known = (await http.get("/")).headers["etag"]
            assert (await http.get("/", headers={"if-none-match": known})).status_code == 304
    assert pages[False] == index
    assert re.sub(r"<aside.*?</aside>", "", pages[True]) == index
