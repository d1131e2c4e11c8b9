"""Simulations: whole games between bots, in batches: in the compiled kernel where all bots are part of it, otherwise
one by one.

Players change chairs: in game g, counted from 0, player k sits at seat ``(k - g) % players``, so that no seat favours
anybody. A game follows from the seed and its number alone: not from the batch that it is in, nor from those before it,
nor from where it is played.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

import ziggurat
from ziggurat.bots.entrants import BotSpec, entrant
from ziggurat.bots.outside import end_programs
from ziggurat.core.engine import RESULT
from ziggurat.core.errors import BadOption
from ziggurat.core.facts import Rows
from ziggurat.core.game import Components, Game
from ziggurat.core.runtime import GAMES, LOG, PLAYING, Program, prepare
from ziggurat.core.setup import Setup
from ziggurat.core.trace import WIDTH, new_outs, new_trace
from ziggurat.lab.batch import Batch, shares
from ziggurat.lab.intervals import wilson
from ziggurat.lab.work import Workers, in_order

# How the kernel `games` calls the bots.
BRAINS = {"random": 0, "greedy": 1}

# No game comes near it; rules with a dead end would never return.
DECISION_LIMIT = 100_000

ROWS_AT_ONCE = 1 << 17
"""Room for what happens in more than a hundred games, and in any one."""
NO_LOG = np.zeros((0, WIDTH), dtype=np.int16)

LEAST_BATCHES_FOR_THREADS = 100
"""Batches with facts."""
BATCH_GAMES, BATCH_GAMES_WITH_FACTS = 500, 100
"""Games in a batch of the kernel: about a tenth of a second, so that progress is seen and Ctrl+C is heard."""


class KernelBatch:
    """The kernel ``games`` with its buffers, for games between the same players. Not for two threads at once.

    Args:
        template: of shape (1,), what set-up starts from.
        policies: of shape (players,), how each decides: a number of ``vector.BRAINS``.
        weights: what the heuristic of each goes by.
        rngs: of shape (1,), chance, or (2,), with one that deals.
    """

    def __init__(
        self,
        game: Game,
        template: np.ndarray,
        policies: np.ndarray,
        weights: Sequence[Mapping[str, int]],
        rngs: np.ndarray,
    ) -> None:
        self._game = game
        self._template = template
        self._policies, self._rngs = policies, rngs
        self._outs = new_outs([[own[name] for name in game.weight_names] for own in weights])

    def play(self, first: int, number: int) -> np.ndarray:
        """Play so many games from the one with the number ``first`` on: results (number,) of ``engine.RESULT``."""
        results = np.zeros(number, dtype=RESULT)
        played = self._run(results, NO_LOG, first, self._states())
        if played < number:
            raise self._endless(first + played)
        return results

    def log(self, first: int, number: int, room: int = ROWS_AT_ONCE) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Play games as ``play`` does, and log all that happened.

        Args:
            room: rows that are written at once: one game must find room.

        Returns:
            the results; the last positions, of shape (number,); and what happened, of shape (rows, 1 + WIDTH): the
            game, counted from ``first``, and a row of the trace; or the code ``engine.DECISION_CODE``, a seat and its
            action before whatever that did.
        """
        results = np.zeros(number, dtype=RESULT)
        ended = np.zeros(number, dtype=self._game.record)
        found, done = [], 0
        rows = np.empty((room, WIDTH), dtype=np.int16)
        while done < number:
            states, there = self._states(number - done), results[done:]
            played = self._run(there, rows, first + done, states)
            if played < 1:
                raise self._endless(first + done)
            ended[done : done + played] = states[3 : 3 + played]
            ends = there["rows"][:played]
            games = np.repeat(np.arange(done, done + played, dtype=np.int32), np.diff(ends, prepend=0))
            found.append(np.column_stack([games, rows[: ends[-1]]]))
            done += played
        return results, ended, np.concatenate(found)

    def _states(self, more: int = 0) -> np.ndarray:
        return np.concatenate([self._template, np.zeros(2 + more, dtype=self._game.record)])

    def _run(self, results: np.ndarray, log: np.ndarray, first: int, states: np.ndarray) -> int:
        program = LOG if len(log) else GAMES
        kernel = prepare(self._game, program=program).kernels[program.name]
        tables = states, self._rngs, self._policies, new_trace(len(log) > 0), self._outs
        return int(kernel(*tables, results, log, len(results), first, DECISION_LIMIT))

    def _endless(self, game: int) -> RuntimeError:
        return RuntimeError(f"game {game + 1} of {self._game.id} did not end within {DECISION_LIMIT} decisions")


