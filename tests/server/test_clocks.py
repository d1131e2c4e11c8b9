"""Clocks of tables in a database: what is due is done once, by whom it may, and a restart costs nobody time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE
from tests.server.fixtures import NewDatabase
from tests.server.inside import house
from tests.server.player import visitor
from tests.server.test_clock import HOUR, LIVE, PEOPLE
from tests.server.test_undo_rules import whole_move
from tests.server.test_workers import until
from tests.server.watch import NOON, Watch

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.clocks import BEAT_SECONDS, LOOK_SECONDS, OUTAGE_SECONDS, Clocks
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.postgres_bus import PostgresBus
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.siblings import Siblings
from ziggurat.server.store import log, people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.models import changes, outages, tables
from ziggurat.server.store.postgres import PostgresDatabase

pytestmark = pytest.mark.slow


@pytest.fixture
def settings(tmp_path: Path, own_url: str | None) -> Settings:
    return Settings(data=tmp_path, database_url=own_url, prepare=False)


@asynccontextmanager
async def worker(settings: Settings) -> AsyncIterator[Clocks]:
    """One that has begun, and looks at the clocks only when it is told to."""
    settings = replace(settings, worker=f"w{time.monotonic_ns()}")
    database = open_database(settings)
    await migrate(database, None)
    await database.open()
    clocks = Clocks(settings, TableService(settings, database, Bus(settings), CompiledRules(settings)))
    try:
        await clocks.beat(0.0 if settings.sqlite else OUTAGE_SECONDS)
        yield clocks
    finally:
        await clocks.table_service.settle()
        await database.close()


async def laid(clocks: Clocks) -> Table:
    """A game of two people with a live clock, which has just begun."""
    table_service = clocks.table_service

    def known(connection: sa.Connection) -> None:
        for person in PEOPLE[:2]:
            people.insert(connection, person, person.id)

    await table_service.database.write(known)
    table = await table_service.add(
        create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], time=LIVE), PEOPLE[0]), "127.0.0.1"
    )
    wish = Join(table.invite or "", "Bob", zone="Europe/Budapest")
    await table_service.change(table.id, lambda t: join(t, wish, PEOPLE[1]))
    return await table_service.change(table.id, start)


async def go_on(watch: Watch, seconds: float, *workers: Clocks) -> None:
    """Let time pass while the workers look."""
    end = watch.now + seconds
    while watch.now < end:
        watch.now = min(end, watch.now + BEAT_SECONDS)
        await asyncio.gather(*(clocks.look() for clocks in workers))


async def test_what_is_due_is_done_once_whoever_sees_it(settings: Settings, watch: Watch) -> None:
    async with worker(settings) as one:
        table = await laid(one)
        async with worker(settings) as other:
            await go_on(watch, 314, one, other)
            assert (await one.table_service.get(table.id)).seq == table.seq
            watch.now += 1
            await asyncio.gather(one.look(), other.look())
            kinds = sa.select(changes.c.kind).where(changes.c.table_id == table.id).order_by(changes.c.seq)
            found = await one.table_service.database.read(lambda c: c.execute(kinds).scalars().all())
            assert found[-2:] == ["start", "timeout"]


class Elsewhere(Siblings):
    """The home of every table is another worker."""

    def home(self, table: str) -> int:
        return self.slot + 1


async def test_the_home_of_a_table_has_a_look_to_itself(settings: Settings, watch: Watch) -> None:
    """Others need not read the table for that; they do when it is still left a moment later."""
    async with worker(settings) as one:
        table = await laid(one)
        settings = replace(settings, siblings=Elsewhere())
        async with worker(settings) as other:
            await go_on(watch, 314, one, other)
            other.table_service.forget()
            watch.now += 1
            await other.look()
            assert other.table_service.remembered() == 0
            assert (await one.table_service.get(table.id)).seq == table.seq
            watch.now += LOOK_SECONDS
            await other.look()
            other.table_service.forget()
            assert (await other.table_service.get(table.id)).changes[-1].kind == "timeout"


async def test_what_a_worker_that_died_had_seen_alone_is_done_in_time(new_database: NewDatabase, watch: Watch) -> None:
    """Each is told of the moments of all tables, and has no need to read them."""
    url = new_database()
    async with beside(url, "one") as one, beside(url, "two") as two:
        await two.look()
        table = await laid(one)
        assert table.tick is not None
        await until(lambda: two._moments.at(table.id) == table.tick)
        await go_on(watch, 314, two)
        assert two.table_service.remembered() == 0
        watch.now += 1
        await two.look()
        assert (await two.table_service.get(table.id)).changes[-1].kind == "timeout"
        assert two._moments.at(table.id) is None


async def test_what_was_not_heard_of_in_a_gap_is_read(new_database: NewDatabase, watch: Watch) -> None:
    url = new_database()
    async with beside(url, "one") as one, beside(url, "two") as two:
        await two.look()
        two.table_service.bus.on_due.clear()  # nothing reaches it
        table = await laid(one)
        await two.look()
        assert two._moments.at(table.id) is None
        two.table_service.bus._gap()
        await two.look()
        assert two._moments.at(table.id) == table.tick


@asynccontextmanager
async def beside(url: str, name: str) -> AsyncIterator[Clocks]:
    """One of several workers, that hear of each other."""
    settings = Settings(database_url=url, worker=name, prepare=False)
    database = PostgresDatabase(settings)
    bus = PostgresBus(settings, database)
    clocks = Clocks(settings, TableService(settings, database, bus, CompiledRules(settings)))
    await bus.open()
    try:
        yield clocks
    finally:
        await clocks.table_service.settle()
        await bus.close()
        await database.close()


async def test_a_clock_is_stored_as_it_is(settings: Settings, watch: Watch) -> None:
    async with worker(settings) as clocks:
        table = await laid(clocks)
        watch.now += 20
        seat = table.actors[0]
        table = await clocks.table_service.change(table.id, lambda t: move(t, seat, "m", t.seq, whole_move(t, seat)))
        clocks.table_service.forget()
        again = await clocks.table_service.get(table.id)
        assert again.time == table.time
        assert again.tick == table.tick
        stored = sa.select(tables.c.tick).where(tables.c.id == table.id)
        assert await clocks.table_service.database.read(lambda c: c.execute(stored).scalar_one()) == table.tick


async def test_whoever_begins_again_gives_back_the_time_in_which_nobody_was_there(
    settings: Settings, watch: Watch
) -> None:
    async with worker(settings) as clocks:
        table = await laid(clocks)
        for _ in range(3):
            watch.now += BEAT_SECONDS
            await clocks.look()
    watch.now += HOUR
    async with worker(settings) as clocks:
        again = await clocks.table_service.get(table.id)
        assert again.changes[-1].kind == "outage"
        seat = again.actors[0]
        assert again.time is not None
        assert again.time.seats[seat].until == watch.now + 315 - 3 * BEAT_SECONDS
        rows = await clocks.table_service.database.read(lambda c: c.execute(sa.select(outages)).all())
        assert [tuple(row) for row in rows] == [(NOON + 3 * BEAT_SECONDS, watch.now)]
        await clocks.look()
        assert (await clocks.table_service.get(table.id)).seq == again.seq
    if not settings.sqlite:  # of several, one that begins later knows of it, and gives nothing twice
        async with worker(settings) as other:
            assert other.table_service.outages == ((NOON + 3 * BEAT_SECONDS, watch.now),)
            assert (await other.table_service.get(table.id)).seq == again.seq


async def test_a_laptop_that_slept_was_down(settings: Settings, watch: Watch) -> None:
    async with worker(settings) as clocks:
        table = await laid(clocks)
        watch.now += BEAT_SECONDS
        await clocks.look()
        watch.now += HOUR
        await clocks.look()
        assert (await clocks.table_service.get(table.id)).changes[-1].kind == "outage"


async def test_a_database_that_could_not_be_reached_was_down(
    settings: Settings, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody's time runs out by it, however soon after it is looked again."""
    async with worker(settings) as clocks:
        table = await laid(clocks)
        await go_on(watch, BEAT_SECONDS, clocks)
        database = clocks.table_service.database

        async def gone(*_: object, **__: object) -> None:
            raise sa.exc.OperationalError("SELECT", {}, OSError("network"))

        with monkeypatch.context() as away:
            away.setattr(database, "read", gone)
            away.setattr(database, "write", gone)
            for _ in range(100):
                watch.now += BEAT_SECONDS
                with pytest.raises(sa.exc.OperationalError):
                    await clocks.look()
        watch.now += 1
        await clocks.look()
        assert (await clocks.table_service.get(table.id)).changes[-1].kind == "outage"


