"""What the page's tests of questions to the board begin from is what the games tell today."""

from __future__ import annotations

import pytest
from tests.games.asked import file, played, text, told

import ziggurat

GAMES = [name for name, game in ziggurat.registered_games().items() if game.text("en", "ask")]
"""Those that have words for such questions."""


@pytest.mark.parametrize("game", GAMES)
def test_recorded_moments_are_those_of_today(game: str) -> None:
    assert file(game).read_text(encoding="utf-8") == text(game), "python -m tests.games.asked writes them anew"


@pytest.mark.parametrize("game", GAMES)
def test_what_is_answered_from_does_not_depend_on_what_is_hidden(game: str) -> None:
    rng = ziggurat.generator(5)
    for position in played(game, ziggurat.game(game).max_players):
        for seat in (0, None):
            assert told(position.redeal(seat, rng), seat)["view"] == told(position, seat)["view"]
