"""Who plays what is due: a claim holds for a while, by the clock of the database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
from tests.example import EXAMPLE, SEATS
from tests.server.fixtures import BACKENDS, NewDatabase
from tests.server.player import PATIENCE
from tests.server.test_workers import until

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.table import Table
from ziggurat.server.services.bot_turns import BotTurns
from ziggurat.server.services.bots import Bots, Decided, blunder
from ziggurat.server.services.bus import ONLOOKER_SEAT, Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.postgres_bus import PostgresBus
from ziggurat.server.services.rate_limits import ClientKey, RateLimits
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.postgres import PostgresDatabase

DATABASES = BACKENDS

ANN = Person("ann", "Ann", "en")
LEASE, LONG = 0.4, 600.0
"""Seconds for which a claim holds: no test is slow enough for the second."""


def due() -> Table:
    """A table at which a bot has to move."""
    wish = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("bot", "random")] * (SEATS - 1)])
    table = create(wish, ANN)
    while not table.due:
        table = create(wish, ANN)
    return table


async def test_a_worker_whose_clock_is_ahead_holds_a_claim_no_longer(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 3600)
    await database.write(lambda c: people.insert(c, ANN, "secret"))

    async def claimed(lease: float) -> set[str]:
        """Two tables that a worker has claimed, one as it was written and one later."""
        written, taken = due(), due()
        await database.write(lambda c: log.insert(c, replace(written, claim_by="one", lease=lease)))
        await database.write(lambda c: log.insert(c, taken))
        assert await database.write(lambda c: log.claim(c, taken.id, taken.seq, "one", lease))
        claims[taken.id] = taken.seq
        return {written.id, taken.id}

    claims: dict[str, int] = {}
    held, given_back = await claimed(LONG), await claimed(LEASE)
    [kept, lapsed] = claims.items()
    assert not await database.write(lambda c: log.claim(c, *kept, "two", LEASE))
    monkeypatch.setattr(time, "time", real)
    async with asyncio.timeout(PATIENCE):
        left = await database.read(log.due)
        while any(left[id] > 0 for id in given_back):
            await asyncio.sleep(0.02)
            left = await database.read(log.due)
    assert all(left[id] > LONG / 2 for id in held)
    assert await database.write(lambda c: log.claim(c, *lapsed, "two", LEASE))


class Counted(Bots):
    """Bots that move at random, and what they were asked."""

    def __init__(self, compiled_rules: CompiledRules, settings: Settings, asked: list[tuple[int, str]]) -> None:
        super().__init__(compiled_rules, SearchPool(1), RateLimits(settings))
        self._asked = asked
        self._worker = settings.worker

    async def decide(self, table: Table, seat: int, who: ClientKey) -> Decided:
        self._asked.append((table.seq, self._worker))
        assert table.position
        return Decided(blunder(table.position.copy(), seat))


@asynccontextmanager
async def worker(
    name: str, url: str, asked: list[tuple[int, str]], *after: str
) -> AsyncIterator[tuple[TableService, Bus]]:
    """What one worker plays with, in this process; `after`: those before it that died."""
    settings = Settings(database_url=url, worker=name, prepare=False, lease=LEASE, after=after)
    database = PostgresDatabase(settings)
    await migrate(database, None)
    bus = PostgresBus(settings, database)
    compiled_rules = CompiledRules(settings)
    table_service = TableService(settings, database, bus, compiled_rules)
    bots = Counted(compiled_rules, settings, asked)
    turns = BotTurns(settings, table_service, bus, bots, RateLimits(settings))
    await bus.open()
    await turns.open()
    try:
        yield table_service, bus
    finally:
        await turns.close()
        bots.close()
        await bus.close()
        await database.close()


async def test_a_sign_out_is_heard_once_by_every_worker(new_database: NewDatabase) -> None:
    """Who was signed out may come in again before the notice of it comes back to the worker that gave it."""
    url = new_database()
    async with worker("one", url, []) as (_, one), worker("two", url, []) as (_, two):
        heard: dict[str, list[str]] = {"one": [], "two": []}
        for name, bus in (("one", one), ("two", two)):
            bus.on_sign_out.append(lambda person, device, name=name: heard[name].append(f"{person} {device}"))  # type: ignore[misc]
        for bus, person in ((one, "ann"), (one, "ann"), (two, "ann"), (one, "bob"), (two, "eve")):
            bus.signed_out(person, "phone")
        await until(lambda: all(len(came) >= 5 for came in heard.values()))
        # A notice comes to everybody after those that others have had before it was given.
        for bus in (one, two):
            bus.signed_out("zoe", "phone")
        await until(lambda: all(came.count("zoe phone") >= 2 for came in heard.values()))
        for came in heard.values():
            assert sorted(came) == ["ann phone"] * 3 + ["bob phone", "eve phone"] + ["zoe phone"] * 2


async def test_bots_alone_are_played_by_one_worker_until_it_ends(new_database: NewDatabase) -> None:
    """However many have onlookers: none thinks about what another one thinks about already."""
    url = new_database()
    asked: list[tuple[int, str]] = []
    wish = NewTable(EXAMPLE, [NewSeat("bot", "random")] * SEATS, pace="instant")
    table = create(wish, ANN)
    async with worker("two", url, asked) as (table_service, bus):
        async with worker("one", url, asked) as (other, other_bus):
            await other.database.write(lambda c: people.insert(c, ANN, "secret"))
            await other.add(table, "1.2.3.4")
            assert not asked
            other_bus.announce_presence(table.id, [ONLOOKER_SEAT])
            await until(lambda: bool(asked))  # whoever comes first plays
            bus.announce_presence(table.id, [ONLOOKER_SEAT])
            await until(lambda: len(asked) >= 12)
            assert {name for _, name in asked} == {"one"}
        # While the first is ending the other one may have begun.
        await until(lambda: [name for _, name in asked].count("two") >= 3)
        names = [name for _, name in asked]
        assert names == sorted(names), "the first plays on after the other one has begun"
        assert (await table_service.get(table.id)).seq > table.seq
    seqs = [seq for seq, _ in asked]
    # What was being thought about when the worker ended is thought about again.
    assert len(seqs) - len(set(seqs)) <= 1


async def test_nobody_is_there_any_more_by_a_worker_that_died(new_database: NewDatabase) -> None:
    """Whoever takes its place says so; it would be believed for 50 seconds."""
    url = new_database()
    async with worker("dead", url, []) as (_, dead), worker("alive", url, []) as (_, alive):
        dead.announce_presence("a", [0, 1])
        dead.announce_presence("b", [0])
        alive.announce_presence("a", [1, 2])
        await until(lambda: (alive.present("a"), alive.present("b")) == ([0, 1, 2], [0]))
        async with worker("next", url, [], "dead"):
            await until(lambda: (alive.present("a"), alive.present("b")) == ([1, 2], []))
