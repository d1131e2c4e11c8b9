"""The rules as plain Python and compiled are the same rules, whatever is played; compiled ones stay within bounds."""

from __future__ import annotations

import pytest
from tests import runs
from tests.example import TABLES
from tests.games.backings import play_twice, play_whole, redeal_always, sets_of

import ziggurat

pytestmark = pytest.mark.slow

PLAYED = runs.number(24, 120)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_interpreted_and_compiled_games_end_in_the_same_position(name: str, players: int) -> None:
    """Whoever plays the last of their legal actions builds, where playing by chance seldom comes to it."""
    game = ziggurat.game(name)
    ziggurat.prepare(game)
    sets = sets_of(game, players)
    for number in range(PLAYED):
        play_twice(game, players, number, sets[number % len(sets)], last=0.6 if number % 3 else 0.0)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_no_index_is_out_of_bounds(name: str, players: int) -> None:
    """Random and greedy play of whole games with every option, and every belief on the way."""
    game = ziggurat.game(name)
    ziggurat.prepare(game)
    for options in sets_of(game, players):
        play_whole(game, players, options, 8)
    redeal_always(game, players, sets_of(game, players)[-1])
