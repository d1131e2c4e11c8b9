"""The calibration of a network: the chances of winning that it states, compared with what happened, in games between
searches."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Belief, Budget, Chooser, SearchBot, SearchConfig, Searcher, chooser
from ziggurat.bots.learned import network_of
from ziggurat.bots.probe import NetworkProbe
from ziggurat.core.position import Position
from ziggurat.core.runtime import PLAYING
from ziggurat.lab.loop import play_out, prepare_all, win_shares

TEMPERATURES = np.round(np.geomspace(0.5, 2.0, 57), 4)
"""The temperatures that are compared, 2.5 % apart."""
SEARCH_ITERATIONS = 200
"""Iterations of a search that states chances."""
REDEALS_PER_OPINION = 8
"""Deals whose values are the network's opinion of what a seat sees."""


class CalibrationSample(NamedTuple):
    """A calibration sample: every seat's chance at a decision, by the network alone and by a search, and the share of
    the win that it got."""

    network: list[float]
    search: list[float]
    won: list[float]


@dataclass(frozen=True)
class Calibration:
    """A factory of workers that play the games of a calibration, for :mod:`ziggurat.lab.work`: a job is the number of a
    game.

    Attributes:
        players: numbers of players, in turn.
        iterations: of the bots that play.
        every: one decision of so many is looked at.
        config: how they search, and state chances.
    """

    game: str
    seed: bytes
    players: tuple[int, ...]
    iterations: int
    every: int
    config: SearchConfig

    def __call__(self) -> Callable[[int], list[CalibrationSample]]:
        game = ziggurat.game(self.game)
        prepare_all(game, (PLAYING, SEARCHING))
        probe = NetworkProbe(game, network_of(game, self.config.network))

        def play(number: int) -> list[CalibrationSample]:
            key = hashlib.sha256(self.seed + f"chances {number}".encode()).digest()
            players = self.players[number % len(self.players)]
            position, rng = ziggurat.new(game, players, seed=key), ziggurat.generator(key[::-1])
            chance = np.random.default_rng(list(key))
            bots = [SearchBot(game, Budget(self.iterations), config=self.config) for _ in range(players)]
            said: list[tuple[list[float], list[float]]] = []

            def looking(usual: Chooser) -> Chooser:
                """Return a chooser that samples some decisions before it makes them."""

                def choose(position: Position, seat: int, legal: list[int]) -> int:
                    if not position.in_move and len(legal) > 1 and chance.random() < 1 / self.every:
                        searcher = Searcher(game, config=self.config)
                        searcher.think(Belief(position, seat, rng), Budget(SEARCH_ITERATIONS), rng)
                        seen = [probe.evaluate(position.redeal(seat, rng)).win for _ in range(REDEALS_PER_OPINION)]
                        said.append((np.mean(seen, axis=0).tolist(), searcher.chances))
                    return usual(position, seat, legal)

                return choose

            play_out(position, [looking(chooser(bot, rng)) for bot in bots])
            won = win_shares(position.winners, players)
            return [CalibrationSample(network, search, won) for network, search in said]

        return play


def log_loss(stated: Iterable[CalibrationSample], temperature: float = 1.0) -> np.ndarray:
    """Return the log loss of the searches at each of ``TEMPERATURES``: the sum of the cross-entropies in nats.

    Args:
        temperature: at which they were stated.
    """
    found = np.zeros(len(TEMPERATURES))
    powers = (temperature / TEMPERATURES)[:, None]
    for one in stated:
        said, won = np.array(one.search), np.array(one.won)
        if len(won) == 1:
            said, won = np.append(said, 1 - said), np.append(won, 1 - won)
        raised = np.clip(said, 1e-9, 1) ** powers  # as `tempered`, at all of them
        likely = np.clip(raised / raised.sum(1, keepdims=True), 1e-6, 1)
        found -= (won * np.log(likely)).sum(1)
    return found


def best(losses: Sequence[float] | np.ndarray) -> float:
    """Return the temperature with the least log loss."""
    return float(TEMPERATURES[int(np.argmin(losses))])
