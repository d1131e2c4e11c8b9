"""Jobs give the same wherever they are done, and whoever fails is named. Those of a Ray cluster: test_cluster.py."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from ziggurat.core.errors import BadOption
from ziggurat.lab.work import (
    CHUNKS_AHEAD,
    LARGEST_CHUNK,
    Chunk,
    ChunkResult,
    WorkError,
    _handed_out,
    as_done,
    cores,
    in_order,
    read_workers,
)

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Squares:
    """Squares of numbers; one of them breaks, another ends its process."""

    breaks: int = -1
    ends: int = -1

    def __call__(self) -> Callable[[int], int]:
        return self.square

    def square(self, number: int) -> int:
        if number == self.breaks:
            raise ValueError(f"{number} has no square")
        if number == self.ends:
            os._exit(3)
        return number * number


WANTED = [number * number for number in range(300)]


def test_results_come_in_the_order_of_the_jobs() -> None:
    assert list(in_order(Squares(), range(300), 1)) == WANTED
    assert list(in_order(Squares(), range(300), 3, threads=True)) == WANTED
    assert list(in_order(Squares(), range(0), 3)) == []


def test_processes_do_the_same_and_one_that_fails_is_named() -> None:
    found = in_order(Squares(breaks=300), [*range(300), 300], 2)
    assert [next(found) for _ in range(300)] == WANTED
    with pytest.raises(ValueError, match="300 has no square") as caught:
        next(found)
    [note] = caught.value.__notes__
    assert note.startswith("in job 301: 300\n")
    assert "in square" in note


def test_a_process_that_ends_is_named() -> None:
    with pytest.raises(WorkError, match=r"ended \(exit code 3\) while it did job 2: 501; .* memory"):
        list(as_done(Squares(ends=501), [500, 501], 2))


def test_threads_wait_for_each_other_and_as_done_does_not() -> None:
    gate = threading.Event()

    def wait_for_the_last(number: int) -> int:
        if number == 0:
            gate.wait(60)
        if number == 99:
            gate.set()
        return -number

    found = as_done(lambda: wait_for_the_last, range(100), 2, threads=True)
    places = [place for place, result in found if result == -place]
    assert sorted(places) == list(range(100))
    assert places.index(0) > places.index(50)


class Lazy:
    """Two workers, of whom one does the first job when nothing else is left to do."""

    seconds = 1.0

    def __init__(self) -> None:
        self.given: list[Chunk] = []
        self.ahead = 0

    def free(self) -> int:
        return 2 - len(self.given)

    def count(self) -> int:
        return 2

    def give(self, chunk: Chunk) -> None:
        self.given.append(chunk)

    def take(self) -> Iterator[tuple[Chunk, ChunkResult]]:
        chunk = self.given.pop()
        if self.given:
            self.ahead = max(self.ahead, chunk.first + len(chunk.jobs) - self.given[0].first)
        yield chunk, ChunkResult(list(chunk.jobs), 0.0)

    def end(self) -> None: ...


@pytest.mark.parametrize("ordered", [True, False])
def test_nobody_runs_far_ahead_of_the_oldest_job(ordered: bool) -> None:
    """Results that wait for their turn are kept, so there must not be too many."""
    executor, jobs = Lazy(), range(100_000)
    assert sorted(_handed_out(executor, jobs, ordered)) == [(place, place) for place in jobs]
    assert (executor.ahead <= (CHUNKS_AHEAD * 2 + 1) * LARGEST_CHUNK) is ordered


def test_whoever_closes_ends_the_workers() -> None:
    found = in_order(Squares(), range(1_000_000), 2, threads=True)
    before = threading.active_count()
    assert next(found) == 0
    assert threading.active_count() > before
    found.close()
    assert threading.active_count() == before


@pytest.mark.parametrize("text", ["0", "-1", "two", ""])
def test_a_wrong_number_of_workers_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match="from 1 on, or 'ray' for those of a Ray cluster, not"):
        read_workers(text)
    assert read_workers("3") == read_workers(3) == 3
    assert read_workers("ray") == "ray"
    assert read_workers(None) == cores() >= 1
