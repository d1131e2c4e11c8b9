"""The rules as plain Python and compiled are the same rules, whatever is played; compiled ones stay within bounds."""

from __future__ import annotations

import pytest
from tests.games.backings import play_twice, play_whole, redeal_always, sets_of

import ziggurat
from ziggurat.core.game import Game

pytestmark = pytest.mark.slow

PLAYED = 120
TABLES = [
    pytest.param(game, players, id=f"{game.id}-{players}")
    for game in ziggurat.registered_games().values()
    for players in range(game.min_players, game.max_players + 1)
]


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_interpreted_and_compiled_games_end_in_the_same_position(game: Game, players: int) -> None:
    """Whoever plays the last of their legal actions builds, where playing by chance seldom comes to it."""
    ziggurat.prepare(game)
    sets = sets_of(game, players)
    for number in range(PLAYED):
        play_twice(game, players, number, sets[number % len(sets)], last=0.6 if number % 3 else 0.0)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_no_index_is_out_of_bounds(game: Game, players: int) -> None:
    """Random and greedy play of whole games with every option, and every belief on the way."""
    ziggurat.prepare(game)
    for options in sets_of(game, players):
        play_whole(game, players, options, 8)
    redeal_always(game, players, sets_of(game, players)[-1])
