"""Networks that know nothing, and what each should say: the formula of ``ziggurat.bots.network`` in a few lines."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
import pytest

import ziggurat
from ziggurat.bots import network
from ziggurat.bots.learned import Header, Network, header_of, shapes
from ziggurat.bots.network import CHOICE
from ziggurat.bots.probe import NetworkInputs
from ziggurat.core.features import one_hot
from ziggurat.core.game import Game
from ziggurat.core.inputs import Inputs
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, states_of, to_lists
from ziggurat.core.seed import generator
from ziggurat.core.trace import list_out

GAMES = sorted(name for name, game in ziggurat.registered_games().items() if game.inputs is not None)
"""Those that tell a network something."""
# What kernels find under these names belongs to the game.
RULES = ("legal", "scores", "winners", "suggest", "table_inputs", "seat_inputs", "action_inputs")


def inputs_of(game: Game) -> Inputs:
    assert game.inputs is not None
    return game.inputs


def header(game: Game, /, **changed: Any) -> Header:
    return msgspec.structs.replace(header_of(game), **changed)


def weights(game: Game, seed: int = 1, size: float = 0.2, units: int = CHOICE) -> dict[str, np.ndarray]:
    """Arrays at random, as a file has them: in half precision."""
    rng, wanted = np.random.default_rng(seed), shapes(inputs_of(game), units)
    return {name: rng.normal(0, size, shape).astype(np.float16) for name, shape in wanted.items()}


def a_network(game: Game, seed: int = 1, ahead: int = 0, size: float = 0.2, units: int = CHOICE) -> Network:
    return Network(game, header(game, ahead=ahead), weights(game, seed, size, units))


def packed(arrays: Mapping[str, Any], *, pickles: bool = False) -> bytes:
    """A file of these arrays."""
    stream = io.BytesIO()
    np.savez_compressed(stream, allow_pickle=pickles, **arrays)
    return stream.getvalue()


class Interpreted:
    """A network, asked in plain Python."""

    def __init__(self, made: Network, patch: pytest.MonkeyPatch) -> None:
        for name in RULES:
            patch.setattr(network, name, made.game.rules[name])
        self._net, self._activations = to_lists(made.net), to_lists(np.zeros(1, dtype=network.ACTIVATIONS))
        self._out = list_out(made.game.weight_values)

    def _ask(self, op: int, position: Position, seat: int = 0) -> ListRecord:
        states, rng = [to_lists(states_of(position.to_bytes(), position.game.record))], to_lists(generator(0))
        network.query(op, states, [self._net], [self._activations], [rng], [self._out], seat, None)
        return self._activations

    def evaluate(self, position: Position) -> tuple[list[float], list[float]]:
        """By seat: the part of the win, and the standing."""
        activations = self._ask(network.EVALUATE, position)
        return activations.win[: position.players], activations.standing[: position.players]

    def preferences(self, position: Position, seat: int) -> tuple[list[int], list[float]]:
        activations = self._ask(network.JUDGE, position, seat)
        return activations.actions[: activations.n], activations.prior[: activations.n]


def worth_of(made: Network, told: NetworkInputs) -> tuple[np.ndarray, np.ndarray]:
    """By seat: the part of the win, and the standing, by the formula."""
    inputs, w = inputs_of(made.game), _whole(made)
    table, seats = one_hot(told.table, inputs.table), one_hot(told.seats, inputs.seat)
    others = seats.sum(axis=0) - seats
    hidden = w["value_bias"] + table @ w["value_table"] + seats @ w["value_seat"] + others @ w["value_others"]
    second = np.maximum(hidden, 0) @ w["second"] + w["second_bias"]
    win, standing = (np.maximum(second, 0) @ w["value_out"].T + w["value_out_bias"]).T
    return softmax(win) if len(win) > 1 else sigmoid(win), sigmoid(standing)


def preferences_of(made: Network, told: NetworkInputs, seat: int) -> np.ndarray:
    """How likely each action is to be chosen, by the formula."""
    inputs, w = inputs_of(made.game), _whole(made)
    shown = one_hot(told.seats[:, : len(inputs.open)], inputs.open)
    hidden = w["choice_bias"] + one_hot(told.table, inputs.table) @ w["choice_table"]
    hidden = hidden + one_hot(told.seats[seat], inputs.seat) @ w["choice_seat"]
    hidden = hidden + (shown.sum(axis=0) - shown[seat]) @ w["choice_others"][: shown.shape[1]]
    hidden = hidden + one_hot(told.acts, inputs.action) @ w["choice_action"]
    return softmax(np.maximum(hidden, 0) @ w["choice_out"])


def _whole(made: Network) -> dict[str, np.ndarray]:
    return {name: array.astype(np.float64) for name, array in made.arrays.items()}


def softmax(values: np.ndarray) -> np.ndarray:
    powers = np.exp(values - values.max())
    return np.asarray(powers / powers.sum())


def sigmoid(values: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-values)))
