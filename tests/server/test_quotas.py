"""How many tables a person and an address may make, and how fast bots play that nobody plays with."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SEATS
from tests.server.fixtures import MOSTLY_SQLITE, own_on_both
from tests.server.inside import async_browser
from tests.server.migrated import lay
from tests.server.player import PATIENCE

from ziggurat.server.address_hash import AddressHasher
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.votes import ask_end
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.bot_turns import BotTurns
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import ONLOOKER_SEAT, Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import ClientKey, RateLimits, TokenBucket
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import log, quotas
from ziggurat.server.store import people as people_of
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.models import tables
from ziggurat.server.store.quotas import Quota

DATABASES = MOSTLY_SQLITE

ANN, BOB = Person("ann", "Ann", "en"), Person("bob", "Bob", "en")
WISH = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)])
HERE, THERE = "one address", "another address"
DAY = 24 * 3600.0


@pytest.fixture
async def database(tmp_path: Path, own_url: str | None) -> AsyncIterator[Database]:
    """A database with two people."""
    opened = open_database(Settings(data=tmp_path, database_url=own_url))
    await migrate(opened, None)
    await opened.open()
    for person in (ANN, BOB):
        await opened.write(partial(people_of.insert, person=person, token=person.id))
    yield opened
    await opened.close()


class Office:
    """Makes tables at a time that is set by hand."""

    def __init__(self, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database = database
        self.now = time.time()
        monkeypatch.setattr(time, "time", lambda: self.now)

    async def make(self, person: Person, origin: str, mine: Quota, here: Quota, **fields: Any) -> Problem | None:
        """Make a table; return why not."""
        table = replace(create(WISH, person), **fields)

        def job(connection: sa.Connection) -> None:
            quotas.queue(connection, origin)
            quotas.must_have_room(connection, person.id, mine, [origin, f"{origin} yesterday"], here)
            log.insert(connection, table, origin)

        try:
            await self.database.write(job)
        except Problem as problem:
            return problem
        return None


@pytest.fixture
def office(database: Database, monkeypatch: pytest.MonkeyPatch) -> Office:
    return Office(database, monkeypatch)


MANY = Quota(100, 100)


async def test_so_many_tables_in_an_hour(office: Office) -> None:
    two, three = Quota(2, 100), Quota(3, 100)
    begun = office.now
    for _ in range(2):
        assert await office.make(ANN, HERE, two, three) is None
        office.now += 60
    refused = await office.make(ANN, THERE, two, three)
    assert refused is not None
    assert (refused.status, refused.code, refused.headers) == (429, "too_many_new_tables", {"retry-after": "3480"})
    assert refused.args_["minutes"] == 58
    assert await office.make(BOB, HERE, two, three) is None
    refused = await office.make(BOB, HERE, two, three)
    assert refused is not None
    assert refused.code == "too_many_new_tables", "three from one address"
    assert await office.make(BOB, THERE, two, three) is None, "another address has its own"
    office.now = begun + 3600 + 1
    assert await office.make(ANN, THERE, two, three) is None
    office.now = begun - 10 * DAY
    assert await office.make(ANN, HERE, two, three) is None, "a clock that was set back holds nobody up"


async def test_so_many_unfinished_tables(office: Office) -> None:
    two, three = Quota(100, 2), Quota(100, 3)
    for status in ("finished", "finished", "waiting", "playing"):
        assert await office.make(ANN, HERE, two, three, status=status) is None
    refused = await office.make(ANN, THERE, two, three)
    assert refused is not None
    assert (refused.status, refused.code, refused.args_) == (409, "too_many_tables", {"max": 2})
    assert await office.make(BOB, HERE, two, three) is None
    refused = await office.make(BOB, HERE, two, three)
    assert refused is not None
    assert (refused.code, refused.args_) == ("too_many_tables_here", {"max": 3})
    office.now += 31 * DAY
    assert await office.make(ANN, HERE, two, three) is None, "games that nobody touches hold nobody up for ever"


@own_on_both
async def test_many_at_once_are_not_all_the_last(office: Office) -> None:
    answers = await asyncio.gather(*(office.make(ANN, HERE, Quota(3, 100), MANY) for _ in range(12)))
    assert sum(answer is None for answer in answers) == 3


async def test_from_where_a_table_was_made_is_forgotten(office: Office) -> None:
    assert await office.make(ANN, HERE, MANY, MANY) is None
    assert await office.make(ANN, HERE, MANY, MANY, status="finished") is None
    for days, known in ((0, 2), (1, 1), (2, 0)):
        office.now += days * DAY
        await office.database.write(quotas.forget)
        assert await office.database.read(count) == known


def count(connection: sa.Connection) -> int:
    """How many tables are known to be made here."""
    return connection.execute(sa.select(sa.func.count()).where(tables.c.origin == HERE)).scalar_one()


async def test_who_may_make_no_table_is_told_so_and_is_not_remembered(tmp_path: Path) -> None:
    async with async_browser(tmp_path, tables_per_hour=(2, 3), newcomers_per_hour=2) as client:
        body = {"game": EXAMPLE, "seats": [{"kind": "me"}, {"kind": "open"}]}
        for status in (201, 201, 429):
            answer = await client.post("/api/tables", json=body)
            assert answer.status_code == status
        assert answer.json()["code"] == "too_many_new_tables"
        assert int(answer.headers["retry-after"]) > 3500
        client.cookies.clear()
        assert (await client.post("/api/tables", json=body)).status_code == 201
        client.cookies.clear()
        answer = await client.post("/api/tables", json=body)
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_new_tables")
        assert "set-cookie" not in answer.headers
        answer = await client.put("/api/me", json={"name": "Cid"})
        assert (answer.status_code, answer.json()["code"]) == (429, "too_many_newcomers")
        assert 0 < int(answer.headers["retry-after"]) <= 1800
        assert answer.json()["args"] == {RETRY_KEY: int(answer.headers["retry-after"]), "minutes": 30}


async def test_a_rematch_counts_like_any_other_table(tmp_path: Path) -> None:
    """For whoever asks for it, and for the address from where they do."""
    async with async_browser(tmp_path, tables_per_hour=(3, 4)) as client:
        table_service = cast(Any, client.app).parts["table_service"]
        wishes = [{"kind": "me"}, *[{"kind": "bot", "bot": "random"}] * (SEATS - 1)]
        body = {"game": EXAMPLE, "seats": wishes, "pace": "instant"}

        async def make() -> Any:
            return (await client.post("/api/tables", json=body)).json()["id"]

        async def again(table: str, status: int) -> Any:
            # In the loop of the server, whose bots play there at the same time.
            client.blocking_portal.call(table_service.change, table, lambda t: ask_end(t, 0, "end"))
            answer = await client.post(f"/api/tables/{table}/rematch")
            assert answer.status_code == status, answer.text
            return answer.json()

        table = await make()
        for _ in range(2):
            table = (await again(table, 200))["id"]
        refused = await again(table, 429)
        assert refused["code"] == "too_many_new_tables"
        assert (await client.get(f"/api/tables/{table}")).json()["rematch"] is None, "nothing is half done"
        client.cookies.clear()
        first = await make()
        assert (await again(first, 429))["code"] == "too_many_new_tables", "four from one address"
        with sa.create_engine(client.app.parts["settings"].url).connect() as connection:
            origins = connection.execute(sa.select(tables.c.origin)).scalars().all()
        assert len({*origins}) == 1
        assert None not in origins


async def test_a_copy_of_the_database_tells_no_address(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even to whoever tries all addresses: the key is not in it, and is another one each day."""
    now = 1000.5 * DAY
    monkeypatch.setattr(time, "time", lambda: now)
    hasher = AddressHasher()
    here, before = hasher.of("192.0.2.1")
    assert here not in (hasher.of("192.0.2.2")[0], AddressHasher().of("192.0.2.1")[0], before)
    then = hasher.keys()
    assert AddressHasher(then).of("192.0.2.1") == (here, before), "the same for all workers of a parent"
    now += DAY
    assert hasher.of("192.0.2.1")[1] == here, "yesterday's tables are still counted"
    now += DAY
    assert here not in hasher.of("192.0.2.1"), "and those of the day before are not"
    # What was known then leads to the keys of now; those of now lead nowhere back.
    assert AddressHasher(then).keys() == hasher.keys()
    assert then.today not in (hasher.keys().today, hasher.keys().yesterday)


