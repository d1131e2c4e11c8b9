"""What a network is told of Architects: nothing hidden, within bounds. What each column says is in `columns.txt`."""

from __future__ import annotations

import pytest
from tests import runs
from tests.games.features import played
from tests.games.inputs import check_inputs, told_alike

import ziggurat
from ziggurat.bots import draw

GAME = ziggurat.game("architects")
# Halicarnassus hides what it looks at, effects may be declined, wonders are drafted: what else is decided, and hidden.
UNUSUAL = {
    "wonders": "drafted",
    "wonder_effect_optional": "yes",
    "extra_card_optional": "no",
    "coin_policy": "missing_only",
    "economy_counts_for_forced_build": "no",
    "token_usable_same_turn": "no",
    "battle_before_game_end": "no",
    "halicarnassus_reveal_public": "no",
    "military_token_supply": "limited_28",
}


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each(range(2, 8), often=[3]))
def test_columns_keep_their_bounds_and_tell_nothing_hidden(players: int) -> None:
    check_inputs(GAME, players, {}, games=2, seed=players)
    check_inputs(GAME, players, UNUSUAL, games=2, seed=players)


@pytest.mark.usefixtures("compiled")
@pytest.mark.parametrize("players", runs.each([2, 5], often=[5]))
def test_every_two_actions_are_told_apart(players: int) -> None:
    for position, rng in played(GAME, players, games=10):
        if position.actors and draw(rng, 6) == 0:
            assert told_alike(position, position.actors[0]) == []
