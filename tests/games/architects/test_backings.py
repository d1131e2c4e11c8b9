"""What the checker of all games says of this one; and the quick bot plays better than chance."""

from __future__ import annotations

import pytest

from ziggurat.lab.simulate import simulate
from ziggurat.testing import check_game

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("compiled")
def test_the_checker_that_every_game_must_pass() -> None:
    check_game("architects", games=1, seed=100, closely=120)


@pytest.mark.usefixtures("compiled")
def test_greedy_wins_85_of_100_games_against_random() -> None:
    line = simulate("architects", ["greedy", "random"], games=4000, seed=1).player(0)
    assert line.low > 0.85, f"{line.share:.3f}"
