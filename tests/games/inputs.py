"""What a network is told: all columns within their bounds, and of hidden facts only what a seat knows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from tests.games.features import as_named
from tests.games.table import record

from ziggurat.bots import draw
from ziggurat.bots.probe import within
from ziggurat.core import limits
from ziggurat.core.features import Feature
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.core.trace import list_out

SUGGESTED = 4  # of so many decisions one is made by chance, the others are the heuristic's


def columns(position: Position, seat: int | None = None, action: int | None = None) -> list[int]:
    """What the kernels of the game write: of the table, of a seat, or of an action; interpreted."""
    return _written(position.game, record(position), seat, action)


def told(position: Position, seat: int | None = None, action: int | None = None) -> dict[str, int]:
    """The same by the names of the columns; seats are counted from 0."""
    names = [column.name for column in _declared(position.game, seat, action)]
    return dict(zip(names, columns(position, seat, action), strict=True))


def check_inputs(
    game: Game,
    players: int,
    options: Mapping[str, str],
    games: int,
    seed: int,
    every: int = 8,
    components: Components | None = None,
) -> None:
    """Plays games, mostly as the heuristic does and at random in turn, and looks at some of their positions and at the
    last ones."""
    for number in range(games):
        rng = generator(1000 * seed + number)
        position = Position.new(
            game, players, seed=1000 * seed + number, options=options, components=components, trace=False
        )
        while position.actors:
            if draw(rng, every) == 0:
                _check(position, rng)
            seat = position.actors[draw(rng, len(position.actors))]
            legal = position.legal(seat)
            chance = number % 2 == 1 or draw(rng, SUGGESTED) == 0
            position.play(seat, legal[draw(rng, len(legal))] if chance else position.suggest(rng, seat))
        _check(position, rng)


def told_alike(position: Position, seat: int) -> list[tuple[str, str]]:
    """Pairs of legal actions of a seat that a network cannot tell apart."""
    seen: dict[tuple[int, ...], int] = {}
    found = []
    for action in position.legal(seat):
        other = seen.setdefault(tuple(columns(position, seat, action)), action)
        if other != action:
            found.append((position.write_step(other), position.write_step(action)))
    return found


def _check(position: Position, rng: np.ndarray) -> None:
    assert position.game.inputs
    opened = len(position.game.inputs.open)
    seats = range(position.players)
    table = columns(position)
    for column, value in zip(position.game.inputs.table, table, strict=True):
        if column.name == "options":
            assert value == as_named(column, position)
    of_seats = [columns(position, seat) for seat in seats]
    for seat in (None, *seats):  # a spectator too: what is open to all is open to whoever looks on
        other = position.redeal(seat, rng)
        _same(position.game, None, None, columns(other), table)
        for someone in seats:
            seen = of_seats[someone] if someone == seat else of_seats[someone][:opened]
            _same(position.game, someone, None, columns(other, someone)[: len(seen)], seen)
        for action in position.legal(seat) if seat is not None and seat in position.actors else []:
            _same(position.game, seat, action, columns(other, seat, action), columns(position, seat, action))


def _same(game: Game, seat: int | None, action: int | None, found: Sequence[int], expected: Sequence[int]) -> None:
    names = [column.name for column in _declared(game, seat, action)]
    wrong = [(name, now, then) for name, now, then in zip(names, found, expected, strict=False) if now != then]
    assert len(found) == len(expected)
    assert not wrong, f"seat {seat}, action {action}: another deal tells {wrong}"


def _declared(game: Game, seat: int | None, action: int | None) -> tuple[Feature, ...]:
    assert game.inputs
    return game.inputs.table if seat is None else game.inputs.seat if action is None else game.inputs.action


def _written(game: Game, s: Any, seat: int | None, action: int | None) -> list[int]:
    """The columns, none of which is left as it was before; numbers are cut to their bounds, as whoever calls does."""
    out = list_out(game.weight_values)
    unwritten = 1 << 40
    if seat is not None:
        game.rules["table_inputs"](s, out)  # always comes first, and leaves something among the values
    out.inputs[:] = [unwritten] * limits.INPUTS
    if seat is None:
        count = game.rules["table_inputs"](s, out)
    elif action is None:
        count = game.rules["seat_inputs"](s, seat, out)
    else:
        count = game.rules["action_inputs"](s, seat, action, out)
        assert out.inputs[0] == unwritten, "whether it is suggested is for the caller to write"
        out.inputs[0] = 0
    declared = _declared(game, seat, action)
    assert count == len(declared)
    assert all(value == unwritten for value in out.inputs[count:])
    assert unwritten not in out.inputs[:count]
    return [int(value) for value in within(np.array(out.inputs[:count], dtype=np.int64), declared)]
