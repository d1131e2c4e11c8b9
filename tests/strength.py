"""Tests of strength that stop when they know: Wald's sequential probability ratio test, as fishtest uses it.

Whoever is no better than ``no_better`` passes with hardly more than the probability ``alpha``, whoever is as good as
``better`` fails with hardly more than ``beta``; mostly that is known after fewer games than a fixed number would need.
"""

from __future__ import annotations

import math
from collections.abc import Iterable


def is_better(
    results: Iterable[float], *, no_better: float = 0.5, better: float = 0.7, alpha: float = 0.05, beta: float = 0.01
) -> bool:
    """Whether the share of the games that are won is rather ``better`` (H1) than ``no_better`` (H0).

    Args:
        results: of one game after another, from 0 for a loss to 1; no more games are played than it takes.

    Raises:
        AssertionError: when the games end and nothing is decided.
    """
    accept, reject = math.log((1 - beta) / alpha), math.log(beta / (1 - alpha))
    gain, loss = math.log(better / no_better), math.log((1 - better) / (1 - no_better))
    evidence, games = 0.0, 0
    for result in results:
        games += 1
        evidence += result * gain + (1 - result) * loss
        if evidence >= accept:
            return True
        if evidence <= reject:
            return False
    raise AssertionError(f"undecided after {games} games")
