"""The comparison of a seat's belief after something happened with the worlds that could have led there.

Worlds are dealt and led to that moment until enough of them look like the true one, or there were very many: where open
cards and dice must fall alike, few do. How far it came is told; what was compared with nothing is not said to hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ziggurat.testing.chance import Chance
from ziggurat.testing.evidence import Doubt, Evidence, Heap
from ziggurat.testing.noticed import Clue, Reached

# How unlikely a right belief is, as minus a natural logarithm: from here on more worlds are dealt, or it is wrong.
SUSPICIOUS = 4.0
PROVEN = 25.0
# So many worlds of each heap are counted at first, and believed; doubled while something is suspicious.
WORLDS = 96
# So many are dealt at most for those, as a multiple, to find such as look like the true one; and in all.
PATIENCE = 8
MOST_WORLDS = 8_192
# Parts of what was told by which worlds are heaped, one by one, and more and more of the first ones together.
CLUES = 12
TOGETHER = 5
# Worlds in which the differences are looked for.
LOOKED_AT = 12
# A belief is judged if so many worlds look like the true one.
ENOUGH = 12


class Dealt(NamedTuple):
    """A sampled world that was led to the moment, and the same with a neighbouring chance if such are tried; only that
    is fair then: with the same chance a sum of two numbers, say, would tell the hidden one."""

    world: Reached
    first: Reached | None = None


Deal = Callable[[], "Dealt | None"]
"""Leads a world to the moment; None where that cannot happen."""
Tried = Counter[tuple[str, ...]]
"""How often what was compared, by kinds; shared by games, so that what happens seldom has its turn."""


@dataclass
class Compared:
    """The counts of compared beliefs, and of those with enough worlds.

    Attributes:
        compared: beliefs of a seat after a move, or at the beginning.
        judged: those for which enough worlds looked like the true one.
        in_parts: those of the others for which enough did in a part of what was told.
        worlds: that were dealt.
    """

    compared: int = 0
    judged: int = 0
    in_parts: int = 0
    worlds: int = 0

    def add(self, other: Compared) -> None:
        self.compared += other.compared
        self.judged += other.judged
        self.in_parts += other.in_parts
        self.worlds += other.worlds


@dataclass
class Comparison:
    """The comparison of one belief of a seat.

    Attributes:
        deal: leads a fair world to the moment.
        believe: deals a world for the seat now.
    """

    seat: int | None
    truth: Reached
    deal: Deal
    believe: Callable[[], Reached]
    chance: Chance
    tried: Tried
    may_forget: bool = False
    evidence: Evidence = field(init=False)
    worlds: int = 0

    def __post_init__(self) -> None:
        self.evidence = Evidence(self.truth.facts, self.truth.all_facts, may_forget=self.may_forget)

    def judge(self) -> Doubt | None:
        """Sample worlds as long as something seems wrong; return what is proven."""
        self._find_clues()
        wanted = WORLDS
        self._deal(wanted, [*self.evidence.parts, self.evidence.reached])
        while True:
            worst = self.evidence.worst()
            if worst.strength < SUSPICIOUS:
                return None
            proof = self.evidence.proof(PROVEN)
            if proof is not None or self.worlds >= MOST_WORLDS:
                return proof
            wanted *= 2
            # All that a doubt is about: what it was found in, and how common it is in what was led on.
            about = self.evidence.reached if worst.too_narrow else worst.heap
            self._deal(wanted, [about, self.evidence.led_on] if about is not self.evidence.reached else [about])

    @property
    def reached(self) -> int:
        """Return how many worlds look like the true one."""
        return self.evidence.reached.worlds

    @property
    def how_far(self) -> Compared:
        """Return the progress of the comparison."""
        whole = self.reached >= ENOUGH
        parts = any(heap.clues and heap.worlds >= ENOUGH for heap in self.evidence.parts)
        return Compared(1, whole, parts and not whole, self.worlds)

    def _find_clues(self) -> None:
        """Find the clues by which the first worlds can be told from the true one."""
        clues: dict[Clue, None] = {}
        for dealt in self._some(LOOKED_AT):
            clues.update(dict.fromkeys(self.truth.all_clues(self.seat, dealt.world)))
        some = sorted(self.chance.some(clues), key=lambda clue: self.tried[clue.kind])[:CLUES]
        self.tried.update(clue.kind for clue in some)
        heaps = [(clue,) for clue in some] + [tuple(some[:n]) for n in range(2, min(TOGETHER, len(some)) + 1)]
        self.evidence.parts += [Heap(one) for one in heaps]

    def _deal(self, wanted: int, heaps: Sequence[Heap]) -> None:
        """Sample worlds until there are so many in some heaps, or very many in all."""
        evidence = self.evidence
        while evidence.believed.worlds < wanted:
            evidence.believed.add(self.believe().all_facts)
        for dealt in self._some(PATIENCE * wanted):
            self._count(dealt, wanted, heaps)
            if all(heap.worlds >= wanted for heap in heaps):
                break

    def _count(self, dealt: Dealt, wanted: int, heaps: Sequence[Heap]) -> None:
        evidence, seat, truth, (world, first) = self.evidence, self.seat, self.truth, dealt
        if first is not None and self.worlds <= wanted:
            evidence.by_chance.update(name for name, value in first.facts.items() if world.facts.get(name) != value)
        for heap in heaps:
            if heap.worlds >= wanted:
                continue
            if heap is evidence.reached:
                if truth.looks_like(world, seat):
                    heap.add(world.all_facts)
            elif all(clue.alike(seat, truth, world) for clue in heap.clues):
                heap.add(world.facts)

    def _some(self, number: int) -> Iterator[Dealt]:
        for _ in range(number):
            self.worlds += 1
            if (dealt := self.deal()) is not None:
                yield dealt