@pytest.mark.parametrize("people", [0, 1])
async def test_only_bots_that_are_alone_wait_for_their_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, people: int
) -> None:
    lay(tmp_path)
    settings = Settings(data=tmp_path, prepare=False)
    database = open_database(settings)
    await database.open()
    bus, compiled_rules, at = Bus(settings), CompiledRules(settings), RateLimits(settings)
    table_service, bots = TableService(settings, database, bus, compiled_rules), Bots(compiled_rules, SearchPool(1), at)
    playing = BotTurns(settings, table_service, bus, bots, at)
    asked: list[ClientKey] = []

    async def ask(_: BotTurns, who: ClientKey) -> None:
        asked.append(who)

    monkeypatch.setattr(BotTurns, "_may_play_alone", ask)
    try:
        await database.write(partial(people_of.insert, person=ANN, token="secret"))
        seats = [*[NewSeat("me")] * people, *[NewSeat("bot", "random")] * (SEATS - people)]
        table = create(NewTable(EXAMPLE, seats, pace="instant"), ANN)
        while table.bot_due is None:
            table = create(NewTable(EXAMPLE, seats, pace="instant"), ANN)
        bus.announce_presence(table.id, [ONLOOKER_SEAT])
        await table_service.add(table, "home")
        async with asyncio.timeout(PATIENCE):
            while (await table_service.get(table.id)).seq < table.seq + 1:
                await asyncio.sleep(0.01)
    finally:
        await playing.close()
        await database.close()
    assert bool(asked) == (not people)
    assert {who.person for who in asked} <= {"ann"}


async def test_bots_that_are_alone_share_so_many_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a person, and of an address."""
    now = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal now
        now += seconds

    monkeypatch.setattr(TokenBucket.__init__, "__defaults__", (lambda: now,))
    monkeypatch.setattr(asyncio, "sleep", sleep)
    nothing = cast(Any, SimpleNamespace(on_change=[], on_followed=[], on_due=[], on_gap=[], standby=None))
    playing = BotTurns(Settings(bot_moves_per_second=(5, 8), quota=2), nothing, nothing, nothing, nothing)
    for _ in range(120):
        await playing._may_play_alone(ClientKey("home", "ann"))
    assert now == pytest.approx(10)
    for number in range(160 + 32):
        await playing._may_play_alone(ClientKey("school", f"pupil {number}"))
    assert now == pytest.approx(20)
    await playing._may_play_alone(ClientKey("", "cid"))
    assert now == pytest.approx(20)
