"""Rules of Tower of Babel once more, written straight from the specification and by trying everything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from typing import NamedTuple

TYPES = ("camel", "crane", "ship", "mason")
FIRST = (8, 10, 12, 14, 16, 18, 20)
SECOND = (4, 5, 6, 7, 8, 9, 10)
OTHER = 3
LIGHT = (6, 3)
BONUS = (0, 0, 5, 10, 20, 30, 40, 40)


class Offer(NamedTuple):
    """What is valid of an offer."""

    seat: int
    cards: Mapping[str, int]
    trade: bool

    def size(self) -> int:
        return sum(self.cards.values())


class Payment(NamedTuple):
    """Offers that are accepted, and what jokers and hand add."""

    seats: frozenset[int]
    jokers: tuple[str, ...]
    added: tuple[int, ...]


def wonder_points(units: Sequence[int], first: int, second: int, other: int = OTHER) -> list[int]:
    """Section 5, line by line."""
    contributors = [count for count in units if count > 0]
    if not contributors:
        return [0] * len(units)
    leaders = contributors.count(max(contributors))
    rest = [count for count in contributors if count != max(contributors)]
    runners_up = rest.count(max(rest)) if rest else 0

    def points(count: int) -> int:
        if count == 0:
            return 0
        if count == max(contributors):
            return first if leaders == 1 else second
        if leaders == 1 and runners_up == 1 and count == max(rest):
            return second
        return other

    return [points(count) for count in units]


def disc_bonus(discs: Sequence[Sequence[str]], table: Sequence[int] = BONUS) -> int:
    """Section 8.2.2: the best of all assignments of discs to one of their types each."""
    best = 0
    for assigned in product(*discs):
        counts = Counter(assigned)
        best = max(best, sum(table[min(counts[name], len(table) - 1)] for name in TYPES))
    return best


def valid(laid: Mapping[str, int], needs: Mapping[str, int]) -> dict[str, int]:
    """B2 and R3: what of an offer is kept at the reveal."""
    return {name: min(laid.get(name, 0), needs.get(name, 0)) for name in TYPES}


def payments(
    needs: Mapping[str, int],
    offers: Sequence[Offer],
    hand: Mapping[str, int],
    jokers: int,
    units_left: int | None = None,
) -> Iterator[Payment]:
    """B3 and B4: every set of offers, every way to use jokers, and whether hand and jokers make exactly the rest."""
    for size in range(len(offers) + 1):
        for accepted in combinations(offers, size):
            if any(offer.size() == 0 for offer in accepted) or sum(offer.trade for offer in accepted) > 1:
                continue
            missing = {n: needs.get(n, 0) - sum(offer.cards.get(n, 0) for offer in accepted) for n in TYPES}
            if min(missing.values()) < 0:
                continue
            for used in range(jokers + 1):
                for stands_for in combinations_with_replacement(TYPES, 2 * used):
                    added = {name: missing[name] - stands_for.count(name) for name in TYPES}
                    if any(not 0 <= added[name] <= hand.get(name, 0) for name in TYPES):
                        continue
                    units = sum(added.values()) + 2 * used + sum(offer.size() for offer in accepted if offer.trade)
                    if units_left is not None and units > units_left:
                        continue
                    seats = frozenset(offer.seat for offer in accepted)
                    yield Payment(seats, stands_for, tuple(added[name] for name in TYPES))


def is_over(discs: Sequence[Mapping[str, int]]) -> bool:
    """Section 8.1: whether the discs that are left lack a type."""
    return any(all(name not in disc for disc in discs) for name in TYPES)
