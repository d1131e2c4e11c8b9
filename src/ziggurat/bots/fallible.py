"""A fallible bot: it knows what is good, and makes mistakes as people do.

The network of a game (:mod:`ziggurat.bots.network`) states how likely a strong player would choose each action. Who is
weak sees only some of them, is tempted by points, and loses count towards the end; of what is left the best is played.
All follows from what the seat sees and its own chance, and no clock is looked at.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ziggurat.bots.belief import Belief, Bot
from ziggurat.bots.learned import Network, network_of
from ziggurat.bots.probe import NetworkProbe
from ziggurat.bots.simple import GreedyBot
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.random import below
from ziggurat.core.record import from_lists, to_lists
from ziggurat.core.runtime import runtime
from ziggurat.core.seed import generator

GAIN_CAUGHT_SHARE = 0.75
"""The part by which an action is overlooked more seldom that brings more points at once than all others."""
MOST_ACTIONS_WEIGHED = 40
"""So many actions, the preferred ones, are weighed up at most: what each brings at once takes time to find out."""
LEAST_CHANCE = 1e-9
CHANCE_STEPS = 1 << 24
"""Steps in which chances are drawn."""


@dataclass(frozen=True)
class Errors:
    """The error rates of a player. All are 0 for one who plays what the network prefers.

    Attributes:
        overlook: of n actions about n ** (1 - overlook) are seen, others for each decision; with 1 it is one of them.
            What brings points catches the eye and is overlooked more seldom.
        grab: how much likelier, as a logarithm, the action seems that brings most points at once than the one that
            brings least.
        miscount: at the end of the game an action is chosen as often as its preference ** (1 / miscount) says; before,
            with the part of ``miscount`` of the game that has been played, so that the first move is exact.
    """

    overlook: float = 0.0
    grab: float = 0.0
    miscount: float = 0.0


class FallibleBot(Bot):
    """A bot that errs in what it sees, wants and counts; where a game has no network, the heuristic with random errors.

    It errs where a move begins: the steps that follow do what it had in mind.

    Args:
        random: choices in a thousand that are random where there is no network.
        network: one's own; by default the one that comes with the game.
    """

    def __init__(self, game: Game, errors: Errors, random: int = 0, network: Network | None = None) -> None:
        self.game = game
        self.errors = errors
        self.network = network or network_of(game)
        self._plain = GreedyBot(random)

    @property
    def ready(self) -> bool:
        """Whether the program that evaluates its network is compiled."""
        return self.network is None or runtime(self.game, SEARCHING).ready

    @property
    def meanwhile(self) -> Bot | None:
        """The heuristic, with a part of its choices random."""
        return self._plain

    @cached_property
    def _probe(self) -> NetworkProbe:
        return NetworkProbe(self.game, self.network)

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        if self.network is None:
            return self._plain.choose(belief, legal, rng)
        position = belief.sample()
        actions, preferences = self._probe.preferences(position, belief.seat, rng)
        preferred = dict(zip(actions.tolist(), preferences.tolist(), strict=True))
        worth = {action: math.log(max(preferred.get(action, 0.0), LEAST_CHANCE)) for action in legal}
        if not belief.in_move:
            worth = self._mistaken(position, belief.seat, worth, rng)
        return max(worth, key=worth.__getitem__)

    def _mistaken(self, position: Position, seat: int, worth: Mapping[int, float], rng: np.ndarray) -> dict[int, float]:
        """Return the actions that seem possible, and how good each seems."""
        errors = self.errors
        weighed = sorted(worth, key=lambda action: -worth[action])[:MOST_ACTIONS_WEIGHED]
        gains = shares([at_once(position, seat, action, rng) for action in weighed])
        noise = errors.miscount * self._progress(position, rng) if errors.miscount else 0.0
        chances = draws(rng, 2 * len(weighed))
        unseen = 1 - len(worth) ** -errors.overlook
        # By how much each is seen; if none is, then the one that comes closest to it.
        seen = [chances[i] - unseen * (1 - GAIN_CAUGHT_SHARE * gains[i]) for i in range(len(weighed))]
        least = min(0.0, max(seen))
        return {
            action: worth[action] + errors.grab * gains[i] - noise * math.log(-math.log(chances[-1 - i]))
            for i, action in enumerate(weighed)
            if seen[i] >= least
        }

    def _progress(self, position: Position, rng: np.ndarray) -> float:
        """Return the progress of the game, from 0 to 1."""
        fresh = Position.new(
            self.game, position.players, seed=0, options=position.options, components=position.components, trace=False
        )
        whole = self._probe.left(fresh, generator(0))
        return min(max(1 - self._probe.left(position, rng) / max(whole, 1), 0.0), 1.0)


def at_once(position: Position, seat: int, action: int, rng: np.ndarray) -> int:
    """Return the immediate gain in points of a move that begins with an action and is completed by the heuristic."""
    ahead = position.copy(events=False)
    before = ahead.scores[position.known_seat(seat)]
    ahead.play(seat, action)
    while ahead.in_move and seat in ahead.actors:
        ahead.play(seat, ahead.suggest(rng, seat))
    return ahead.scores[seat] - before


def shares(gains: Sequence[int]) -> list[float]:
    """Return gains normalised, from 0, the least, to 1, the most; all 0 where there is no difference."""
    least, most = min(gains), max(gains)
    return [(gain - least) / max(most - least, 1) for gain in gains]


def draws(rng: np.ndarray, n: int) -> list[float]:
    """Return uniform random numbers between 0 and 1, both of them excluded."""
    lists = to_lists(rng)
    found = [(below(lists, CHANCE_STEPS) + 0.5) / CHANCE_STEPS for _ in range(n)]
    from_lists(lists, rng)
    return found
