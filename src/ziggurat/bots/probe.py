"""Queries to a network from Python: its values and policy of a position, and the inputs that it reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ziggurat.bots.learned import NO_NETWORK, Network
from ziggurat.bots.network import ACTIVATIONS, DESCRIBE, EVALUATE, JUDGE, SETTLE
from ziggurat.bots.tree import SEARCHING
from ziggurat.core import limits
from ziggurat.core.features import Feature
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import new_out, new_trace

DECISIONS_PER_COUNT = 8
"""Decisions that are played between two counts."""


class NetworkInputs(NamedTuple):
    """The inputs of a network for a decision.

    Attributes:
        table: of shape (columns,), int16; ``seats`` (players, columns), ``acts`` (actions, columns).
        actions: the legal ones.
    """

    table: np.ndarray
    seats: np.ndarray
    acts: np.ndarray
    actions: np.ndarray


class Value(NamedTuple):
    """The value of a position by seat: the share of the win, and the standing, from 0 to 1."""

    win: np.ndarray
    standing: np.ndarray


def within(rows: np.ndarray, columns: Sequence[Feature]) -> np.ndarray:
    """Return the output of kernels, of shape (..., columns or more), cut to the columns."""
    low, high = ([getattr(one, bound) for one in columns] for bound in ("low", "high"))
    return np.asarray(np.clip(rows[..., : len(columns)], low, high), dtype=np.int16)


class NetworkProbe:
    """A prober of a network, or of none, from one thread.

    Positions are read as they are: who may not see all of one asks about a redealt one.
    """

    def __init__(self, game: Game, network: Network | None = None) -> None:
        self.game = game
        self._net = network.net if network else NO_NETWORK
        kernels = prepare(game, program=SEARCHING).kernels
        self._query, self._self_play, self._rollout = (
            kernels[name] for name in ("query", "self_play_steps", "rollout")
        )
        self._trace = new_trace(False)
        self._activations = np.zeros(1, dtype=ACTIVATIONS)
        self._out = new_out(game.weight_values)
        self._rows = np.zeros((1 + limits.SEATS + limits.LEGAL, limits.INPUTS), dtype=np.int64)
        self._rng = generator(0)

    def _ask(self, op: int, position: Position, seat: int, rng: np.ndarray | None = None) -> int:
        states, seat = states_of(position.to_bytes(), self.game.record), position.known_seat(seat)
        chance = self._rng if rng is None else rng
        return int(self._query(op, states, self._net, self._activations, chance, self._out, seat, self._rows))

    def self_play_steps(
        self, position: Position, decisions: int, rng: np.ndarray, odd: int = 0
    ) -> tuple[Position, int]:
        """Play so many decisions by the network's policy, or by the heuristic without one.

        Args:
            odd: decisions in a thousand in which any action is played.

        Returns:
            The position, and the seat that decides next; -1 when the game is over.
        """
        states = states_of(position.to_bytes(), self.game.record)
        seat = self._self_play(states, self._net, self._activations, rng, self._trace, self._out, decisions, odd)
        there = Position.from_bytes(
            self.game,
            states.tobytes(),
            players=position.players,
            options=position.options,
            components=position.components,
            trace=False,
        )
        return there, int(seat)

    def left(self, position: Position, rng: np.ndarray) -> int:
        """Return how many decisions the heuristic would still make to the end of a game, rounded to eights.

        Args:
            rng: generator of shape (1,); it moves on.
        """
        states, found = states_of(position.to_bytes(), self.game.record), 0
        while (
            self._self_play(states, NO_NETWORK, self._activations, rng, self._trace, self._out, DECISIONS_PER_COUNT, 0)
            >= 0
        ):
            found += DECISIONS_PER_COUNT
        return found

    def inputs_of(self, position: Position, seat: int, rng: np.ndarray | None = None) -> NetworkInputs:
        """Return the inputs of the network when a seat decides.

        Args:
            rng: as for `preferences`.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        n, players, inputs = self._ask(DESCRIBE, position, seat, rng), position.players, self.game.inputs
        assert inputs is not None
        return NetworkInputs(
            within(self._rows[0], inputs.table),
            within(self._rows[1 : 1 + players], inputs.seat),
            within(self._rows[1 + players : 1 + players + n], inputs.action),
            self._activations["actions"][0, :n].copy(),
        )

    def preferences(
        self, position: Position, seat: int, rng: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the legal actions of a seat, and the network's policy: the probability of each.

        Args:
            rng: generator of shape (1,) for the heuristic's opinion, an input of the network, if that must not depend
                on what was asked before; it moves on.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        n = self._ask(JUDGE, position, seat, rng)
        return self._activations["actions"][0, :n].copy(), self._activations["prior"][0, :n].copy()

    def evaluate(self, position: Position) -> Value:
        """Return the network's value of a position for every seat."""
        self._ask(EVALUATE, position, 0)
        return self._value(position.players)

    def settle(self, position: Position) -> Value:
        """Return the value of a finished position."""
        self._ask(SETTLE, position, 0)
        return self._value(position.players)

    def rollouts(self, position: Position, seat: int, number: int, rng: np.ndarray) -> Value:
        """Return the mean value of so many rollouts of the heuristic, each dealt again in what a seat does not know.

        Args:
            rng: generator of shape (1,); it moves on.

        Raises:
            NotYourTurn: when there is no such seat.
        """
        states, seat = np.zeros(2, dtype=self.game.record), position.known_seat(seat)
        states[0] = states_of(position.to_bytes(), self.game.record)[0]
        self._rollout(states, self._activations, rng, self._trace, self._out, seat, number)
        return self._value(position.players)

    def _value(self, players: int) -> Value:
        activations = self._activations[0]
        return Value(activations["win"][:players].copy(), activations["standing"][:players].copy())
