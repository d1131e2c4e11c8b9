"""Every payment of section 8 is listed once, by its number and in its place, for whatever a player holds."""

from __future__ import annotations

import random
from math import comb
from typing import Any

import pytest
from tests.games.architects import by_hand

from ziggurat.core.record import to_lists
from ziggurat.core.registry import game
from ziggurat.core.setup import Setup
from ziggurat.core.trace import list_out
from ziggurat.games.architects import choices, payments
from ziggurat.games.architects.payments import COINS, FIELD


def number_of(grey: tuple[int, ...]) -> int:
    """The combinatorial number of a multiset, counted after all smaller ones."""
    cards = [kind for kind in range(5) for _ in range(grey[kind])]
    smaller = sum(comb(4 + size, size) for size in range(len(cards)))
    return smaller + sum(comb(kind + place, place + 1) for place, kind in enumerate(cards))


def place_of(grey: tuple[int, ...], alike: bool) -> tuple[int, ...]:
    """What multisets are sorted by: how many cards of the first type, then of the next; those of one type by it."""
    return (max((kind for kind in range(5) if grey[kind]), default=-1), sum(grey)) if alike else grey


@pytest.mark.parametrize("missing_only", [False, True])
def test_payments_are_those_of_the_rules_in_the_order_of_their_cards(missing_only: bool) -> None:
    """A doubled coin comes after single ones."""
    s: Any = to_lists(Setup.of(game("architects"), 4).template())
    s.missing_only = int(missing_only)
    chance, listed, out = random.Random(8), 0, list_out(())
    for _ in range(400):
        hand = by_hand.Hand(
            tuple(chance.choice((0, 0, 0, 1, 1, 2, 4, 31)) for _ in range(5)),
            chance.choice((0, 1, 2, 4, 31)),
            chance.random() < 0.5,
            chance.random() < 0.2,
        )
        packed = sum(held << FIELD * kind for kind, held in enumerate(hand.grey)) | hand.coins << COINS
        for stage in range(5):
            n = payments.payments(s, packed, stage, hand.economy, hand.engineering, out, 0)
            cost, relation = s.cost[stage], "identical" if s.identical[stage] else "different"
            wanted = sorted(
                by_hand.payments(hand, cost, relation, missing_only),
                key=lambda one: (place_of(one.grey, relation == "identical" and not hand.engineering), one.economy),
            )
            first = choices.BUILD + stage * choices.PAYMENTS
            actions = out.values[:n]
            assert actions == [first + 2 * number_of(one.grey) + one.economy for one in wanted]
            used = [payments.uses_engineering(s, stage, action - first) for action in actions]
            assert used == [one.engineering for one in wanted]
            listed += n
    assert listed > 5_000
