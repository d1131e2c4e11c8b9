"""How long four ways through the server are: an idle minute, a move, a clock that runs out, a line of talk.

    python -m benchmarks.ways [idle] [move] [clock] [talk] [--seconds 60] [--json]

A server runs in this process, on a new SQLite database. `idle` counts what it asks the database in so many seconds in
which nobody is there. The others count which of our functions are called, in how many files, and how often they go to
the database: from the moment at which a clock has run out, or a move or a line is sent, until all sockets have heard of
it. Functions that only make a list or a generator are counted with those around them; a game's own are not counted.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import sqlalchemy as sa
from tests.example import EXAMPLE
from tests.server.inside import house
from tests.server.player import visitor

import ziggurat
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database

OURS = Path(ziggurat.__file__).parent
FLOORS = tuple(str(OURS / part) for part in ("server", "core"))
INNER = {"<listcomp>", "<genexpr>", "<setcomp>", "<dictcomp>", "<lambda>"}
START = 75.0
"""Seconds in which an idle server does what has to be done once."""
RUNS = 3
"""Of which the shortest counts: other things happen meanwhile, now and then."""


@dataclass
class Way:
    """What was passed on a way."""

    functions: set[tuple[str, str]] = field(default_factory=set)
    trips: list[str] = field(default_factory=list)
    """Each time that the database was gone to, and for what."""
    statements: int = 0

    @property
    def files(self) -> set[str]:
        """The files in which the functions are."""
        return {file for file, _ in self.functions}

    def summary(self) -> dict[str, Any]:
        """Return the figures."""
        return {
            "functions": len(self.functions),
            "files": len(self.files),
            "trips": self.trips,
            "statements": self.statements,
        }


@contextmanager
def passed() -> Iterator[Way]:
    """Note what is passed meanwhile, in all threads."""
    way, seen = Way(), set[CodeType]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            seen.add(frame.f_code)

    def count(*_: Any) -> None:
        way.statements += 1

    read, write = Database.read, Database.write

    def noted(job: Any) -> Any:
        def run(connection: sa.Connection) -> Any:
            sys.setprofile(note)  # in the thread of the database
            try:
                return job(connection)
            finally:
                if threading.current_thread() is not threading.main_thread():
                    sys.setprofile(None)

        return run

    async def counted_read(this: Database, job: Any) -> Any:
        way.trips.append("read")
        return await read(this, noted(job))

    async def counted_write(this: Database, job: Any, **how: Any) -> Any:
        way.trips.append("write")
        return await write(this, noted(job), **how)

    Database.read, Database.write = counted_read, counted_write  # type: ignore[method-assign,assignment]
    sa.event.listen(sa.Engine, "before_cursor_execute", count)
    sys.setprofile(note)
    try:
        yield way
    finally:
        sys.setprofile(None)
        sa.event.remove(sa.Engine, "before_cursor_execute", count)
        Database.read, Database.write = read, write  # type: ignore[method-assign]
        ours = [code for code in seen if code.co_filename.startswith(FLOORS) and code.co_name not in INNER]
        way.functions = {(str(Path(code.co_filename).relative_to(OURS)), code.co_qualname) for code in ours}


@asynccontextmanager
async def serving(**more: Any) -> AsyncIterator[str]:
    """A server of one's own, in this loop."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder), prepare=False, copies=None, **more)
        async with house(settings) as port:
            yield f"http://127.0.0.1:{port}"


async def idle(seconds: float) -> dict[str, Any]:
    """Return what a server asks in so many seconds in which nobody is there."""
    asked: Counter[str] = Counter()

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        asked[" ".join(statement.split())[:110]] += 1

    async with serving():
        await asyncio.sleep(START)
        sa.event.listen(sa.Engine, "before_cursor_execute", note)
        begun = time.monotonic()
        await asyncio.sleep(seconds)
        sa.event.remove(sa.Engine, "before_cursor_execute", note)
        minutes = (time.monotonic() - begun) / 60
    return {"a_minute": round(asked.total() / minutes, 1), "asked": dict(asked.most_common())}


async def clock() -> Way:
    """Return the way from the moment at which a clock has run out to the sockets of two people."""
    control = {"kind": "live", "reserve": 0, "step": 3, "then": "nothing"}
    async with serving() as base, visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", time=control, game=EXAMPLE)
        await bob.join(table, "Bob")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await ann.post(f"/api/tables/{table['id']}/start")
            await asyncio.gather(*(one.until(lambda one=one: one.state["table"]["time"]) for one in (a, b)))  # type: ignore[misc]
            await a.until(lambda: a.state["table"]["status"] == "playing")
            clocks = a.state["table"]["time"]["seats"]
            until = min(one["until"] for one in clocks if one["until"])
            seq = max(a.state["seq"], b.state["seq"])
            await asyncio.sleep(until - time.time() - 0.002)
            with passed() as way:
                await asyncio.gather(*(one.until(lambda one=one: one.state["seq"] > seq) for one in (a, b)))  # type: ignore[misc]
    return way


async def move() -> Way:
    """Return the way of a move from the one who plays it to the other, and its acknowledgement."""
    async with serving() as base, visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", game=EXAMPLE)
        await bob.join(table, "Bob")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await ann.post(f"/api/tables/{table['id']}/start")
            for one in (a, b):
                await one.until(lambda one=one: one.state["table"]["status"] == "playing")  # type: ignore[misc]
            await asyncio.sleep(1.5)  # for what else follows from a start
            mover, other = (a, b) if a.legal else (b, a)
            steps = await mover.choose()
            seq = mover.state["seq"]
            with passed() as way:
                await mover.move(steps)
                for one in (mover, other):
                    await one.until(lambda one=one: one.state["seq"] > seq)  # type: ignore[misc]
    return way


async def talk() -> Way:
    """Return the way of a line from the one who says it to all who hear it, and its acknowledgement."""
    async with serving() as base, visitor(base, "Ann") as ann, visitor(base) as bob:
        table = await ann.table("me", "open", game=EXAMPLE)
        await bob.join(table, "Bob")
        async with ann.at(table["id"]) as a, bob.at(table["id"]) as b:
            await a.reply(type="say", text="first")
            await b.until(lambda: [one for one in b.messages if one["type"] == "said"])
            await asyncio.sleep(1.5)  # for what else follows from coming in
            with passed() as way:
                await a.reply(type="say", text="second")
                for one in (a, b):
                    await one.until(lambda one=one: sum(said["type"] == "said" for said in one.messages) == 2)  # type: ignore[misc]
    return way


async def shortest(which: Any) -> Way:
    """Return the way on which nothing else was met."""
    ways: list[Way] = [await which() for _ in range(RUNS)]
    return min(ways, key=lambda way: len(way.functions))


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ways", nargs="*", default=["idle", "move", "clock", "talk"])
    parser.add_argument("--seconds", type=float, default=60.0, help="of an idle server")
    parser.add_argument("--list", action="store_true", help="every function, by its file")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found: dict[str, Any] = {}
    for name in given.ways:
        if name == "idle":
            found[name] = asyncio.run(idle(given.seconds))
            continue
        way = asyncio.run(shortest({"move": move, "clock": clock, "talk": talk}[name]))
        found[name] = way.summary()
        if given.list:
            for file, function in sorted(way.functions):
                print(f"{file}: {function}")
    print(json.dumps(found, indent=None if given.json else 2))


if __name__ == "__main__":
    main()
