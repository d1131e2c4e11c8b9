"""Plays the games of a dataset: many at once in compiled code where the bots are part of it, otherwise one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Belief, Budget, Chooser, Searcher
from ziggurat.core.engine import RESULT
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.replay import final_digests
from ziggurat.core.runtime import PLAYING, prepare
from ziggurat.core.setup import Setup
from ziggurat.core.trace import new_outs, new_trace
from ziggurat.lab.batch import Batch, shares
from ziggurat.lab.dataset.config import DatasetConfig, GameRange
from ziggurat.lab.dataset.kernel import DECISIONS
from ziggurat.lab.loop import prepare_all, programs_of, win_shares
from ziggurat.lab.record import RecordedGames
from ziggurat.lab.simulate import BRAINS, DECISION_LIMIT, Simulation

DECISIONS_AT_ONCE = 1 << 15
"""Decisions for which there is room at once."""
NO_VALUE = np.float32("nan")


class PlayedGames(NamedTuple):
    """Consecutive games, decision by decision.

    Attributes:
        first: number of the first game, from 0, of shape (1,).
        lengths: decisions of each game; all the following of decisions are in the order in which they were made.
        seats, actions: (decisions,).
        observations: (decisions, columns), int16; ``masks`` (decisions, bytes), a bit for each legal action.
        values: (decisions,), what a search says that the seat's chance of winning is; nan where none was asked.
        scores: (games, players), by seat; ``wins`` the same: 1, a part of it when several have won, or 0.
        seeds, finals: (games,), 64 hexadecimal digits: what deals the game, and a digest of its last position.
    """

    first: np.ndarray
    lengths: np.ndarray
    seats: np.ndarray
    actions: np.ndarray
    observations: np.ndarray
    masks: np.ndarray
    values: np.ndarray
    scores: np.ndarray
    wins: np.ndarray
    seeds: np.ndarray
    finals: np.ndarray


def joined(parts: Sequence[PlayedGames]) -> PlayedGames:
    """Concatenate consecutive games."""
    first = parts[0].first
    return PlayedGames(first, *(np.concatenate(columns) for columns in list(zip(*parts, strict=True))[1:]))


def bytes_of_mask(game: Game) -> int:
    return (game.actions + 7) // 8


@dataclass(frozen=True)
class DatasetFactory:
    """A factory of workers that play games, for :mod:`ziggurat.lab.work`."""

    config: DatasetConfig

    def __call__(self) -> Callable[[GameRange], PlayedGames]:
        wanted = self.config.simulation()
        return _Compiled(wanted).play if compiled(self.config) else OneByOne(wanted, self.config.values).play


def compiled(config: DatasetConfig) -> bool:
    """Whether whole files are played in compiled code."""
    return not config.values and all(bot in BRAINS for bot in config.bots)


class _Compiled:
    def __init__(self, wanted: Simulation) -> None:
        self.setup = wanted.setup
        self.policies = np.array([BRAINS[one.text] for one in wanted.bots], dtype=np.int64)
        self.kernel = prepare(self.setup.game, program=DECISIONS).kernels["decisions"]

    def play(self, job: GameRange) -> PlayedGames:
        parts, done, room = [], 0, DECISIONS_AT_ONCE
        while done < job.number:
            found = self._some(GameRange(job.first + done, job.number - done), room)
            if found is None:
                if room > DECISION_LIMIT:
                    name, number = self.setup.game.id, job.first + done + 1
                    raise RuntimeError(f"game {number} of {name} did not end within {DECISION_LIMIT} decisions")
                room *= 2
                continue
            parts.append(found)
            done += len(found.lengths)
        return joined(parts)

    def _some(self, job: GameRange, room: int) -> PlayedGames | None:
        """Play as many of the games as fit into the buffer."""
        game, players = self.setup.game, self.setup.players
        states = np.concatenate([self.setup.template(), np.zeros(2 + job.number, dtype=game.record)])
        results = np.zeros(job.number, dtype=RESULT)
        chosen = np.empty((room, 3), np.int32)
        columns = np.empty((room, len(game.features(players))), np.int16)
        masks = np.empty((room, bytes_of_mask(game)), np.uint8)
        buffers = new_trace(False), new_outs([game.weight_values] * players)
        tables = states, ziggurat.generator(self.setup.seed), self.policies, *buffers, results, chosen, columns, masks
        played = int(self.kernel(*tables, job.number, job.first, DECISION_LIMIT))
        if not played:
            return None
        results, ended = results[:played], states[3 : 3 + played]
        used = int(results["rows"][-1])
        won = shares(results["won"][:, :players])
        batch = Batch(job.first, results["score"][:, :players], won, results["decisions"]).by_seat()
        keys = np.ascontiguousarray(ended["rng"]["key"]).astype("<i4")
        return PlayedGames(
            np.array([job.first]),
            results["decisions"].astype(np.int32),
            chosen[:used, 1].astype(np.int8),
            chosen[:used, 2].astype(np.int16),
            columns[:used].copy(),
            masks[:used].copy(),
            np.full(used, NO_VALUE, np.float32),
            batch.scores.astype(np.int32),
            batch.wins.astype(np.float32),
            np.array([key.tobytes().hex() for key in keys]),
            np.array(final_digests(game, ended)),
        )


class _Notes:
    """A recorder of what the seats of one game saw and did, as it is played."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.actions_in_bytes = 8 * bytes_of_mask(setup.game)
        self.rows: list[tuple[int, int, np.ndarray, np.ndarray, float]] = []

    def add(self, position: Position, seat: int, legal: Sequence[int], action: int, value: float) -> None:
        mask = np.zeros(self.actions_in_bytes, np.uint8)
        mask[legal] = 1
        packed = np.packbits(mask, bitorder="little")
        self.rows.append((seat, action, position.observe(seat).astype(np.int16), packed, value))

    def game(self, number: int, position: Position) -> PlayedGames:
        """Return the recorded game, whose end this is."""
        seats, actions, observations, masks, values = zip(*self.rows, strict=True)
        assert position.seed is not None
        return PlayedGames(
            np.array([number]),
            np.array([len(self.rows)], np.int32),
            np.array(seats, np.int8),
            np.array(actions, np.int16),
            np.stack(observations),
            np.stack(masks),
            np.array(values, np.float32),
            np.array([position.scores], np.int32),
            np.array([win_shares(position.winners, position.players)], np.float32),
            np.array([position.seed.hex()]),
            np.array(final_digests(self.setup.game, states_of(position.to_bytes(), self.setup.game.record))),
        )


