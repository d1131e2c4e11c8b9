"""Bots without look-ahead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ziggurat.bots.belief import Belief, Bot
from ziggurat.core.random import below
from ziggurat.core.record import from_lists, to_lists


class RandomBot(Bot):
    """A bot that plays any legal action, uniformly at random."""

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        return legal[draw(rng, len(legal))]


class GreedyBot(Bot):
    """A bot that plays the heuristic's best action, one action ahead; a part of its choices is random.

    Args:
        random: choices in a thousand that are random.
    """

    def __init__(self, random: int = 0) -> None:
        self.random = random

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        if self.random and draw(rng, 1000) < self.random:
            return legal[draw(rng, len(legal))]
        action = belief.sample().suggest(rng, belief.seat)
        return action if action in legal else legal[0]


def draw(rng: np.ndarray, n: int) -> int:
    """Return a uniform integer in 0..n-1 from a generator of shape (1,)."""
    lists = to_lists(rng)
    drawn = below(lists, n)
    from_lists(lists, rng)
    return drawn