@dataclass(frozen=True)
class Simulation:
    """The configuration of a simulation, in plain data; called, it returns a function that plays some games.

    Attributes:
        bots: of every player.
        weights: what the heuristic of each player goes by, if not the game's own.
        facts: whether batches have facts.
        timeless: whether bots look at no clock, so that another machine plays the same games.
    """

    setup: Setup
    bots: tuple[BotSpec, ...]
    weights: tuple[Mapping[str, int], ...] | None = None
    facts: bool = False
    timeless: bool = False

    @classmethod
    def of(
        cls,
        game: str | Game,
        bots: Sequence[Any],
        seed: int | str | bytes | None = None,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        weights: Sequence[Mapping[str, int]] | None = None,
        facts: bool = False,
        timeless: bool = False,
    ) -> Simulation:
        """Check and return a configuration.

        Raises:
            UnknownGame, BadOption, BadSeed, UnknownBot, BadBudget: saying what would have been right.
        """
        setup = Setup.of(game, len(bots), options, components, seed)
        if facts and setup.game.facts is None:
            raise BadOption(f"{setup.game.id} does not say what there is to know about a finished game")
        wanted = cls(
            setup,
            tuple(entrant(bot, setup.game) for bot in bots),
            weights=tuple(dict(own) for own in weights) if weights else None,
            facts=facts,
            timeless=timeless,
        )
        if weights and not wanted.compiled:
            raise BadOption(f"weights are for {' and '.join(BRAINS)}, which play in compiled code, not for other bots")
        return wanted

    @property
    def compiled(self) -> bool:
        """Whether all bots are part of the kernel."""
        return all(one.text in BRAINS for one in self.bots)

    def batches(
        self, games: int, *, first: int = 0, size: int | None = None, workers: Workers = 1
    ) -> Generator[Batch, None, None]:
        """Play games, see :func:`batches`."""
        each = size or ((BATCH_GAMES_WITH_FACTS if self.facts else BATCH_GAMES) if self.compiled else 1)
        jobs = [(number, min(each, first + games - number)) for number in range(first, first + games, each)]
        try:
            # Facts are read with Python's lock: where there are many, processes are worth their start.
            threads = self.compiled and (not self.facts or len(jobs) < LEAST_BATCHES_FOR_THREADS)
            with closing(in_order(self, jobs, workers, threads=threads)) as found:
                yield from found
        finally:
            end_programs()

    @property
    def program(self) -> Program:
        """Return the compiled program that plays its games."""
        if not self.compiled:
            return PLAYING
        return LOG if self.facts else GAMES

    def __call__(self) -> Callable[[tuple[int, int]], Batch]:
        if not self.compiled:
            from ziggurat.lab.record import RecordedGames

            return RecordedGames(self).batch
        game, template = self.setup.game, self.setup.template()
        prepare(game, program=self.program)
        policies = np.array([BRAINS[one.text] for one in self.bots], dtype=np.int64)
        weights = self.weights or [game.weights] * len(self.bots)

        def play(job: tuple[int, int]) -> Batch:
            first, number = job
            games = KernelBatch(game, template, policies, weights, ziggurat.generator(self.setup.seed))
            results, states, log = games.log(first, number) if self.facts else (games.play(first, number), None, None)
            scores, won = (results[name][:, : len(self.bots)] for name in ("score", "won"))
            batch = Batch(first, scores, shares(won), results["decisions"])
            if states is None or log is None or game.facts is None:
                return batch
            happened = log[log[:, 1] >= 0]
            rows = Rows(happened[:, 0].astype(np.int64), happened[:, 1:])
            return replace(batch.by_seat(), facts=game.facts.read(states, rows, len(self.bots))).by_player()

        return play


