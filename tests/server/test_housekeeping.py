"""What is cleared away, and that nothing else is."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests import runs
from tests.example import EXAMPLE, SEATS, SHORT, first_move
from tests.server.fixtures import MOSTLY_SQLITE, own_on_both
from tests.server.player import visitor
from tests.server.process import Server

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.expiry import expire
from ziggurat.server.domain.move import play
from ziggurat.server.domain.people import HOUSE_PERSON, Person
from ziggurat.server.domain.seating import Join, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.features.moderation import house as house_rules
from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.moderation.models import barred_networks
from ziggurat.server.features.moderation.rules import Maintenance
from ziggurat.server.problems import Problem
from ziggurat.server.services import background
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.housekeeping import DAY_SECONDS, EXPIRED_KEPT_SECONDS, Housekeeping
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import files, housekeeping, log, people
from ziggurat.server.store.database import Database
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.models import changes, seats, tables
from ziggurat.server.store.models import chores as calendar
from ziggurat.server.store.models import files as kept
from ziggurat.server.store.models import people as known

DATABASES = MOSTLY_SQLITE

ANN, BOB, CID = (Person(name.lower(), name, "en") for name in ("Ann", "Bob", "Cid"))
STRANGER = Settings().guest_days * DAY_SECONDS
WAITING = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("open")] * (SEATS - 1)])
BEGUN = NewTable(EXAMPLE, [NewSeat("me"), *[NewSeat("bot", "random")] * (SEATS - 1)])

SOON = NewTable(SHORT, BEGUN.seats)


def played(wish: NewTable = SOON) -> Table:
    """A game to its end."""
    table = create(wish, ANN)
    while table.status == "playing":
        assert table.position is not None
        seat = table.actors[0]
        table = play(table, seat, first_move(table.position, seat))
    return table


class House:
    """Two workers on one database, at a time that is set by hand."""

    def __init__(self, database: Database, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
        self.database = database
        self.now = time.time()
        monkeypatch.setattr(time, "time", lambda: self.now)
        self.table_services = [
            TableService(settings, database, Bus(settings), CompiledRules(settings)) for _ in range(2)
        ]
        self.workers = [Housekeeping(settings, table_service) for table_service in self.table_services]

    async def add(self, table: Table) -> Table:
        await self.database.write(partial(log.insert, table=table))
        return table

    async def later(self, seconds: float) -> None:
        """Let time pass, and both workers clear away at once."""
        self.now += seconds
        await asyncio.gather(*(worker.clear_away() for worker in self.workers))
        for table_service in self.table_services:
            table_service.forget()

    async def count(self, table: sa.Table) -> int:
        return await self.database.read(
            lambda c: int(c.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())
        )


@pytest.fixture
async def house(tmp_path: Path, own_url: str | None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[House]:
    settings = Settings(data=tmp_path, database_url=own_url, prepare=False, expiry_days=10)
    database = open_database(settings)
    await migrate(database, None)
    await database.open()
    made = House(database, settings, monkeypatch)
    for person in (ANN, BOB, CID, HOUSE_PERSON):
        await database.write(partial(people.insert, person=person, token=person.id))
    yield made
    await database.close()


@own_on_both
async def test_a_table_that_nobody_begins_expires_and_a_begun_one_does_not(house: House) -> None:
    waiting = await house.add(create(WAITING, ANN))
    laid = await house.add(create(WAITING, HOUSE_PERSON))
    begun = await house.add(create(BEGUN, ANN))
    await house.later(9 * DAY_SECONDS)
    joined = await house.add(create(WAITING, BOB))
    await house.later(2 * DAY_SECONDS)
    for table_service in house.table_services:
        status = {id: (await table_service.get(id)).status for id in (waiting.id, laid.id, begun.id, joined.id)}
        assert status == {waiting.id: "expired", laid.id: "waiting", begun.id: "playing", joined.id: "waiting"}
        expired = await table_service.get(waiting.id)
        assert [change.kind for change in expired.changes] == ["created", "expire"], "once, by one of them"
        assert expired.invite is None
    await house.later(EXPIRED_KEPT_SECONDS - DAY_SECONDS)
    assert waiting.id in await house.database.read(lambda c: log.of_person(c, ANN.id, 100)), "the list says it"
    await house.later(2 * DAY_SECONDS)
    assert await house.database.read(lambda c: log.of_person(c, ANN.id, 100)) == [begun.id]
    with pytest.raises(Problem) as told:
        await house.table_services[0].get(waiting.id)
    assert told.value.code == "unknown_table"
    await house.later(3650 * DAY_SECONDS)
    assert (await house.table_services[0].get(begun.id)).position is not None
    assert (await house.table_services[0].get(laid.id)).status == "waiting"
    assert await house.count(tables) == 2
    assert await house.count(seats) == 2 * SEATS
    assert await house.count(changes) == len(begun.changes) + len(laid.changes)


async def test_whoever_comes_in_time_keeps_the_table(house: House) -> None:
    """Also if somebody sits down while it is being cleared away."""
    table = await house.add(create(WAITING, ANN))
    house.now += 11 * DAY_SECONDS
    table_service = house.table_services[0]
    wish = Join(table.invite or "", "Bob")
    clearing = house.workers[1].clear_away()
    outcome = await asyncio.gather(
        table_service.change(table.id, lambda t: join(t, wish, BOB)), clearing, return_exceptions=True
    )
    table_service.forget()
    after = await table_service.get(table.id)
    if isinstance(outcome[0], Problem):
        assert (outcome[0].code, after.status) == ("expired", "expired")
    else:
        assert (after.status, after.seats[1].person) == ("waiting", BOB.id)
    await house.later(5 * DAY_SECONDS)
    assert (await table_service.get(table.id)).status == after.status


def test_nothing_can_be_done_at_an_expired_table() -> None:
    table = replace(create(WAITING, ANN), status="expired")
    wish = Join(table.invite or "", "Bob")
    for verb in (partial(join, table, wish, BOB), partial(start, table)):
        with pytest.raises(Problem) as told:
            verb()
        assert (told.value.status, told.value.code) == (409, "expired")
    assert leave(table, ANN.id) is table


async def test_guests_without_a_table_are_forgotten_when_they_were_not_here_for_long(house: House) -> None:
    table = create(WAITING, ANN)
    await house.add(start(replace(join(table, Join(table.invite or "", "Bob"), BOB), seats=_full(table))))
    await house.later(STRANGER - DAY_SECONDS)
    assert await house.count(known) == 4
    await house.database.write(partial(people.saw, person=CID))
    await house.later(2 * DAY_SECONDS)
    assert await house.count(known) == 4, "Cid was here"
    await house.later(STRANGER)
    left = await house.database.read(lambda c: set(c.execute(sa.select(known.c.id)).scalars()))
    assert left == {ANN.id, BOB.id, HOUSE_PERSON.id}


def _full(table: Table) -> Any:
    """Ann, Bob, and bots."""
    others = (replace(seat, kind="bot", bot="random") for seat in table.seats[2:])
    return (table.seats[0], replace(table.seats[1], kind="human", person=BOB.id, name="Bob"), *others)


@own_on_both
async def test_files_are_kept_once_and_as_long_as_a_table_needs_them(house: House) -> None:
    text, other = "# Ours.\n", "# Theirs.\n"
    first = await house.add(replace(create(WAITING, ANN), components=text))
    await house.add(replace(create(BEGUN, ANN), components=text))
    await house.add(replace(create(WAITING, BOB), components=other, scenario=text))
    assert await house.count(kept) == 2
    await house.later(DAY_SECONDS + 1)
    assert (await house.table_services[0].get(first.id)).components == text
    await house.later(11 * DAY_SECONDS)
    await house.later(EXPIRED_KEPT_SECONDS + DAY_SECONDS)
    assert await house.database.read(lambda c: list(c.execute(sa.select(kept.c.text)).scalars())) == [text]
    await house.database.write(partial(files.store_file, text=other))
    await house.later(DAY_SECONDS - 1)
    await house.database.write(partial(files.store_file, text=other))
    await house.later(2)
    assert await house.count(kept) == 2, "a table is about to be written"
    await house.later(DAY_SECONDS)
    assert await house.count(kept) == 1


@own_on_both
async def test_one_worker_takes_a_chore(house: House) -> None:
    take = partial(housekeeping.claim_chore, chore="expire", every=3600.0)
    taken = await asyncio.gather(*(house.database.transact(take) for _ in range(6)))
    assert sum(taken) == 1
    for hours, again in ((-0.5, False), (-1.5, True), (2, True)):
        begun = time.time() + hours * 3600
        await house.database.execute(sa.update(calendar).values(begun=begun))
        assert await house.database.write(take) == again


async def test_whoever_comes_is_noted_to_be_here(base: str, running: Server) -> None:
    async with visitor(base, "Ann") as ann:
        id = (await ann.get("/api/me"))["id"]
        for seen in (0.0, time.time() + 900 * DAY_SECONDS):
            await running.in_database(partial(_saw, id=id, seen=seen))
            await ann.get("/api/me")
            assert abs(time.time() - await running.in_database(partial(_seen, id=id))) < DAY_SECONDS


def _saw(connection: sa.Connection, id: str, seen: float) -> None:
    connection.execute(sa.update(known).where(known.c.id == id).values(seen=seen))


def _seen(connection: sa.Connection, id: str) -> float:
    return float(connection.execute(sa.select(known.c.seen).where(known.c.id == id)).scalar_one())


async def test_the_list_and_the_link_of_an_expired_table_say_so(base: str, running: Server) -> None:
    async with visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open")
        path = f"/api/tables/{table['id']}"
        await running.in_database(partial(expired, id=table["id"]))  # by another worker
        answer = await bob.http.post(f"{path}/join", json={"invite": table["invite"], "name": "Bob"})
        assert (answer.status_code, answer.json()["code"]) == (409, "expired")
        assert (await ann.get(path))["status"] == "expired"
        assert (await bob.get(path, params={"invite": table["invite"]}))["status"] == "expired"
        assert [(one["id"], one["status"]) for one in await ann.get("/api/tables")] == [(table["id"], "expired")]


def expired(connection: sa.Connection, id: str) -> None:
    """Clear away a table that somebody has just made."""
    found = log.load(connection, id)
    assert found is not None
    assert log.update(connection, found[0], expire(found[0], time.time() + 1))


async def test_how_a_game_looked_is_kept_when_it_is_over(house: House) -> None:
    """Once, and of those alone that today's rules can show."""
    over = await house.add(played())
    older = await house.add(replace(played(), rules="0"))
    running = await house.add(create(BEGUN, ANN))
    for _ in range(2):
        for worker in house.workers:
            await worker.keep_views()
        kept = [await house.database.read(partial(log.views, table=each.id)) for each in (over, older, running)]
        assert kept[1:] == [{}, {}]
        assert {seq: bytes(view) for seq, view in kept[0].items()} == rules_gateway.views(over)
        assert list(kept[0]) == [change.seq for change in over.story()]


