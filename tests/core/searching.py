"""Positions in mid-game, and trees that grow from them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.example import GAME

import ziggurat
from ziggurat.bots import SearchConfig, Searcher, decide
from ziggurat.bots.learned import NO_NETWORK
from ziggurat.bots.network import ACTIVATIONS
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import new_out, new_trace


def a_position(game: str, moves: int, players: int | None = None) -> Position:
    """A position in which there is something to choose, after so many moves; in a short game after fewer."""
    ziggurat.prepare(game)
    position = ziggurat.new(game, players or max(2, ziggurat.game(game).min_players), seed=4)
    rng = generator(4)
    latest = position.copy()
    for _ in range(moves):
        position.play_all(position.actors[0], decide(position, position.actors[0], "greedy", rng))
        if position.finished:
            return latest
        if len(position.legal(position.actors[0])) > 1:
            latest = position.copy()
    while len(position.legal(position.actors[0])) < 2:
        position.play(position.actors[0], position.legal(position.actors[0])[0])
        if position.finished:
            return latest
    return position


def a_tree(config: SearchConfig | None = None) -> np.ndarray:
    """The one tree of a searcher that has not begun, and plays every game to its end."""
    [tree] = Searcher(GAME, config=replace(config or SearchConfig(), learned=False))._trees
    return tree


def grow(
    position: Position, tree: np.ndarray, iterations: int, seed: int = 1, net: np.ndarray = NO_NETWORK
) -> np.ndarray:
    """Search from a position in a tree; return the states, the last playout's end being the second."""
    search = prepare(position.game, program=SEARCHING).kernels["search"]
    seat, rng = position.actors[0], generator(seed)
    states = np.zeros(2, dtype=position.game.record)
    states[0] = np.frombuffer(position.redeal(seat, rng).to_bytes(), dtype=position.game.record)[0]
    activations, out = np.zeros(1, dtype=ACTIVATIONS), new_out(position.game.weight_values)
    search(states, tree, net, activations, rng, new_trace(False), out, seat, iterations)
    return states


def check_tree(tree: np.ndarray, iterations: int, judged: bool = False) -> None:
    """Every iteration added one decision and was counted once.

    Args:
        judged: whether a network judged a decision as soon as it was added, so that nothing was tried there.
    """
    fields = tree[0]
    nodes, edges, root = int(fields["nodes"]), int(fields["edges"]), int(fields["root"])
    assert 1 <= nodes <= iterations
    assert fields["visits"][root] == fields["games"] == iterations
    for node in range(1, nodes + 1):
        tried, gained = 0, 0.0
        edge = int(fields["first"][node])
        while edge:
            tried += int(fields["tries"][edge])
            gained += float(fields["gain"][edge])
            # A network names actions that are not tried yet.
            least = 0 if fields["learned"] else 1
            assert least <= fields["tries"][edge] <= fields["chances"][edge] + 1
            edge = int(fields["next"][edge])
        alone = 1 if judged and node != root else 0
        assert tried == fields["visits"][node] - alone
        assert -1e-9 <= fields["sum"][node] - gained <= alone + 1e-9
        assert 0 <= gained <= tried
    assert edges >= (1 if judged else nodes)
    assert len({int(key) for key in fields["key"][1 : nodes + 1]}) == nodes
    assert not fields["edge_of"].any()
