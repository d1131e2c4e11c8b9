"""The rules as plain Python and compiled are the same rules; and the quick bot plays better than chance."""

from __future__ import annotations

import pytest
from tests.games.backings import play_twice, play_whole, redeal_always

import ziggurat
from ziggurat.core.runtime import Runtime
from ziggurat.core.seed import generator
from ziggurat.lab.simulate import simulate
from ziggurat.testing import check_game, option_sets
from ziggurat.testing.noticed import told
from ziggurat.testing.table import CheckedGame

pytestmark = pytest.mark.slow

GAME = ziggurat.game("babel")
OPTIONS = list(option_sets(GAME))
GAMES = 1000
PLAYERS = (3, 4, 5)


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.usefixtures("compiled")
def test_interpreted_and_compiled_games_end_in_the_same_position(players: int) -> None:
    for number in range(GAMES // len(PLAYERS) + 1):
        play_twice(GAME, players, number, OPTIONS[number % len(OPTIONS)], last=0.6)


@pytest.mark.usefixtures("compiled")
def test_the_checker_that_every_game_must_pass() -> None:
    check_game("babel", games=1, seed=100, closely=200)


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize(("players", "options"), [(3, {}), (5, OPTIONS[-1])], ids=["default", "last of each option"])
def test_the_checker_on_the_interpreted_rules_alone(players: int, options: dict[str, str]) -> None:
    """One game each: all sets of options take too long without the compiler."""
    CheckedGame(GAME, options, players, 7, closely=300).play_through()


@pytest.mark.usefixtures("interpreted")
def test_in_which_order_a_seat_drew_its_own_cards_is_no_secret() -> None:
    """Whoever passes draws at once and again at the end of the turn: two worlds that differ in the order of these
    cards lead to the same view, and the seat has seen which came first."""
    position = ziggurat.new("babel", 4, seed=11, options={"action_cards": "no"})
    seat, chance, found = position.actors[0], generator(11), 0
    while found < 5:
        one, other = position.copy(), position.redeal(seat, chance)
        events = []
        for world in (one, other):
            before = len(world.events_for(seat))
            world.play_all(seat, world.read_move("pass"))
            events.append(world.events_for(seat)[before:])
        if one.view(seat) == other.view(seat) and events[0] != events[1]:
            assert told(events[0]) == told(events[1])
            found += 1


@pytest.mark.parametrize("number", range(len(OPTIONS)))
def test_no_index_is_out_of_bounds(compiled: Runtime, number: int) -> None:
    """Random and greedy play of whole games."""
    for players in PLAYERS:
        play_whole(compiled, players, OPTIONS[number], 12)


@pytest.mark.usefixtures("compiled")
def test_beliefs_stay_in_bounds() -> None:
    for players in PLAYERS:
        redeal_always(GAME, players, {"two_colour_discs": "yes"})


@pytest.mark.usefixtures("compiled")
def test_greedy_wins_60_of_100_games_against_three_random_players() -> None:
    line = simulate("babel", ["greedy", "random", "random", "random"], games=1500, seed=1).player(0)
    assert line.low > 0.6, f"{line.share:.3f}, at least {line.low:.3f}"
