"""The ratings of puzzles and of those who solve them (Glicko): how an answer changes both.

Both have a rating and a deviation as in Glicko (Mark Glickman, "Parameter estimation in large dynamic paired comparison
experiments", Applied Statistics 48, 1999), each answer being a period of its own. An answer is no win or loss: it
counts for as much as it kept of the chance of winning.
"""

from __future__ import annotations

import math
from typing import NamedTuple

FIRST_RATING, FIRST_DEVIATION = 1500.0, 350.0
"""What a player begins with."""
PUZZLE_DEVIATION = 150.0
"""The deviation of a puzzle of which only the computer knows how hard it is."""
LEAST_DEVIATION = 45.0
"""Nobody is known better: people learn, and nobody alone shall fix what a puzzle is worth."""
ALL_LOST = 120
"""Whatever costs so many thousandths of the chance of winning counts for nothing; less, for a part."""
Q = math.log(10) / 400


class PuzzleRating(NamedTuple):
    """The rating of a player or a puzzle, and its standard deviation."""

    value: float
    deviation: float


def score(loss: int) -> float:
    """Return the score of an answer, from 0 to 1, by what it costs in thousandths."""
    return 1.0 - min(max(loss, 0), ALL_LOST) / ALL_LOST


def _weight(deviation: float) -> float:
    return 1 / math.sqrt(1 + 3 * (Q * deviation / math.pi) ** 2)


def expected(one: PuzzleRating, other: PuzzleRating) -> float:
    """Return the expected score of one rating against another."""
    return float(1 / (1 + 10 ** (-_weight(other.deviation) * (one.value - other.value) / 400)))


def _after(one: PuzzleRating, other: PuzzleRating, scored: float) -> PuzzleRating:
    weight, likely = _weight(other.deviation), expected(one, other)
    told = (Q * weight) ** 2 * likely * (1 - likely)
    precision = 1 / one.deviation**2 + told
    value = one.value + Q / precision * weight * (scored - likely)
    return PuzzleRating(min(3000.0, max(100.0, value)), max(LEAST_DEVIATION, math.sqrt(1 / precision)))


def rated(player: PuzzleRating, puzzle: PuzzleRating, scored: float) -> tuple[PuzzleRating, PuzzleRating]:
    """Return both ratings after an answer with this score of the player."""
    return _after(player, puzzle, scored), _after(puzzle, player, 1 - scored)
