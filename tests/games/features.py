"""Columns of observations: what each says, and between which bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np
from tests.games.backings import sets_of

from ziggurat.bots import draw
from ziggurat.core.features import Feature
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.seed import generator

Facts = Callable[[Position, "int | None"], Mapping[str, int]]
"""(position, observer) -> the columns by name, made from what the view shows."""


def played(game: Game, players: int, games: int) -> Iterator[tuple[Position, np.ndarray]]:
    """Games at random, with each set of options in turn: the position at every decision, and the generator."""
    sets = sets_of(game, players)
    for number in range(games):
        rng = generator(1000 * players + number)
        position = Position.new(game, players, seed=number, options=sets[number % len(sets)], trace=False)
        yield position, rng
        while position.actors:
            seat = position.actors[draw(rng, len(position.actors))]
            legal = position.legal(seat)
            position.play(seat, legal[draw(rng, len(legal))])
            yield position, rng


def check_facts(game: Game, players: int, facts: Facts, games: int, every: int = 20) -> None:
    """Observations say by name what the view of the observer shows, and nothing more; a redeal changes none of it."""
    names = [feature.name for feature in game.features(players)]
    for position, rng in played(game, players, games):
        if draw(rng, every) == 0 or position.finished:
            for seat in (None, *range(players)):
                seen = dict(zip(names, position.observe(seat).tolist(), strict=True))
                told = facts(position, seat)
                assert seen.keys() == told.keys()
                wrong = {name: (value, told[name]) for name, value in seen.items() if value != told[name]}
                assert not wrong, f"{seat} observes (and sees): {wrong}"
                other = position.redeal(seat, rng).observe(seat).tolist()
                assert other == list(seen.values()), f"{seat} observes what it may not know"


def check_bounds(game: Game, players: int, games: int, rare: frozenset[str] = frozenset()) -> None:
    """Every value lies within the bounds of its column, and every column says different things, if not ``rare``."""
    features = game.features(players)
    seen = np.array([position.observe(seat) for position, _ in played(game, players, games) for seat in range(players)])
    low, high = seen.min(axis=0), seen.max(axis=0)
    wrong = [
        (feature.name, least, most)
        for feature, least, most in zip(features, low.tolist(), high.tolist(), strict=True)
        if not feature.low <= least <= most <= feature.high
    ]
    assert not wrong
    same = {feature.name for feature, least, most in zip(features, low, high, strict=True) if least == most}
    assert same <= rare


def house_rules(position: Position) -> int:
    """What the column ``options`` says, by the names of its bits."""
    [column] = [feature for feature in position.game.features(position.players) if feature.name == "options"]
    return as_named(column, position)


def as_named(column: Feature, position: Position) -> int:
    """Of a column of options the bits that are called by what was chosen, such as ``start=youngest``."""
    chosen = {f"{name}={value}" for name, value in position.options.items()}
    return sum(1 << bit for bit, label in enumerate(column.labels) if label in chosen)


def around(players: int, observer: int | None) -> list[int]:
    """The seats clockwise from the observer: player 0, player 1, ..."""
    first = observer or 0
    return [(first + player) % players for player in range(players)]


TRIES = 60  # with each field, at most
# What views of every game show besides the position: whose it is, and who has won in the end.
ABOUT_THE_TABLE = {"game", "players", "seat", "winners"}


class Shown:
    """A position that shows something else to a seat than it is."""

    def __init__(self, position: Position, view: Any) -> None:
        self.game, self.players, self.options = position.game, position.players, position.options
        self.to_bytes = position.to_bytes
        self._view = view

    def view(self, seat: int | None) -> Any:
        return self._view


def left_out(game: Game, facts: Facts, games: int = 4, looks: int = 8) -> set[str]:
    """The fields of the view on which no column depends: each is changed in turn, into what it is elsewhere.

    As ``facts`` are what is observed (``check_facts``), these are all that somebody who observes does not know.
    """
    found: list[tuple[Position, int, Any, dict[str, tuple[list[Any], Any]]]] = []
    for players in range(game.min_players, game.max_players + 1):
        kept = [position.copy() for position, rng in played(game, players, games) if draw(rng, 25) == 0]
        found += [
            (position, seat, view, dict(_leaves(msgspec.to_builtins(view))))
            for position in kept[:: max(len(kept) // looks, 1)]
            for seat in [position.actors[0] if position.actors else 0]
            for view in [position.view(seat)]
        ]
    values: dict[str, list[Any]] = {}
    for *_, leaves in found:
        for name, (_, value) in leaves.items():
            if value not in values.setdefault(_field(name), []):
                values[_field(name)].append(value)
    told, fields = set[str](), {field for field, those in values.items() if len(those) > 1}
    tries: Counter[str] = Counter()
    for position, seat, view, leaves in found:
        truth = facts(position, seat)
        for name, (path, value) in leaves.items():
            field = _field(name)
            for other in values[field]:
                if other != value and field in fields - told and tries[field] < TRIES:
                    shown = _shown(position, view, path, other)
                    tries[field] += shown is not None
                    if shown and _tells(shown, seat, facts, truth):
                        told.add(field)
    return {field for field in fields - told if field.partition(".")[0] not in ABOUT_THE_TABLE}


def _shown(position: Position, view: Any, path: list[Any], value: Any) -> Shown | None:
    """With another value at a place of the view; None where something of another kind belongs there, such as a list."""
    told = msgspec.to_builtins(view)
    within = told
    for step in path[:-1]:
        within = within[step]
    within[path[-1]] = value
    try:
        return Shown(position, msgspec.convert(told, type(view)))
    except msgspec.ValidationError:
        return None


def _tells(shown: Any, seat: int, facts: Facts, truth: Mapping[str, int]) -> bool:
    try:
        return facts(shown, seat) != truth
    except (LookupError, ValueError, AssertionError, TypeError, AttributeError):
        return True  # it was looked at, and makes no sense


def _leaves(told: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[str, tuple[list[Any], Any]]]:
    """Everything that is no list and no dictionary, by its path."""
    items = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else None
    if items is None:
        yield ".".join(map(str, path)), ([*path], told)
        return
    for step, inner in items:
        yield from _leaves(inner, (*path, step))


def _field(name: str) -> str:
    """Without the numbers of places in lists."""
    return ".".join(part for part in name.split(".") if not part.isdecimal())
