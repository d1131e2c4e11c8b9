"""Ten days of tables at which people come, sleep, vanish and return, in a time that passes as fast as it can.

    python -m tests.server.ten_days [--tables 40] [--seed 1]

Everything is real but the time of day and the people: the database, the clocks, the bots and the log.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from msgspec.structs import replace as replace_control
from tests.server.watch import Watch

import ziggurat
from ziggurat.server.domain.clock import DAY, NIGHT, TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import move
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, come_back, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.timing import vacation
from ziggurat.server.domain.undo import answer, asks, can_undo, undo
from ziggurat.server.domain.votes import answer_vote, ask_pause, asked
from ziggurat.server.live.activity import notes
from ziggurat.server.problems import Problem
from ziggurat.server.services.bot_turns import BotTurns
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.clocks import BEAT, Clocks
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import RateLimits
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate

HOUR = 3600
STEP = 900
"""Seconds between two looks at who comes."""
DAYS, LONGEST = 10, 20
"""For which people come; where they wait for one another again and again, it may take longer."""
MONDAY = datetime(2026, 10, 19, tzinfo=UTC).timestamp()
"""The clocks of Europe are set back in the night to the 25th."""
ZONES = ("Europe/Budapest", "Europe/Budapest", "Europe/Budapest", "Europe/London", "America/New_York", "")


@dataclass
class Somebody:
    """A person with habits."""

    person: Person
    zone: str
    every: float
    """Seconds between two looks at the tables, on average."""
    vanishes: float = float("inf")
    returns: float = float("inf")
    holiday: float = float("inf")
    stays: float = 0.0
    """Until when they look at their tables all the time."""
    tables: list[str] = field(default_factory=list)

    def comes(self, now: float, chance: random.Random) -> bool:
        """Whether they look at their tables in this step."""
        if self.vanishes <= now < self.returns or self.holiday <= now < self.holiday + 2 * DAY:
            return False
        hour = datetime.fromtimestamp(now, ZoneInfo(self.zone or "UTC")).hour
        if not NIGHT[1] <= hour < NIGHT[0]:
            return False
        if now >= self.stays and chance.random() < STEP / self.every:
            self.stays = now + chance.uniform(0, 2) * HOUR
        return now < self.stays


class House:
    """A server without its doors, which begins again when it is told to."""

    def __init__(self, folder: Path) -> None:
        self.settings = Settings(data=folder, prepare=False, forced=(0.0, 0.0), pace=0.0, quota=1000.0)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[House]:
        """Work as one worker."""
        settings = replace(self.settings, worker=f"w{time.monotonic_ns()}")
        database = open_database(settings)
        await migrate(database)
        await database.open()
        bus, rate_limits = Bus(settings), RateLimits(settings)
        compiled_rules, search_pool = CompiledRules(settings), SearchPool(1)
        self.table_service = TableService(settings, database, bus, compiled_rules)
        bots = Bots(compiled_rules, search_pool, rate_limits)
        self.turns = BotTurns(settings, self.table_service, bus, bots, rate_limits)
        self.clocks = Clocks(settings, self.table_service)
        await self.clocks.beat(0.0)
        await self.turns.open()
        try:
            yield self
        finally:
            await self.turns.close()
            bots.close()
            await search_pool.close()
            await database.close()

    async def rest(self) -> None:
        """Wait until the bots have played what they have to."""
        while self.turns._tasks:
            await asyncio.wait([*self.turns._tasks.values()])
            await asyncio.sleep(0)


class TenDays:
    """The people, their tables, and what they do."""

    def __init__(self, house: House, tables: int, seed: int, watch: Watch) -> None:
        self.house = house
        self.chance = random.Random(seed)
        self.watch = watch
        self.count = tables
        self.people: dict[str, Somebody] = {}
        self.did: Counter[str] = Counter()
        self.ids: list[str] = []
        self.tables: list[Table] = []

    # --- Who plays with whom ---

    def _somebody(self, faithful: bool) -> Somebody:
        number, chance = len(self.people), self.chance
        one = Somebody(Person(f"p{number}", f"P {number}", "en"), chance.choice(ZONES), chance.uniform(0.5, 3) * HOUR)
        fate = 1.0 if faithful else chance.random()
        if fate < 0.5:
            one.vanishes = MONDAY + chance.uniform(0, 6) * DAY
            one.returns = one.vanishes + chance.uniform(0.5, 3) * DAY if fate < 0.3 else one.returns
        elif fate < 0.7:
            one.holiday = MONDAY + chance.uniform(0, 5) * DAY
        self.people[one.person.id] = one
        return one

    def _control(self) -> TimeControl:
        chance = self.chance
        return TimeControl(
            "days",
            reserve=chance.choice([0, 6 * HOUR, DAY // 2]),
            step=chance.choice([HOUR, 3 * HOUR]),
            then=chance.choice(["bot", "bot", "ask", "nothing"]),
            bot="random",
            nights=chance.random() < 0.5,
            vacation=chance.choice([0, 2]),
        )

    async def _lay(self) -> None:
        control = self._control()
        game = ziggurat.game(self.chance.choice([*ziggurat.registered_games()]))
        seats = self.chance.randint(max(2, game.min_players), min(4, game.max_players))
        bots = self.chance.random() < 0.2
        people_at = [self._somebody(control.then == "nothing") for _ in range(seats - bots)]
        if not self.ids:  # at the first table one is never seen, whatever chance does with the others
            control = replace_control(control, then="bot")
            people_at[0].vanishes, people_at[0].returns = MONDAY, float("inf")
        table_service = self.house.table_service

        def known(connection: sa.Connection) -> None:
            for one in people_at:
                people.insert(connection, one.person, one.person.id)

        await table_service.database.write(known)
        wish = NewTable(
            game.id,
            [NewSeat("me"), *[NewSeat("open")] * (len(people_at) - 1), *[NewSeat("bot", "random")] * bots],
            pace="instant",
            time=control,
            zone=people_at[0].zone,
        )
        table = await table_service.add(create(wish, people_at[0].person), "127.0.0.1")
        for one in people_at[1:]:
            joining = Join(table.invite or "", one.person.name, zone=one.zone)
            await table_service.change(table.id, partial(join, wish=joining, person=one.person))
        if table.status == "waiting":
            await table_service.change(table.id, start)
        for one in people_at:
            one.tables.append(table.id)
        self.ids.append(table.id)

    # --- What they do ---

    async def _looks(self, one: Somebody, id: str) -> bool:
        """Somebody looks at a table, and does what there is to be done; return whether there was anything."""
        table = await self.house.table_service.get(id)
        seat = table.seat_of(one.person.id)
        if seat is None or table.over:
            return False
        if seat.bot is not None:
            return await self._do(id, "back", come_back, one.person.id)
        if asks(table, seat.seat):
            return await self._do(id, "undo answer", answer, seat.seat, self._id(), self.chance.random() < 0.7)
        if seat.seat in asked(table):
            return await self._do(id, "vote", answer_vote, seat.seat, self._id(), self.chance.random() < 0.6)
        if one.holiday <= self.watch.now + HOUR and table.time is not None and table.time.seats[seat.seat].vacation:
            return await self._do(id, "vacation", vacation, seat.seat, self._id(), 2, self.watch.now)
        if table.vote is None and table.undo is None and not table.paused:
            if self.chance.random() < 0.01:
                return await self._do(id, "pause", ask_pause, seat.seat, self._id(), 3 * HOUR)
            if self.chance.random() < 0.02 and can_undo(table, seat.seat):
                return await self._do(id, "undo", undo, seat.seat, self._id())
        if seat.seat in table.actors and not table.paused:
            return await self._do(id, "move", move, seat.seat, self._id(), table.seq, self._choice(table, seat.seat))
        return False

    def _id(self) -> str:
        return f"{self.chance.getrandbits(64):x}"

    def _choice(self, table: Table, seat: int) -> tuple[int, ...]:
        assert table.position is not None
        position, steps = table.position.copy(), list[int]()
        while not steps or position.in_move:
            steps.append(self.chance.choice(position.legal(seat)))
            position.play(seat, steps[-1])
        return tuple(steps)

    async def _do(self, id: str, name: str, verb: object, *given: object) -> bool:
        try:
            await self.house.table_service.change(id, lambda t: verb(t, *given))  # type: ignore[operator]
        except Problem as problem:
            self.did[f"{name}: {problem.code}"] += 1
            return False
        self.did[name] += 1
        await self.house.rest()
        return True

    async def _step(self) -> None:
        """Whoever comes plays until there is nothing to be done."""
        await self._pass(STEP)
        here = [one for one in self.people.values() if one.comes(self.watch.now, self.chance)]
        busy = True
        while busy:
            busy = False
            for one in here:
                for id in one.tables:
                    busy |= await self._looks(one, id)

    async def _pass(self, seconds: float) -> None:
        """Let time pass while the service is up: it says so all the time, and looks when something is due."""
        end = self.watch.now + seconds
        self.watch.now = end
        await self.house.clocks.table_service.database.write(_is_up)
        await self.house.clocks.look()
        await self.house.rest()

    async def play(self, *, shown: bool = False) -> None:
        """Play for ten days; in the second the service is down for some hours."""
        begun = time.monotonic()
        async with self.house.open():
            for _ in range(self.count):
                await self._lay()
            await self.house.rest()
            await self._until(MONDAY + 1.4 * DAY, shown, begun)
        self.watch.now += 5 * HOUR
        async with self.house.open():
            await self._until(MONDAY + DAYS * DAY, shown, begun)
            for _ in range(LONGEST - DAYS):
                if await self._going():
                    await self._until(self.watch.now + DAY, shown, begun)
            await self._check()

    async def _until(self, end: float, shown: bool, begun: float) -> None:
        while self.watch.now < end:
            await self._step()
            if (self.watch.now - MONDAY) % (DAY // 4) >= STEP:
                continue
            if not (going := await self._going()):
                return
            if shown and (self.watch.now - MONDAY) % DAY < STEP:
                day = (self.watch.now - MONDAY) / DAY
                print(f"day {day:4.1f}: {len(going)} games go on, after {time.monotonic() - begun:.0f} s", flush=True)

    async def _going(self) -> list[str]:
        return [id for id in self.ids if not (await self.house.table_service.get(id)).over]

    # --- What must be so ---

    async def _check(self) -> None:
        self.tables = [await self.house.table_service.get(id) for id in self.ids]
        for id, table in zip(self.ids, self.tables, strict=True):
            assert table.over or table.waits, (
                f"{table.game} at {id} goes on: {table.actors}, {table.time}, {table.vote}"
            )
            self.check_log(table)

    def check_log(self, table: Table) -> None:
        """Whenever a bot plays for a person, the log has said why; nobody's time runs out at night."""
        reasons = {note.seq: note for note in notes(table, 0, None)}
        played: set[int] = set()
        for change in table.changes:
            note = reasons.get(change.seq)
            if change.kind == "timeout":
                assert note is not None
                if "bot" in note.args:
                    played.add(int(note.args["gone"]))
                    self.did["bots told"] += 1
                if "bot" not in note.args or table.time is None or table.time.control.then == "bot":
                    self._awake(table, int(note.args["gone"]), change.at)  # otherwise the others did not wait
            elif change.kind == "back":
                assert note is not None
                played.discard(change.seat if change.seat is not None else -1)
            elif change.kind == "move" and change.seat is not None and table.seats[change.seat].kind == "human":
                by_bot = change.client_id is None and not change.forced
                assert not by_bot or change.seat in played, f"{table.id}: why does a bot play for seat {change.seat}?"

    def _awake(self, table: Table, seat: int, at: float) -> None:
        time_ = table.time
        assert time_ is not None
        if not time_.control.nights:
            return
        zone = ZoneInfo(time_.seats[seat].zone or "UTC")
        hour = datetime.fromtimestamp(at - STEP, zone).hour, datetime.fromtimestamp(at, zone).hour
        assert any(NIGHT[1] <= one < NIGHT[0] for one in hour), f"{table.id}: at {hour}"


def _is_up(connection: sa.Connection) -> None:
    """In the time that was skipped the service was up, and would have said so."""
    from ziggurat.server.store.log import clocks_run, clocks_tick

    if clocks_tick(connection):
        clocks_run(connection, time.time() - BEAT)


def main() -> None:
    """Play ten days, and say what happened."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    wish = parser.parse_args()
    patch, watch = pytest.MonkeyPatch(), Watch(MONDAY)
    patch.setattr(time, "time", watch)
    with tempfile.TemporaryDirectory() as folder:
        days = TenDays(House(Path(folder)), wish.tables, wish.seed, watch)
        asyncio.run(days.play(shown=True))
    print(f"{wish.tables} games, all over; {dict(days.did.most_common())}")


if __name__ == "__main__":
    main()
