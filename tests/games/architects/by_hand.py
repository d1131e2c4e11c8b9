"""Sections 3 to 5 and 8 of the specification once more, in plain Python, for tests to compare the rules with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

GREY = ("wood", "stone", "brick", "papyrus", "glass")
SYMBOLS = ("compass", "gear", "tablet")

# Section 4: levels from bottom to top, points of stages 1 to 5, stages with the effect.
LEVELS: dict[str, tuple[tuple[int, ...], ...]] = {
    "alexandria": ((1,), (2,), (3,), (4,), (5,)),
    "babylon": ((1,), (2,), (3,), (4, 5)),
    "ephesus": ((1,), (2, 3, 4), (5,)),
    "giza": ((1,), (2,), (3,), (4,), (5,)),
    "halicarnassus": ((1,), (2,), (3, 4), (5,)),
    "olympia": ((1,), (2, 3), (4,), (5,)),
    "rhodes": ((1, 2), (3,), (4,), (5,)),
}
POINTS = {
    "alexandria": (4, 3, 6, 5, 7),
    "babylon": (3, 0, 5, 5, 7),
    "ephesus": (3, 3, 4, 5, 7),
    "giza": (4, 5, 6, 7, 8),
    "halicarnassus": (3, 3, 6, 5, 7),
    "olympia": (3, 2, 5, 5, 7),
    "rhodes": (4, 4, 5, 6, 7),
}
EFFECTS: dict[str, tuple[int, ...]] = {**dict.fromkeys(LEVELS, (2, 4)), "ephesus": (2, 3, 4), "giza": ()}
COSTS = {1: (2, "different"), 2: (2, "identical"), 3: (3, "different"), 4: (3, "identical"), 5: (4, "different")}

# Section 3.3: the horns on the red cards of each deck.
HORNS = {"alexandria": 3, "babylon": 3, "ephesus": 3, "giza": 2, "halicarnassus": 4, "olympia": 4, "rhodes": 4}
CENTRAL_HORNS = 8

# Section 5: which cards trigger which token.
TRIGGERS = {
    "urbanism": ("wood", "brick"),
    "crafts": ("papyrus", "glass"),
    "jewellery": ("stone", "coin"),
    "science": SYMBOLS,
    "propaganda": ("red1", "red2"),
}


class Hand(NamedTuple):
    """Grey cards by type and coins; whether Economy and Engineering may still be used this turn."""

    grey: tuple[int, ...]
    coins: int
    economy: bool = False
    engineering: bool = False


class Payment(NamedTuple):
    grey: tuple[int, ...]
    coins: int
    economy: bool
    engineering: bool

    def cards(self) -> tuple[str, ...]:
        return (*(GREY[kind] for kind in range(5) for _ in range(self.grey[kind])), *["coin"] * self.coins)


class Policy(NamedTuple):
    """The options that section 15 gives to building."""

    missing_only: bool = False
    maximal: bool = True
    economy_forces: bool = True
    engineering_forces: bool = True


def may_build(wonder: str, built: frozenset[int]) -> list[int]:
    """The stages that are available: not built, and all of the levels below are."""
    below: set[int] = set()
    for level in LEVELS[wonder]:
        if not below <= built:
            return []
        if open_stages := [stage for stage in level if stage not in built]:
            return open_stages
        below |= set(level)
    return []


@cache
def payments(hand: Hand, count: int, relation: str, missing_only: bool) -> tuple[Payment, ...]:
    """Every exact payment of section 8, with what A29 and A35 say."""
    return tuple(_payments(hand, count, relation, missing_only))


def _payments(hand: Hand, count: int, relation: str, missing_only: bool) -> Iterator[Payment]:
    for grey in product(*(range(min(held, count) + 1) for held in hand.grey)):
        types = [kind for kind in range(5) if grey[kind]]
        fits = len(types) <= 1 if relation == "identical" else max(grey) <= 1
        if not fits and not hand.engineering:
            continue
        for coins, doubled in product(range(hand.coins + 1), (False, True)):
            if doubled and (not hand.economy or coins == 0):
                continue
            if sum(grey) + coins + doubled != count:
                continue
            if missing_only and coins and not _only_missing(hand, grey, types, relation if fits else "any"):
                continue
            yield Payment(grey, coins, doubled, not fits)


def _only_missing(hand: Hand, grey: tuple[int, ...], types: list[int], relation: str) -> bool:
    """A29: whether the coins replace no card that is held."""
    if relation == "any":  # Engineering: grey cards first
        return grey == hand.grey
    if relation == "different":
        return all(grey[kind] for kind in range(5) if hand.grey[kind])
    if types:
        return grey[types[0]] == hand.grey[types[0]]
    return 0 in hand.grey  # coins alone stand for a type that is not held


def after(hand: Hand, payment: Payment) -> Hand:
    return Hand(
        tuple(held - paid for held, paid in zip(hand.grey, payment.grey, strict=True)),
        hand.coins - payment.coins,
        hand.economy and not payment.economy,
        hand.engineering and not payment.engineering,
    )


def builds(wonder: str, built: frozenset[int], hand: Hand, missing_only: bool) -> Iterator[tuple[int, Payment]]:
    for stage in may_build(wonder, built):
        for payment in payments(hand, *COSTS[stage], missing_only):
            yield stage, payment


@cache
def most_builds(wonder: str, built: frozenset[int], hand: Hand, missing_only: bool) -> int:
    """The greatest number of stages that can be built in a row, trying everything."""
    return max(
        (
            1 + most_builds(wonder, built | {stage}, after(hand, payment), missing_only)
            for stage, payment in builds(wonder, built, hand, missing_only)
        ),
        default=0,
    )


def forced_hand(hand: Hand, policy: Policy) -> Hand:
    """What counts for forced builds: Economy and Engineering only if the options say so (A11, A12)."""
    return hand._replace(
        economy=hand.economy and policy.economy_forces, engineering=hand.engineering and policy.engineering_forces
    )


def legal_builds(wonder: str, built: frozenset[int], hand: Hand, policy: Policy) -> set[tuple[int, Payment]]:
    """A5, A31: a build is legal if 1 + (forced builds still possible then) is not below those possible now."""
    possible = set(builds(wonder, built, hand, policy.missing_only))
    if not policy.maximal:
        return possible
    now = most_builds(wonder, built, forced_hand(hand, policy), policy.missing_only)
    return {
        (stage, payment)
        for stage, payment in possible
        if 1 + most_builds(wonder, built | {stage}, forced_hand(after(hand, payment), policy), policy.missing_only)
        >= now
    }


def must_build(wonder: str, built: frozenset[int], hand: Hand, policy: Policy) -> bool:
    return most_builds(wonder, built, forced_hand(hand, policy), policy.missing_only) > 0
