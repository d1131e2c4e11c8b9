"""The ratings of bots, on one scale: the models of Bradley and Terry (two players) and Plackett and Luce (more).

In both, a game is a series of choices: who is first among all, who is first among the rest, and so on, each with a
chance in proportion to the strength of those who are left. With two players there is one choice. Such a model is a
Poisson regression of how often each was chosen from a set, with a term for each set; statsmodels fits it and knows how
sure it is. Ties count as every order of those who tied, in equal parts.

Every bot is given one drawn game more than it played, a part of it against each of the others, so that nobody is
infinitely better than a bot that never won. The scale is that of Elo: 400 points are odds of 10 to 1. Its interval
is of the distance to the anchor, which has none, and takes the games for independent.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

import numpy as np

from ziggurat.lab.intervals import Z

ANCHOR_RATING = 1000.0
POINTS_PER_LOGIT = 400 / math.log(10)
"""Half the width of a 95 % confidence interval, in standard errors."""

# Bots that are chosen from, one for each seat.
Choice = tuple[str, ...]
Placed = Sequence[tuple[str, int]]
"""A game: the bot and the place of every seat."""
Chosen = dict[Choice, dict[str, float]]
"""How often each bot came out first of a set of them."""


@dataclass(frozen=True)
class Rating:
    """A rating in points, with its 95 % confidence interval."""

    value: float
    low: float
    high: float


def rate(games: Iterable[Placed], bots: Sequence[str], anchor: str) -> dict[str, Rating]:
    """Return a rating of every bot.

    Args:
        anchor: the bot that has 1000 points.
    """
    chosen = choices(games)
    for pair in combinations(sorted(bots), 2):
        for one in pair:
            chosen[pair][one] += 0.5 / (len(bots) - 1)
    rated = [bot for bot in bots if bot != anchor]
    values, errors = _fit(chosen, rated)
    found = {anchor: Rating(ANCHOR_RATING, ANCHOR_RATING, ANCHOR_RATING)}
    for bot, value, error in zip(
        rated, ANCHOR_RATING + POINTS_PER_LOGIT * values, POINTS_PER_LOGIT * Z * errors, strict=True
    ):
        found[bot] = Rating(float(value), float(value - error), float(value + error))
    return found


def choices(games: Iterable[Placed]) -> Chosen:
    """Return all choices of some games for the model; parts of one where bots tied."""
    chosen: Chosen = defaultdict(lambda: defaultdict(float))
    for placed in games:
        by_place = [sorted(bot for bot, place in placed if place == rank) for rank in sorted({p for _, p in placed})]
        for rank, tied in enumerate(by_place):
            behind = [bot for group in by_place[rank + 1 :] for bot in group]
            orders = list(permutations(tied))
            for order in orders:
                for i, bot in enumerate(order):
                    left = tuple(sorted([*order[i:], *behind]))
                    if len(set(left)) > 1:  # otherwise there is nothing to learn
                        chosen[left][bot] += 1 / len(orders)
    return chosen


def _fit(chosen: Chosen, rated: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Return the logarithms of the strengths relative to the anchor's, and their standard errors."""
    from statsmodels.genmod.families import Poisson
    from statsmodels.genmod.generalized_linear_model import GLM

    rows = [(place, left, bot) for place, left in enumerate(chosen) for bot in sorted(set(left))]
    design = np.zeros((len(rows), len(rated) + len(chosen)))
    for i, (place, _, bot) in enumerate(rows):
        if bot in rated:
            design[i, rated.index(bot)] = 1
        design[i, len(rated) + place] = 1
    times = np.array([chosen[left][bot] for _, left, bot in rows], dtype=np.float64)
    seats = np.array([left.count(bot) for _, left, bot in rows], dtype=np.float64)
    model = GLM(times, design, family=Poisson(), offset=np.log(seats))
    # From equal strength by Newton's method: the usual one is slow here, and gives up when one bot always wins.
    start = np.zeros(design.shape[1])
    start[len(rated) :] = [math.log(sum(own.values()) / len(left)) for left, own in chosen.items()]
    fitted = model.fit(start, method="newton", maxiter=200, disp=False)
    errors = np.sqrt(np.diag(fitted.cov_params()))
    return fitted.params[: len(rated)], errors[: len(rated)]