def batches(
    game: str | Game,
    bots: Sequence[Any],
    *,
    games: int,
    seed: int | str | bytes | None = None,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    first: int = 0,
    size: int | None = None,
    weights: Sequence[Mapping[str, int]] | None = None,
    facts: bool = False,
    workers: Workers = 1,
) -> Generator[Batch, None, None]:
    """Play games between bots, one for each player.

    Args:
        bots: ``random`` and ``greedy`` play thousands of games a second, in compiled code; others that
            :func:`ziggurat.bots.entrants.entrant` knows play as fast as they think.
        games: how many, from the game with the number ``first`` on.
        size: games in a batch; by default many in compiled code, and else one.
        weights: what the heuristic of each player goes by, if not the game's own.
        facts: let batches have what there is to know about each game, too.
        workers: see :mod:`ziggurat.lab.work`: threads in compiled code, and else processes; or ``"ray"``.

    Raises:
        UnknownGame, BadOption, BadSeed, UnknownBot, BadBudget, WorkError: saying what would have been right.
        BotFailed: when a bot from outside does not play on: no game goes on without it, as in a tournament.
    """
    wanted = Simulation.of(game, bots, seed, options, components, weights, facts)
    yield from wanted.batches(games, first=first, size=size, workers=workers)


PARTS_OF_A_WIN = 420
"""Parts of a win, so that up to seven may share one without a rest: sums are the same in any order."""


@dataclass
class RunningTotals:
    """Running sums over the columns of some batches; shares of wins in units of 1 / ``PARTS_OF_A_WIN``, to be exact."""

    points: np.ndarray
    squares: np.ndarray
    wins: np.ndarray

    @classmethod
    def zero(cls, players: int) -> RunningTotals:
        return cls(np.zeros(players), np.zeros(players), np.zeros(players))

    def add(self, batch: Batch) -> None:
        self.points += batch.scores.sum(axis=0)
        self.squares += (batch.scores.astype(np.float64) ** 2).sum(axis=0)
        self.wins += np.rint(batch.wins * PARTS_OF_A_WIN).sum(axis=0)


@dataclass(frozen=True)
class PlayerSummary:
    """The summary of a player or a seat: mean score and share of the wins, with their 95 % confidence intervals.

    ``mean_error`` is half the width of the mean's interval, not a number after a single game.
    """

    mean: float
    mean_error: float
    share: float
    low: float
    high: float


@dataclass
class SimulationResult:
    """The results of a simulation, added up over batches."""

    players: int
    games: int = 0
    decisions: int = 0
    by_player: RunningTotals = field(init=False)
    by_seat: RunningTotals = field(init=False)

    def __post_init__(self) -> None:
        self.by_player, self.by_seat = RunningTotals.zero(self.players), RunningTotals.zero(self.players)

    def add(self, batch: Batch) -> None:
        """Add the games of a batch."""
        self.games += len(batch.scores)
        self.decisions += int(batch.decisions.sum())
        self.by_player.add(batch)
        self.by_seat.add(batch.by_seat())

    def player(self, index: int) -> PlayerSummary:
        """Return the summary of a player, counted from 0, wherever they sat."""
        return self._summary(self.by_player, index)

    def seat(self, index: int) -> PlayerSummary:
        """Return the summary of a seat, counted from 0, for all players who sat there."""
        return self._summary(self.by_seat, index)

    def _summary(self, totals: RunningTotals, index: int) -> PlayerSummary:
        mean = float(totals.points[index]) / self.games
        variance = max(float(totals.squares[index]) / self.games - mean * mean, 0.0)
        error = 1.96 * math.sqrt(variance / (self.games - 1)) if self.games > 1 else math.nan
        share = float(totals.wins[index]) / PARTS_OF_A_WIN / self.games
        low, high = wilson(share, self.games)
        return PlayerSummary(mean, error, share, low, high)


def simulate(
    game: str | Game,
    bots: Sequence[Any],
    *,
    games: int,
    seed: int | str | bytes | None = None,
    options: Mapping[str, str] | None = None,
    components: Components | None = None,
    workers: Workers = 1,
) -> SimulationResult:
    """Play games between bots and add the results up. See :func:`batches`."""
    tally = SimulationResult(len(bots))
    for batch in batches(game, bots, games=games, seed=seed, options=options, components=components, workers=workers):
        tally.add(batch)
    return tally
