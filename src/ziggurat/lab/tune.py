"""The tuning of a game's heuristic: better weights, by CMA-ES over games against the present ones.

In a generation every candidate plays the same deals, each from every seat, one candidate against the present weights at
all other seats. What is found follows from the seed alone, however many workers there are.
"""

from __future__ import annotations

import hashlib
import math
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

import ziggurat
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.runtime import GAMES, prepare
from ziggurat.core.seed import parse_seed
from ziggurat.core.setup import Setup
from ziggurat.core.weights import LARGEST_WEIGHT
from ziggurat.lab.batch import shares
from ziggurat.lab.simulate import KernelBatch
from ziggurat.lab.work import Workers, in_order

DEALS_PER_JOB = 25
"""Deals in a piece of work: some tens of milliseconds, so that Ctrl+C is heard."""
SMALLEST_SIZE = 10
"""Weights are scaled by their size, and those near zero by this."""


class Piece(NamedTuple):
    """A job of tuning: a candidate's games of some consecutive deals, each from every seat."""

    candidate: int
    weights: Mapping[str, int]
    name: tuple[int, ...]
    first: int
    deals: int


@dataclass(frozen=True)
class Pieces:
    """A factory of workers that play pieces, for :mod:`ziggurat.lab.work`."""

    game: str
    players: int
    present: Mapping[str, int]
    seed: bytes

    def __call__(self) -> Callable[[Piece], np.ndarray]:
        game = ziggurat.game(self.game)
        prepare(game, program=GAMES)
        template = Setup.of(game, self.players).template()
        policies = np.ones(self.players, dtype=np.int64)

        def play(piece: Piece) -> np.ndarray:
            # The deals are the same for all; so is the chance of the players, as long as they use as much of it.
            rngs = np.concatenate([self._generator(*piece.name, "chance"), self._generator(*piece.name, "deals")])
            weights = [piece.weights, *[self.present] * (self.players - 1)]
            games = KernelBatch(game, template, policies, weights, rngs)
            return games.play(piece.first * self.players, piece.deals * self.players)

        return play

    def _generator(self, *name: int | str) -> np.ndarray:
        return ziggurat.generator(hashlib.sha256(self.seed + repr(name).encode()).digest())


@dataclass(frozen=True)
class Contest:
    """Games between candidates and the present weights of a game."""

    game: Game
    players: int
    present: Mapping[str, int]
    seed: bytes
    workers: Workers = 1

    def __post_init__(self) -> None:
        self.game.check_setup(self.players, {})
        if self.players < 2:
            raise BadOption("weights are tuned against others: by 2 players or more, not 1")

    def play(self, candidates: Sequence[Mapping[str, int]], deals: int, *name: int) -> Iterator[tuple[int, np.ndarray]]:
        """Play all deals from every seat, with every candidate.

        Args:
            name: of the deals; the same name and seed give the same ones.

        Yields:
            a candidate's number and the results of games (``engine.RESULT``), its own first in each; pieces of the work
            in a fixed order. One deal is ``players`` games in a row.
        """
        pieces = [
            Piece(number, dict(weights), name, first, min(DEALS_PER_JOB, deals - first))
            for first in range(0, deals, DEALS_PER_JOB)
            for number, weights in enumerate(candidates)
        ]
        factory = Pieces(self.game.id, self.players, dict(self.present), self.seed)
        with closing(in_order(factory, pieces, self.workers, threads=True)) as found:
            for piece, results in zip(pieces, found, strict=True):
                yield piece.candidate, results


@dataclass(frozen=True)
class TuneVerdict:
    """The result of candidate weights against the present ones in a match of their own.

    Attributes:
        share: of the wins that went to the candidate, with its 95 % interval.
        even: what it would be were both equally good.
    """

    games: int
    players: int
    share: float
    low: float
    high: float

    @property
    def even(self) -> float:
        return 1 / self.players

    @property
    def better(self) -> bool:
        return self.low > self.even

    def __str__(self) -> str:
        return (
            f"{self.share:.1%} of {self.games} games at {self.players} players"
            f" (95 % interval {self.low:.1%} to {self.high:.1%}; even: {self.even:.1%})"
        )


def match(contest: Contest, candidate: Mapping[str, int], deals: int) -> Iterator[int | TuneVerdict]:
    """Play a match on deals that no generation saw: yields numbers of games played, and the verdict at last.

    The interval is over deals, since the games of one deal, from every seat, are not independent.
    """
    per_deal = []
    for _, results in contest.play([candidate], deals, -1):
        won = shares(results["won"])[:, 0].reshape(-1, contest.players)
        per_deal.append(won.mean(axis=1))
        yield len(results)
    shared = np.concatenate(per_deal)
    share = float(shared.mean())
    error = 1.96 * float(shared.std(ddof=1)) / math.sqrt(len(shared)) if len(shared) > 1 else 1.0
    yield TuneVerdict(
        len(shared) * contest.players, contest.players, share, max(share - error, 0.0), min(share + error, 1.0)
    )


