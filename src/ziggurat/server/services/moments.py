"""The schedule of what is due at which table: a heap in memory, so that nobody has to query the database each
second."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

SPARE_ENTRIES = 64
"""Entries that hold no more, at least, before the heap is made anew."""


class Moments:
    """The next moment of each table that has one."""

    def __init__(self) -> None:
        self._at: dict[str, float] = {}
        self._heap: list[tuple[float, str]] = []  # also what holds no more

    def __len__(self) -> int:
        return len(self._at)

    def at(self, id: str) -> float | None:
        """Return the moment at which something is due at a table."""
        return self._at.get(id)

    def all(self) -> dict[str, float]:
        """Return all tables where something is due, and when."""
        return dict(self._at)

    def set(self, id: str, at: float | None) -> None:
        """Schedule a table; None: nothing is due there."""
        if at is None:
            self._at.pop(id, None)
            return
        if self._at.get(id) == at:
            return
        self._at[id] = at
        heappush(self._heap, (at, id))
        if len(self._heap) > 2 * len(self._at) + SPARE_ENTRIES:
            self._heap = [(moment, table) for table, moment in self._at.items()]
            heapify(self._heap)

    def first(self) -> float | None:
        """Return the next moment; None: nothing is due."""
        while self._heap and self._at.get(self._heap[0][1]) != self._heap[0][0]:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def due(self, now: float) -> list[str]:
        """Return the tables whose moment has come, the earliest first. They stay until they are scheduled again."""
        found: list[tuple[float, str]] = []
        while (first := self.first()) is not None and first <= now:
            found.append(heappop(self._heap))
        for one in found:
            heappush(self._heap, one)
        return list(dict.fromkeys(id for _, id in found))
