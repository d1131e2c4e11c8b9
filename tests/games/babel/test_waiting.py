"""Several decide in one step of many games, and what one begins makes the others wait (R26)."""

from __future__ import annotations

import random

from tests import runs

import ziggurat
from ziggurat import Position, vector


def begun() -> tuple[Position, int, int]:
    """A position in which several decide, a seat, and an action of it that makes the others wait."""
    chance = random.Random(1)
    for seed in range(500):
        position = ziggurat.new("babel", 3, seed=seed)
        while not position.finished:
            seat = position.actors[0]
            legal = position.legal(seat)
            for action in legal if len(position.actors) > 1 else []:
                after = position.copy()
                after.play(seat, action)
                if after.actors == (seat,):
                    return position, seat, action
            position.play(seat, chance.choice(legal))
    raise AssertionError("nobody has ever begun an exchange")


@runs.whole
def test_who_has_to_wait_is_asked_again() -> None:
    position, seat, action = begun()
    waiting = position.actors[1]
    games = vector.make("babel", 3, n=1, seats="all", seed=1)
    games.put(0, position)
    actions = games.sample().copy()
    actions[0, seat] = action
    games.step(actions)
    position.play(seat, action)
    assert games.position(0) == position
    while waiting not in position.actors:
        games.step(games.sample())
        position = games.position(0)
    assert games.masks[0, waiting].any()
