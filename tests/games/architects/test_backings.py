"""The rules as plain Python and compiled are the same rules; and the quick bot plays better than chance."""

from __future__ import annotations

import pytest
from tests.games.backings import play_twice, play_whole, redeal_always

import ziggurat
from ziggurat.core.runtime import Runtime
from ziggurat.lab.simulate import simulate
from ziggurat.testing import check_game, option_sets
from ziggurat.testing.table import CheckedGame

pytestmark = pytest.mark.slow

GAME = ziggurat.game("architects")
OPTIONS = list(option_sets(GAME))
GAMES = 2000


def fitting(options: dict[str, str], players: int) -> dict[str, str]:
    return {name: value for name, value in options.items() if players == 2 or "two_player" not in name}


@pytest.mark.parametrize("players", range(2, 8))
@pytest.mark.usefixtures("compiled")
def test_interpreted_and_compiled_games_end_in_the_same_position(players: int) -> None:
    for number in range(GAMES // 6 + 1):
        play_twice(GAME, players, number, fitting(OPTIONS[number % len(OPTIONS)], players))


@pytest.mark.usefixtures("compiled")
def test_the_checker_that_every_game_must_pass() -> None:
    check_game("architects", games=1, seed=100, closely=120)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("players", "options"), [(3, {}), (2, OPTIONS[-1])], ids=["default", "last of each option"])
def test_the_checker_on_the_interpreted_rules_alone(players: int, options: dict[str, str]) -> None:
    """One game each: all sets of options take too long without the compiler."""
    CheckedGame(GAME, options, players, 7, closely=150).play_through()


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_no_index_is_out_of_bounds(compiled: Runtime, number: int) -> None:
    """Random and greedy play of whole games."""
    for players in range(2, 8):
        play_whole(compiled, players, fitting(OPTIONS[number], players), 6)


@pytest.mark.usefixtures("compiled")
def test_beliefs_stay_in_bounds() -> None:
    for players in range(2, 8):
        redeal_always(GAME, players, {"wonders": "chosen"})


@pytest.mark.usefixtures("compiled")
def test_greedy_wins_85_of_100_games_against_random() -> None:
    line = simulate("architects", ["greedy", "random"], games=4000, seed=1).player(0)
    assert line.low > 0.85, f"{line.share:.3f}"
