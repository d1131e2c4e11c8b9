"""The rules as plain Python and compiled are the same rules."""

from __future__ import annotations

import random

import pytest
from tests.games.checked import checked_rules, play_checked

import ziggurat
from ziggurat.core.position import Position, generator
from ziggurat.core.random import RNG
from ziggurat.core.runtime import Runtime
from ziggurat.testing import check_game
from ziggurat.testing.twin import Twin

GAME = ziggurat.game("alhambra")
OPTIONS = [
    {},
    {"refill_order": "money_first"},
    {"start_player": "lowest_total"},
    {"start_player": "youngest"},
]


@pytest.mark.parametrize("players", range(2, 7))
def test_interpreted_and_compiled_games_end_in_the_same_position(players: int, compiled: Runtime) -> None:
    for number in range(400):
        options = OPTIONS[number % len(OPTIONS)]
        position = Position.new(GAME, players, seed=number, options=options)
        twin = Twin(GAME, players, options, GAME.components, number.to_bytes(32, "little"))
        chance = random.Random(number).random
        while legal := twin.legal(seat := twin.record.turn):
            action = legal[int(chance() * len(legal))]
            twin.play(seat, action)
            position.play(seat, action)
        assert position.finished
        assert position.to_bytes() == twin.to_bytes(), f"{players} players, seed {number}, {options}"


@pytest.mark.usefixtures("compiled")
def test_the_checker_that_every_game_must_pass() -> None:
    check_game("alhambra", games=10, seed=100, closely=40, options=[{"start_player": "youngest", "age_order": ""}])


@pytest.mark.usefixtures("interpreted")
def test_the_checker_on_the_interpreted_rules_alone() -> None:
    check_game("alhambra", games=1, seed=7, compiled=False, closely=400)


def test_a_game_begun_interpreted_goes_on_compiled(compiled: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    late = Runtime(GAME)
    monkeypatch.setattr("ziggurat.core.position.runtime", lambda game: late)
    begun = ziggurat.new("alhambra", 3, seed=5)
    monkeypatch.undo()
    whole = ziggurat.new("alhambra", 3, seed=5)
    for number in range(40):
        if number == 17:  # the compiler is done
            late.kernels, late.ready = compiled.kernels, True
        action = whole.legal(whole.actors[0])[-1]
        for position in (begun, whole):
            position.play(position.actors[0], action)
        assert begun.to_bytes() == whole.to_bytes()
        assert begun.legal(begun.actors[0]) == whole.legal(whole.actors[0])
    assert begun.events == whole.events
    begun.copy().play_all(begun.actors[0], [begun.legal(begun.actors[0])[0]])


@pytest.fixture(scope="module")
def checked() -> Runtime:
    """The rules compiled so that every index is checked."""
    return checked_rules(GAME)


def test_no_index_is_out_of_bounds(checked: Runtime) -> None:
    """Random and greedy play of whole games, with every access to a field checked."""
    for players in range(2, 7):
        play_checked(checked, players, {}, 20)


def test_beliefs_stay_in_bounds(checked: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ziggurat.core.position.runtime", lambda game: checked)
    rng = generator(3)
    for players in range(2, 7):
        position = ziggurat.new("alhambra", players, seed=players)
        chance = random.Random(players).randrange
        while not position.finished:
            seat = position.actors[0]
            legal = position.legal(seat)
            position.play(seat, legal[chance(len(legal))])
            for observer in (None, *range(players)):
                position.redeal(observer, rng)
    assert rng.dtype == RNG
