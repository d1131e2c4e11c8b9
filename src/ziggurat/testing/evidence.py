"""Evidence that a belief fits what has led to a seat's sight: two heaps of worlds, compared fact by fact.

A fact that is common in one heap and never found in the other is missing there, the surer the larger both heaps are.
How common it is does not count otherwise: a belief may deal often what comes about seldom.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

from ziggurat.testing.noticed import Clue, Facts

# As many worlds of a heap may have a fact by accident.
FEW = 2


class Heap:
    """Some worlds, and how many of them have each fact."""

    def __init__(self) -> None:
        self.worlds = 0
        self.counts: defaultdict[str, Counter[Any]] = defaultdict(Counter)

    def add(self, facts: Facts) -> None:
        self.worlds += 1
        for name, value in facts.items():
            self.counts[name][value] += 1

    def share(self, name: str, value: Any) -> float:
        """In which part of the worlds a fact is found, at the least: of a few it may be an accident."""
        count = self.counts[name][value]
        return max(count - sqrt(count) - FEW, 0.0) / self.worlds if self.worlds else 0.0

    def commonest(self, name: str, beside: Iterable[Any]) -> list[Any]:
        """The value of a fact that most worlds have, of those that are not among some others, if there is one."""
        others = set(beside)
        return [value for value, _ in self.counts[name].most_common() if value not in others][:1]


@dataclass
class Doubt:
    """Why a belief seems wrong.

    Attributes:
        strength: how unlikely a right belief is, as minus a natural logarithm.
        name, value: the fact that it has, and should not, or the other way round.
        heap: the worlds that are without it.
        clue: what these worlds share with the true one; None: all that the seat noticed.
        too_narrow: the belief leaves the fact out.
    """

    strength: float
    name: str
    value: Any
    heap: Heap
    clue: Clue | None = None
    too_narrow: bool = False


@dataclass
class Evidence:
    """What was found out about the beliefs of a seat.

    Attributes:
        believed: worlds that are dealt for it now.
        possible: worlds that led to what it noticed.
        reached: those of them that were dealt with an even hand.
        by_clue: worlds that led to a single part of what it noticed, likewise.
        led_on: all worlds that were dealt before, whatever they led to.
        by_chance: facts that another chance would have changed.
        may_forget: whether a pile was shuffled: then where its cards lay may be forgotten, and where they did not.
    """

    believed: Heap = field(default_factory=Heap)
    possible: Heap = field(default_factory=Heap)
    reached: Heap = field(default_factory=Heap)
    by_clue: dict[Clue, Heap] = field(default_factory=dict)
    led_on: Heap = field(default_factory=Heap)
    by_chance: set[str] = field(default_factory=set)
    may_forget: bool = False

    @property
    def fewest(self) -> int:
        """How many worlds there are that look like the true one, in all or by a clue."""
        return min(heap.worlds for heap in (self.reached, *self.by_clue.values()))

    def worst(self) -> Doubt:
        """The strongest doubt."""
        nothing = Doubt(0.0, "", None, self.reached)
        return max(self._doubts(), key=lambda doubt: doubt.strength, default=nothing)

    def _doubts(self) -> Iterator[Doubt]:
        for name, believed in self.believed.counts.items():
            if name in self.by_chance:
                continue
            if not self.may_forget:  # who forgets believes in much more, and in each less often
                for value in self.possible.commonest(name, believed):
                    strength = self.possible.share(name, value) * believed.total()
                    yield Doubt(strength, name, value, self.believed, too_narrow=True)
            yield from self._too_wide(name)

    def _too_wide(self, name: str) -> Iterator[Doubt]:
        before = self.led_on.counts[name]
        # What no world leads to, whatever it tells, was not told now.
        forgotten = [value for value in self.believed.counts[name] if value not in before] if self.may_forget else []
        for value in self.believed.commonest(name, [*self.reached.counts[name], *forgotten]):
            strength = self.believed.share(name, value) * self.reached.counts[name].total()
            yield Doubt(strength, name, value, self.reached)
        for clue, heap in self.by_clue.items():
            for value in self.believed.commonest(name, [*heap.counts[name], *forgotten]):
                # The rest of what was told may make common what is seldom with this clue alone.
                share = min(self.believed.share(name, value), self.led_on.share(name, value))
                yield Doubt(share * heap.counts[name].total(), name, value, heap, clue)
