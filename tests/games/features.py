"""Columns of observations: what each says, and between which bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from ziggurat.bots import draw
from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.seed import generator
from ziggurat.testing import option_sets

Facts = Callable[[Position, "int | None"], Mapping[str, int]]
"""(position, observer) -> the columns by name, made from what the view shows."""


def played(game: Game, players: int, games: int) -> Iterator[tuple[Position, np.ndarray]]:
    """Games at random, with each set of options in turn: the position at every decision, and the generator."""
    sets = [options for options in option_sets(game) if _goes(game, players, options)]
    for number in range(games):
        rng = generator(1000 * players + number)
        position = Position.new(game, players, seed=number, options=sets[number % len(sets)], trace=False)
        yield position, rng
        while position.actors:
            seat = position.actors[draw(rng, len(position.actors))]
            legal = position.legal(seat)
            position.play(seat, legal[draw(rng, len(legal))])
            yield position, rng


def _goes(game: Game, players: int, options: Mapping[str, str]) -> bool:
    sizes = {option.name: option.players or (1, players) for option in game.options}
    return all(sizes[name][0] <= players <= sizes[name][1] for name in options)


def check_facts(game: Game, players: int, facts: Facts, games: int, every: int = 20) -> None:
    """Observations say by name what the view of the observer shows, and nothing more."""
    names = [feature.name for feature in game.features(players)]
    for position, rng in played(game, players, games):
        if draw(rng, every) == 0 or position.finished:
            for seat in (None, *range(players)):
                seen = dict(zip(names, position.observe(seat).tolist(), strict=True))
                told = facts(position, seat)
                assert seen.keys() == told.keys()
                wrong = {name: (value, told[name]) for name, value in seen.items() if value != told[name]}
                assert not wrong, f"{seat} observes (and sees): {wrong}"


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


def around(players: int, observer: int | None) -> list[int]:
    """The seats clockwise from the observer: player 0, player 1, ..."""
    first = observer or 0
    return [(first + player) % players for player in range(players)]
