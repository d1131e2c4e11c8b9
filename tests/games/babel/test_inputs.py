"""What a network is told of a position and of an action."""

from __future__ import annotations

import pytest
from tests.games.inputs import check_inputs

import ziggurat

GAME = ziggurat.game("babel")


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize(
    "options", [{}, {"two_colour_discs": "yes", "strict_units": "yes"}, {"action_cards": "no"}], ids=str
)
def test_columns_are_as_declared_and_tell_no_secret(players: int, options: dict[str, str]) -> None:
    check_inputs(GAME, players, options, games=2, seed=players)
