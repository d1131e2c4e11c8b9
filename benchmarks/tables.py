"""How fast a move travels from one person to another, and what 200 tables at once cost.

    python benchmarks/tables.py [--json] [--tables 200] [--seconds 20] [--moves 400] [--database-url URL]

A server process is started on this machine, on a new SQLite database in a temporary folder (or on the PostgreSQL
database given); the people are sockets of this process. A move is durable before anybody hears of it: latency runs from
sending it on one socket to receiving the update on another one, so it includes the commit. With many tables it runs to
the acknowledgement.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import httpx
import psutil  # type: ignore[import-untyped]
from benchmarks.messages import Message, Table, decode, percentile
from msgspec.structs import replace
from websockets.asyncio.client import ClientConnection, connect

import ziggurat

GAME = next(iter(ziggurat.registered_games()))


@dataclass
class Tally:
    """What happened."""

    latencies: list[float] = field(default_factory=list)
    changes: int = 0
    games: int = 0
    errors: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def summary(self) -> dict[str, Any]:
        """Return the figures, times in milliseconds."""
        seconds = self.seconds
        times = self.latencies
        return {
            "seconds": round(seconds, 1),
            "moves": self.changes,
            "moves_per_second": round(self.changes / seconds, 1),
            "games_finished": self.games,
            "measured": len(times),
            **{f"p{part}_ms": round(percentile(times, part / 100) * 1000, 2) for part in (50, 90, 99)},
            "max_ms": round(percentile(times, 1.0) * 1000, 2),
            "errors": len(self.errors),
        }


# A server whose garbage is collected when it gets a signal.
COLLECTS = """
import gc, signal
signal.signal(signal.SIGUSR1, lambda *_: gc.collect())
from ziggurat.server.__main__ import main
raise SystemExit(main())
"""


@contextlib.contextmanager
def server(
    url: str | None, *, bounded: bool = False, collects: bool = False, workers: int = 1
) -> Iterator[tuple[str, psutil.Process]]:
    """Run a server; give its address and its process.

    Args:
        workers: processes that serve; several need a database.
        bounded: with the usual limits of what an address may do.
        collects: its garbage at SIGUSR1.
    """
    with tempfile.TemporaryDirectory() as data:
        where = ["--database-url", url] if url else []
        program = ["-c", COLLECTS] if collects else ["-m", "ziggurat.server"]
        command = [sys.executable, *program, "--port", "0", "--data", data, *where, "--workers", str(workers)]
        bounds = dict.fromkeys(
            ("REQUESTS", "CONNECTIONS", "QUOTA", "ONLOOKERS", "SHARE"), "1000000"
        )  # all come from here
        unbounded = {} if bounded else {f"ZIGGURAT_{name}": bound for name, bound in bounds.items()}
        environment = {**unbounded, **os.environ}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            assert process.stdout is not None
            found = re.search(r"http://[^/ ]+", process.stdout.readline())
            if not found:
                raise SystemExit("the server did not start")
            running = psutil.Process(process.pid)
            while running.cpu_percent(0.5) > 5:
                pass  # it still prepares its engines
            yield found.group(), running
        finally:
            process.terminate()
            process.wait(20)


@contextlib.asynccontextmanager
async def person(base: str) -> AsyncIterator[httpx.AsyncClient]:
    """A guest with a name."""
    # verify: reading the certificates of the world takes longer than the rest, and there is no TLS here.
    async with httpx.AsyncClient(base_url=base, timeout=60, verify=False) as http:
        (await http.put("/api/me", json={"name": "Bench"})).raise_for_status()
        yield http


def socket(base: str, http: httpx.AsyncClient, table: str) -> Any:
    """Open a socket at a table."""
    url = f"{base.replace('http', 'ws', 1)}/api/tables/{table}/live"
    headers = {"cookie": f"ziggurat={http.cookies['ziggurat']}"}
    return connect(url, additional_headers=headers, max_size=2**24, compression=None, ping_interval=None)


# What each socket was told last.
_told: WeakKeyDictionary[ClientConnection, Message] = WeakKeyDictionary()


def _caught_up(news: Message, told: Message) -> Message:
    """Return news as the update that they make of the one before."""
    known = (news.table and news.table.now()) or (told.table and told.table.status)
    return replace(news, type="update", table=Table(known or None), decision=news.decision or told.decision)


async def receive(connection: ClientConnection, *kinds: str) -> Message:
    """Return the next message of these kinds."""
    while True:
        message = decode(await connection.recv())
        if message.type == "error":
            raise RuntimeError(message.code)
        if message.type == "news":
            message = _caught_up(message, _told[connection])
        if message.type == "update":
            _told[connection] = message
        if message.type in kinds:
            return message


async def choose(connection: ClientConnection, message: Message, turn: int) -> list[int]:
    """Return the steps of a move: a purchase every other turn where the game has them, else a move of one step."""
    assert message.decision is not None
    legal = message.decision.legal
    takes = [choice.action for choice in legal if choice.type == "take"]
    takes = takes or [choice.action for choice in legal if choice.type != "buy"]
    steps = [choice.action for choice in legal if choice.type == "buy"][:1]
    if not steps or (takes and turn % 2):
        return takes[:1]
    while True:
        asked = {"type": "preview", "id": "p", "seq": message.seq, "steps": steps}
        await connection.send(json.dumps(asked))
        preview = (await receive(connection, "preview")).preview
        assert preview is not None
        if preview.confirm:
            return [*steps, preview.confirm[0].action]
        steps = [*steps, *(step.action for step in preview.suggest or [])]


async def move(connection: ClientConnection, message: Message, steps: list[int]) -> tuple[float, Message]:
    """Make a move; return the seconds until it was acknowledged, and the update that shows it."""
    wish = {"type": "move", "id": f"m{message.seq}", "seq": message.seq, "steps": steps}
    begun = time.perf_counter()
    await connection.send(json.dumps(wish))
    seconds, seen, needed = 0.0, message, None
    while needed is None or seen.seq < needed:
        news = await receive(connection, "ack", "update")
        if news.type == "ack":
            seconds, needed = time.perf_counter() - begun, news.seq
        else:
            seen = news
    return seconds, seen


async def latency(base: str, moves: int) -> Tally:
    """Two people at one table: from one's move to the other's update."""
    tally = Tally()
    async with person(base) as ann, person(base) as bob:
        while len(tally.latencies) < moves:
            seats = [{"kind": "me"}, {"kind": "open"}]
            table = (await ann.post("/api/tables", json={"game": GAME, "seats": seats, "pace": "instant"})).json()
            path = f"/api/tables/{table['id']}"
            (await bob.post(f"{path}/join", json={"invite": table["invite"], "name": "Bob"})).raise_for_status()
            (await ann.post(f"{path}/start")).raise_for_status()
            async with socket(base, ann, table["id"]) as a, socket(base, bob, table["id"]) as b:
                begun = time.perf_counter()
                await _duel(a, b, tally, moves)
                tally.seconds += time.perf_counter() - begun
    return tally


async def _duel(a: ClientConnection, b: ClientConnection, tally: Tally, moves: int) -> None:
    sockets = (a, b)
    for connection in sockets:
        await connection.send('{"type":"hello","since":null}')
    states = [await receive(a, "update"), await receive(b, "update")]
    while len(tally.latencies) < moves and not any(s.table and s.table.status == "finished" for s in states):
        mover = next(i for i, s in enumerate(states) if s.decision and s.decision.legal)
        other = 1 - mover
        steps = await choose(sockets[mover], states[mover], tally.changes)

        async def watch(there: ClientConnection = sockets[other]) -> tuple[float, Message]:
            message = await receive(there, "update")
            return time.perf_counter(), message

        watching = asyncio.create_task(watch())
        begun = time.perf_counter()
        _, states[mover] = await move(sockets[mover], states[mover], steps)
        arrived, states[other] = await watching
        tally.latencies.append(arrived - begun)
        tally.changes += 1


async def crowd(base: str, tables: int, seconds: float, pace: str, think: float) -> Tally:
    """Many tables of a person and two bots; the person answers after `think` seconds. A finished game is replaced."""
    tally = Tally()
    ready = asyncio.Event()
    begun = 0.0

    async def one(started: asyncio.Queue[None]) -> None:
        try:
            async with person(base) as http:
                table = await _new_table(http, pace)
                started.put_nowait(None)
                await ready.wait()
                while time.perf_counter() < begun + seconds:
                    async with socket(base, http, table) as connection:
                        await _sit(connection, tally, begun + seconds, think)
                    table = await _new_table(http, pace)
        except Exception as error:
            tally.errors.append(f"{type(error).__name__}: {error}")
            started.put_nowait(None)

    async with asyncio.TaskGroup() as group:
        started: asyncio.Queue[None] = asyncio.Queue()
        for _ in range(tables):
            group.create_task(one(started))
        for _ in range(tables):
            await started.get()
        begun = time.perf_counter()
        ready.set()
    tally.seconds = time.perf_counter() - begun
    return tally


async def _new_table(http: httpx.AsyncClient, pace: str) -> str:
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "greedy"}, {"kind": "bot", "bot": "random"}]
    answer = await http.post("/api/tables", json={"game": GAME, "seats": seats, "pace": pace})
    answer.raise_for_status()
    return str(answer.json()["id"])


async def _sit(connection: ClientConnection, tally: Tally, until: float, think: float) -> None:
    """Play one game, or as much of it as there is time for."""
    try:
        async with asyncio.timeout(max(0.0, until - time.perf_counter())):
            await connection.send('{"type":"hello","since":null}')
            message = await receive(connection, "update")
            while not (message.table and message.table.status == "finished"):
                if message.decision and message.decision.legal:
                    await asyncio.sleep(think)
                    steps = await choose(connection, message, message.seq)
                    seconds, news = await move(connection, message, steps)
                    tally.latencies.append(seconds)
                else:
                    news = await receive(connection, "update")
                tally.changes += news.seq - message.seq
                message = news
            tally.games += 1
    except TimeoutError:
        return


def machine() -> dict[str, Any]:
    """Return what the figures depend on."""
    return {"cpus": os.cpu_count(), "system": platform.platform(), "python": platform.python_version()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--tables", type=int, default=200, help="tables at once (default: 200)")
    parser.add_argument("--seconds", type=float, default=20, help="length of each run with many tables (default: 20)")
    parser.add_argument("--moves", type=int, default=400, help="moves between two people (default: 400)")
    parser.add_argument("--database-url", help="a PostgreSQL database to use instead of SQLite; tables are left in it")
    options = parser.parse_args()
    results: dict[str, dict[str, Any]] = {}

    ziggurat.prepare(GAME)  # into the cache, from where the server takes it

    def measure(name: str, run: Any) -> None:
        with server(options.database_url) as (base, process):
            before, spent = process.memory_info().rss, sum(process.cpu_times()[:2])
            tally: Tally = asyncio.run(run(base))
            results[name] = tally.summary() | {
                "server_start_mb": round(before / 2**20),
                "server_mb": round(process.memory_info().rss / 2**20),
                "server_cpu_seconds": round(sum(process.cpu_times()[:2]) - spent, 1),
            }
            for error in sorted(set(tally.errors))[:5]:
                print(f"{name}: {error}", file=sys.stderr)

    measure("two people", lambda base: latency(base, options.moves))
    calm = f"{options.tables} tables, calm"
    measure(calm, lambda base: crowd(base, options.tables, options.seconds, "calm", 1.0))
    rush = f"{options.tables} tables, at full speed"
    measure(rush, lambda base: crowd(base, options.tables, options.seconds, "instant", 0.0))
    if options.json:
        print(json.dumps({"machine": machine(), "results": results}, indent=1))
        return
    columns = ("moves_per_second", "p50_ms", "p90_ms", "p99_ms", "max_ms", "server_mb", "server_cpu_seconds", "errors")
    print(f"{'':32}" + "".join(f"{column:>20}" for column in columns))
    for name, result in results.items():
        print(f"{name:32}" + "".join(f"{result[column]!s:>20}" for column in columns))


if __name__ == "__main__":
    main()
