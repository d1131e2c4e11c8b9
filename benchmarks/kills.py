"""Kills, stops, storms and full disks while people play: is anything lost, doubled or refused that should not be?

    python -m benchmarks.kills [--workers-killed 200] [--databases-killed 20] [--others 10] [--tables 12] [--seed 1]

A server with two workers on a PostgreSQL of its own, people and bots who play, and visitors who look around. One event
comes after the other, each as soon as all is whole again after the one before: as many workers serve as there are, no
move is unanswered from before, and at every table another one was made. The seed says which events come, and in which
order. Afterwards a server on SQLite is treated alike (`--sqlite` events).

A table says by what happened how long that took, how long people waited from sending a move to its acknowledgement, and
how often nothing was answered; what must not be follows, and the exit code is 1 then. After Ctrl+C no other event
comes, and the table is of those that came. As root on Linux the databases lie on a file system of their own in memory,
which an event fills; otherwise that event is left out.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import ctypes
import os
import random
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
from benchmarks.kept import look
from benchmarks.messages import percentile
from benchmarks.steadfast import BACK, CALM, LOST, Club, Page, Visitor, Watcher, World
from tests.server.own_postgres import OwnPostgres, own_postgres
from tests.server.process import launch

import ziggurat
from ziggurat.cli.progress import ended_politely, progress
from ziggurat.server.settings import Settings

WHOLE = 240.0
"""Seconds after which what is not whole again is a finding."""
STORM = 200
"""Connections that come at once, of a quarter as many people."""
GUESTS = STORM // 4
REFUSALS = 20
"""That the full disk causes before there is room again."""
ROOM = {"postgresql": "1g", "sqlite": "200m"}
"""Of the file systems that are filled."""
MARK = "KILLS_RUN"
"""A variable that all processes of a run have."""
SHORT = (0.5, 2.0, 5.0)
"""Seconds for which a worker is frozen; its parent kills one that is silent for ten."""
HANGS = 60.0
PAGES = ("/", "/api/tables", "/readyz", "/api/open-tables", "/healthz", "/api/me")
CUT, CLOSED = frozenset({"cut"}), frozenset({"cut", "refused"})
MAY_BE: dict[str, frozenset[str]] = {
    "a worker killed": CUT,
    "both workers killed": CUT,
    "a worker hangs": CUT,
    "both workers and the database killed": CUT,
    "the parent killed": CLOSED,
    "stopped and started": CLOSED,
    "killed and started": CLOSED,
}
"""What a proxy would answer by 502: the process that had the request is gone, or nobody listens."""


@dataclass(frozen=True)
class Event:
    """What happens; `choice`: a number between 0 and 1 that says to whom, or for how long."""

    kind: str
    choice: float


def plan(seed: int, workers: int, databases: int, others: int, *, disk: bool) -> list[Event]:
    """Return what happens on PostgreSQL: so many workers and databases are killed, and so often everything else."""
    rng = random.Random(seed)
    kinds = []
    for _ in range(databases):
        both = workers >= 2 and rng.random() < 0.25
        kinds.append("both workers and the database killed" if both else "the database killed")
        workers -= 2 * both
    while workers > 0:
        both = workers >= 2 and rng.random() < 0.4
        kinds.append("both workers killed" if both else "a worker killed")
        workers -= 1 + both
    more = ["the parent killed", "stopped and started", "the database stopped", "a renewal", "a storm"]
    kinds += [*more, "a worker frozen"] * others
    kinds += ["a worker hangs"] * (others // 3) + ["a full disk"] * (others // 2 if disk else 0)
    rng.shuffle(kinds)
    return [Event(kind, rng.random()) for kind in kinds]


def plan_alone(seed: int, events: int, *, disk: bool) -> list[Event]:
    """Return what happens on SQLite."""
    rng = random.Random(seed)
    kinds = ["killed and started", "stopped and started", "a storm", *(["a full disk"] if disk else [])]
    return [Event(kinds[number % len(kinds)], rng.random()) for number in range(events)]


# --- What it happens to ---------------------------------------------------------------------------------------------


class Disk:
    """A file system in memory, which can be filled."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def fill(self) -> None:
        """Leave no byte."""
        with contextlib.suppress(OSError), (self.folder / "filled").open("ab", buffering=0) as file:
            while file.write(b"\0" * 2**20):
                pass
        with contextlib.suppress(OSError), (self.folder / "filled").open("ab", buffering=0) as file:
            while file.write(b"\0" * 4096):
                pass

    def free(self) -> None:
        """Make room again."""
        (self.folder / "filled").unlink(missing_ok=True)


