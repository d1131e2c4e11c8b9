"""Do the score pads of the page count as the rules do?

    python -m tests.games.pads GAME --games 10000

Plays random games to their end (all numbers of players, all options; by chance alone or by the rule of thumb; with the
printed numbers and with others), makes of each what people would type into the pad beside the box, has the page's own
TypeScript count it (under Node.js, `web/scripts/pad.mjs`), and compares everybody's points and who has won. What is
typed must be asked for by the form, and nothing of it may be called impossible.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, TypeAlias

import msgspec
from tests.docs.pages import script

import ziggurat
from ziggurat import Components, Game, Position
from ziggurat.core.seed import generator

ROOT = Path(__file__).parents[2]
AHEAD = 200
"""Questions that are sent before the first answer is read."""


Impossible: TypeAlias = "tuple[int, dict[str, str], dict[str, str], dict[str, set[str]]]"
"""Players, options, what is typed; what is wrong, and in which cells."""


class Pad(Protocol):
    """What the tests of a game know of its pad (`tests/games/<game>/pads.py`)."""

    OTHERS: tuple[str, ...]
    """Component files with other numbers."""
    IMPOSSIBLE: tuple[Impossible, ...]
    """Counts that cannot be."""

    def options(self, position: Position, rng: random.Random) -> dict[str, str]:
        """Return the options of the pad."""

    def typed(self, position: Position, options: Mapping[str, str]) -> dict[str, int]:
        """Return what people would count at the end of a game, by the ids of the form's cells."""


def pad_of(game: str) -> Pad:
    """Return what the tests know of a game's pad."""
    pad: Pad = importlib.import_module(f"tests.games.{game}.pads")
    return pad


class Page:
    """The page's pads, counting in a process of Node.js."""

    def __init__(self) -> None:
        node = script("web").find_node()
        assert node is not None, "there is no Node.js"
        command = [node.node, ROOT / "web/scripts/pad.mjs"]
        self._node = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._printed = ""

    def __enter__(self) -> Page:
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.close()
        self._node.stdout.close()
        self._node.wait(timeout=20)

    def ask(self, position: Position, options: Mapping[str, str], typed: Mapping[str, str]) -> None:
        """Have what was typed counted."""
        assert self._node.stdin is not None
        game, players = position.game.id, position.players
        question: dict[str, Any] = {"game": game, "players": players, "options": options, "typed": typed}
        if self._printed != game + position.components.digest:
            question["printed"] = msgspec.to_builtins(position.components.values)
            self._printed = game + position.components.digest
        self._node.stdin.write(json.dumps(question) + "\n")
        self._node.stdin.flush()

    def answer(self) -> dict[str, Any]:
        """Return what was counted: questions are answered in their order."""
        assert self._node.stdout is not None
        found: dict[str, Any] = json.loads(self._node.stdout.readline())
        return found


def finished(game: Game, printed: list[Components], rng: random.Random, seed: int) -> Position:
    """Play a game to its end."""
    players = rng.randint(game.min_players, game.max_players)
    options = {
        option.name: rng.choice(option.choices)
        for option in game.options
        if option.choices and (option.players is None or option.players[0] <= players <= option.players[1])
    }
    position = ziggurat.new(game, players, seed=seed, options=options, components=rng.choice(printed))
    by_thumb, chance = rng.choice((0.0, 0.5, 1.0)), generator(seed)
    while position.actors:
        seat = position.actors[0]
        if rng.random() < by_thumb:
            position.play(seat, position.suggest(chance, seat))
        else:
            position.play(seat, rng.choice(position.legal(seat)))
    return position


def wrong(position: Position, typed: Mapping[str, str], found: dict[str, Any]) -> dict[str, Any] | None:
    """Return how the page and the rules differ."""
    points, winners = position.all_scores, position.winners
    # Who is no seat can win against one player.
    beaten = [len(points) - 1] if not winners else []
    if found["totals"] == points and found["winners"] in (winners, beaten) and not found["faults"] + found["unknown"]:
        return None
    about = {"players": position.players, "options": dict(position.options), "digest": position.components.digest}
    return {**about, "typed": dict(typed), "points": points, "winners": winners, "found": found}


def compare(page: Page, name: str, games: int, first: int = 0) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Compare games; return those that differ, and how often the page said what."""
    game, pad = ziggurat.game(name), pad_of(name)
    printed = [game.components, *map(game.load_components, pad.OTHERS)]
    said: Counter[str] = Counter()
    different = []
    waiting: list[tuple[Position, dict[str, str]]] = []

    def read() -> None:
        position, typed = waiting.pop(0)
        found = page.answer()
        said.update(found["said"])
        if (difference := wrong(position, typed, found)) is not None:
            different.append(difference)

    def questions() -> Iterator[Position]:
        # Games with the same numbers follow one another, so that these are sent seldom.
        for batch in itertools.count():
            rng = random.Random(f"{name} {first} {batch}")
            chosen = [rng.choice(printed)]
            for number in range(min(100, games - 100 * batch)):
                yield finished(game, chosen, rng, first + 100 * batch + number)
            if 100 * (batch + 1) >= games:
                return

    rng = random.Random(first)
    for position in questions():
        options = pad.options(position, rng)
        blank = rng.choice((True, False))  # who has none of something types 0, or nothing
        typed = {id: str(count) for id, count in pad.typed(position, options).items() if count or not blank}
        page.ask(position, options, typed)
        waiting.append((position, typed))
        if len(waiting) > AHEAD:
            read()
    while waiting:
        read()
    return different, said


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(ziggurat.registered_games()))
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="seed of the first game")
    asked = parser.parse_args()
    ziggurat.prepare(asked.game)
    begun = time.perf_counter()
    with Page() as page:
        different, said = compare(page, asked.game, asked.games, asked.first)
    for difference in different[:3]:
        print(json.dumps(difference))
    print("explained:", ", ".join(f"{key} {count}" for key, count in sorted(said.items())))
    took = time.perf_counter() - begun
    print(f"{asked.game}: {asked.games} games, {len(different)} counted differently, {took:.0f} s")
    sys.exit(bool(different))


if __name__ == "__main__":
    main()
