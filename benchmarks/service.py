"""What a move costs the server when many people play at once, beside boardgame.io's server in the same run.

    python -m benchmarks.service [--game architects] [--seats 4] [--tables 20] [--pause 0] [--seconds 15] [--json]
    python -m benchmarks.service --peer [...]     boardgame.io as well: in memory, and with files (needs npm)
    python -m benchmarks.service --memory [...]   what our server takes, and a table with its sockets (--tables 200)

The server runs on one processor, the people on the others. Everybody makes a legal move at random whenever they are to,
after `--pause` seconds. Ours is durable when it is acknowledged, shuffled, checked against the rules and told to every
seat as it may see it; boardgame.io's game is a counter. Latency runs from sending a move to its acknowledgement (with
boardgame.io, which has none: to the new state).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gc
import json
import math
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
import psutil  # type: ignore[import-untyped]
from benchmarks.messages import Choice, Message, decode, percentile
from benchmarks.sockets import Socket
from benchmarks.tables import machine, person, server

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.runtime import PLAYING, prepare

HERE = Path(__file__).parent
PEER = "boardgame.io"
AGAIN = 0.02
# Seconds after which nothing is loaded any more, and how many tables begin at once.
SETTLED, BESIDE = 4.0, 16


@dataclass
class Tally:
    """What happened while it was measured."""

    on: bool = False
    latencies: list[float] = field(default_factory=list)
    frames: list[int] = field(default_factory=list)
    errors: dict[str, int] = field(default_factory=dict)
    followed: set[tuple[str, int]] = field(default_factory=set)
    """Actions that are no move yet: others have to follow, and a page looks at the preview first."""

    def error(self, code: str) -> None:
        self.errors[code] = self.errors.get(code, 0) + 1

    def moved(self, sent: float) -> None:
        if self.on:
            self.latencies.append(time.perf_counter() - sent)

    def heard(self, text: bytes) -> None:
        if self.on:
            self.frames.append(len(text))


def later(pause: float, what: Callable[[], None]) -> None:
    """Do something after a pause, or at once."""
    if pause:
        # People do not all move at the same moment.
        asyncio.get_running_loop().call_later(pause * random.uniform(0.5, 1.5), what)
    else:
        what()


# --- Ziggurat ----------------------------------------------------------------------------------------------------


class Person:
    """Somebody at one of our tables, who moves at random."""

    def __init__(self, tally: Tally, pause: float, over: asyncio.Event, moves: float = math.inf) -> None:
        """`over`: set when the game is, or the connection; `moves`: that are made, and no more."""
        self.tally = tally
        self.pause = pause
        self.over = over
        self.moves = moves
        self.ready = asyncio.Event()
        self.socket: Socket | None = None
        self.game = ""
        self._seq = 0
        self._asked: int | None = None
        self._legal: list[Choice] = []
        self._steps: list[int] = []
        self._alone = False
        """Whether the preview said that nothing can follow the steps."""
        self._sent = 0.0
        self._ids = 0

    async def sit(self, port: int, table: str, cookie: str) -> None:
        path = f"/api/tables/{table}/live"
        self.socket = await Socket.connect(port, path, f"ziggurat={cookie}", self.hear, self.over.set)
        self.socket.send(b'{"type":"hello","since":null}')
        await self.ready.wait()

    def hear(self, socket: Socket, text: bytes) -> None:
        self.socket = socket
        message = decode(text)
        if message.type in ("update", "news"):
            self.tally.heard(text)
            self._see(message)
        elif message.type == "ack":
            self.moves -= 1
            self.tally.moved(self._sent)
        elif message.type == "preview" and message.preview is not None:
            if more := message.preview.confirm or message.preview.add:
                self._step(random.choice(more).action)
            else:
                self._alone = True
                self._send("move")
        elif message.type == "error" and message.code == "unfinished_move":
            if self._alone:  # that way leads nowhere
                self._move(self._asked)
            else:
                self.tally.followed.add((self.game, self._steps[-1]))
                self._send("preview")
        elif message.type == "error":
            self.tally.error(message.code or "?")
            if message.code not in ("stale", "game_over"):
                later(max(self.pause, AGAIN), lambda: self._move(self._asked))

    def _see(self, message: Message) -> None:
        self.ready.set()
        self._seq = message.seq
        if message.table is not None and message.table.now() == "finished":
            self.over.set()
        if message.decision is not None:
            self._legal = message.decision.legal
        # What others do at the same time leaves a question as it is.
        if self._legal and message.asked != self._asked:
            self._asked = message.asked
            later(self.pause, lambda: self._move(message.asked))

    def _move(self, asked: int | None) -> None:
        if self._legal and asked == self._asked and self.moves > 0 and not self.over.is_set():
            self._steps, self._alone = [], False
            self._step(random.choice(self._legal).action)

    def _step(self, action: int) -> None:
        """Go on as a page does, which knows what is no move yet; here that is learnt once."""
        self._steps.append(action)
        self._send("preview" if (self.game, action) in self.tally.followed else "move")

    def _send(self, kind: str) -> None:
        assert self.socket is not None
        self._ids += 1
        self._sent = time.perf_counter()
        wish = {"type": kind, "id": f"m{self._ids}", "seq": self._seq, "steps": self._steps}
        self.socket.send(json.dumps(wish).encode())


def leave(there: list[Person]) -> None:
    """Close the sockets of a table."""
    for one in there:
        if one.socket is not None:
            one.socket.close()


async def sit_down(
    base: str, people: list[httpx.AsyncClient], game: str, bots: list[str], there: list[Person]
) -> list[Person]:
    """Make a table, and have people sit down there, with bots."""
    chairs = [{"kind": "me"}] + [{"kind": "open"}] * (len(people) - 1) + [{"kind": "bot", "bot": bot} for bot in bots]
    body = {"game": game, "seats": chairs, "pace": "instant"}
    table = (await people[0].post("/api/tables", json=body)).raise_for_status().json()
    path = f"/api/tables/{table['id']}"
    for number, http in enumerate(people[1:], start=2):
        wish = {"invite": table["invite"], "name": f"Bench {number}"}
        (await http.post(f"{path}/join", json=wish)).raise_for_status()
    if len(people) > 1:
        (await people[0].post(f"{path}/start")).raise_for_status()
    for one in there:
        one.game = game
    port = int(base.rpartition(":")[2])
    cookies = [http.cookies["ziggurat"] for http in people]
    await asyncio.gather(*(p.sit(port, table["id"], cookie) for p, cookie in zip(there, cookies, strict=True)))
    return there


async def our_table(
    base: str, game: str, seats: int, tally: Tally, pause: float, begun: Callable[[], None], bots: Sequence[str] = ()
) -> None:
    """A table after the other; `bots` sit there besides the people."""
    async with contextlib.AsyncExitStack() as stack:
        people = [await stack.enter_async_context(person(base)) for _ in range(seats)]
        while True:
            over = asyncio.Event()
            there = await sit_down(base, people, game, [*bots], [Person(tally, pause, over) for _ in people])
            begun()
            await over.wait()
            leave(there)


# --- boardgame.io ------------------------------------------------------------------------------------------------


class Player:
    """Somebody at one of boardgame.io's tables, who counts."""

    def __init__(self, tally: Tally, pause: float, match: str, seat: int, seats: int) -> None:
        self.tally = tally
        self.pause = pause
        self.match = match
        self.seat = seat
        self.seats = seats
        self.ready = asyncio.Event()
        self.socket: Socket | None = None
        self._sent = 0.0

    async def sit(self, port: int) -> None:
        path = "/socket.io/?EIO=4&transport=websocket"
        await Socket.connect(port, path, "", self.hear, lambda: None)
        await self.ready.wait()

    def hear(self, socket: Socket, text: bytes) -> None:
        self.socket = socket
        if text == b"2":
            socket.send(b"3")
        elif text.startswith(b"0"):
            socket.send(b"40/counter,")
        elif text.startswith(b"40/counter"):
            self._emit("sync", self.match, str(self.seat), None, self.seats)
        elif text.startswith(b"42/counter,"):
            self._see(text)

    def _see(self, text: bytes) -> None:
        kind, _, state, *_ = msgspec.json.decode(text[len(b"42/counter,") :])
        if kind == "sync":
            self.ready.set()
            return
        if kind != "update":
            return
        self.tally.heard(text)
        if self._sent:
            self.tally.moved(self._sent)
            self._sent = 0.0
        if state["ctx"]["currentPlayer"] == str(self.seat):
            later(self.pause, lambda: self.move(state["_stateID"]))

    def move(self, state: int) -> None:
        self._sent = time.perf_counter()
        self._send(state, self._sent)

    def _send(self, state: int, sent: float) -> None:
        if self._sent != sent:
            return
        # It tells everybody before it has written: with files the next move may come too early, and is ignored.
        asyncio.get_running_loop().call_later(AGAIN, self._send, state, sent)
        action = {"type": "MAKE_MOVE", "payload": {"type": "add", "args": [], "playerID": str(self.seat)}}
        self._emit("update", action, state, self.match, str(self.seat))

    def _emit(self, *what: Any) -> None:
        assert self.socket is not None
        self.socket.send(b"42/counter," + json.dumps(what).encode())


