"""The counters of a process, for its operator: numbers alone, and none tells who did what."""

from __future__ import annotations

import os
import time
from bisect import bisect_left
from collections.abc import Callable, Iterable

import msgspec

from ziggurat.server.alarms import DATABASE, alarms

BUCKET_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Seconds: the bounds of the buckets of a histogram."""
STORAGE_CODE = "storage"
"""The code of an answer that says that the database cannot be used."""
MOST_REFUSAL_KINDS = 64
"""Kinds of refusals that are counted apart."""


class Times(msgspec.Struct):
    """A histogram of durations: for each bucket of `BUCKET_SECONDS` the count above the bound before, and the count
    above all."""

    counts: list[int] = msgspec.field(default_factory=lambda: [0] * (len(BUCKET_SECONDS) + 1))
    seconds: float = 0.0

    def since(self, begun: float) -> None:
        """Count the duration from `begun` (`perf_counter`) to now."""
        seconds = time.perf_counter() - begun
        self.counts[bisect_left(BUCKET_SECONDS, seconds)] += 1
        self.seconds += seconds

    def add(self, other: Times) -> None:
        """Add another process's histogram."""
        self.counts = [mine + theirs for mine, theirs in zip(self.counts, other.counts, strict=True)]
        self.seconds += other.seconds


class Counters(msgspec.Struct):
    """The counters of a process, and its gauges (`gauges`)."""

    moves: dict[str, int] = msgspec.field(default_factory=dict)
    """By who made them: `person`, `bot`, or `forced` by the rules."""
    refusals: dict[str, int] = msgspec.field(default_factory=dict)
    """Answers of 429 and 503, by `STATUS CODE`."""
    requests: dict[str, int] = msgspec.field(default_factory=dict)
    """Answered requests of HTTP, by their status; handshakes that were refused among them."""
    restarts: int = 0
    """Workers that were started in the place of one that had ended by itself."""
    acknowledged: Times = msgspec.field(default_factory=Times)
    """From the arrival of a message that changes a table to its acknowledgement."""
    written: Times = msgspec.field(default_factory=Times)
    """Changes of tables, from the wish to write to durability."""
    thought: Times = msgspec.field(default_factory=Times)
    """Thoughts of the search processes."""
    late: Times = msgspec.field(default_factory=Times)
    """By how much the event loop came late to what was due."""
    connected: Times = msgspec.field(default_factory=Times)
    """Waiting for a connection to PostgreSQL."""
    processor: float = 0.0
    """Seconds of processor time."""
    gauges: dict[str, float] = msgspec.field(default_factory=dict)
    shared: dict[str, float] = msgspec.field(default_factory=dict)
    """How much there is now of what all processes see alike, such as the database."""

    def moved(self, by: str) -> None:
        """Count a move."""
        self.moves[by] = self.moves.get(by, 0) + 1

    def answered(self, status: int) -> None:
        """Count an HTTP answer."""
        kind = str(status)
        self.requests[kind] = self.requests.get(kind, 0) + 1

    def refused(self, status: int, code: str) -> None:
        """Count an answer that refuses for lack of capacity, by its code."""
        if code == STORAGE_CODE:
            alarms.count(DATABASE)
        if status in (429, 503):
            kind = f"{status} {code}"
            if kind not in self.refusals and len(self.refusals) >= MOST_REFUSAL_KINDS:
                kind = f"{status} other"
            self.refusals[kind] = self.refusals.get(kind, 0) + 1

    def add(self, other: Counters) -> None:
        """Add another process's counters and gauges."""
        self.add_past(other)
        for name, value in other.gauges.items():
            self.gauges[name] = self.gauges.get(name, 0.0) + value
        for name, value in other.shared.items():
            self.shared[name] = max(self.shared.get(name, value), value)

    def add_past(self, other: Counters) -> None:
        """Add the counters of a process that has ended."""
        for name in ("moves", "refusals", "requests"):
            mine = getattr(self, name)
            for kind, count in getattr(other, name).items():
                mine[kind] = mine.get(kind, 0) + count
        for name in ("acknowledged", "written", "thought", "late", "connected"):
            getattr(self, name).add(getattr(other, name))
        self.restarts += other.restarts
        self.processor += other.processor


counters = Counters()
"""Those of this process."""
gauge_callbacks: dict[str, Callable[[], float]] = {}
"""Functions that return how much there is now, by the names of `Counters.gauges`."""


def counted() -> Counters:
    """Return a copy of this process's counters."""
    counters.processor = time.process_time()
    counters.gauges = {name: look() for name, look in [*gauge_callbacks.items()]} | {"memory": _memory()}
    return counters


def _memory() -> float:
    """Return the resident memory of this process in bytes."""
    try:
        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123 -- each second
            return int(file.read().split()[1]) * float(os.sysconf("SC_PAGE_SIZE"))
    except OSError:  # no Linux: the most that there ever was
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024.0


def together(past: Counters, present: Iterable[Counters]) -> Counters:
    """Return the sum of the counters of several processes; of the `past` ones without their gauges."""
    whole = Counters()
    whole.add_past(past)
    for one in present:
        whole.add(one)
    return whole
