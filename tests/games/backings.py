"""The rules as plain Python and compiled, and compiled so that every index is checked: played side by side."""

from __future__ import annotations

import random
from collections.abc import Mapping
from unittest.mock import patch

import ziggurat
from ziggurat.core.game import Game
from ziggurat.core.position import Position, generator
from ziggurat.core.runtime import Runtime
from ziggurat.testing.twin import Twin


def play_twice(game: Game, players: int, seed: int, options: Mapping[str, str], *, last: float = 0.0) -> None:
    """A game at random ends in the same position either way; every so often the ``last`` legal action is played."""
    position = Position.new(game, players, seed=seed, options=options)
    twin = Twin(game, players, options, game.components, seed.to_bytes(32, "little"))
    chance = random.Random(seed).random
    while mask := twin.actors():
        seats = [seat for seat in range(players) if mask >> seat & 1]
        seat = seats[int(chance() * len(seats))]
        legal = twin.legal(seat)
        action = legal[-1] if chance() < last else legal[int(chance() * len(legal))]
        twin.play(seat, action)
        position.play(seat, action)
    assert position.finished
    assert position.to_bytes() == twin.to_bytes(), f"{players} players, seed {seed}, {options}"


def redeal_checked(rules: Runtime, players: int, options: Mapping[str, str]) -> None:
    """In a game at random every seat's belief is dealt at every step, with every access to a field checked."""
    rng, chance = generator(3), random.Random(players)
    position = ziggurat.new(rules.game, players, seed=players, options=options)
    while not position.finished:
        seat = chance.choice(position.actors)
        position.play(seat, chance.choice(position.legal(seat)))
        with patch("ziggurat.core.position.runtime", lambda game: rules):
            for observer in (None, *range(players)):
                position.redeal(observer, rng)
