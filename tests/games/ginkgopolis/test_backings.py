"""The rules as plain Python and compiled are the same rules."""

from __future__ import annotations

import pytest
from tests.games.backings import play_twice, play_whole, redeal_always
from tests.games.ginkgopolis.table import GAME, at_random, options_for

import ziggurat
from ziggurat.core.runtime import Runtime
from ziggurat.testing import check_game

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.usefixtures("compiled")
def test_interpreted_and_compiled_games_end_in_the_same_position(players: int) -> None:
    for number in range(160):
        play_twice(GAME, players, number, options_for(players)[number % len(options_for(players))])


@pytest.mark.usefixtures("compiled")
def test_the_checker_that_every_game_must_pass() -> None:
    check_game("ginkgopolis", games=5, seed=100, closely=60)


@pytest.mark.usefixtures("interpreted")
def test_a_game_by_the_interpreted_rules_alone() -> None:
    position = ziggurat.new("ginkgopolis", 3, seed=7)
    pieces = position.pieces()
    for _ in at_random(position, 7):
        assert position.pieces() == pieces
    assert position.finished


@pytest.mark.parametrize("players", range(1, 6))
def test_no_index_is_out_of_bounds(players: int, compiled: Runtime) -> None:
    """Random and greedy play of whole games with every option."""
    for options in options_for(players):
        play_whole(compiled, players, options, 60)


@pytest.mark.usefixtures("compiled")
def test_beliefs_stay_in_bounds() -> None:
    for players in range(1, 6):
        redeal_always(GAME, players, options_for(players)[1])
