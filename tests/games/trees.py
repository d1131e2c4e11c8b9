"""Small searches as text: of every node how often it was visited, what it was worth, and what may be chosen there.

A change to the search shows here as a difference that a person can read, where games between bots would hide it.
`python -m tests.games.trees` writes the files anew; look at the difference before committing it.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, SearchConfig, Searcher, decide, network, tree
from ziggurat.bots.learned import NO_NETWORK
from ziggurat.bots.network import ACTIVATIONS
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, states_of, to_lists
from ziggurat.core.runtime import prepare
from ziggurat.core.seed import generator
from ziggurat.core.trace import ListTrace, list_out, new_out, new_trace

HERE = Path(__file__).parent
NEAR = 0.0011
"""Between two backings, and two machines: of numbers that are written with three digits."""
MODULES = (tree, network)
RULES = (
    "actors", "concealed", "legal", "observe", "play", "redeal", "scores", "suggest", "winners",
    "table_inputs", "seat_inputs", "action_inputs",
)  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A search: of a game, after some moves, with its network or without."""

    game: str
    learned: bool
    moves: int = 6
    iterations: int = 100

    @property
    def file(self) -> Path:
        return HERE / self.game / "trees" / f"{'network' if self.learned else 'heuristic'}.txt"

    @property
    def position(self) -> Position:
        chosen = ziggurat.game(self.game)
        position = ziggurat.new(chosen, max(3, chosen.min_players), seed=8)
        rng = generator(8)
        for _ in range(self.moves):
            position.play_all(position.actors[0], decide(position, position.actors[0], "greedy", rng))
        while len(position.legal(position.actors[0])) < 3:
            position.play(position.actors[0], position.legal(position.actors[0])[0])
        return position

    @property
    def searcher(self) -> Searcher:
        return Searcher(ziggurat.game(self.game), config=SearchConfig(learned=self.learned))


CASES = [
    Case(name, learned)
    for name, game in ziggurat.registered_games().items()
    if game.inputs
    for learned in (True, False)
]


def compiled(case: Case, left: int | None = None) -> str:
    """The tree that compiled code grows; if wished in memory in which such numbers were left where nodes and edges come
    to lie."""
    position, searcher = case.position, case.searcher
    game, seat, [grown] = position.game, position.actors[0], searcher._trees
    for name in tree.GROWN if left is not None else ():
        grown[name][0, 1:] = left
    states = np.zeros(2, dtype=game.record)
    states[0] = states_of(position.to_bytes(), game.record)[0]
    search = prepare(game, program=SEARCHING).kernels["search"]
    net = searcher.network.net if searcher.network else NO_NETWORK
    activations, out = np.zeros(1, dtype=ACTIVATIONS), new_out(game.weight_values)
    search(states, grown, net, activations, generator(2), new_trace(False), out, seat, case.iterations)
    return text(case, position, to_lists(grown))


class _States(list[ListRecord]):
    """A copy is what is put at a place, as in an array of records."""

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(place, copy.deepcopy(value))


def interpreted(case: Case) -> str:
    """The tree that plain Python grows. The modules of the search must know the game's rules (`rules_of`)."""
    position, searcher = case.position, case.searcher
    [grown], seat = searcher._trees, position.actors[0]
    states = _States([to_lists(states_of(position.to_bytes(), position.game.record))] * 2)
    net = to_lists(searcher.network.net if searcher.network else NO_NETWORK)
    record, activations, rng = to_lists(grown), to_lists(np.zeros(1, dtype=ACTIVATIONS)), to_lists(generator(2))
    out = list_out(position.game.weight_values)
    tree.search(states, [record], [net], [activations], [rng], [ListTrace(False)], [out], seat, case.iterations)
    return text(case, position, record)


def rules_of(game: Game) -> Iterator[tuple[Any, str, Any]]:
    """What the modules of the search find under the names of a game's rules."""
    for module in MODULES:
        for name in RULES:
            if hasattr(module, name):
                yield module, name, game.rules[name]


def text(case: Case, position: Position, grown: ListRecord) -> str:
    """A tree, node by node as they came; of each what was chosen, and how sure the network was before."""
    names = {choice.action: choice.notation for choice in position.decision(position.actors[0]).legal}
    how = "with its network" if case.learned else "with its heuristic alone"
    lines = [f"{case.game}, {position.players} players, after {case.moves} moves, {case.iterations} iterations {how}"]
    for node in range(1, grown.nodes + 1):
        visits = grown.visits[node]
        lines.append(f"node {node}: visits {visits}, value {grown.sum[node] / max(visits, 1):.3f}")
        edges, edge = [], grown.first[node]
        while edge:
            edges.append(edge)
            edge = grown.next[edge]
        for edge in sorted(edges, key=lambda edge: grown.action[edge]):
            tries, prior = grown.tries[edge], grown.prior[edge]
            action = int(grown.action[edge])
            name = names[action] if node == grown.root else str(action)
            words = [f"  {name}: tries {tries}", f"possible {grown.chances[edge]}"]
            if tries:
                words.append(f"value {grown.gain[edge] / tries:.3f}")
            if prior >= 0:
                words.append(f"prior {prior / tree.WHOLE:.3f}")
            if tries or node == grown.root:
                lines.append(", ".join(words))
    return "\n".join(lines) + "\n"


def differences(found: str, wanted: str) -> list[str]:
    """The lines that are not the same, or whose numbers are not nearly so."""
    one, other = found.splitlines(), wanted.splitlines()
    wrong = [f"{len(one)} lines instead of {len(other)}"] if len(one) != len(other) else []
    return wrong + [f"{a!r} instead of {b!r}" for a, b in zip(one, other, strict=False) if not _alike(a, b)]


def _alike(one: str, other: str) -> bool:
    words, more = one.replace(",", " ,").split(), other.replace(",", " ,").split()
    return len(words) == len(more) and all(
        a == b or ("." in a and "." in b and abs(float(a) - float(b)) < NEAR) for a, b in zip(words, more, strict=True)
    )


if __name__ == "__main__":
    for one in CASES:
        one.file.parent.mkdir(exist_ok=True)
        one.file.write_text(compiled(one), encoding="utf-8")