class OneByOne:
    """A worker that plays the games of a dataset in Python, with ``iterations`` of a search for the value of each
    decision, if any."""

    def __init__(self, wanted: Simulation, iterations: int) -> None:
        self.wanted, self.iterations = wanted, iterations
        prepare_all(wanted.setup.game, (PLAYING, SEARCHING) if iterations else programs_of(wanted.bots))
        self.searcher = Searcher(wanted.setup.game) if iterations else None
        self.recorded = RecordedGames(wanted)

    def play(self, job: GameRange) -> PlayedGames:
        return joined([self._game(number) for number in range(job.first, job.first + job.number)])

    def _game(self, number: int) -> PlayedGames:
        notes = _Notes(self.wanted.setup)
        key = hashlib.sha256(self.wanted.setup.seed + b"value %d" % number).digest()
        chance = ziggurat.generator(key)  # of its own, so that asking changes no game

        def noting(choose: Chooser) -> Chooser:
            def chosen(position: Position, seat: int, legal: list[int]) -> int:
                value = self._value(position, seat, chance) if len(legal) > 1 else float("nan")
                action = choose(position, seat, legal)
                notes.add(position, seat, legal, action, value)
                return action

            return chosen

        return notes.game(number, self.recorded.play(number, moves=False, around=noting).position)

    def _value(self, position: Position, seat: int, chance: np.ndarray) -> float:
        """Return the seat's chance of winning, by a search that knows what the seat knows."""
        if self.searcher is None:
            return float("nan")
        self.searcher.forget()
        self.searcher.think(Belief(position, seat, chance), Budget(self.iterations), chance)
        return float(self.searcher.chances[seat])


def replayed(setup: Setup, number: int, seed: bytes, moves: Sequence[tuple[int, int]]) -> PlayedGames:
    """Replay a game from its seed and everybody's actions.

    Args:
        moves: seats and actions, in order.

    Raises:
        NotYourTurn, IllegalAction: naming what cannot be played.
        ValueError: when the actions do not reach the end.
    """
    position, notes = setup.position(seed, trace=False), _Notes(setup)
    for seat, action in moves:
        legal = position.legal(seat)
        before: Any = position.copy()
        position.play(seat, action)
        notes.add(before, seat, legal, action, float("nan"))
    if not position.finished:
        raise ValueError("its actions do not reach the end of the game")
    return notes.game(number, position)
