"""The place of an agent: its rating on a ladder of known ratings, with its uncertainty.

In a group of games the agent sits at every chair of one deal, with the same anchors of the ladder at the others. What
counts in a game is the part of the opponents that it finished ahead of, a tie for a half; the luck of that game, whose
mean is nothing (:mod:`ziggurat.lab.arena.luck`), is taken off in part. By the model of Plackett and Luce the agent
finishes ahead of an anchor with odds of 10 to 1 for 400 points, and so its rating is the one by which as much is
expected as there was.

Its interval is that of a score test: all ratings by which a difference as large as the one found is no wonder. How much
games vary is what the model says, times a factor that is measured, because the luck that was taken off and the turned
chairs make them vary less. Where an agent always wins, the interval is therefore wide, as it should be.
The ladder's own uncertainty is added.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from ziggurat.lab.intervals import Z, student
from ziggurat.lab.tournament.rating import POINTS_PER_LOGIT

LUCK_SHARE = 0.7
"""The part of a game's luck that is taken off: what lessens the variance most is 0.5 to 0.9."""
LEAST_SPREAD = 0.4
"""Games vary at least by this part of what the model says: a lower number would be chance."""
POINTS_BEYOND_LADDER = 1500.0
"""Points beyond the ladder's ends at which a rating is not looked for any more."""


class GroupResult(NamedTuple):
    """The result of the games of one deal.

    Attributes:
        opponents: ratings of the anchors.
        ahead: in every game the part of the opponents that the agent finished ahead of.
        luck: of every game.
    """

    opponents: tuple[float, ...]
    ahead: tuple[float, ...]
    luck: tuple[float, ...]


class Place(msgspec.Struct, frozen=True):
    """A place: the rating, with its 95 % confidence interval.

    Attributes:
        low, high: with the ladder's own uncertainty.
        by_games: half of the width of the interval if the ladder were known exactly: what more games make smaller.
        by_ladder: half of that of the ladder alone: what they do not.
        spread: how much games vary, as a part of what the model says; what was taken off made it smaller.
    """

    rating: float
    low: float
    high: float
    by_games: float
    by_ladder: float
    spread: float
    games: int


def chances(rating: float, opponents: np.ndarray) -> np.ndarray:
    """Return the probability of finishing ahead of each opponent."""
    return np.asarray(1 / (1 + np.exp(np.clip((opponents - rating) / POINTS_PER_LOGIT, -700, 700))))


def variances(rating: float, opponents: np.ndarray) -> np.ndarray:
    """Return, for every row of opponents, the variance in one game of the part of them that the agent finishes ahead
    of.

    Who beats a strong opponent is likely to beat a weak one as well.
    """
    weights = np.exp(np.clip((opponents - rating) / POINTS_PER_LOGIT, -300, 300))
    single, number = 1 / (1 + weights), opponents.shape[1]
    both = 1 / (1 + weights[:, :, None] + weights[:, None, :])
    each = np.arange(number)
    both[:, each, each] = single
    found: np.ndarray = (both - single[:, :, None] * single[:, None, :]).sum((1, 2)) / number**2
    return found


def place(groups: Sequence[GroupResult], covariance: Callable[[np.ndarray], float] | None = None) -> Place:
    """Return the place of an agent after some groups, all with the same number of seats.

    Args:
        covariance: the variance of a weighted mean of the opponents' ratings, given a weight for every opponent of
            every group in turn.
    """
    was = np.array([np.mean(np.subtract(group.ahead, LUCK_SHARE * np.array(group.luck))) for group in groups])
    games = np.array([len(group.ahead) for group in groups], dtype=float)
    opponents = np.array([group.opponents for group in groups])
    every = opponents.ravel()

    def excess(rating: float) -> float:
        """Return the observed minus the expected results; one drawn game is added, so that no rating is infinite."""
        more = float(games @ (was - chances(rating, opponents).mean(1)))
        return more + 0.5 - float(chances(rating, every).mean())

    def model(rating: float) -> float:
        return float(games @ variances(rating, opponents))

    lowest, highest = float(every.min()) - POINTS_BEYOND_LADDER, float(every.max()) + POINTS_BEYOND_LADDER
    rating = _root(excess, lowest, highest)
    known = chances(rating, opponents)
    off = games * (was - known.mean(1))
    freedom = max(1, len(groups) - 1)
    spread = max(LEAST_SPREAD, float(off @ off) * len(groups) / freedom / max(model(rating), 1e-9))
    bound = student(freedom)

    def beyond(side: int) -> Callable[[float], float]:
        return lambda at: excess(at) - side * bound * math.sqrt(spread * model(at))

    low, high = _root(beyond(1), lowest, rating), _root(beyond(-1), rating, highest)
    ladder = 0.0
    if covariance is not None:
        weights = (games[:, None] * known * (1 - known)).ravel()
        ladder = Z * math.sqrt(max(0.0, covariance(weights / max(float(weights.sum()), 1e-12))))
    return Place(
        rating=rating,
        low=rating - math.hypot(rating - low, ladder),
        high=rating + math.hypot(high - rating, ladder),
        by_games=(high - low) / 2,
        by_ladder=ladder,
        spread=spread,
        games=int(games.sum()),
    )


def _root(function: Callable[[float], float], low: float, high: float) -> float:
    """Return the root of a decreasing function; an end of the range where there is none."""
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if function(middle) > 0 else (low, middle)
    return (low + high) / 2
