"""How long people wait for each level of bots, with several tables at once.

    python -m benchmarks.levels [--json] [--tables 4] [--seconds 60]

Each table has a person, who answers at once, and a bot of the level; the pace is "instant", so what is
measured is thinking, the queue for the cores and the commit: from the moment when the bot's turn is announced until its
move arrives at the person's socket.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import time

from benchmarks.tables import GAME, Tally, choose, machine, move, person, receive, server, socket

import ziggurat
from ziggurat.bots.levels import BUDGETS
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.runtime import prepare

LEVELS = ("mason", *BUDGETS)


async def tables(base: str, level: str, number: int, seconds: float) -> Tally:
    """Play at so many tables for so long."""
    tally = Tally()
    until = time.perf_counter() + seconds

    async def one() -> None:
        async with person(base) as http:
            while time.perf_counter() < until:
                seats = [{"kind": "me"}, {"kind": "bot", "bot": level}]
                answer = await http.post("/api/tables", json={"game": GAME, "seats": seats, "pace": "instant"})
                answer.raise_for_status()
                async with socket(base, http, str(answer.json()["id"])) as connection:
                    await connection.send('{"type":"hello","since":null}')
                    message = await receive(connection, "update")
                    while time.perf_counter() < until and not (message.table and message.table.status == "finished"):
                        if message.decision and message.decision.legal:
                            steps = await choose(connection, message, message.seq)
                            _, message = await move(connection, message, steps)
                        else:
                            begun = time.perf_counter()
                            news = await receive(connection, "update")
                            if news.seq > message.seq:
                                tally.latencies.append(time.perf_counter() - begun)
                                tally.changes += news.seq - message.seq
                            message = news

    begun = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(number)))
    tally.seconds = time.perf_counter() - begun
    return tally


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--tables", type=int, default=4, help="tables at once (default: 4)")
    parser.add_argument("--seconds", type=float, default=60, help="length of each run (default: 60)")
    options = parser.parse_args()
    game = ziggurat.prepare(GAME).game
    prepare(game, program=SEARCHING)  # into the cache, from where the server takes it
    results = {}
    with server(None) as (base, process):
        for level in LEVELS:
            print(f"{level} ...", file=sys.stderr)
            spent = sum(process.cpu_times()[:2])
            tally = asyncio.run(tables(base, level, options.tables, options.seconds))
            results[level] = tally.summary() | {
                "server_mb": round(process.memory_info().rss / 2**20),
                "server_cpu_seconds": round(sum(process.cpu_times()[:2]) - spent, 1),
            }
    if options.json:
        print(json.dumps({"machine": machine(), "tables": options.tables, "results": results}, indent=1))
        return
    columns = ("measured", "p50_ms", "p90_ms", "p99_ms", "max_ms", "server_mb", "server_cpu_seconds")
    print(f"{'':12}" + "".join(f"{column:>20}" for column in columns))
    for level, result in results.items():
        print(f"{level:12}" + "".join(f"{result[column]!s:>20}" for column in columns))


if __name__ == "__main__":
    main()