async def test_a_game_that_cannot_be_shown_keeps_no_other(house: House, caplog: pytest.LogCaptureFixture) -> None:
    games = [await house.add(played()) for _ in range(3)]
    broken = games[1]
    moved = sa.update(changes).where(changes.c.table_id == broken.id, changes.c.kind == "move")
    await house.database.execute(moved.values(steps="[99999]"))
    await house.workers[0].keep_views()
    kept = [bool(await house.database.read(partial(log.views, table=each.id))) for each in games]
    assert kept == [True, False, True]
    assert len(caplog.records) == 1


async def test_what_fails_in_the_middle_is_tried_again_before_the_hour_is_over(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hour is taken when it begins: the database may go away a moment later."""
    monkeypatch.setattr(background, "FIRST_PAUSE_SECONDS", 0.01)
    worker, tries = house.workers[0], 0
    forget = files.forget_unneeded

    def fails_first(connection: sa.Connection, before: float) -> int:
        nonlocal tries
        tries += 1
        if tries <= 2:  # a job that failed among others is run once more alone
            raise sa.exc.OperationalError("DELETE", {}, OSError("gone"))
        return forget(connection, before)

    monkeypatch.setattr(files, "forget_unneeded", fails_first)
    over = await house.add(played())
    monkeypatch.setattr(worker._loop, "_first", 0.0)
    await worker.open()
    try:
        async with asyncio.timeout(20):
            while not await house.database.read(partial(log.views, table=over.id)):
                await asyncio.sleep(0.01)
    finally:
        await worker.close()


@runs.whole
def test_garbage_is_collected_when_there_may_be_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.server.services.housekeeping.GROWTH_FACTOR", 1.0)
    monkeypatch.setattr("ziggurat.server.services.housekeeping.GROWTH_BLOCKS", 20_000)
    settings = Settings(data=tmp_path)
    gc.collect()
    chores_of_one = Housekeeping(
        settings, TableService(settings, open_database(settings), Bus(settings), CompiledRules(settings))
    )
    gc.disable()
    try:
        before = sys.getallocatedblocks()

        def leave(circles: int) -> None:
            for _ in range(circles):
                circle: list[Any] = []
                circle.append(circle)

        leave(1000)
        chores_of_one.collect()
        assert sys.getallocatedblocks() >= before + 1000  # for so little nobody waits
        leave(30_000)
        chores_of_one.collect()
        assert sys.getallocatedblocks() < before + 1000
    finally:
        gc.enable()


@own_on_both
async def test_games_and_what_hosts_did_go_when_their_time_is_over(house: House) -> None:
    for worker in house.workers:
        worker.settings = replace(worker.settings, game_days=30, deed_days=20)
    over = await house.add(played())
    begun = await house.add(create(BEGUN, ANN))
    await house.database.write(partial(log.keep_views, table=over.id, views={2: b"a view"}))
    for kind in ("table_lock", "message"):
        await house.database.write(partial(hosting.note, host=ANN.id, kind=kind, table=over.id))
    await house.later(21 * DAY_SECONDS)
    assert [deed.number for deed in await house.database.read(partial(hosting.deeds_after, number=0))] == [2]
    assert (await house.table_services[0].get(over.id)).status == "finished"
    await house.later(10 * DAY_SECONDS)
    assert await house.database.read(lambda c: log.of_person(c, ANN.id, 100)) == [begun.id]
    await house.database.write(partial(hosting.note, host=ANN.id, kind="message"))
    numbers = [deed.number for deed in await house.database.read(partial(hosting.deeds_after, number=0))]
    assert numbers[-1] == 3, "workers who have read to 2 read on"


async def test_a_network_that_is_shut_opens_when_nobody_tries(house: House) -> None:
    hashes = house.workers[0].settings.address_hasher.of
    today = hashes("192.0.2.1")
    until = house.now + 90 * DAY_SECONDS
    await house.database.write(partial(hosting.bar_network, hash=today[0], person=ANN.id, until=until))

    async def shut() -> float | None:
        return await house.database.read(partial(hosting.barred_until, hashes=hashes("192.0.2.1")))

    assert await shut() == pytest.approx(house.now + 30 * DAY_SECONDS)
    assert await house.database.read(partial(hosting.barred_until, hashes=hashes("192.0.2.2"))) is None
    await house.later(DAY_SECONDS)
    assert await shut(), "by the key of yesterday"
    await house.database.write(partial(hosting.keep_barred, hashes=hashes("192.0.2.1")))
    await house.later(DAY_SECONDS)
    assert await shut(), "who comes every day is known every day"
    await house.later(2 * DAY_SECONDS + 1)
    assert await shut() is None
    assert await house.count(barred_networks) == 0


@pytest.mark.parametrize("trouble", [sa.exc.OperationalError("SELECT", None, OSError()), RuntimeError()])
async def test_what_fails_at_one_table_hides_nothing_that_hosts_did(house: House, trouble: Exception) -> None:
    """An outage in the middle is made up for, and a mistake of ours at one table is that table's alone."""
    table_service = house.table_services[0]
    follows = house_rules.House(table_service.settings, table_service, table_service.bus)
    await follows.open()
    await follows.close()
    heard, signed_out = list[Collection[str]](), list[str]()
    troubles = [trouble]

    async def heard_of(tables: Collection[str]) -> None:
        if troubles:
            raise troubles.pop()
        heard.append([*tables])

    follows._heard_of = heard_of  # type: ignore[method-assign]
    table_service.bus.on_sign_out.append(lambda person, _: signed_out.append(person))

    def did(connection: sa.Connection) -> None:
        hosting.set_state(connection, "maintenance", Maintenance(house.now))
        hosting.note(connection, None, "maintenance", says="0")
        hosting.note(connection, None, "table_lock", table="first")
        hosting.note(connection, None, "person_bar", person=BOB.id)
        hosting.note(connection, None, "table_lock", table="second")

    await house.database.write(did)
    for _ in range(2):
        with suppress(sa.exc.OperationalError):
            await follows.follow()
        assert follows.is_on()
    assert heard == ([["second"]] if isinstance(trouble, RuntimeError) else [["first"], ["second"]])
    assert signed_out == [BOB.id]
