"""Games of a simulation one by one: what bots are handed besides their belief."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tests.example import GAME, SEATS

import ziggurat
from ziggurat.bots import Belief
from ziggurat.lab.record import recorded
from ziggurat.lab.simulate import Simulation


def test_the_chance_of_a_bot_from_outside_does_not_tell_the_deal() -> None:
    """Whoever has a key has all that was drawn with it, before and after: every seat of every game has its own."""
    keys: list[set[bytes]] = []

    class Takes:
        def __init__(self) -> None:
            keys.append(set())

        def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
            keys[-1].add(rng["key"].tobytes())
            return legal[0]

    seed, games = 7, 3
    played = [*recorded(Simulation.of(GAME, [Takes, *["random"] * (SEATS - 1)], seed), games, moves=False)]
    assert [len(found) for found in keys] == [1] * games
    dealt = {
        ziggurat.generator(seed)["key"].tobytes(),
        *(ziggurat.generator(one.position.seed)["key"].tobytes() for one in played),
    }
    assert len(set.union(*keys) - dealt) == games
