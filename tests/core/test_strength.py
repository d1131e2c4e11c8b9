"""The test of strength errs as seldom as it says."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from tests.strength import is_better

RUNS = 10_000


def games(share: float, chance: random.Random) -> Iterator[float]:
    while True:
        yield float(chance.random() < share)


# Wald: the errors are at most alpha / (1 - beta) and beta / (1 - alpha); a little is left for the chance of the runs.
@pytest.mark.parametrize(
    ("share", "passes"), [(0.4, (0, 0.01)), (0.5, (0, 0.053)), (0.7, (0.987, 1)), (0.8, (0.999, 1))]
)
def test_it_errs_as_seldom_as_it_says(share: float, passes: tuple[float, float]) -> None:
    chance = random.Random(1)
    found = sum(is_better(games(share, chance)) for _ in range(RUNS)) / RUNS
    assert passes[0] <= found <= passes[1]


def test_it_asks_for_no_game_more_than_it_needs() -> None:
    asked: list[float] = []

    def wins() -> Iterator[float]:
        for _ in range(1000):
            asked.append(1.0)
            yield 1.0

    assert is_better(wins())
    assert len(asked) == 9


def test_nothing_decided_is_no_pass() -> None:
    with pytest.raises(AssertionError, match="undecided after 4 games"):
        is_better([1, 0, 0.5, 1])
