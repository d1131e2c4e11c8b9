"""The rules as plain Python and compiled are the same rules."""

from __future__ import annotations

import random

import pytest
from tests.games.checked import checked_rules, play_checked
from tests.games.ginkgopolis.table import GAME, at_random, options_for

import ziggurat
from ziggurat.core.position import Position, generator
from ziggurat.core.runtime import Runtime
from ziggurat.testing import check_game
from ziggurat.testing.twin import Twin


@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.usefixtures("compiled")
def test_interpreted_and_compiled_games_end_in_the_same_position(players: int) -> None:
    for number in range(160):
        options = options_for(players)[number % len(options_for(players))]
        position = Position.new(GAME, players, seed=number, options=options)
        twin = Twin(GAME, players, options, GAME.components, number.to_bytes(32, "little"))
        chance = random.Random(number).random
        while mask := twin.actors():
            seats = [seat for seat in range(players) if mask >> seat & 1]
            seat = seats[int(chance() * len(seats))]
            legal = twin.legal(seat)
            action = legal[int(chance() * len(legal))]
            twin.play(seat, action)
            position.play(seat, action)
        assert position.finished
        assert position.to_bytes() == twin.to_bytes(), f"{players} players, seed {number}, {options}"


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


@pytest.fixture(scope="module")
def checked() -> Runtime:
    """The rules compiled so that every index is checked."""
    return checked_rules(GAME)


@pytest.mark.parametrize("players", range(1, 6))
def test_no_index_is_out_of_bounds(players: int, checked: Runtime) -> None:
    """Random and greedy play of whole games with every option, with every access to a field checked."""
    for options in options_for(players):
        play_checked(checked, players, options, 60)


def test_beliefs_stay_in_bounds(checked: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.core.position.runtime", lambda game: checked)
    rng = generator(3)
    for players in range(1, 6):
        position = ziggurat.new("ginkgopolis", players, seed=players, options=options_for(players)[1])
        for _ in at_random(position, players):
            for observer in (None, *range(players)):
                position.redeal(observer, rng)
