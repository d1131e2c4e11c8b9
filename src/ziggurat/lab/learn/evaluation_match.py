"""The evaluation match: a network against the one before, until a sequential probability ratio test (Wald's)
decides."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Budget, SearchBot, SearchConfig, chooser
from ziggurat.core.runtime import PLAYING
from ziggurat.lab.loop import play_out, prepare_all, win_shares

BETTER_MARGIN = 0.05
"""What counts as stronger: so much more than half of the wins."""
EVIDENCE_BOUND = math.log(19)
"""The evidence that decides: 1 match in 20 is decided wrongly, either way."""
LOST_SHARE = 0.4
"""The part of the wins below which a network has become worse. Between that and a half sixty games tell nothing, and
to throw away what was learned of more games costs a generation."""


@dataclass(frozen=True)
class EvaluationMatch:
    """A factory of workers that play the games of a match, for :mod:`ziggurat.lab.work`: a job is the number of a game.

    Every deal is played twice, the second time with the chairs changed. The result is the candidate's part of the wins
    less the other's, by the number of seats, from -1 to 1.
    """

    game: str
    seed: bytes
    players: tuple[int, ...]
    iterations: int
    candidate: SearchConfig
    champion: SearchConfig

    def __call__(self) -> Callable[[int], float]:
        game = ziggurat.game(self.game)
        prepare_all(game, (PLAYING, SEARCHING))

        def play(number: int) -> float:
            deal, side = divmod(number, 2)
            key = hashlib.sha256(self.seed + f"contest {deal}".encode()).digest()
            players = self.players[deal % len(self.players)]
            position = ziggurat.new(game, players=players, seed=key)
            rng = ziggurat.generator(hashlib.sha256(key + bytes([side])).digest())
            configs = [(self.candidate, self.champion)[(seat + side + deal // 2) % 2] for seat in range(players)]
            bots = [SearchBot(game, Budget(iterations=self.iterations), config=config) for config in configs]
            play_out(position, [chooser(bot, rng) for bot in bots])
            parts = {self.candidate: [0.0], self.champion: [0.0]}
            for config, won in zip(configs, win_shares(position.winners, players), strict=True):
                parts[config].append(won)
            mean = [sum(parts[config]) / max(1, len(parts[config]) - 1) for config in (self.candidate, self.champion)]
            return (mean[0] - mean[1]) / max(sum(mean), 1e-9)

        return play


def evidence(results: Sequence[float]) -> float:
    """Return the log-likelihood ratio of the results: the candidate stronger by ``BETTER_MARGIN``, against both alike.

    For the mean of any results, with their own spread; see fishtest's and Cutechess' generalized test.
    """
    if len(results) < 2:
        return 0.0
    # Both games of a deal belong together.
    pairs = np.asarray(results[: len(results) // 2 * 2]).reshape(-1, 2).mean(axis=1)
    spread = max(float(pairs.var()), 1e-3)
    better = 2 * BETTER_MARGIN
    return len(pairs) * better * (2 * float(pairs.mean()) - better) / (2 * spread)


def share(results: Sequence[float]) -> float:
    """Return the candidate's share of the wins, one half when both are alike."""
    return 0.5 + 0.5 * float(np.mean(results)) if results else 0.5