@contextlib.contextmanager
def disk(size: str) -> Iterator[Disk | None]:
    """Mount one; None: that is not allowed here."""
    with tempfile.TemporaryDirectory(prefix="ziggurat-disk-") as folder:
        c = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
        if c is None or c.mount(b"tmpfs", os.fsencode(folder), b"tmpfs", 0, f"size={size}".encode()) != 0:
            yield None
            return
        try:
            yield Disk(Path(folder))
        finally:
            c.umount2(os.fsencode(folder), 2)


def free_ports(count: int) -> list[int]:
    """Return ports that nobody uses."""
    with contextlib.ExitStack() as stack:
        taken = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [one.getsockname()[1] for one in taken]


class House:
    """A server with its database, on which everything can be tried."""

    def __init__(self, folder: Path, database: OwnPostgres | None, room: Disk | None, workers: int) -> None:
        self.folder = folder
        self.database = database
        self.room = room
        self.workers = workers
        self.port, self.metrics = free_ports(2)
        self.url = database.new_database() if database is not None else None
        self.settings = Settings(data=folder, database_url=self.url)
        self.errors = folder.parent / f"{folder.name}.log"
        self.mark = secrets.token_hex(8)
        self.starts = 0
        self.files: dict[int, list[int]] = defaultdict(list)
        """Open files of each parent, whenever all was whole."""
        self.process: subprocess.Popen[str]

    def start(self) -> None:
        """Start the server, as a service manager does."""
        where = ["--database-url", self.url] if self.url else []
        with self.errors.open("a") as said:
            self.process = launch(
                *("--port", str(self.port), "--metrics", f"127.0.0.1:{self.metrics}"),
                *("--data", str(self.folder), "--workers", str(self.workers), *where),
                to=said,
                **{MARK: self.mark, "ZIGGURAT_LEASE": "2", "ZIGGURAT_DEAL_BOTS": "0"},
            )
        self.starts += 1

    def keep_alive(self) -> None:
        """Start it again when it has ended: while the old workers still hold the port it cannot begin."""
        if self.process.poll() is not None:
            self.start()

    def serving(self) -> list[int]:
        """Return the processes that serve."""
        if self.workers == 1:
            return [self.process.pid]
        with contextlib.suppress(psutil.Error):
            return sorted(one.pid for one in psutil.Process(self.process.pid).children() if _is_worker(one))
        return []

    def counted(self) -> dict[str, float]:
        """Return what Prometheus is told; nothing while nobody answers."""
        with (
            contextlib.suppress(OSError, ValueError),
            urllib.request.urlopen(f"http://127.0.0.1:{self.metrics}/metrics", timeout=10) as answer,
        ):
            lines = re.findall(r"^(\w+) ([\d.e+-]+)$", answer.read().decode(), re.MULTILINE)
            return {name: float(value) for name, value in lines}
        return {}

    def is_whole(self, gone: set[int]) -> bool:
        """Whether as many serve as should, and none of those that are to be gone."""
        self.keep_alive()
        serving = self.serving()
        if len(serving) != self.workers or gone & {*serving}:
            return False
        return self.counted().get("ziggurat_workers") == self.workers and self._ready()

    def _ready(self) -> bool:
        with contextlib.suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=10):
            return True
        return False

    def left(self) -> list[str]:
        """Return which processes of this run live."""
        found = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                if process.environ().get(MARK) == self.mark and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(f"{process.pid} {' '.join(process.cmdline())[:80]}")
        return found