async def test_a_database_that_hangs_while_an_outage_is_given_back_costs_nobody_time(
    settings: Settings, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with worker(settings) as clocks:
        table = await laid(clocks)
        await go_on(watch, BEAT_SECONDS, clocks)
        database = clocks.table_service.database
        write = database.write

        async def hangs(*given: Any, **more: Any) -> object:
            found = await write(*given, **more)
            watch.now += OUTAGE_SECONDS - BEAT_SECONDS
            return found

        watch.now += HOUR
        with monkeypatch.context() as slow:
            slow.setattr(database, "write", hangs)
            await clocks.beat(OUTAGE_SECONDS)
        watch.now += 2 * BEAT_SECONDS
        await clocks.look()
        again = await clocks.table_service.get(table.id)
        assert again.time is not None
        assert again.time.seats[again.actors[0]].until == watch.now + 315 - BEAT_SECONDS


async def test_where_no_clock_runs_nothing_is_noted(settings: Settings, watch: Watch) -> None:
    """A server at rest writes nothing, and its rest is no outage."""
    async with worker(settings) as clocks:
        writes = 0
        write = clocks.table_service.database.write

        async def counted(*given: object, **more: object) -> object:
            nonlocal writes
            writes += 1
            return await write(*given, **more)  # type: ignore[arg-type]

        clocks.table_service.database.write = counted  # type: ignore[method-assign,assignment]
        for _ in range(5):
            watch.now += HOUR
            await clocks.look()
        assert writes == 0
        table = await laid(clocks)
        await clocks.look()
        rows = await clocks.table_service.database.read(lambda c: c.execute(sa.select(outages)).all())
        assert rows == []
        assert (await clocks.table_service.get(table.id)).changes[-1].kind == "start"


async def test_a_clock_on_the_wire(tmp_path: Path) -> None:
    """What is asked, answered and refused as it travels; nothing here waits for a clock."""
    control = {"kind": "days", "reserve": 86400, "step": 43200, "vacation": 5}
    async with house(Settings(data=tmp_path, prepare=False)) as port:
        base = f"http://127.0.0.1:{port}"
        async with visitor(base, "Ann") as ann, visitor(base) as bob:
            refused = await ann.http.post(
                "/api/tables", json={"game": EXAMPLE, "seats": [{"kind": "me"}], "time": {**control, "reserve": -1}}
            )
            assert refused.status_code == 400
            table = await ann.table("me", "open", time=control, zone="Europe/Budapest")
            await bob.join(table, "Bob")
            await ann.post(f"/api/tables/{table['id']}/start")
            async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
                await a.until(lambda: a.state["seq"] > 0)
                assert a.state["table"]["time"]["control"]["then"] == "bot"
                await a.send(type="ping")
                await a.until(lambda: a.messages[-1]["type"] == "pong")
                assert abs(a.messages[-1]["now"] - time.time()) < 60
                assert (await a.reply(type="ask_pause", seconds=5))["code"] == "bad_pause"
                assert (await a.reply(type="ask_pause", seconds=7200))["type"] == "ack"
                await b.until(lambda: b.state["table"]["vote"])
                assert b.state["table"]["vote"]["asked"] == [1]
                assert b.state["notes"][-1]["kind"] == "pause_ask"
                assert (await b.reply(type="vote", agree=True))["type"] == "ack"
                await a.until(lambda: a.state["table"]["time"]["paused"])
                assert (await b.reply(type="resume"))["type"] == "ack"
                assert (await b.reply(type="resume"))["code"] == "not_paused"
                assert (await a.reply(type="vacation", days=6))["code"] == "no_vacation"
                assert (await a.reply(type="vacation", days=2))["type"] == "ack"
                assert (await a.reply(type="back"))["type"] == "ack"
                assert (await a.reply(type="ask_end"))["type"] == "ack"
                assert (await b.reply(type="vote", agree=True))["type"] == "ack"
                await a.until(lambda: a.state["table"]["status"] == "ended")
                assert (await a.reply(type="resume"))["code"] == "game_over"
            async with ann.at(table["id"]) as a:
                await a.until(lambda: a.state["seq"] > 0)
                told = [note["kind"] for note in a.state["notes"]]
                assert told == ["pause_ask", "pause", "resume", "vacation", "end_ask", "end"]
                assert all(note["after"] == len(a.log) for note in a.state["notes"])


async def test_who_gives_forced_answers_themselves(tmp_path: Path) -> None:
    async with house(Settings(data=tmp_path, prepare=False)) as port:
        base = f"http://127.0.0.1:{port}"
        async with visitor(base, "Ann") as ann:
            table = await ann.table("me", "random")
            answer = await ann.http.put("/api/me", json={"by_hand": True})
            assert answer.json()["by_hand"]
            assert (await ann.get("/api/me"))["by_hand"]
            later = await ann.table("me", "random")
            database = open_database(Settings(data=tmp_path))
            await database.open()
            try:
                for id in (table["id"], later["id"]):
                    found = await database.read(partial(log.load, id=id))
                    assert found is not None
                    assert found[0].seats[0].by_hand
            finally:
                await database.close()


async def test_while_the_service_is_maintained_no_clock_counts(settings: Settings, watch: Watch) -> None:
    async with worker(settings) as clocks:
        table = await laid(clocks)
        await go_on(watch, 2 * BEAT_SECONDS, clocks)
        clocks.table_service.is_closed = lambda: True
        await go_on(watch, HOUR, clocks)
        seat = table.actors[0]
        with pytest.raises(Problem) as told:
            await clocks.table_service.change(table.id, lambda t: move(t, seat, "m", t.seq, whole_move(t, seat)))
        assert (told.value.status, told.value.code) == (503, "maintenance")
        clocks.table_service.is_closed = lambda: False
        await clocks.look()
        again = await clocks.table_service.get(table.id)
        assert [change.kind for change in again.changes[-2:]] == ["start", "outage"]
        assert again.time is not None
        assert again.time.seats[seat].until == watch.now + 315 - 2 * BEAT_SECONDS
