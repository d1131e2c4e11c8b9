"""Games on all cores: one process for each, because a bot thinks in Python between its searches."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import traceback
from collections import deque
from collections.abc import Generator, Sequence
from multiprocessing.connection import Connection, wait

from ziggurat.lab.tournament.match import Match, Row, Terms

SECONDS_PER_CHUNK = 0.2  # so that progress is seen, and little is lost when somebody interrupts
LARGEST_CHUNK = 64


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def played(match: Match, games: Sequence[int], workers: int) -> Generator[list[Row], None, None]:
    """Play games by number; rows of some whole games at a time, in any order.

    The processes end with the iterator. What the games need is compiled first, so that they only load it.
    """
    match.prepare()
    workers = min(workers, len(games))
    if workers <= 1:
        for number in games:
            yield match.play(number)
        return
    context = multiprocessing.get_context("spawn")
    pipes: list[Connection] = []
    processes = []
    try:
        for _ in range(workers):
            ours, theirs = context.Pipe()
            process = context.Process(target=_work, args=(theirs, match.terms), daemon=True)
            process.start()
            theirs.close()  # so that a worker that ends, or a parent that does, is noticed
            pipes.append(ours)
            processes.append(process)
        yield from _handed_out(games, pipes)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join()


def _handed_out(games: Sequence[int], pipes: Sequence[Connection]) -> Generator[list[Row], None, None]:
    """Give every worker a few games, and more as soon as it is done with them."""
    left, size, began = deque(games), 1, {}
    busy: set[Connection] = set()

    def give(pipe: Connection) -> None:
        number = min(size, -(-len(left) // len(pipes)))
        if number:
            began[pipe] = time.perf_counter()
            pipe.send([left.popleft() for _ in range(number)])
            busy.add(pipe)

    for pipe in pipes:
        give(pipe)
    while busy:
        for ready in wait(list(busy)):
            assert isinstance(ready, Connection)
            try:
                answer = ready.recv()
            except (EOFError, OSError):
                raise RuntimeError("a worker of the tournament ended; there may have been too little memory") from None
            if isinstance(answer, str):
                raise RuntimeError(f"a game failed:\n{answer}")
            busy.discard(ready)
            if time.perf_counter() - began[ready] < SECONDS_PER_CHUNK / 2:
                size = min(2 * size, LARGEST_CHUNK)
            give(ready)
            yield answer


def _work(pipe: Connection, terms: Terms) -> None:
    """What a worker does until its parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C goes to all; the parent decides what it means
    try:
        match = Match(terms)
        match.prepare()
        while True:
            pipe.send([row for number in pipe.recv() for row in match.play(number)])
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except Exception:
        pipe.send(traceback.format_exc())
