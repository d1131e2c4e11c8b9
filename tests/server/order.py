"""Every order of events: a simulation of workers, their database and people, in which a seed chooses what happens next.

    python -m tests.server.order --seeds 1000000           for hours; exits with 1 when something is found
    python -m tests.server.order --seeds 1 --first 17      the same run once more, and tells all that happens

Two workers share a database that is believed to be PostgreSQL, or one has its SQLite. They are killed between any two
steps, writes fail and hang, notices come late, twice or not at all, clocks jump. When all is quiet again everything is
compared: `order_checks` says what must be so.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import random
import sys
import tempfile
import time
import zlib
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import pytest
from tests.core.lotus import GAME
from tests.server.order_checks import KINDS, Checks, Log
from tests.server.order_database import Weather, current
from tests.server.order_loop import Loop, OutOfSteps
from tests.server.order_world import AGAIN, Client, World, add_people

from ziggurat.cli.progress import progress
from ziggurat.server.domain.clock import TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start_by
from ziggurat.server.domain.table import Table

ACTIVE, QUIET, AT_LEAST = 16.0, 45, 6
"""Seconds in which things happen, and in which they come to rest: at most, and at least."""
LATER = (*AGAIN, "open_seats")
"""Refusals after which one tries again, because the worker has perhaps not yet heard who sat down at another one."""
STRIKES = ("kill", "kill", "kill", "stop", "down", "down", "deaf", "deaf", "net", "jump")
"""What happens suddenly: a worker is killed, or told to end; the database is away; connections break on which notices
come, or that of a client; a clock is set."""
SHM = Path("/dev/shm")


@dataclass
class Report:
    """What came of a run."""

    seed: int
    steps: int = 0
    found: list[tuple[str, str]] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    @property
    def trail(self) -> int:
        """What all that happened comes to: the same for the same seed."""
        return zlib.crc32("\n".join(self.lines).encode(), self.steps)


class Run:
    """One world, from its beginning to its end."""

    def __init__(self, seed: int, folder: Path, checks: Checks) -> None:
        self.chance = chance = random.Random(f"order {seed}")
        self.loop = Loop(random.Random(chance.random()))
        self.postgres = chance.random() < 0.7
        self.world = World(folder, self.loop, random.Random(chance.random()), checks, postgres=self.postgres)
        self.checks = checks
        checks.world = self.world
        self.people = ["ann", "bob", "cat"][: chance.choice([1, 2, 2, 3])]
        self.clocks_differ = chance.random() < 0.3
        """Whether the clocks of workers do, and are set while they run."""
        self.loop.strike = self._strike

    # --- What happens ---

    async def go(self) -> None:
        """Let all of it happen."""
        world, chance = self.world, self.chance
        hooked = [person for person in self.people if chance.random() < 0.8]
        world.hooks = {person: f"hook-{person}" for person in hooked}
        add_people(world.database, [*self.people, "dan", "eve"], hooked)
        world.haste = chance.choice([0.2, 0.5, 1.0, 4.0])
        world.pace = chance.choice([0.1, 1.5])
        world.restart = chance.choice([0.3, 2.0, 8.0])
        world.delay = chance.choice([0.01, 0.1, 1.0])
        for slot in range(2 if self.postgres else 1):
            world.start_worker(slot, chance.choice([0.0, 2.0, -2.0]) if self.postgres and self.clocks_differ else 0.0)
        table = await self._make_table()
        if not isinstance(table, Table):
            return
        for name in self.people:
            for page in range(chance.choice([1, 1, 1, 2])):
                world.clients.append(Client(world, f"{name}{page or ''}", name, table.id))
        if chance.random() < 0.4:
            world.clients.append(Client(world, "onlooker", None, table.id, table.invite))
        for client in world.clients:
            if chance.random() < 0.35:
                client.stay_away(20.0)
            self.loop.create_task(client.live())
        self.loop.create_task(self._second_table())
        self._set_weather()
        self.loop.create_task(self._fate())
        await asyncio.sleep(ACTIVE)
        self._calm()
        for second in range(QUIET):
            await asyncio.sleep(1.0)
            if second >= AT_LEAST and self.checks.at_rest():
                break
        self.checks.at_the_end()

    async def _make_table(self) -> Table | None:
        chance = self.chance
        bots = max(chance.choice([0, 1, 1]), 2 - len(self.people)) if len(self.people) < 3 else 0
        clock = None
        if chance.random() < 0.7:
            then: Any = chance.choice(["bot", "bot", "nothing", "ask"])
            clock = TimeControl("live", chance.choice([0, 0, 5]), chance.choice([3, 3, 4]), then, bot="random")
        seats = [NewSeat("me"), *[NewSeat("open")] * (len(self.people) - 1), *[NewSeat("bot", "random")] * bots]
        wish = NewTable(GAME.id, seats, pace=chance.choice(["instant", "calm"]), time=clock)
        table: Table = await self._asked(wish, self.people[0])
        for person in self.people[1:]:
            table = await self._joined(table, person)
        if table.status == "waiting":
            host = self.people[0]
            table = await self.world.ask(
                lambda worker: worker.table_service.change(table.id, lambda now: start_by(now, host)), "a start", LATER
            )
        return table

    async def _asked(self, wish: NewTable, person: str) -> Any:
        who = Person(person, person, "en")
        return await self.world.ask(lambda worker: worker.table_service.add(create(wish, who), "192.0.2.1"), "a table")

    async def _joined(self, table: Table, person: str) -> Any:
        wish, who = Join(table.invite or "", person), Person(person, person, "en")
        return await self.world.ask(
            lambda worker: worker.table_service.change(table.id, lambda now: join(now, wish, who)), f"{person}'s seat"
        )

    async def _second_table(self) -> None:
        """A table that may expire while somebody sits down at it."""
        await asyncio.sleep(6 * self.chance.random())
        seats = [NewSeat("me"), NewSeat("open"), NewSeat("bot", "random")]
        table = await self._asked(NewTable(GAME.id, seats, pace="instant"), "dan")
        if not isinstance(table, Table):
            return
        self.world.clients.append(dan := Client(self.world, "dan", "dan", table.id))
        self.loop.create_task(dan.live())
        await asyncio.sleep(40 * self.chance.random() ** 2)
        joined = await self._joined(table, "eve")
        if isinstance(joined, Table):
            await self.world.ask(
                lambda worker: worker.table_service.change(table.id, lambda now: start_by(now, "dan")), "a start", LATER
            )

    # --- What goes wrong ---

    def _set_weather(self) -> None:
        chance = self.chance

        def often(most: float) -> float:
            return chance.choice([0.0, 0.0, most / 10, most])

        self.world.database.weather = Weather(
            slow=chance.choice([0.02, 0.2]),
            fails=often(0.1),
            hangs=often(0.03),
            unsure=often(0.1),
            late=chance.choice([0.01, 0.3, 3.0]),
            twice=often(0.3),
        )
        self.world.refuses = often(0.5)

    async def _fate(self) -> None:
        """Strike now and then."""
        pause = self.chance.choice([1.0, 3.0, 8.0])
        while True:
            await asyncio.sleep(pause * 2 * self.chance.random())
            if self.world.quiet:
                return
            self.loop.countdown = self.chance.randint(1, 80)

    def _strike(self) -> None:
        world, chance = self.world, self.chance
        if world.quiet:
            return
        worker = chance.choice(world.workers) if world.workers else None
        self.checks.counts["strikes"] += 1
        match chance.choice(STRIKES):
            case "kill" if worker is not None:
                world.kill(worker)
            case "stop" if worker is not None and worker.ready:
                worker.leaves.set()
            case "down":
                world.tell("the database is down")
                world.database.go_down()
                if self.postgres:
                    world.is_away()
                self.loop.call_later(10 * chance.random() ** 2, self._up, context=world.context)
            case "deaf":
                world.tell("notices are lost")
                world.database.break_listening(3.0)
            case "net":
                client = chance.choice(world.clients)
                if client.socket is not None:
                    world.tell(f"{client.name}'s net is gone")
                    client.socket.lose()
            case "jump" if worker is not None and self.clocks_differ:
                worker.process.ahead += chance.choice([-30.0, -1.0, 1.0, 4.0])
                world.aheads.add(worker.process.ahead)
                world.tell(f"the clock of {worker.process.name} jumps to {worker.process.ahead:+.1f} s")

    def _up(self) -> None:
        self.world.tell("the database is up")
        self.world.database.down = False
        if self.postgres:
            self.world.is_back()

    def _calm(self) -> None:
        """Let nothing go wrong any more, and begin nothing more."""
        self.world.tell("all is quiet")
        self.world.quiet = True
        self.loop.countdown = 0
        self.world.database.down = False
        if self.postgres:
            self.world.is_back()
        self.world.database.weather = Weather()
        self.world.refuses = 0.0
        for client in self.world.clients:
            client.here = True


def play(seed: int, most: int = 400_000) -> Report:
    """Let the world of a seed come and go; return what was found."""
    checks, report = Checks(), Report(seed)
    heard, root = Log(checks), logging.getLogger()
    gc.disable()  # what is garbage would go at another moment each time
    with (
        tempfile.TemporaryDirectory(prefix="ziggurat-order-", dir=SHM if SHM.is_dir() else None) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        run = Run(seed, Path(folder), checks)
        run.loop.most = most
        root.addHandler(heard)
        try:
            with current(run.world.database):
                run.world.patch(patch)
                run.loop.set_exception_handler(partial(_unheard, checks))
                try:
                    run.loop.run_until_complete(run.go())
                except OutOfSteps as error:
                    checks.find("stuck", f"{error}")
                finally:
                    run.world.database.over = True
                    run.loop.bury()
                    gc.collect(0)  # exceptions of which nobody has heard are told of now
        finally:
            root.removeHandler(heard)
            gc.enable()
    report.steps, report.found, report.lines, report.counts = (
        run.loop.steps,
        checks.found,
        run.world.lines,
        checks.counts,
    )
    return report


def _unheard(checks: Checks, _: object, what: dict[str, Any]) -> None:
    """Note an exception that nobody has heard of; not one of a process that is dead."""
    process = getattr(what.get("task") or what.get("future"), "process", None)
    if process is None or not process.dead:
        checks.find("error", f"{what.get('message')}: {what.get('exception')!r}")


def _played(seed: int) -> Report:
    report = play(seed)
    if seed % 50 == 0:
        gc.collect()
    return report if report.found else replace(report, lines=[])


def main() -> None:
    """Play many seeds; tell of what is found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=1, help="the others are those after it")
    parser.add_argument("--jobs", type=int, default=1, help="processes that play at once")
    wish = parser.parse_args()
    logging.getLogger().addHandler(logging.NullHandler())
    if wish.seeds == 1:
        report = play(wish.first)
        print("\n".join(report.lines))
        print("\n".join(f"{kind} ({KINDS[kind]}): {text}" for kind, text in report.found) or "Nothing was found.")
        sys.exit(1 if report.found else 0)
    begun, steps, wrong, counts = time.perf_counter(), 0, 0, Counter[str]()
    with Pool(wish.jobs) as pool, progress("Playing", wish.seeds) as advance:
        for report in pool.imap_unordered(_played, range(wish.first, wish.first + wish.seeds), 10):
            advance(1)
            steps, counts = steps + report.steps, counts + report.counts
            if report.found:
                wrong += 1
                told = "; ".join(f"{kind}: {text}" for kind, text in report.found[:3])
                print(f"--seeds 1 --first {report.seed}: {told}", flush=True)
    rate = wish.seeds / (time.perf_counter() - begun)
    print(f"{wish.seeds} runs, {rate:.1f} a second, {steps} steps; looked at: {dict(counts.most_common())}")
    print(f"Something was found in {wrong} of them." if wrong else "Nothing was found.")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
