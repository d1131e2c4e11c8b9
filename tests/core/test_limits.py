"""A game that is larger than the house is refused when it is bound, and not found out by what it breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.example import GAME

from ziggurat.core import engine, limits
from ziggurat.core.actions import Space
from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.core.options import Option
from ziggurat.core.position import Position

MOST = GAME.max_players
HUGE = np.dtype([*((name, GAME.record[name]) for name in GAME.record.names or ()), ("more", np.int8, (2048,))])


def of_size(size: int) -> Space:
    space = Space("none")
    space.size = size
    return space


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"max_players": limits.SEATS + 1}, f"1 to {limits.SEATS} seats, not {GAME.min_players} to 8"),
        ({"min_players": 0}, "1 to 7 seats, not 0 to"),
        ({"min_players": MOST + 1}, f"not {MOST + 1} to {MOST}"),
        ({"space": of_size(limits.ACTIONS + 1)}, "1 to 4096 numbers of actions, not 4097"),
        ({"space": of_size(0)}, "not 0"),
        ({"record": HUGE}, "at most 2047 bytes"),
        ({"weight_names": tuple(map(str, range(33)))}, "at most 32 weights, not 33"),
        ({"options": (Option("o", ("a", "b"), "a", (1, 9)),)}, "option o is for 1 to 9 players, the game for"),
        ({"options": (Option("o", ("a", "b"), "c"),)}, "usually 'c', which is none of its choices"),
    ],
)
def test_a_game_that_does_not_fit_is_refused_when_it_is_bound(change: dict[str, Any], said: str) -> None:
    with pytest.raises(TypeError, match=f"{GAME.id}: .*{said}"):
        replace(GAME, **change)


def test_every_set_of_seats_and_every_number_of_actions_fits_what_look_returns() -> None:
    everybody = (1 << limits.SEATS) - 1
    seen = 3 << engine.ROWS_SHIFT | 1 << engine.CONCEALED_SHIFT | limits.LEGAL << engine.COUNT_SHIFT | everybody
    assert seen & engine.ACTORS_MASK == everybody
    assert seen >> engine.COUNT_SHIFT & engine.COUNT_MASK == limits.LEGAL
    assert (seen >> engine.CONCEALED_SHIFT & 1, seen >> engine.ROWS_SHIFT) == (1, 3)


def _with_option(players: tuple[int, int]) -> Game:
    return replace(GAME, options=(*GAME.options, Option("quick", ("no", "yes"), "no", players)))


def test_an_option_of_other_tables_may_stay_usual_and_not_be_chosen() -> None:
    low = GAME.min_players
    game = _with_option((low + 1, MOST))
    assert game.check_setup(low, {"quick": "no"})["quick"] == "no"
    assert game.check_setup(MOST, {"quick": "yes"})["quick"] == "yes"
    with pytest.raises(BadOption, match=f"option quick is for {low + 1} to {MOST} players, not for {low}"):
        Position.new(game, low, options={"quick": "yes"})
    with pytest.raises(BadOption, match=f"option quick is for {low} players, not for {MOST}"):
        Position.new(_with_option((low, low)), MOST, options={"quick": "yes"})
