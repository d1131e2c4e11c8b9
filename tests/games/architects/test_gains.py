"""What a seat misses for its next stage is what a payment would take, and what advances it is what lessens that."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.games.architects import by_hand

from ziggurat.core.record import to_lists
from ziggurat.core.registry import game
from ziggurat.core.setup import Setup
from ziggurat.games.architects import gains, state
from ziggurat.games.architects.payments import COINS, FIELD, is_available


@pytest.fixture(scope="module")
def table() -> Any:
    return to_lists(Setup.of(game("architects"), 4).template())


def needs(s: Any, wonder: int, built: int, hand: by_hand.Hand) -> int:
    packed = sum(held << FIELD * kind for kind, held in enumerate(hand.grey)) | hand.coins << COINS
    return gains.needs_with(s, wonder, built, packed, hand.economy, hand.engineering)


def one_more(hand: by_hand.Hand, kind: int) -> by_hand.Hand:
    grey = tuple(held + (kind == at) for at, held in enumerate(hand.grey))
    return by_hand.Hand(grey, hand.coins, hand.economy, hand.engineering)


def hands() -> list[tuple[int, int, by_hand.Hand]]:
    """A wonder, how many of its stages are built in their order, and what is held."""
    chance = random.Random(3)
    return [
        (
            chance.randrange(len(state.WONDERS)),
            chance.choice((0, 1, 0b11, 0b111, 0b1111, 0b11111)),
            by_hand.Hand(
                tuple(chance.choice((0, 0, 0, 1, 1, 2)) for _ in range(5)),
                chance.choice((0, 0, 1, 2)),
                chance.random() < 0.5,
                chance.random() < 0.2,
            ),
        )
        for _ in range(300)
    ]


def test_nothing_is_missing_where_a_stage_can_be_paid(table: Any) -> None:
    paid = 0
    for wonder, built, hand in hands():
        payments = [
            by_hand.payments(hand, table.cost[stage], "identical" if table.identical[stage] else "different", False)
            for stage in range(state.STAGES)
            if is_available(table, wonder, built, stage)
        ]
        missing = needs(table, wonder, built, hand) & gains.MISSING
        assert (missing == 0) == any(payments), (wonder, built, hand)
        assert (missing == gains.NOTHING) == (not payments)
        paid += missing == 0
    assert 30 < paid < 270


def test_a_card_advances_where_less_is_missing_with_it(table: Any) -> None:
    advanced = 0
    for wonder, built, hand in hands():
        found = needs(table, wonder, built, hand)
        missing = found & gains.MISSING
        if missing in (0, gains.NOTHING):
            assert found >> gains.ADVANCING & gains.KINDS_MASK == 0
            continue
        for kind in range(state.WOOD, state.COIN):
            less = needs(table, wonder, built, one_more(hand, kind - state.WOOD)) & gains.MISSING
            assert (found >> gains.ADVANCING + kind & 1 == 1) == (less < missing), (wonder, built, hand, kind)
            advanced += less < missing
        assert found >> gains.ADVANCING + state.COIN & 1
    assert advanced > 100
