"""Statistical evidence that a belief fits what has led to a seat's view: heaps of worlds, compared fact by fact.

A fact that is common in one heap and never found in the other is missing there, the surer the larger both heaps are.
How common it is does not count otherwise: a belief may deal often what comes about seldom.

The worlds that look like the true one in all that a seat notices may be few, because open cards and dice seldom fall
alike. So those that look like it in a part of that are heaped as well. They can prove less: what was told besides may
make common what is seldom there. But a fact that is the same in all of them is known, whatever else was told.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from ziggurat.testing.noticed import RECORD, Clue, Facts

# As many worlds of a heap may have a fact by accident.
FEW = 2
# A fact is the same in all of a heap if it is in so many worlds.
ALWAYS = 256
# Values that are seen so seldom in the half of a heap that none was expected in are looked for in more worlds.
SELDOM = 2


class Heap:
    """A heap of worlds, with the count of each fact; in two halves, so that one can be tried on the other."""

    def __init__(self, clues: tuple[Clue, ...] = ()) -> None:
        """``clues``: what these worlds share with the true one; None: all that a seat noticed, or nothing at all."""
        self.clues = clues
        self.worlds = 0
        self.counts: defaultdict[str, Counter[Any]] = defaultdict(Counter)
        self.first: defaultdict[str, Counter[Any]] = defaultdict(Counter)

    def add(self, facts: Facts) -> None:
        self.worlds += 1
        for name, value in facts.items():
            self.counts[name][value] += 1
        if self.worlds % 2:
            for name, value in facts.items():
                self.first[name][value] += 1

    def share(self, name: str, value: Any) -> float:
        return part(self.counts[name][value], self.worlds)

    def commonest(self, name: str, beside: Iterable[Any]) -> list[Any]:
        """Return a fact's most common value, of those that are not among some others, if there is one."""
        others = set(beside)
        return [value for value, _ in self.counts[name].most_common() if value not in others][:1]

    def only(self, name: str) -> list[Any]:
        """Return a fact's value if all worlds have the same."""
        values = self.counts[name]
        return list(values) if len(values) == 1 and values.total() == self.worlds else []

    def second(self, name: str, values: Iterable[Any]) -> int:
        """Return how many worlds of the second half have one of some values."""
        return sum(self.counts[name][value] - self.first[name][value] for value in values)

    def part_of_second(self, name: str, values: Iterable[Any]) -> float:
        return part(self.second(name, values), self.worlds // 2)


def part(count: int, worlds: int) -> float:
    """Return the lower bound of a share of worlds in which a fact is found: of a few it may be an accident."""
    return max(count - sqrt(count) - FEW, 0.0) / worlds if worlds else 0.0


@dataclass
class Doubt:
    """A reason why a belief seems wrong.

    Attributes:
        strength: how unlikely a right belief is, as minus a natural logarithm.
        name, values: the fact that it has, and should not, or the other way round.
        heap: the worlds that are without it.
        too_narrow: the belief leaves the fact out.
        open: it is only a reason to deal more worlds.
    """

    strength: float
    name: str
    values: tuple[Any, ...]
    heap: Heap
    too_narrow: bool = False
    open: bool = False


@dataclass
class Evidence:
    """The evidence on the beliefs of a seat.

    Attributes:
        believed: worlds that are dealt for it now.
        reached: worlds that led to what it noticed.
        parts: heaps of those that led to a part of what it noticed; the first one's led to anything.
        truth: the facts of the true world.
        record: the same with the numbers of its record.
        by_chance: facts that another chance would have changed, where the chances that are tried are neighbours.
        may_forget: whether a pile was shuffled: then where its cards lay may be forgotten, and where they did not.
    """

    truth: Facts
    record: Facts
    believed: Heap = field(default_factory=Heap)
    reached: Heap = field(default_factory=Heap)
    parts: list[Heap] = field(default_factory=lambda: [Heap()])
    by_chance: set[str] = field(default_factory=set)
    may_forget: bool = False

    @property
    def led_on(self) -> Heap:
        """Return the heap of all worlds that were sampled before, whatever they led to."""
        return self.parts[0]

    def worst(self) -> Doubt:
        """Return the strongest doubt."""
        nothing = Doubt(0.0, "", (), self.reached)
        return max(self._doubts(), key=lambda doubt: doubt.strength, default=nothing)

    def proof(self, proven: float) -> Doubt | None:
        """Return a doubt that is strong enough as a proof, by as few clues as will do; by all of them only if there is
        no other: that says least of the cause."""
        found = [doubt for doubt in self._doubts() if doubt.strength >= proven and not doubt.open]

        def told(doubt: Doubt) -> tuple[bool, int, float]:
            return doubt.heap is self.reached, len(doubt.heap.clues), -doubt.strength

        return min(found, key=told, default=None)

    def _doubts(self) -> Iterator[Doubt]:
        for name, believed in self.believed.counts.items():
            if name in self.by_chance:
                continue
            if not self.may_forget:  # who forgets believes in much more, and in each less often
                yield from self._left_out(name, believed)
            if name not in self.truth:
                continue
            yield from self._never(name, self.reached)
            for heap in self.parts:
                yield from self._never(name, heap)
                yield from self._always(name, heap)

    def _left_out(self, name: str, believed: Counter[Any]) -> Iterator[Doubt]:
        """Yield doubts about values that are often reached, and never believed. A number of the record that is no
        secret may not matter, and then a belief need not have it; but if it always has the true one, it knows it."""
        if name.startswith(RECORD) and self.believed.only(name) != [self.record.get(name)]:
            return
        for value in self.reached.commonest(name, believed):
            strength = self.reached.share(name, value) * believed.total()
            yield Doubt(strength, name, (value,), self.believed, too_narrow=True)

    def _never(self, name: str, heap: Heap) -> Iterator[Doubt]:
        """Yield doubts about values that are believed, and in no world of a heap: one value, or those that its first
        half lacks."""
        found = heap.counts[name]
        if not found:
            return
        # What no world leads to, whatever it tells, was not told now.
        led_on = self.led_on.counts[name]
        forgotten = [one for one in self.believed.counts[name] if one not in led_on] if self.may_forget else []
        for value in self.believed.commonest(name, [*found, *forgotten]):
            yield Doubt(self._share(name, (value,), heap) * found.total(), name, (value,), heap)
        values = tuple(value for value in self.believed.first[name] if value not in heap.first[name])
        if len(values) > 1 and not self.may_forget:
            seen = heap.second(name, values)
            if seen <= SELDOM:
                strength = self._share_of_second(name, values, heap) * (heap.worlds // 2)
                yield Doubt(strength, name, values, heap, open=seen > 0)

    def _share(self, name: str, values: tuple[Any, ...], heap: Heap) -> float:
        share = sum(self.believed.share(name, value) for value in values)
        return share if heap is self.reached else min(share, sum(self.led_on.share(name, value) for value in values))

    def _share_of_second(self, name: str, values: tuple[Any, ...], heap: Heap) -> float:
        share = self.believed.part_of_second(name, values)
        return share if heap is self.reached else min(share, self.led_on.part_of_second(name, values))

    def _always(self, name: str, heap: Heap) -> Iterator[Doubt]:
        """Yield doubts about values that all worlds of a heap share with the true one, so that they are known, and that
        are not always believed."""
        if self.may_forget:
            return
        for known in heap.only(name):
            others = [value for value in self.believed.counts[name] if value != known]
            if known == self.truth[name] and others:
                missing = part(sum(self.believed.counts[name][value] for value in others), self.believed.worlds)
                yield Doubt(missing * heap.worlds, name, tuple(others), heap, open=heap.worlds < ALWAYS)
