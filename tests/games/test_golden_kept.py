"""A golden game is not written anew as if nothing had happened; see tests/games/golden.py."""

from __future__ import annotations

import pytest
from tests.games.golden import other_columns, other_rules

GAME = """chess, rules 1, 2 players, seed 11, variant=usual
  dealt 1: cards 3

1 take 3   [of 4]
  taken 1: card 3

seat 1: 3 points
winners: 1
observed by columns 1a2b: 3c4d
"""


@pytest.mark.parametrize(
    "after",
    [
        GAME.replace("[of 4]", "[of 5]"),
        GAME.replace("1 take 3", "1 take 4"),
        GAME.replace("3 points", "4 points"),
        GAME.replace("winners: 1", "winners: 2"),
    ],
    ids=["legal actions", "a move", "points", "winners"],
)
def test_another_game_needs_another_version(after: str) -> None:
    assert other_rules(GAME, after)
    assert not other_rules(GAME, after.replace("rules 1", "rules 2"))


def test_events_may_tell_more_and_a_first_line_alone_is_filled() -> None:
    assert not other_rules(GAME, GAME.replace("taken 1: card 3", "taken 1: card 3; from deck"))
    assert not other_rules(GAME.splitlines()[0], GAME)


def test_other_numbers_need_other_columns() -> None:
    other = GAME.replace("3c4d", "5e6f")
    assert other_columns(GAME, other)
    assert not other_rules(GAME, other)
    assert not other_columns(GAME, other.replace("1a2b", "7a8b"))
    assert not other_columns(GAME, GAME)
    assert not other_columns(GAME.splitlines()[0], GAME)
