"""No game that ends has more decisions than it says, however it is played.

Where the rules set no bound, somebody who does not want to win may go on for ever: such a game is left alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from tests.example import TABLES

import ziggurat
from ziggurat.bots import draw
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.position import Position

# Whoever always plays the lowest or the highest number takes single cards, declines what can be declined, or fails.
PLAYERS: dict[str, Callable[[list[int], np.ndarray], int]] = {
    "at random": lambda legal, rng: legal[draw(rng, len(legal))],
    "the lowest": lambda legal, rng: min(legal),
    "the highest": lambda legal, rng: max(legal),
    "one of both": lambda legal, rng: (min, max)[draw(rng, 2)](legal),
}


def length(game: Game, players: int, choose: Callable[[list[int], np.ndarray], int], most: int) -> int | None:
    """How many decisions a game has; None if it goes on after twice as many as it should have."""
    position, rng, decisions = Position.new(game, players, seed=1, trace=False), ziggurat.generator(1), 0
    while position.actors:
        if decisions == 2 * most:
            return None
        seat = position.actors[0]
        position.play(seat, choose(position.legal(seat), rng))
        decisions += 1
    return decisions


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_no_game_is_longer_than_the_longest(name: str, players: int) -> None:
    game = ziggurat.game(name)
    ziggurat.prepare(game)
    most = game.longest(players)
    lengths = {name: length(game, players, choose, most) for name, choose in PLAYERS.items()}
    assert lengths["at random"] is not None, "whoever plays at random comes to an end"
    assert all(found is None or 0 < found <= most for found in lengths.values()), lengths


def test_it_is_asked_for_tables_that_there_are() -> None:
    for game in ziggurat.registered_games().values():
        with pytest.raises(BadOption, match="players, not 0"):
            game.longest(0)
