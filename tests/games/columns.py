"""What networks and agents are told of some positions, as text: one line a column that is not 0.

Two columns whose names are exchanged, or a number that means something else, show here as a difference that a person
can read; games between bots would hide it. The positions are chosen so that every two columns differ in one of them.
`python -m tests.games.columns [GAME ...]` chooses them anew and writes the files; look at the difference before
committing it.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from tests.games.inputs import told

import ziggurat
from ziggurat.bots import decide, draw
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.seed import generator

HERE = Path(__file__).parent
GAMES, EVERY = 160, 8
"""How many games are looked through for positions, and at which of their decisions."""
WORDS_A_LINE = 110


@dataclass(frozen=True)
class Sight:
    """Who is told what: of a position, as it is after some decisions of a game.

    Attributes:
        what: ``table``, ``seat``, ``action`` (for the network), or ``observation`` (for agents).
    """

    what: str
    players: int
    options: str
    seed: int
    decisions: int
    seat: int = 0
    action: str = ""

    @property
    def title(self) -> str:
        deal = f"{self.players} players, {self.options}, seed {self.seed}, after {self.decisions} decisions"
        whose = "" if self.what == "table" else f" of seat {self.seat}"
        return f"[{self.what}{whose}: {deal}{': ' + self.action if self.action else ''}]"

    @classmethod
    def read(cls, title: str) -> Sight:
        found = re.fullmatch(
            r"\[(\w+)(?: of seat (\d))?: (\d) players, ({.*}), seed (\d+), after (\d+) decisions(?:: (.*))?\]", title
        )
        assert found, title
        what, seat, players, options, seed, decisions, action = found.groups()
        return cls(what, int(players), options, int(seed), int(decisions), int(seat or 0), action or "")


def file_of(game: str) -> Path:
    return HERE / game / "columns.txt"


def names_of(game: Game, sight: Sight) -> tuple[str, ...]:
    assert game.inputs
    declared = {
        "table": game.inputs.table,
        "seat": game.inputs.seat,
        "action": game.inputs.action,
        "observation": game.features(sight.players),
    }
    return tuple(column.name for column in declared[sight.what])


def seen(position: Position, sight: Sight) -> dict[str, int]:
    """The columns by name."""
    if sight.what == "observation":
        values = position.observe(sight.seat).tolist()
        return dict(zip(names_of(position.game, sight), values, strict=True))
    if sight.what == "table":
        return told(position)
    action = None
    if sight.what == "action":
        action = next(one for one in position.legal(sight.seat) if position.write_step(one) == sight.action)
    return told(position, sight.seat, action)


def played(game: Game, sight: Sight) -> Iterator[Position]:
    """The positions of a game, one a decision: the heuristic plays, and of four decisions one falls by chance."""
    rng = generator(sight.seed)
    position = ziggurat.new(game, sight.players, seed=sight.seed, options=json.loads(sight.options), trace=False)
    yield position
    seat = -1
    while position.actors:
        if not position.in_move:
            seat = position.actors[draw(rng, len(position.actors))]
        legal = position.legal(seat)
        by_chance = draw(rng, 4) == 0
        position.play(seat, legal[draw(rng, len(legal))] if by_chance else decide(position, seat, "greedy", rng)[0])
        yield position


def text(game: Game, sights: Sequence[Sight]) -> str:
    """What is told there, sight by sight."""
    wanted: dict[tuple[int, str, int], dict[int, list[int]]] = {}
    for at, sight in enumerate(sights):
        deal = wanted.setdefault((sight.players, sight.options, sight.seed), {})
        deal.setdefault(sight.decisions, []).append(at)
    found = dict[int, str]()
    for places in wanted.values():
        first = sights[next(iter(places.values()))[0]]
        for decisions, position in enumerate(played(game, first)):
            for at in places.get(decisions, ()):
                found[at] = _block(sights[at], seen(position, sights[at]))
            if decisions == max(places):
                break
    return "\n".join(found[at] for at in range(len(sights)))


def _block(sight: Sight, columns: dict[str, int]) -> str:
    lines = [""]
    for name, value in columns.items():
        if not value:
            continue
        word = f"{name}={value}"
        if len(lines[-1]) + len(word) > WORDS_A_LINE:
            lines.append("")
        lines[-1] += (", " if lines[-1] else "  ") + word
    return "\n".join([sight.title, *filter(None, lines), ""])


REST = "not told apart: "
"""Before what is too rare for these games, on the last lines of a file."""


def sights_of(golden: str) -> list[Sight]:
    """What a file looks at."""
    return [Sight.read(line) for line in golden.splitlines() if line.startswith("[")]


def alike(game: Game, golden: str) -> list[str]:
    """The columns that no sight of a file tells apart."""
    of: dict[tuple[str, int], list[tuple[Sight, dict[str, int]]]] = {}
    for block in golden.partition(REST)[0].split("\n["):
        title, *lines = block.splitlines()
        sight = Sight.read("[" + title.removeprefix("["))
        told = dict(word.rsplit("=", 1) for line in lines for word in line.strip().split(", ") if word)
        kind = (sight.what, len(names_of(game, sight)))
        of.setdefault(kind, []).append((sight, {name: int(value) for name, value in told.items()}))
    wrong = []
    for (what, _), sights in of.items():
        names = names_of(game, sights[0][0])
        values = np.array([[columns.get(name, 0) for name in names] for _, columns in sights])
        for pair in np.argwhere(np.triu(_same(values), 1)):
            # One option more is told by a column in which no bit is set here; `as_named` looks at its bits.
            if "options" not in (names[pair[0]], names[pair[1]]):
                wrong.append(f"{what}: {names[pair[0]]} and {names[pair[1]]}")
    return wrong


def _same(values: np.ndarray) -> np.ndarray:
    """Which columns (of shape (sights, columns)) are the same in every sight."""
    return np.asarray((values[:, :, None] == values[:, None, :]).all(axis=0))


def chosen(game: Game) -> list[Sight]:
    """Few sights that tell apart what any of many games does."""
    pool: dict[tuple[str, int], list[tuple[Sight, list[int]]]] = {}
    for number in range(GAMES):
        sizes = range(game.min_players, game.max_players + 1)
        players = sizes[number // 2 % len(sizes)] if number % 2 else game.max_players
        rng = generator(number)
        options = _options(game, players, rng) if number // 2 % 2 else {}
        deal = Sight("", players, json.dumps(options), number, 0)
        for decisions, position in enumerate(played(game, deal)):
            if draw(rng, EVERY) and position.actors:
                continue
            for sight in _sights(position, deal, decisions):
                pool.setdefault((sight.what, len(names_of(game, sight))), []).append(
                    (sight, list(seen(position, sight).values()))
                )
    found = []
    for sights in pool.values():
        values = np.array([columns for _, columns in sights], dtype=np.int16)
        told_apart = ~_same(values)
        missing = np.triu(told_apart, 1)
        while missing.any():
            best = max(range(len(values)), key=lambda at: _gain(values[at], missing))
            missing &= values[best][:, None] == values[best][None, :]
            found.append(sights[best][0])
    order = {"table": 0, "seat": 1, "action": 2, "observation": 3}
    return sorted(found, key=lambda sight: (order[sight.what], sight.players, sight.seed, sight.decisions, sight.title))


def _options(game: Game, players: int, rng: np.ndarray) -> dict[str, str]:
    """Each of the game's options by chance, if it has a few choices; only what is not usual is named."""
    found = {}
    for option in game.options:
        if option.choices and option.fits(players):
            found[option.name] = option.choices[draw(rng, len(option.choices))]
    return game.changed(found)


def _gain(columns: np.ndarray, missing: np.ndarray) -> int:
    return int(np.count_nonzero(missing & (columns[:, None] != columns[None, :])))


def _sights(position: Position, deal: Sight, decisions: int) -> Iterator[Sight]:
    about = (deal.players, deal.options, deal.seed, decisions)
    yield Sight("table", *about)
    for seat in range(position.players):
        yield Sight("seat", *about, seat)
    if position.players == position.game.max_players:  # the columns of fewer are among them
        yield Sight("observation", *about, position.actors[0] if position.actors else 0)
    for seat in position.actors[:1]:
        legal = position.legal(seat)
        for action in legal[:: max(1, len(legal) // 8)]:
            yield Sight("action", *about, seat, position.write_step(action))


if __name__ == "__main__":
    for name in sys.argv[1:] or ziggurat.registered_games():
        game = ziggurat.game(name)
        ziggurat.prepare(game)
        golden = text(game, chosen(game))
        rest = [REST + pair + "\n" for pair in alike(game, golden)]
        file_of(name).write_text(golden + "\n" * bool(rest) + "".join(rest), encoding="utf-8")
        print(f"{name}: {len(golden)} bytes, {len(rest)} pairs of columns not told apart")
