"""Positions in mid-game, and trees that grow from them."""

from __future__ import annotations

import numpy as np
from tests.example import GAME

import ziggurat
from ziggurat.bots import Plan, Searcher, decide
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import new_out, new_trace


def a_position(game: str, moves: int, players: int | None = None) -> Position:
    ziggurat.prepare(game)
    position = ziggurat.new(game, players or max(2, ziggurat.game(game).min_players), seed=4)
    rng = generator(4)
    for _ in range(moves):
        position.play_all(position.actors[0], decide(position, position.actors[0], "greedy", rng))
    while len(position.legal(position.actors[0])) < 2:
        position.play(position.actors[0], position.legal(position.actors[0])[0])
    return position


def a_tree(plan: Plan | None = None) -> np.ndarray:
    """The one tree of a searcher that has not begun."""
    [tree] = Searcher(GAME, plan=plan)._trees
    return tree


def grow(position: Position, tree: np.ndarray, iterations: int, seed: int = 1) -> np.ndarray:
    """Search from a position in a tree; return the states, the last playout's end being the second."""
    search = prepare(position.game, program=SEARCHING).kernels["search"]
    seat, rng = position.actors[0], generator(seed)
    states = np.zeros(2, dtype=position.game.record)
    states[0] = np.frombuffer(position.redeal(seat, rng).to_bytes(), dtype=position.game.record)[0]
    search(states, tree, rng, new_trace(False), new_out(position.game.weight_values), seat, iterations)
    return states