class Tuner:
    """CMA-ES over the weights of a heuristic, generation by generation.

    Args:
        players: a number of players, or several: weights for two alone may be bad ones for five.
        games: of a candidate in a generation, for each number of players; whole rounds of the seats.
        sigma: the first step, in parts of each weight's size.
        margin: the part of the fitness that goes by the margin instead of the win: less noise, but not quite the aim.
        workers: threads, or ``"ray"``, see :mod:`ziggurat.lab.work`.
        start: the present weights, where the search begins and whom candidates play against; by default the game's.

    Raises:
        BadOption: for a number that makes no sense.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        players: int | Sequence[int] = 2,
        games: int = 400,
        seed: int | str | bytes | None = None,
        sigma: float = 0.3,
        margin: float = 0.5,
        workers: Workers = 1,
        start: Mapping[str, int] | None = None,
    ) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it cannot plot
            import cma

        chosen = ziggurat.game(game) if isinstance(game, str) else game
        if games < 1:
            raise BadOption(f"a candidate plays at least one game, not {games}")
        if not 0 < sigma <= 10:
            raise BadOption(f"sigma is more than 0 and at most 10, not {sigma:g}")
        if not 0 <= margin <= 1:
            raise BadOption(f"margin is a part from 0 to 1, not {margin:g}")
        if not chosen.weight_names:
            raise BadOption(f"{chosen.id} has no weights: its heuristic goes by none (docs/adding-a-game.md)")
        given = start or chosen.weights
        present = {name: given[name] for name in chosen.weight_names}
        counts = [players] if isinstance(players, int) else list(dict.fromkeys(players))
        if not counts:
            raise BadOption("there is no number of players")
        self.seed = parse_seed(seed)
        self.present: Mapping[str, int] = present
        self.contests = [Contest(chosen, number, present, self.seed, workers) for number in counts]
        self.deals = [-(-games // number) for number in counts]
        self.names = chosen.weight_names
        self.generation = 0
        self._margin = margin
        self._sizes = np.array([max(abs(value), SMALLEST_SIZE) for value in present.values()], dtype=np.float64)
        self._present = np.array(list(present.values()), dtype=np.float64)
        chance = np.random.default_rng(list(self.seed))
        options = {
            "randn": lambda *shape: chance.standard_normal(shape),
            "seed": math.nan,  # pycma would set NumPy's global generator
            "verbose": -9,
            "verb_log": 0,
        }
        self._search = cma.CMAEvolutionStrategy(len(present) * [0.0], sigma, options)

    @property
    def games_per_generation(self) -> int:
        games = sum(deals * contest.players for deals, contest in zip(self.deals, self.contests, strict=True))
        return int(self._search.popsize) * games

    @property
    def best(self) -> dict[str, int]:
        """Return the mean of the search distribution. In games of chance it is better than the candidate that won
        most."""
        return self._weights(self._search.mean)

    def step(self) -> Generator[int, None, None]:
        """Do one generation; yields numbers of games played. An unfinished one changes nothing."""
        points = self._search.ask()
        candidates = [self._weights(point) for point in points]
        fitness = np.zeros(len(points))
        for contest, deals in zip(self.contests, self.deals, strict=True):
            found: list[list[np.ndarray]] = [[] for _ in points]
            for candidate, results in contest.play(candidates, deals, self.generation):
                found[candidate].append(results)
                yield len(results)
            fitness += self._fitness(contest.players, [np.concatenate(parts) for parts in found])
        self._search.tell(points, (-fitness).tolist())
        self.generation += 1

    def _fitness(self, players: int, found: Sequence[np.ndarray]) -> np.ndarray:
        """Return the fitness of every candidate, for one number of players: about one half when it is as good as the
        others."""
        margins = np.array([_margins(results["score"][:, :players]) for results in found])
        won = np.array([shares(results["won"])[:, 0].mean() for results in found]) * players / 2
        ahead = np.tanh(margins / max(float(margins.std()), 1.0)).mean(axis=1)
        fitness: np.ndarray = (1 - self._margin) * won + self._margin * (0.5 + 0.5 * ahead)
        return fitness

    def _weights(self, point: np.ndarray) -> dict[str, int]:
        values = np.clip(np.rint(self._present + self._sizes * point), -LARGEST_WEIGHT, LARGEST_WEIGHT)
        return {name: int(value) for name, value in zip(self.names, values, strict=True)}


def _margins(scores: np.ndarray) -> np.ndarray:
    """Return how far the first column is ahead of the best other one, for each game."""
    margins: np.ndarray = scores[:, 0] - scores[:, 1:].max(axis=1)
    return margins
