"""What a network is told of Alhambra: nothing hidden, within bounds. What each column says is in `columns.txt`."""

from __future__ import annotations

import pytest
from tests import runs
from tests.games.inputs import check_inputs

import ziggurat

GAME = ziggurat.game("alhambra")

# Far from what is printed: nearly all that a file may ask for.
MORE = """
game = "alhambra"
format = 1
[money]
copies = [0, 0, 0, 0, 10, 10, 12, 12, 12]
copies_two_players = [0, 0, 0, 0, 10, 10, 12, 12, 12]
[setup]
starting_capital = 60
[take]
several_max_total = 36
[buildings.pavilion]
prices = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
points_a = [99]
points_b = [99, 99]
points_c = [99, 99, 99]
[buildings.tower]
prices = [19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19]
points_a = [0]
points_b = [0, 99]
points_c = [0, 0, 99]
"""


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each(range(2, 7), often=[3]))
def test_columns_keep_their_bounds_and_tell_nothing_hidden(players: int) -> None:
    check_inputs(GAME, players, {}, games=2, seed=players)
    check_inputs(GAME, players, {"refill_order": "money_first"}, games=2, seed=10 + players)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each([2, 5], often=[2]))
def test_columns_keep_their_bounds_with_any_components(players: int) -> None:
    check_inputs(GAME, players, {}, games=2, seed=players, components=GAME.load_components(MORE))
