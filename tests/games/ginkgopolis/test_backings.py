"""What the checker of all games says of this one."""

from __future__ import annotations

import pytest

from ziggurat.lab.simulate import simulate
from ziggurat.testing import check_game

pytestmark = pytest.mark.slow


@pytest.mark.usefixtures("compiled")
def test_the_checker_that_every_game_must_pass() -> None:
    check_game("ginkgopolis", games=5, seed=100, closely=60)


@pytest.mark.usefixtures("compiled")
def test_greedy_beats_random_in_nine_games_of_ten() -> None:
    line = simulate("ginkgopolis", ["greedy", "random"], games=600, seed=5).player(0)
    assert line.low >= 0.9, f"{line.share:.3f}"