async def their_table(port: int, number: int, seats: int, tally: Tally, pause: float) -> None:
    """A match that does not end."""
    there = [Player(tally, pause, f"match{number}", seat, seats) for seat in range(seats)]
    for one in there:  # the first makes the match
        await one.sit(port)
    there[0].move(0)


@contextlib.contextmanager
def peer(storage: str) -> Iterator[tuple[int, psutil.Process]]:
    """Run boardgame.io's server; give its port and its process."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise SystemExit(f"{PEER} needs Node.js and npm on PATH")
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        for name in ("package.json", "server.mjs"):
            shutil.copy(HERE / "boardgame" / name, folder)
        subprocess.run([npm, "install", "--no-audit", "--no-fund", "--silent"], cwd=folder, check=True)
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        where = "memory" if storage == "memory" else str(Path(folder, "games"))
        process = subprocess.Popen(
            [node, "server.mjs", str(port), where], cwd=folder, stdout=subprocess.PIPE, text=True
        )
        try:
            assert process.stdout is not None
            while "ready" not in (line := process.stdout.readline()):
                if not line:
                    raise SystemExit(f"{PEER}'s server did not start")
            # Where Node.js is a package of Python's, what is called `node` only starts it.
            running = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
            yield port, running[-1]
        finally:
            with contextlib.suppress(psutil.Error):
                for child in psutil.Process(process.pid).children(recursive=True):
                    child.kill()
            process.kill()
            process.wait()


# --- Measuring ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Load:
    """How many people do what."""

    tables: int
    seats: int
    pause: float
    seconds: float


async def measured(running: psutil.Process, load: Load, tally: Tally, make: Callable[..., Any]) -> dict[str, Any]:
    """Begin all tables; return what a server did for their people in a while.

    Args:
        make: plays at a table by its number, and calls what it is given besides when everybody sits.
    """
    tasks: list[asyncio.Task[None]] = []

    async def begin(number: int) -> None:
        sits = asyncio.Event()
        playing = asyncio.create_task(make(number, sits.set))
        tasks.append(playing)
        waiting = asyncio.create_task(sits.wait())
        await asyncio.wait([playing, waiting], return_when=asyncio.FIRST_COMPLETED)
        if not sits.is_set():
            waiting.cancel()
            playing.result()

    try:
        await begin(0)
        await asyncio.sleep(SETTLED)  # what the first one needs is there
        first = running.memory_info().rss
        for number in range(1, load.tables, BESIDE):
            await asyncio.gather(*(begin(one) for one in range(number, min(number + BESIDE, load.tables))))
        # What the people here are made of is looked through no more: it would take half a second, of which they would
        # say that they waited for the server.
        gc.collect()
        gc.freeze()
        await asyncio.sleep(SETTLED)
        memory, spent, began = running.memory_info().rss, sum(running.cpu_times()[:2]), time.perf_counter()
        tally.on = True
        await asyncio.sleep(load.seconds)
        tally.on = False
        seconds, cpu = time.perf_counter() - began, sum(running.cpu_times()[:2]) - spent
    finally:
        gc.unfreeze()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    moves = len(tally.latencies)
    return {
        "moves_per_s": round(moves / seconds, 1),
        "cpu_ms_a_move": round(cpu / max(1, moves) * 1000, 3),
        "cpu_share": round(cpu / seconds, 2),
        "p50_ms": round(percentile(tally.latencies, 0.5) * 1000, 2),
        "p99_ms": round(percentile(tally.latencies, 0.99) * 1000, 2),
        "frame_bytes": percentile(tally.frames, 0.5),
        "memory_mb": round(memory / 2**20),
        "kb_a_table": round((memory - first) / 1024 / max(1, load.tables - 1)),
        "errors": tally.errors,
    }


def alone(process: psutil.Process) -> None:
    """Give the server one processor and everybody else the others, where that can be chosen."""
    if not hasattr(process, "cpu_affinity") or (os.cpu_count() or 1) < 2:
        return
    first, *others = sorted(os.sched_getaffinity(0) | set(process.cpu_affinity()))
    for one in (process, *process.children(recursive=True)):
        with contextlib.suppress(psutil.Error):
            one.cpu_affinity([first])
    psutil.Process().cpu_affinity(others)


def ours(game: str, load: Load, url: str | None) -> dict[str, Any]:
    """Measure our server."""
    ziggurat.prepare(game)  # into the cache, from where the server takes it

    async def run(base: str, process: psutil.Process) -> dict[str, Any]:
        tally = Tally()

        def table(_: int, sits: Callable[[], None]) -> Any:
            return our_table(base, game, load.seats, tally, load.pause, sits)

        return await measured(process, load, tally, table)

    with server(url) as (base, process):
        alone(process)
        return asyncio.run(run(base, process))


def theirs(storage: str, load: Load) -> dict[str, Any]:
    """Measure boardgame.io."""

    async def run(port: int, process: psutil.Process) -> dict[str, Any]:
        tally = Tally()

        async def table(number: int, sits: Callable[[], None]) -> None:
            await their_table(port, number, load.seats, tally, load.pause)
            sits()

        return await measured(process, load, tally, table)

    with peer(storage) as (port, process):
        alone(process)
        return asyncio.run(run(port, process))


# --- Memory ------------------------------------------------------------------------------------------------------

# Moves that each person makes at a table whose memory is measured, and bots of whom one searches.
SOME_MOVES, BOTS = 5, ["greedy", "builder"]


def used(server: psutil.Process) -> dict[str, float]:
    """Return the MB that are resident, and what of them is its own (its part of what is shared included), of a server
    and of the processes that it started."""
    server.send_signal(signal.SIGUSR1)  # its garbage is collected, see `COLLECTS`
    while server.cpu_percent(SETTLED / 2) > 5:
        pass
    found = dict.fromkeys(("server_rss", "server_pss", "thinkers_rss", "thinkers_pss"), 0.0)
    for process in (server, *server.children(recursive=True)):
        memory = process.memory_full_info()
        whose = "server" if process == server else "thinkers"
        found[f"{whose}_rss"] += memory.rss / 2**20
        found[f"{whose}_pss"] += getattr(memory, "pss", memory.uss) / 2**20
    return {name: round(size, 1) for name, size in found.items()}


async def a_game(base: str, game: str) -> None:
    """Two people and two bots play a game."""
    async with person(base) as one, person(base) as two:
        over, tally = asyncio.Event(), Tally()
        there = await sit_down(base, [one, two], game, BOTS, [Person(tally, 0.0, over) for _ in range(2)])
        await over.wait()
        leave(there)


async def live_tables(base: str, process: psutil.Process, game: str, load: Load) -> float:
    """Return the kB that a table takes in memory with its sockets, when each person has made some moves.

    From half of the tables to all of them, so that what the first ones need for all falls out.
    """
    async with contextlib.AsyncExitStack() as stack:
        held: list[Person] = []

        async def begin() -> None:
            people = [await stack.enter_async_context(person(base)) for _ in range(load.seats)]
            there = [Person(Tally(), load.pause, asyncio.Event(), SOME_MOVES) for _ in people]
            held.extend(await sit_down(base, people, game, [], there))

        sizes = []
        for number in (load.tables // 2, load.tables - load.tables // 2):
            for first in range(0, number, BESIDE):
                await asyncio.gather(*(begin() for _ in range(first, min(first + BESIDE, number))))
            sizes.append((await asyncio.to_thread(used, process))["server_rss"])
        leave(held)
    return (sizes[1] - sizes[0]) * 1024 / number


def memory(games: list[str], load: Load, url: str | None) -> dict[str, Any]:
    """Return the MB that our server takes: at first, after a game of each kind, and at rest; and the kB of a table."""
    for game in games:
        for program in (PLAYING, SEARCHING):
            prepare(ziggurat.game(game), program=program)  # into the cache, from where the server takes it
    found: dict[str, Any] = {}
    with server(url, collects=True) as (base, process):
        found["start"] = used(process)
        for game in games:
            asyncio.run(a_game(base, game))
            found[f"{game} played"] = used(process)
    for game in games:
        with server(url, collects=True) as (base, process):
            asyncio.run(a_game(base, game))
            found[f"kB a table of {game}"] = round(asyncio.run(live_tables(base, process, game, load)), 1)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", action="append", choices=list(ziggurat.registered_games()), help="(default: all)")
    parser.add_argument("--tables", type=int, default=20, help="tables at once (default: 20)")
    parser.add_argument("--seats", type=int, default=4, help="people at each (default: 4)")
    parser.add_argument("--pause", type=float, default=0.0, help="seconds before a move (default: 0, full speed)")
    parser.add_argument("--seconds", type=float, default=15.0, help="of each run (default: 15)")
    parser.add_argument("--database-url", help="a PostgreSQL database to use instead of SQLite; tables are left in it")
    parser.add_argument("--peer", action="store_true", help=f"measure {PEER} too, in memory and with files")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--memory", action="store_true", help="measure only what our server takes of it")
    options = parser.parse_args()
    load = Load(options.tables, options.seats, options.pause, options.seconds)
    if options.memory:
        found = memory(options.game or list(ziggurat.registered_games()), load, options.database_url)
        print(json.dumps({"machine": machine(), "load": vars(load), "memory": found}, indent=1))
        return
    results = {game: ours(game, load, options.database_url) for game in options.game or ziggurat.registered_games()}
    if options.peer:
        results |= {f"{PEER}, {storage}": theirs(storage, load) for storage in ("memory", "files")}
    if options.json:
        print(json.dumps({"machine": machine(), "load": vars(load), "results": results}, indent=1))
        return
    print(f"{load.tables} tables of {load.seats}, {load.pause:g} s before a move, {load.seconds:g} s measured")
    columns = list(next(iter(results.values())))
    print(f"{'':24}" + "".join(f"{column:>15}" for column in columns))
    for name, found in results.items():
        print(f"{name:24}" + "".join(f"{found[column]!s:>15}" for column in columns))


if __name__ == "__main__":
    main()
