"""Nobody learns that a move was written ahead: all that others are told, and all that is kept of the table, is the same
where its person came and made it by hand at that moment. In a time of our own, with each game."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest
import sqlalchemy as sa
from tests.example import TABLES, first_move
from tests.server.migrated import lay
from tests.server.test_clock import DAYS
from tests.server.watch import Watch

import ziggurat
from ziggurat.server.api.schemas import table_info
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.features.standing_orders import rows
from ziggurat.server.features.standing_orders.guesses import guess
from ziggurat.server.features.standing_orders.models import standing_orders
from ziggurat.server.features.standing_orders.rules import Order, OrderList, order_of
from ziggurat.server.features.standing_orders.service import OrderFollower, OrdersAtWork
from ziggurat.server.live.snapshot import TableSnapshot
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.models import changes, metadata
from ziggurat.server.store.my_turns import turns_of_person

pytestmark = pytest.mark.slow

NAMES = ("Ann", "Bob", "Cid")
PEOPLE = tuple(Person(name.lower(), name, "en") for name in NAMES)
GAMES = [game for game, players in TABLES if players == 3]
DEEP = 7
"""Moves before one is written ahead."""


@dataclass
class House:
    """A worker on a database of its own."""

    service: TableService
    watch: Watch
    heard: list[Any] = field(default_factory=list)

    @property
    def work(self) -> OrdersAtWork:
        follower = self.service.followers["standing_orders"]
        assert isinstance(follower, OrderFollower)
        return OrdersAtWork(self.service, follower)

    async def moves(self, id: str, seat: int, steps: tuple[int, ...]) -> Table:
        """Somebody makes a move by hand, a minute later."""
        self.watch.now += 60
        return await self.service.change(id, partial(self._move, seat=seat, steps=steps))

    @staticmethod
    def _move(table: Table, seat: int, steps: tuple[int, ...]) -> Table:
        return move(table, seat, f"{seat}-{table.seq}".ljust(24, "0"), table.seq, steps)


@asynccontextmanager
async def house(folder: Path, watch: Watch) -> AsyncIterator[House]:
    settings = Settings(data=folder, prepare=False, ahead=(120.0, 120.0), forced=(0.0, 0.0))
    database = open_database(settings)
    await database.open()
    made = House(TableService(settings, database, Bus(settings), CompiledRules(settings)), watch)
    made.service.bus.on_change.append(lambda id, seq, table: made.heard.append((id, seq)))
    try:
        yield made
    finally:
        await made.service.settle()
        await database.close()


def answered(table: Table) -> tuple[int, Order, tuple[int, ...]]:
    """Return a seat that waits and will be asked for a move of its own choice; and what it will do, by what it names
    and by its steps."""
    assert table.position is not None
    for seat in range(3):
        at, count = table.position.copy(), 0
        if seat in at.actors:
            continue
        while at.actors and seat not in at.actors and count < 40:
            actor = at.actors[0]
            at.play_all(actor, list(at.imposed(actor) or first_move(at, actor)))
            count += 1
        if seat in at.actors and at.imposed(seat) is None:
            steps = first_move(at, seat)
            return seat, order_of(at, seat, steps), steps
    raise AssertionError("nobody waits for a question of their own")


async def laid(folder: Path, watch: Watch, game: str) -> str:
    """A table of days of three in a database, at which somebody waits."""
    lay(folder)
    async with house(folder, watch) as one:
        for person in PEOPLE:
            await one.service.database.write(partial(people.insert, person=person, token=person.id))
        wish = NewTable(game, [NewSeat("me"), NewSeat("open"), NewSeat("open")], time=DAYS)
        table = await one.service.add(create(wish, PEOPLE[0]), "here")
        for person in PEOPLE[1:]:
            table = await one.service.change(
                table.id, partial(join, wish=Join(table.invite or "", person.name), person=person)
            )
        table = await one.service.change(table.id, start) if table.status == "waiting" else table
        for number in range(1_000):
            assert table.position is not None
            if number >= DEEP:
                try:
                    answered(table)
                    break
                except AssertionError:
                    pass
            actor = table.actors[0]
            table = await one.moves(table.id, actor, table.position.imposed(actor) or first_move(table.position, actor))
        return table.id


def told(one: House, table: Table, before: list[TableSnapshot], seat: int) -> dict[str, Any]:
    """Return what everybody is told of the table now who does not sit on a seat: over HTTP, at their sockets, on a page
    that has just been opened and on one that was open, and as onlookers."""
    snapshot = TableSnapshot(table, one.service.bus, before[-1] if before else None)
    found: dict[str, Any] = {}
    for person in (*(other.person for other in table.seats if other.seat != seat), None):
        found[f"{person} asks"] = msgspec.to_builtins(table_info(table, person, one.service.bus))
        found[f"{person} opens the page"] = snapshot.frame(person, None, 0)[2]
        found[f"{person} has it open"] = snapshot.frame(person, None, before[-1].table.seq)[2] if before else b""
    before.append(snapshot)
    return found


async def turns(one: House, table: Table) -> list[Any]:
    """Return the tables that wait for each person."""
    return [
        msgspec.to_builtins(await one.service.database.read(partial(turns_of_person, person=person.id, limit=9)))
        for person in PEOPLE
        if table.seat_of(person.id) is not None
    ]


def kept(connection: sa.Connection) -> dict[str, Any]:
    """Return all rows of the database but those of lists, and but the ids of moves, which their own person alone is
    told."""
    found = {}
    for table in metadata.sorted_tables:
        if table is not standing_orders:
            columns = [column for column in table.columns if column is not changes.c.client_id]
            found[table.name] = sorted(map(repr, connection.execute(sa.select(*columns))))
    return found


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    made = Watch()
    monkeypatch.setattr("time.time", made)
    return made


async def lived(folder: Path, watch: Watch, id: str, begun: float, ahead: bool) -> tuple[list[Any], dict[str, Any]]:
    """Let the others move, and the one who waits: by a list, or by hand at the same moment; return what was told step
    by step, and what is kept in the end."""
    watch.now = begun
    steps_told: list[Any] = []
    snapshots: list[TableSnapshot] = []
    async with house(folder, watch) as one:
        table = await one.service.get(id)
        seat, order, steps = answered(table)
        person = str(table.seats[seat].person)
        work = one.work
        heard = len(one.heard)
        if ahead:
            await work.rewrite(table, seat, person, lambda _: OrderList((order,), since=table.seq), lambda *_: None)
            assert len(await one.service.database.read(lambda c: rows.of_table(c, id))) == 1
        steps_told.append([told(one, table, snapshots, seat), await turns(one, table), one.heard[heard:]])
        while table.seq == snapshots[0].table.seq or table.changes[-1].seat != seat or table.changes[-1].kind != "move":
            assert table.position is not None
            position = table.position
            if seat in table.actors and table.position.imposed(seat) is None:
                watch.now += 120
                if ahead:
                    (row,) = await one.service.database.read(lambda c: rows.of_table(c, id))
                    assert row.due is not None
                    assert row.due <= watch.now
                    await work.look()
                    table = await one.service.get(id)
                else:
                    watch.now -= 60
                    table = await one.moves(id, seat, steps)
                assert table.changes[-1].seat == seat
            else:
                actor = table.actors[0]
                table = await one.moves(id, actor, position.imposed(actor) or first_move(position, actor))
            steps_told.append([told(one, table, snapshots, seat), await turns(one, table), one.heard[heard:]])
        for _ in range(3):
            if table.actors and table.position is not None:
                actor = table.actors[0]
                table = await one.moves(id, actor, table.position.imposed(actor) or first_move(table.position, actor))
                steps_told.append([told(one, table, snapshots, seat), await turns(one, table), one.heard[heard:]])
        for snapshot in snapshots:
            snapshot.end()
        return steps_told, await one.service.database.read(kept)


@pytest.mark.parametrize("game", GAMES)
async def test_others_are_told_the_same_as_if_it_were_made_by_hand(game: str, tmp_path: Path, watch: Watch) -> None:
    id = await laid(tmp_path / "first", watch, game)
    begun = watch.now
    shutil.copytree(tmp_path / "first", tmp_path / "second")
    by_list, kept_by_list = await lived(tmp_path / "first", watch, id, begun, ahead=True)
    by_hand, kept_by_hand = await lived(tmp_path / "second", watch, id, begun, ahead=False)
    assert by_list == by_hand
    assert kept_by_list == kept_by_hand


class OnlyRedealt:
    """A position of which nothing can be read; it can only be dealt again as one seat sees it."""

    def __init__(self, position: ziggurat.Position, seat: int) -> None:
        self._redeal = position.redeal
        self._seat = seat
        self.dealt = 0

    def redeal(self, seat: int, rng: Any) -> ziggurat.Position:
        assert seat == self._seat
        self.dealt += 1
        return self._redeal(seat, rng)

    def __getattr__(self, name: str) -> NoReturn:
        raise AssertionError(f"a guess reads {name} of the true position")


@pytest.mark.parametrize("game", GAMES)
async def test_a_guess_is_made_of_what_its_seat_sees(game: str) -> None:
    """All that a guess has of the game is one deal of what the seat does not see; that this tells nothing is tested
    with the games."""
    position = ziggurat.new(game, players=3, seed=5)
    for _ in range(DEEP):
        actor = position.actors[0]
        position.play_all(actor, list(position.imposed(actor) or first_move(position, actor)))
    seat = next((seat for seat in range(3) if seat not in position.actors), 0)
    for number in range(6):
        only = OnlyRedealt(position, seat)
        found = guess(only, seat, number.to_bytes(32, "big"), [])  # type: ignore[arg-type]
        assert only.dealt == 1
        assert found.position.finished or seat in found.position.actors
        again = guess(OnlyRedealt(position, seat), seat, number.to_bytes(32, "big"), [])  # type: ignore[arg-type]
        assert again.position.view(seat) == found.position.view(seat)


@pytest.mark.parametrize("game", GAMES)
async def test_what_is_guessed_of_hidden_pieces_does_not_depend_on_where_they_lie(game: str) -> None:
    """Of two worlds that look the same to a seat, a hundred guesses each: what they show first is as often the same."""
    position = ziggurat.new(game, players=3, seed=6)
    chance = ziggurat.generator(6)
    for _ in range(DEEP):
        actor = position.actors[0]
        position.play_all(actor, list(position.imposed(actor) or first_move(position, actor)))
    seat = next((seat for seat in range(3) if seat not in position.actors), 0)
    worlds = [position, position.redeal(seat, chance)]
    shown: list[dict[str, int]] = []
    for world in worlds:
        counts: dict[str, int] = {}
        for number in range(100):
            made = guess(world, seat, number.to_bytes(32, "big"), [])
            asked = msgspec.json.encode(made.position.decision(seat if not made.position.finished else None)).decode()
            counts[asked] = counts.get(asked, 0) + 1
        shown.append(counts)
    often = {asked for counts in shown for asked, count in counts.items() if count >= 30}
    for asked in often:
        one, two = (counts.get(asked, 0) for counts in shown)
        # Two of a hundred each: equal but for 5 standard errors.
        assert abs(one - two) <= 5 * (one + two + 2) ** 0.5, asked


async def test_the_list_of_one_is_no_news_for_anybody(tmp_path: Path, watch: Watch) -> None:
    """To write, arrange and withdraw one announces nothing to workers, and changes no row but its own."""
    id = await laid(tmp_path / "first", watch, GAMES[0])
    async with house(tmp_path / "first", watch) as one:
        table = await one.service.get(id)
        seat, order, _ = answered(table)
        before = await one.service.database.read(kept)

        def rewritten(_: OrderList, orders: OrderList) -> OrderList:
            return orders

        for orders in (OrderList((order,)), OrderList((order,), quiet=True), OrderList()):
            change = partial(rewritten, orders=orders)
            await one.work.rewrite(table, seat, str(table.seats[seat].person), change, lambda *_: None)
            assert await one.service.database.read(kept) == before
        await asyncio.sleep(0)
        assert one.heard == []
