"""With the last yes a game begins, in whichever order people say it and their pages connect."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SHORT
from tests.server.inside import house
from tests.server.migrated import lay
from tests.server.player import PATIENCE, visitor
from tests.server.test_clock import LIVE, PEOPLE

from ziggurat.server.domain.again import accept, decline, play_again, waits_for_nobody
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.seating import ChangeSeat, Join, change_seat, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.services.beginnings import Beginnings
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.engine import open_database

ANN, BOB, CID, DAN = PEOPLE[:4]
HERE, YES = "is there", "says yes"


def asked(live: bool = True) -> Table:
    """The next game of three people: Ann has asked for it, Bob and Cid have not answered."""
    seats = [NewSeat("me"), NewSeat("open"), NewSeat("open")]
    table = create(NewTable(EXAMPLE, seats, start=False, time=LIVE if live else None), ANN)
    for person in (BOB, CID):
        table = join(table, Join(table.invite or "", person.name), person)
    again = play_again(replace(start(table), status="ended"), ANN.id).spawned
    assert again is not None
    return again


def test_it_waits_for_those_for_whom_a_clock_would_run() -> None:
    full = accept(accept(asked(), BOB), CID)
    assert full.status == "waiting"
    assert [waits_for_nobody(full, here) for here in ([], [0, 1], [1, 2], [0, 1, 2])] == [False, False, False, True]
    assert not waits_for_nobody(accept(asked(), BOB), [0, 1, 2]), "Cid has not answered"
    assert not waits_for_nobody(start(full), [0, 1, 2])


def test_who_sits_down_by_the_link_says_yes_too() -> None:
    table = accept(asked(live=False), BOB)
    assert waits_for_nobody(join(table, Join(table.invite or "", "Cid"), CID), [])


def test_where_somebody_else_takes_the_last_seat_the_host_starts_it() -> None:
    table = decline(accept(asked(), BOB), CID.id)
    link = Join(table.invite or "", "Dan")
    for full in (join(table, link, DAN), change_seat(table, ChangeSeat(2, "bot", "random"), ANN.id)):
        assert not waits_for_nobody(full, [0, 1, 2])
    full = accept(accept(asked(), BOB), CID)
    left = leave(full, CID.id)
    assert not waits_for_nobody(join(left, Join(left.invite or "", "Dan"), DAN), [0, 1, 2])


class Room:
    """A worker at whose tables people sit down and whose pages connect, one thing after the other."""

    def __init__(self, settings: Settings) -> None:
        self.database = open_database(settings)
        self.bus = Bus(settings)
        self.service = TableService(settings, self.database, self.bus, CompiledRules(settings))
        self.beginnings = Beginnings(self.service, self.bus)
        self.here: list[int] = []

    async def happens(self, table: Table, seat: int, what: str) -> None:
        """Somebody says yes, or their page is connected."""
        if what == YES:
            says = partial(accept, person=PEOPLE[seat])
            await self.service.change(table.id, lambda now: says(now, present=self.bus.present(table.id)))
        else:
            self.here.append(seat)
            self.bus.announce_presence(table.id, sorted(self.here))

    async def begins(self, table: Table) -> None:
        """Wait until the game has begun."""
        async with asyncio.timeout(PATIENCE):
            while (await self.service.get(table.id)).status != "playing":
                await asyncio.sleep(0.001)


@pytest.fixture
async def room(tmp_path: Path) -> AsyncIterator[Room]:
    lay(tmp_path)
    made = Room(Settings(data=tmp_path, prepare=False))
    await made.database.open()
    await made.beginnings.open()

    def known(connection: sa.Connection) -> None:
        for person in PEOPLE[:3]:
            people.insert(connection, person, person.id)

    await made.database.write(known)
    yield made
    await made.beginnings.close()
    await made.service.settle()
    await made.database.close()


async def test_it_begins_whatever_comes_last(room: Room) -> None:
    pages = [(0, HERE), (1, YES), (1, HERE), (2, YES), (2, HERE)]
    for order in itertools.permutations(pages):
        if any(order.index((seat, YES)) > order.index((seat, HERE)) for seat in (1, 2)):
            continue  # the button stands on another page than the table
        room.here = []
        table = await room.service.add(asked(), "")
        for number, one in enumerate(order, 1):
            await room.happens(table, *one)
            if {(0, HERE), (1, YES), (2, YES)} - {*order[:number]}:
                await asyncio.sleep(0)
                assert (await room.service.get(table.id)).status == "waiting", order[:number]
        await room.begins(table)


async def test_who_came_while_the_last_yes_was_written_is_seen(room: Room) -> None:
    table = await room.service.add(accept(asked(), BOB), "")
    for seat in (0, 1, 2):
        await room.happens(table, seat, HERE)
    await room.service.change(table.id, lambda now: accept(now, CID, present=[]))  # as known a moment before
    await room.begins(table)


async def test_it_begins_when_a_maintenance_is_over(room: Room) -> None:
    table = await room.service.add(asked(), "")
    for one in ((1, YES), (2, YES)):
        await room.happens(table, *one)
    closed = [True]
    room.service.is_closed = lambda: closed[0]
    for seat in (0, 1, 2):
        await room.happens(table, seat, HERE)
    await asyncio.sleep(0)
    assert (await room.service.get(table.id)).status == "waiting"
    closed[0] = False
    await room.begins(table)


async def test_a_server_begins_it_when_the_pages_are_there(tmp_path: Path) -> None:
    live: Any = {"kind": "live", "reserve": 600, "step": 30}
    async with AsyncExitStack() as stack:
        port = await stack.enter_async_context(house(Settings(data=tmp_path, prepare=False, copies=None)))
        base = f"http://127.0.0.1:{port}"
        ann, bob = [await stack.enter_async_context(visitor(base, name)) for name in ("Ann", None)]
        table = await ann.table("me", "open", game=SHORT, time=live)
        await bob.join(table, "Bob")
        path = f"/api/tables/{table['id']}"
        await ann.post(f"{path}/start")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await a.reply(type="ask_end")
            await b.reply(type="vote", agree=True)
            await b.until(lambda: b.state["table"]["status"] == "ended")
        for one in (ann, bob):
            again = await one.post(f"{path}/rematch")
        assert (again["status"], [seat["kind"] for seat in again["seats"]]) == ("waiting", ["human", "human"])
        async with ann.at(again["id"]) as a, bob.at(again["id"]):
            await a.until(lambda: a.state["seq"] >= 0 and a.state["table"]["status"] == "playing")
