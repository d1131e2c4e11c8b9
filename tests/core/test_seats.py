"""A seat that is not at the table is refused before a game's own rules are asked, in both backings."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import pytest
from tests.testing.laid import GAME

import ziggurat
import ziggurat.bots
from ziggurat.bots import Budget
from ziggurat.core.errors import IllegalAction
from ziggurat.core.game import Game
from ziggurat.core.kernel import Record, kernel
from ziggurat.core.position import Position
from ziggurat.core.trace import offer
from ziggurat.testing.sample import choices, state

OUTSIDE = (2, 3, 4, 5, 7, 8, 16, 99, -1, -2, 2**31, -(2**63), 2**80, 1.0, "0", 0.5)
"""No seats of a table for two."""
PLACES = {
    "action": 1,
    "actions": [1],
    "steps": [1],
    "text": "lay 1",
    "pieces": [],
    "piece": "1",
    "rng": ziggurat.generator(1),
    "player": "random",
    "budget": Budget(iterations=1),
    "iterations": 1,
    "number": 1,
}


@kernel
def legal_for_anybody(s: Record, seat: int, out: Record) -> int:
    """Rules that never ask whose turn it is, nor whether there is such a seat."""
    n = 0
    for kind in range(state.CARDS):
        n = offer(out, n, choices.LAY + kind + 1, s.hand[seat][kind] > 0)
    return n


@kernel
def play_for_anybody(s: Record, seat: int, action: int, trace: Record) -> None:
    """They note it for a seat at which nobody sits, too."""
    s.hand[seat][action - choices.LAY - 1] -= 1
    s.laid[seat] = action - choices.LAY


CARELESS = replace(
    GAME,
    rules={**GAME.rules, "legal": legal_for_anybody, "play": play_for_anybody},
    kernel_modules=(*GAME.kernel_modules, __name__),
)


@pytest.fixture(params=["interpreted", "compiled", *ziggurat.registered_games()])
def position(request: pytest.FixtureRequest) -> Position:
    """Of rules that never ask, and of every game, which reads what a move would do in its own way."""
    if request.param in ziggurat.registered_games():
        game = ziggurat.game(request.param)
        return Position.new(game, max(2, game.min_players), seed=1)
    return begun(CARELESS, compiled=request.param == "compiled")


def begun(game: Game, *, compiled: bool) -> Position:
    if compiled:
        ziggurat.prepare(game)
    return Position.new(game, 2, seed=1)


def names_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    return inspect.signature(function).parameters


def functions_of_a_seat() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every method of a position, and every function of the bots that takes a position, with a seat."""
    for name, function in vars(Position).items():
        if (
            not name.startswith("_")
            and inspect.isfunction(function)
            and "seat" in inspect.signature(function).parameters
        ):
            yield name, function
    modules = ["ziggurat.bots", *(one.name for one in pkgutil.walk_packages(ziggurat.bots.__path__, "ziggurat.bots."))]
    for there in map(importlib.import_module, modules):
        for name, function in vars(there).items():
            if inspect.isfunction(function) and function.__module__ == there.__name__ and not name.startswith("_"):
                if {"position", "seat"} <= set(names_of(function)):
                    yield name, function


def test_every_function_that_takes_a_seat_is_looked_at() -> None:
    found = {name for name, _ in functions_of_a_seat()}
    assert {"play", "play_all", "legal", "legal_mask", "view", "decision", "redeal", "observe", "learns"} <= found
    assert {"decide", "analyse", "advise", "judge"} <= found


@pytest.mark.parametrize(("name", "function"), list(functions_of_a_seat()))
def test_a_seat_that_is_not_at_the_table_is_refused(
    position: Position, name: str, function: Callable[..., Any]
) -> None:
    before, names = position.to_bytes(), names_of(function)
    for seat in (seat for seat in OUTSIDE if seat not in range(position.players)):
        given = {one: value for one, value in PLACES.items() if one in names and names[one].default is names[one].empty}
        first = "self" if "self" in names else "position"
        with pytest.raises(IllegalAction, match=r"seat"):
            function(**{first: position, "seat": seat, **given})
        assert position.to_bytes() == before, f"{name} for seat {seat!r} has changed something"
