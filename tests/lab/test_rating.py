"""Ratings: of whom nothing else is known than how games ended."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from tests import runs

from ziggurat.lab.tournament.rating import ANCHOR_RATING, POINTS_PER_LOGIT, choices, rate

pytestmark = pytest.mark.slow

BOTS = ["a", "b", "c", "d"]
STRENGTH = dict(zip(BOTS, (0.0, 0.5, 1.0, 2.0), strict=True))


def games(players: int, rounds: int) -> list[list[tuple[str, int]]]:
    """Of bots whose strength is known: who has the greatest of variables of Gumbel is first."""
    rng = np.random.default_rng(1)
    found = []
    for line_up in list(combinations(BOTS, players)) * rounds:
        luck = rng.gumbel(size=players) + [STRENGTH[bot] for bot in line_up]
        found.append([(bot, 1 + int((luck > own).sum())) for bot, own in zip(line_up, luck, strict=True)])
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_strength_that_bots_were_given_is_found_again(players: int) -> None:
    found = rate(games(players, 400), BOTS, "a")
    assert found["a"].low == found["a"].value == found["a"].high == ANCHOR_RATING
    for bot in BOTS[1:]:
        true = ANCHOR_RATING + POINTS_PER_LOGIT * STRENGTH[bot]
        assert found[bot].low < true < found[bot].high
        assert found[bot].value == pytest.approx(true, abs=60)


def test_with_two_players_it_is_the_share_of_wins() -> None:
    played = [[("a", 1), ("b", 2)]] * 74 + [[("a", 2), ("b", 1)]] * 24
    found = rate(played, ["a", "b"], "b")["a"]
    odds = 74.5 / 24.5  # with the drawn game that everybody is given
    assert found.value == pytest.approx(1000 + 400 * math.log10(odds), abs=1e-3)
    error = math.sqrt(1 / 74.5 + 1 / 24.5)
    assert found.high - found.value == pytest.approx(1.959964 * POINTS_PER_LOGIT * error, rel=1e-4)


def test_a_tie_is_a_half_for_each() -> None:
    tied = rate([[("a", 1), ("b", 1)]] * 10, ["a", "b"], "b")["a"]
    even = rate([[("a", 1), ("b", 2)], [("a", 2), ("b", 1)]] * 5, ["a", "b"], "b")["a"]
    assert tied.value == pytest.approx(1000)
    assert tied == even


def test_a_tie_of_several_is_every_order_in_equal_parts() -> None:
    found = choices([[("a", 1), ("b", 1), ("c", 3)]])
    assert dict(found["a", "b", "c"]) == {"a": 0.5, "b": 0.5}
    assert dict(found["b", "c"]) == {"b": 0.5}
    assert dict(found["a", "c"]) == {"a": 0.5}


def test_a_bot_on_two_seats_is_no_stronger_for_it() -> None:
    even = [[("a", first), ("a", second), ("b", third)] for first, second, third in ((1, 2, 3), (1, 3, 2), (2, 3, 1))]
    assert rate(even * 20, ["a", "b"], "b")["a"].value == pytest.approx(1000, abs=1)


@pytest.mark.filterwarnings("error")
def test_who_always_wins_is_far_above_and_not_infinitely() -> None:
    played = [[(bot, place) for place, bot in enumerate(pair, 1)] for pair in combinations(BOTS, 2)] * 1000
    found = rate(played, BOTS, "a")
    assert 1000 > found["b"].value > found["c"].value > found["d"].value > -10_000
    assert found["d"].low < found["d"].value < found["d"].high


@runs.whole
@pytest.mark.parametrize(("points", "least", "most"), [(400, 0.91, 1.0), (1200, 0.82, 0.95), (1600, 0.0, 0.1)])
def test_intervals_cover_the_truth_but_less_of_it_at_the_rim(points: int, least: float, most: float) -> None:
    """As docs/tournament.md says: of `b`, so many points from the anchor, after 60 games with each of two others."""
    rng, covered = np.random.default_rng(points), []
    wins = 1 / (1 + 10 ** (-points / 400))
    for _ in range(100):
        played: list[list[tuple[str, int]]] = []
        for other, chance in (("a", wins), ("c", wins), ("", 0.5)):
            one, two = ("b", other) if other else ("a", "c")
            for first in rng.random(60) < chance:
                played.append([(one, 1 if first else 2), (two, 2 if first else 1)])
        found = rate(played, ["a", "b", "c"], "a")["b"]
        covered.append(found.low <= ANCHOR_RATING + points <= found.high)
    assert least <= np.mean(covered) <= most
