"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from tests.games.table import arranged

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, from_lists, states_of, to_lists
from ziggurat.core.seed import generator

GAME = ziggurat.game("ginkgopolis")

# Every choice that is not the default one, and all of them together, for one player and for more.
SOLO_OPTIONS: list[dict[str, str]] = [
    {},
    {"hal": "expert"},
    {"hal": "expert", "hal_points": "buildings", "hal_expert_builds": "payable"},
]
OPTIONS: list[dict[str, str]] = [
    {},
    {"characters": "draft"},
    {"tiles_exhausted": "after_action"},
    {"characters": "draft", "tiles_exhausted": "after_action", "first_player": "first_seat", "remember_cards": "no"},
]


def options_for(players: int) -> list[dict[str, str]]:
    return SOLO_OPTIONS if players == 1 else OPTIONS


# The nine start buildings in one order; ``town`` changes some of them and adds others.
SQUARE = {
    (-1, 1): "red 1",
    (0, 1): "yellow 1",
    (1, 1): "blue 1",
    (-1, 0): "red 2",
    (0, 0): "yellow 2",
    (1, 0): "blue 2",
    (-1, -1): "red 3",
    (0, -1): "yellow 3",
    (1, -1): "blue 3",
}


def town(
    sites: Mapping[tuple[int, int], str],
    given: str = "",
    *,
    players: int = 2,
    square: Mapping[tuple[int, int], str] = SQUARE,
    options: Mapping[str, str] | None = None,
) -> Position:
    """The start of a round in a city of start buildings and ``sites``, such as ``red 9 2 1 site``: tile, height, owner.

    Seat 1 is first. Nobody has characters, tiles or points, everybody five resources, unless ``given`` says otherwise.
    """
    lines = []
    for (x, y), words in {**square, **sites}.items():
        colour, number, *rest = words.split()
        site = "site" in rest
        height, owner = [*(word for word in rest if word != "site"), "", ""][:2]
        lines.append(
            f"{{ x = {x}, y = {y}, tile = '{colour} {number}', height = {height or 1}, owner = '{owner}', "
            f"site = {str(site).lower()} }},"
        )
    usual = {"first": "1", "tiles_left": "30"}
    for table, value in (("points", "0"), ("resources", "5"), ("characters", "[]"), ("tiles", "[]")):
        for seat in range(1, players + 1):
            usual[f"{table}.{seat}"] = value
    if players == 1:
        usual["resources.2"] = "0"
    position = {line.partition(" = ")[0].strip(): line for line in given.splitlines() if line.strip()}
    defaults = [f"{key} = {value}" for key, value in usual.items() if key not in position]
    text = "\n".join(["city = [", *lines, "]", *defaults, *position.values()])
    return arranged("ginkgopolis", text, {"players": players}, options or {})


def new(players: int, seed: int, **options: str) -> Position:
    return ziggurat.new("ginkgopolis", players, seed=seed, options=options)


def changed(position: Position, change: Callable[[ListRecord], object]) -> Position:
    """The same position with something laid differently, for what no scenario can say."""
    states = states_of(position.to_bytes(), position.game.record)
    lists = to_lists(states)
    change(lists)
    from_lists(lists, states)
    return Position.from_bytes(GAME, states.tobytes(), players=position.players, options=position.options)


def builder(position: Position, seat: int) -> Any:
    """A seat, counted from 1, with everything behind the screen; in the solo game 2 is Hal."""
    return position.view_all().builders[seat - 1]


def building(position: Position, x: int, y: int) -> Any:
    return next(b for b in position.view(None).buildings if (b.x, b.y) == (x, y))


def marker(position: Position, letter: str) -> tuple[int, int]:
    return next((m.x, m.y) for m in position.view(None).markers if m.letter == letter)


def at_random(position: Position, seed: int | np.ndarray) -> Iterator[tuple[int, int]]:
    """Play to the end with any legal action of any seat that must decide; yields seat and action before each."""
    rng = generator(seed) if isinstance(seed, int) else seed
    while not position.finished:
        seat = position.actors[draw(rng, len(position.actors))]
        actions = position.legal(seat)
        action = actions[draw(rng, len(actions))]
        yield seat, action
        position.play(seat, action)
