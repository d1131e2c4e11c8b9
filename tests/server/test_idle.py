"""A server at which nobody plays asks its database nothing, and still does what is due at its moment."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.server.inside import application
from tests.server.migrated import lay
from tests.server.test_clock import LIVE, PEOPLE

from ziggurat import registered_games
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.rows import Channel
from ziggurat.server.features.notifications.subscriptions import subscriptions_of
from ziggurat.server.services.moments import Moments
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people, sqlite
from ziggurat.server.store.database import RARE_LOOK_SECONDS, Database, Unseen
from ziggurat.server.store.engine import open_database

pytestmark = pytest.mark.slow

STEP, MINUTE = 0.5, 60.0
BEGINS = 80.0
"""Seconds after which all has been done that a start brings with it (`housekeeping.FIRST_SECONDS` is the last of
it)."""
HOOKED = ("hook", "https://x.example", "x.example", "", "", None, ["turn"], "", True, 0.0, 0.0, 0)
HOOK = Channel("w", PEOPLE[2].id, None, *HOOKED)


class Ahead:
    """Both clocks of the machine: they go on only when the test lets them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        for name in ("time", "monotonic"):
            began = getattr(time, name)()
            patch.setattr(time, name, lambda began=began: began + self.seconds)
        patch.setattr(sqlite, "COMMIT_APART_SECONDS", 0.0)

    async def go_on(self, database: Database, seconds: float) -> None:
        """Let time pass, and what is due in it be done."""
        end = self.seconds + seconds
        while self.seconds < end:
            self.seconds += STEP
            for _ in range(3):  # what is begun asks, and what has been answered goes on
                for _ in range(10):
                    await asyncio.sleep(0)
                await asyncio.gather(database.read(_nothing), database.read(_nothing), asyncio.to_thread(time.time))
                await database.transact(_nothing)


def _nothing(_: sa.Connection) -> None:
    """Waits for what is before it."""


@pytest.fixture
def ahead(monkeypatch: pytest.MonkeyPatch) -> Ahead:
    return Ahead(monkeypatch)


@pytest.fixture(autouse=True)
def nothing_to_say(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """What fails is logged, and tried again: that would look like rest."""
    yield
    assert [record.getMessage() for record in caplog.get_records("call")] == []


@asynccontextmanager
async def served(folder: Path) -> AsyncIterator[TableService]:
    """All that a server does by itself."""
    app = application(folder)
    async with app.lifespan():
        service = app.parts["table_service"]
        assert isinstance(service, TableService)
        yield service


@contextmanager
def statements() -> Iterator[Counter[str]]:
    """What is asked of the database meanwhile."""
    asked: Counter[str] = Counter()

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked[" ".join(statement.split())] += 1

    sa.event.listen(sa.Engine, "before_cursor_execute", note)
    try:
        yield asked
    finally:
        sa.event.remove(sa.Engine, "before_cursor_execute", note)


async def begun(service: TableService, **more: Any) -> Table:
    """A game of two people that has just begun."""

    def known(connection: sa.Connection) -> None:
        for person in PEOPLE[:2]:
            people.insert(connection, person, person.id)

    await service.database.write(known)
    wishes = NewTable(next(iter(registered_games())), [NewSeat("me"), NewSeat("open")], **more)
    table = await service.add(create(wishes, PEOPLE[0]), "127.0.0.1")
    await service.change(table.id, lambda t: join(t, Join(table.invite or "", "Bob"), PEOPLE[1]))
    return await service.change(table.id, start)


async def test_an_idle_server_asks_its_database_nothing_for_a_minute(tmp_path: Path, ahead: Ahead) -> None:
    async with served(tmp_path) as service:
        await ahead.go_on(service.database, BEGINS)
        with statements() as asked:
            await ahead.go_on(service.database, MINUTE)
        assert asked == Counter()


async def test_nor_does_one_with_games_that_wait_for_people_and_news_that_waits(tmp_path: Path, ahead: Ahead) -> None:
    async with served(tmp_path) as service:
        await service.database.write(lambda c: people.insert(c, PEOPLE[2], "token"))
        await service.database.write(lambda c: notifications.add_channel(c, HOOK, 9))
        await subscriptions_of(service).look()
        await begun(service)
        await service.database.write(lambda c: notifications.add_alone(c, HOOK.id, "turn", time.time() + 1000))
        await ahead.go_on(service.database, BEGINS)
        with statements() as asked:
            await ahead.go_on(service.database, MINUTE)
        assert asked == Counter()


async def test_a_clock_that_runs_costs_a_note_now_and_then_and_ends_in_time(tmp_path: Path, ahead: Ahead) -> None:
    async with served(tmp_path) as service:
        table = await begun(service, time=LIVE)
        assert table.tick is not None
        await ahead.go_on(service.database, BEGINS)
        with statements() as asked:
            await ahead.go_on(service.database, MINUTE)
        notes = sum(count for one, count in asked.items() if one.startswith("UPDATE chores"))
        assert 10 <= notes <= 13
        looked = sum(count for one, count in asked.items() if "FROM tables" in one)
        assert looked == notes, "each note reads whether clocks run, and nobody else asks"
        await ahead.go_on(service.database, table.tick - time.time() - STEP)
        assert (await service.get(table.id)).seq == table.seq
        await ahead.go_on(service.database, 2 * STEP)
        assert (await service.get(table.id)).changes[-1].kind == "timeout"


async def test_what_another_process_writes_is_looked_at_once(tmp_path: Path) -> None:
    """By the files of SQLite, without asking it; and by a look now and then, should these not tell."""
    looks, fails = 0, False

    async def look() -> None:
        nonlocal looks
        looks += 1
        if fails:
            raise OSError

    settings = Settings(data=tmp_path)
    lay(tmp_path)
    database = open_database(settings)
    try:
        unseen = Unseen(database)
        for expected in (1, 1):
            await unseen.look(look)
            assert looks == expected
        with closing(sqlite3.connect(tmp_path / "ziggurat.db")) as other, other:
            other.execute("UPDATE chores SET begun = begun + 1")
        fails = True
        with pytest.raises(OSError):  # noqa: PT011 -- our own
            await unseen.look(look)
        fails = False
        for expected in (3, 3):
            await unseen.look(look)
            assert looks == expected
        unseen._looked -= RARE_LOOK_SECONDS
        await unseen.look(look)
        assert looks == 4
    finally:
        await database.close()


def test_moments_come_in_their_order_and_only_the_last_of_each_counts() -> None:
    moments = Moments()
    assert (moments.first(), moments.due(1e9)) == (None, [])
    for at in range(1000):  # a clock that is wound up again and again
        moments.set("a", 1000.0 - at)
        moments.set("b", 500.0 + at)
    moments.set("c", 3.0)
    moments.set("c", None)
    assert (moments.first(), len(moments)) == (1.0, 2)
    assert moments.due(0.5) == []
    assert moments.due(2000.0) == ["a", "b"]
    assert moments.due(2000.0) == ["a", "b"], "until another moment is noted"
    moments.set("a", 3000.0)
    assert moments.due(2000.0) == ["b"]
    moments.set("b", None)
    assert (moments.first(), moments.all()) == (3000.0, {"a": 3000.0})
    assert len(moments._heap) < 200