def _is_worker(process: psutil.Process) -> bool:
    with contextlib.suppress(psutil.Error):
        return "ziggurat.server.worker" in process.cmdline()
    return False


async def until(holds: Callable[[], Any], seconds: float = WHOLE, pause: float = 0.1) -> None:
    """Look again and again whether something holds, in a thread, because looking takes a while."""
    async with asyncio.timeout(seconds):
        while not await asyncio.to_thread(holds):
            await asyncio.sleep(pause)


# --- What happens ---------------------------------------------------------------------------------------------------


class Run:
    """All events, and who meets them."""

    def __init__(self, house: House, seed: int, tables: int) -> None:
        self.house = house
        self.world = World(f"http://127.0.0.1:{house.port}", seed)
        self.tally = self.world.tally
        self.took: dict[str, list[float]] = defaultdict(list)
        self.guests = [Visitor(self.world, f"Guest {number}", f"127.2.0.{number + 1}") for number in range(GUESTS)]
        self.looking = [Visitor(self.world, f"Looker {number}", f"127.3.0.{number + 1}") for number in range(3)]
        games = list(ziggurat.registered_games().values())
        for number in range(tables):
            game = games[number % len(games)]
            seats = max(game.min_players, min(3, game.max_players))
            bots = [("random", "greedy")[number // len(games) % 2]] * (number % 3 > 0)
            names = [f"Player {number}.{seat}" for seat in range(max(1, seats - len(bots)))]
            people = [Visitor(self.world, name, f"127.1.{number}.{seat + 1}") for seat, name in enumerate(names)]
            onlookers = [Visitor(self.world, f"Onlooker {number}", f"127.4.0.{number + 1}")] * (number % 4 == 0)
            self.world.clubs.append(Club(self.world, game.id, people, bots, 1 + (number % 4 == 1), onlookers))
        self.ends = False
        """Whether no other event is to come."""
        self._tasks: list[asyncio.Task[None]] = []

    def end(self) -> None:
        """Let no other event come: what there was is compared."""
        self.ends = True

    async def play(self, events: list[Event], advance: Callable[[int], None]) -> None:
        """Let all of it happen."""
        tally = self.tally
        await asyncio.to_thread(self.house.start)
        await until(lambda: self.house.is_whole(set()))
        self._tasks = [asyncio.create_task(club.run()) for club in self.world.clubs]
        await asyncio.gather(*(guest.comes() for guest in (*self.guests, *self.looking)))
        self._tasks += [asyncio.create_task(one.looks_around(PAGES)) for one in self.looking]
        try:
            await self._whole_again(0.0, set())
            for number, event in enumerate(events, start=1):
                if self.ends:
                    break
                begun, tally.now = time.monotonic(), event.kind
                gone = await self._happens(event)
                await self._whole_again(begun, gone)
                self.took[event.kind].append(time.monotonic() - begun)
                advance(1)
                if not sys.stderr.isatty() and number % 10 == 0:
                    moves, wrong = sum(club.moves for club in self.world.clubs), len(tally.findings)
                    print(f"{number} of {len(events)} events, {moves} moves, {wrong} wrong", flush=True)
            tally.now = CALM
        finally:
            for task in self._tasks:
                task.cancel()
            await asyncio.gather(*self._tasks, return_exceptions=True)
            for club in self.world.clubs:
                for one in (*club.people, *club.guests):
                    await one.http.aclose()
            for one in (*self.guests, *self.looking):
                await one.http.aclose()

    async def _whole_again(self, begun: float, gone: set[int]) -> None:
        """Wait until everybody is served as before."""
        waits = [*self.world.clubs]
        try:
            await until(lambda: self.house.is_whole(gone))
            at = time.monotonic()

            def all_go_on() -> bool:
                for task in self._tasks:
                    if task.done():
                        task.result()
                waits[:] = [club for club in waits if not club.goes_on(begun, at)]
                return not waits and all(one.asking is None or one.asking > begun for one in self.looking)

            async with asyncio.timeout(WHOLE):
                while not all_go_on():
                    await asyncio.sleep(0.05)
        except TimeoutError:
            counted = await asyncio.to_thread(self.house.counted)
            stuck = [
                f"{club.table} at {[one.seq for one in club.playing]}" for club in self.world.clubs if club in waits
            ]
            self.tally.find(
                f"not whole after {WHOLE:.0f} s ({self.tally.now}): {self.house.serving()}, tables {stuck}, {counted}"
            )
            self.ends = True
        parent = self.house.process.pid
        with contextlib.suppress(psutil.Error):
            self.house.files[parent].append(psutil.Process(parent).num_fds())

    async def _happens(self, event: Event) -> set[int]:
        """Do it; return which processes are to be gone for it."""
        house, kind, serving = self.house, event.kind, self.house.serving()
        victim = serving[int(event.choice * len(serving))]
        if kind == "a worker killed":
            os.kill(victim, signal.SIGKILL)
            return {victim}
        if kind.startswith("both workers"):
            for worker in serving:
                os.kill(worker, signal.SIGKILL)
        if kind in ("both workers and the database killed", "the database killed", "the database stopped"):
            assert house.database is not None
            await asyncio.to_thread(house.database.stop if kind.endswith("stopped") else house.database.kill)
            await self._start_database(house.database)
            return {*serving} if kind.startswith("both") else set()
        if kind in ("the parent killed", "killed and started"):
            house.process.kill()
        elif kind == "stopped and started":
            house.process.terminate()
        elif kind == "a renewal":
            house.process.send_signal(signal.SIGHUP)
        elif kind == "a storm":
            await self._storm()
            return set()
        elif kind == "a full disk":
            await self._full_disk()
            return set()
        elif kind in ("a worker frozen", "a worker hangs"):
            return await self._freeze(victim, hangs=kind == "a worker hangs", choice=event.choice)
        if house.process.poll() is None and kind not in ("a renewal", "both workers killed"):
            await asyncio.to_thread(house.process.wait, HANGS)
        return {*serving}

    async def _start_database(self, database: OwnPostgres) -> None:
        """Start it: the program that does waits for ten seconds at most, and it may have much to mend."""
        async with asyncio.timeout(WHOLE):
            while True:
                with contextlib.suppress(subprocess.SubprocessError):
                    await asyncio.to_thread(database.start)
                    return

    async def _freeze(self, victim: int, *, hangs: bool, choice: float) -> set[int]:
        process = psutil.Process(victim)
        process.suspend()
        if hangs:
            with contextlib.suppress(psutil.NoSuchProcess):
                await asyncio.to_thread(process.wait, HANGS)  # its parent sees that, and kills it
            return {victim}
        await asyncio.sleep(SHORT[int(choice * len(SHORT))])
        process.resume()
        return set()

    async def _full_disk(self) -> None:
        """Fill the disk until some are refused, and make room again."""
        assert self.house.room
        tally, database = self.tally, self.house.database

        def refused() -> int:
            told = sum(
                count for (kind, _, answer), count in tally.answers.items() if (kind, answer) == (tally.now, "503")
            )
            return told + tally.refusals["storage"]

        before = refused()
        await asyncio.to_thread(self.house.room.fill)
        try:
            await until(lambda: refused() >= before + REFUSALS or (database is not None and not database.runs))
        finally:
            self.house.room.free()
        if database is not None and not await asyncio.to_thread(lambda: database.runs):
            tally.refusals["(the full disk ended PostgreSQL)"] += 1
            await self._start_database(database)

    async def _storm(self) -> None:
        """Everybody looks at a table at once, and stays until all have seen it."""
        seen, all_here = 0, asyncio.Event()

        async def look_in(guest: Visitor, table: str, invite: str) -> None:
            nonlocal seen
            watcher, counted = Watcher(guest, table, invite), False
            for wait in BACK:  # as the page does, when it is told to come again
                with contextlib.suppress(*LOST):
                    async with guest.socket(table, invite) as connection:
                        await Page(connection, watcher).hello()
                        seen, counted = seen + (not counted), True
                        if seen == STORM:
                            all_here.set()
                        await asyncio.wait_for(all_here.wait(), HANGS)
                        break
                await asyncio.sleep(wait * guest.random.uniform(0.5, 1.5))
            watcher.shown.heard.append((watcher.seat, watcher.seq, watcher.heard))

        there = list(self.world.invites.items())
        looks = [look_in(self.guests[number % GUESTS], *there[number % len(there)]) for number in range(STORM)]
        await asyncio.gather(*looks, *(guest.asked("GET", "/") for guest in self.guests))
        if seen < STORM:
            self.tally.find(f"of a storm only {seen} of {STORM} were served")

    # --- Afterwards ---

    async def at_rest(self) -> None:
        """When everybody has gone: nothing is held that nobody needs."""
        house, tally = self.house, self.tally
        try:
            await until(lambda: house.counted().get("ziggurat_sockets") == 0, HANGS)
        except TimeoutError:
            tally.find(f"{house.counted().get('ziggurat_sockets')} sockets are left when everybody has gone")
        if house.url is not None:
            try:
                async with asyncio.timeout(HANGS):
                    held = await _connections(house)
                    while any("transaction" in state for state in held):
                        await asyncio.sleep(0.1)
                        held = await _connections(house)
            except TimeoutError:
                tally.find(f"transactions are left open when everybody has gone: {Counter(held)}")
            if len(held) > house.workers * (house.settings.pool + 1):
                tally.find(f"{len(held)} connections of the database are held when everybody has gone")
        for parent, counts in house.files.items():
            if counts[-1] > counts[0] + 2:
                tally.find(f"the parent {parent} has more and more files open: {counts}")
        house.process.terminate()
        await asyncio.to_thread(house.process.wait, HANGS)
        try:
            await until(lambda: not house.left(), HANGS)
        except TimeoutError:
            tally.find(f"processes are left: {house.left()}")
        if house.url is not None and (held := await _connections(house)):
            tally.find(f"connections of the database are left: {Counter(held)}")
        said = house.errors.read_text()
        for found in re.finditer(
            r"^.*(unexpected|CRITICAL).*$|^(.*\n)?Traceback.*(\n .*)*(\n\w.*)?", said, re.MULTILINE
        ):
            tally.find(f"in the log: {found[0]}")

    def compare(self) -> dict[str, Any]:
        """Compare the database with what everybody was told; return what was looked at."""
        tally = self.tally
        kept = look(self.house.settings, self.world.tables)
        for finding in kept.findings:
            tally.find(finding)
        for (kind, what, answer), count in sorted(tally.answers.items()):
            wrong = answer[0] in "45" and answer not in ("503", "409")
            if wrong or answer == "silent" or (answer in CLOSED and answer not in MAY_BE.get(kind, ())):
                tally.find(f"{what} was answered {count} times by {answer} ({kind})")
        counts = {name: getattr(kept, name) for name in ("tables", "finished", "acknowledged", "views", "events")}
        return counts | {"starts": self.house.starts, "answers": sum(tally.answers.values())}


async def _connections(house: House) -> list[str]:
    """Return the states of the connections to the database of a server."""
    import asyncpg

    connection = await asyncpg.connect(house.url)
    try:
        rows = await connection.fetch(
            "SELECT state FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
            "AND backend_type = 'client backend'"
        )
        return [row["state"] or "" for row in rows]
    finally:
        await connection.close()


def report(title: str, run: Run, looked: dict[str, Any]) -> bool:
    """Print what happened; return whether anything is wrong."""
    tally = run.tally
    print(f"\n{title}: " + ", ".join(f"{count} {name}" for name, count in looked.items()))
    columns = (
        "times",
        "whole again",
        "longest",
        "moves",
        "p50",
        "p99",
        "longest wait",
        "HTTP",
        "503",
        "502",
        "longest",
    )
    print(f"{'':38}" + "".join(f"{column:>13}" for column in columns))
    for kind in sorted({*run.took, *tally.waits}, key=lambda kind: (kind == CALM, kind)):
        took, waits = run.took.get(kind) or [0.0], tally.waits.get(kind) or [0.0]
        answers = Counter[str]()
        for (of, _, answer), count in tally.answers.items():
            answers[answer] += count if of == kind else 0
        slowest = max((seconds for (of, _), seconds in tally.slowest.items() if of == kind), default=0.0)
        cells = [
            len(run.took.get(kind, [])),
            f"{percentile(took, 0.5):.1f} s",
            f"{max(took):.1f} s",
            len(tally.waits.get(kind, [])),
            *(f"{percentile(waits, part) * 1000:.0f} ms" for part in (0.5, 0.99)),
            f"{max(waits):.1f} s",
            answers.total(),
            answers["503"],
            answers["cut"] + answers["refused"],
            f"{slowest:.1f} s",
        ]
        print(f"{kind:38}" + "".join(f"{cell!s:>13}" for cell in cells))
    print("refused moves: " + (", ".join(f"{code} {count}" for code, count in tally.refusals.most_common()) or "none"))
    for says, count in tally.findings.most_common(40):
        print(f"WRONG: {says}" + (f" ({count} times)" if count > 1 else ""))
    if len(tally.findings) > 40:
        print(f"... and {len(tally.findings) - 40} kinds more")
    if not tally.findings:
        print("Nothing was lost, doubled or refused that should not be, and nothing is left.")
    return bool(tally.findings)


def attack(title: str, house: House, seed: int, tables: int, events: list[Event]) -> tuple[bool, bool]:
    """Play events on a server; return whether anything is wrong, and whether it was ended before all had come."""

    async def everything(advance: Callable[[int], None]) -> Run:
        run = Run(house, seed, tables)
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, run.end)
        await run.play(events, advance)
        await run.at_rest()
        return run

    try:
        with progress(title, len(events)) as advance:
            run = asyncio.run(everything(advance))
        return report(title, run, run.compare()), run.ends
    finally:
        if house.process.poll() is None:
            house.process.terminate()
            house.process.wait(HANGS)


def main() -> int:
    """Play and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--workers-killed", type=int, default=200, help="(default: 200)")
    parser.add_argument("--databases-killed", type=int, default=20, help="(default: 20)")
    parser.add_argument("--others", type=int, default=10, help="of each other kind of event (default: 10)")
    parser.add_argument("--sqlite", type=int, default=20, help="events on SQLite afterwards (default: 20)")
    parser.add_argument("--tables", type=int, default=12, help="at which people play (default: 12)")
    parser.add_argument("--seed", type=int, default=1, help="says which events come when (default: 1)")
    options = parser.parse_args()
    for game in ziggurat.registered_games():
        ziggurat.prepare(game)  # into the cache, from where the server takes it
    wrong = ended = False
    with disk(ROOM["postgresql"]) as room, tempfile.TemporaryDirectory(prefix="ziggurat-kills-") as folder:
        if room is None:
            print("no disk is filled: that needs root on Linux", file=sys.stderr)
        with own_postgres(str(room.folder) if room else None) as database:
            database.do("ALTER SYSTEM SET max_wal_size = '128MB'")
            events = plan(
                options.seed, options.workers_killed, options.databases_killed, options.others, disk=room is not None
            )
            if events:
                house = House(Path(folder, "two"), database, room, 2)
                wrong, ended = attack("PostgreSQL, two workers", house, options.seed, options.tables, events)
    if options.sqlite and not ended:
        with disk(ROOM["sqlite"]) as room, tempfile.TemporaryDirectory(prefix="ziggurat-kills-") as folder:
            data = room.folder / "data" if room else Path(folder, "data")
            house = House(data, None, room, 1)
            events = plan_alone(options.seed, options.sqlite, disk=room is not None)
            wrong |= attack("SQLite", house, options.seed, min(options.tables, 6), events)[0]
    return 1 if wrong else 0


if __name__ == "__main__":
    with ended_politely():
        raise SystemExit(main())
