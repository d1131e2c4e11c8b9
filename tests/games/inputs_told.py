"""What a network is told: every column between its bounds, and nothing that a seat does not see."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ziggurat.bots import draw
from ziggurat.core.features import Feature
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, states_of, to_lists
from ziggurat.core.seed import generator
from ziggurat.core.trace import list_out


def told_of_table(position: Position) -> dict[str, int]:
    """The columns of the table, by name."""
    return _told(position, "table_inputs", _columns(position).table)


def told_of_seat(position: Position, seat: int) -> dict[str, int]:
    """The columns of a seat, counted from 0, by name: the open ones first."""
    return _told(position, "seat_inputs", _columns(position).seat, seat)


def told_of_action(position: Position, seat: int, action: int) -> dict[str, int]:
    """The columns of a legal action, by name, but for what the heuristic suggests, which whoever calls writes."""
    return _told(position, "action_inputs", _columns(position).action, seat, action)


def check_inputs(
    game: Game, players: int, options: Mapping[str, str], games: int, seed: int, every: int = 10, components: Any = None
) -> None:
    """Games at random and by the heuristic in turn: columns are as declared, and tell no secret."""
    assert game.inputs is not None
    n_open = len(game.inputs.open)
    for position, rng in _played(game, players, options, games, seed, components):
        if draw(rng, every) and not position.finished:
            continue
        table = told_of_table(position)
        seats = [list(told_of_seat(position, seat).values()) for seat in range(players)]
        for seat in range(players):
            other = position.redeal(seat, rng)
            assert told_of_table(other) == table
            for player in range(players):
                told = list(told_of_seat(other, player).values())
                assert told[:n_open] == seats[player][:n_open], f"{player} shows what {seat} may not know"
            assert list(told_of_seat(other, seat).values()) == seats[seat], f"{seat} is told what it may not know"
            for action in position.legal(seat):
                assert told_of_action(other, seat, action) == told_of_action(position, seat, action)


def _columns(position: Position) -> Any:
    assert position.game.inputs is not None
    return position.game.inputs


def _told(position: Position, kernel: str, columns: tuple[Feature, ...], *which: int) -> dict[str, int]:
    record: ListRecord = to_lists(states_of(position.to_bytes(), position.game.record))
    out = list_out(position.game.weight_values)
    out.inputs[:] = [UNWRITTEN] * len(out.inputs)
    if kernel == "action_inputs":
        out.inputs[0] = 0
    n = position.game.rules[kernel](record, *which, out)
    assert n == len(columns)
    assert all(value == UNWRITTEN for value in out.inputs[n:])
    wrong = [
        (column.name, int(value))
        for column, value in zip(columns, out.inputs, strict=False)
        if not column.low <= value <= column.high
    ]
    assert not wrong
    return {column.name: int(value) for column, value in zip(columns, out.inputs, strict=False)}


# No column comes near it.
UNWRITTEN = -(1 << 40)


def _played(
    game: Game, players: int, options: Mapping[str, str], games: int, seed: int, components: Any
) -> Iterator[tuple[Position, np.ndarray]]:
    for number in range(games):
        rng = generator(1000 * seed + number)
        position = Position.new(
            game, players, seed=1000 * seed + number, options=options, components=components, trace=False
        )
        yield position, rng
        while position.actors:
            seat = position.actors[draw(rng, len(position.actors))]
            legal = position.legal(seat)
            by_chance = number % 2 == 0
            position.play(seat, legal[draw(rng, len(legal))] if by_chance else position.suggest(rng, seat))
            yield position, rng
