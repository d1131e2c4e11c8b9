"""States that OpenSpiel keeps as text: written again they are the same, and they go on as they would have."""

from __future__ import annotations

import pickle
import random
from collections.abc import Mapping
from typing import Any

import msgspec
import pyspiel
import pytest
from tests import runs
from tests.example import EXAMPLE, SEATS
from tests.example import TABLES as EVERY_TABLE
from tests.rl.tables import SOME

import ziggurat
from ziggurat.bots import Belief
from ziggurat.core.errors import BadOption, PositionError
from ziggurat.rl.agents import openspiel_state
from ziggurat.rl.openspiel import PREFIX, ZigguratState
from ziggurat.rl.parameters import parameters

pytestmark = pytest.mark.slow

MOST = [(game, max(players for one, players in EVERY_TABLE if one == game)) for game in ziggurat.registered_games()]
TABLES = runs.each(
    [(game, players, seed) for game, players in EVERY_TABLE for seed in (0, 1, 2)],
    often=[(game, players, 1) for game, players in MOST],
)


def some_options(game: ziggurat.Game, players: int, seed: int) -> Mapping[str, str]:
    """The usual ones, all others, or some at random, as far as they go together."""
    chance, chosen = random.Random(seed), dict[str, str]()
    for option in game.options if seed else ():
        for choice in (
            [option.choices[-1]] if seed == 1 and option.choices else [chance.choice(option.choices or ("",))]
        ):
            try:
                game.check_setup(players, {**chosen, option.name: choice})
            except BadOption:
                continue
            chosen[option.name] = choice
    return chosen


def load(game: str, players: int, options: Mapping[str, str] | None = None) -> Any:
    return pyspiel.load_game(f"{PREFIX}{game}", parameters(ziggurat.game(game), players, options or {}))


def again(state: ZigguratState) -> ZigguratState:
    """What is read of a state is written as it was."""
    game, text = state.get_game(), state.serialize()
    found: ZigguratState = game.deserialize_state(text)
    assert found.serialize() == text
    return found


def played_by(state: ZigguratState) -> list[tuple[int, int]]:
    return [(played.player, played.action) for played in state.full_history()]


def assert_goes_on(one: ZigguratState, other: ZigguratState) -> None:
    assert str(one) == str(other)
    assert one.history() == other.history()
    assert played_by(one) == played_by(other)
    assert one.move_number() == other.move_number()
    assert one.current_player() == other.current_player()
    assert one.legal_actions() == other.legal_actions()
    assert one.returns() == other.returns()
    if one.is_chance_node():
        assert one.chance_outcomes() == other.chance_outcomes()
    if (position := one.position) is not None:
        kept = other.position
        assert kept is not None
        assert (kept, kept.history, kept.seed) == (position, position.history, position.seed)
        assert kept.events == position.events


def assert_looks_the_same(one: ZigguratState, other: ZigguratState) -> None:
    for player in range(one.num_players()):
        assert one.observation_string(player) == other.observation_string(player)
        assert one.information_state_string(player) == other.information_state_string(player)
        assert one.information_state_tensor(player) == other.information_state_tensor(player)
        assert one.to_observation_struct(player).to_json() == other.to_observation_struct(player).to_json()
    assert one.to_json() == other.to_json()


@pytest.mark.parametrize(("game", "players", "seed"), TABLES)
def test_every_state_of_a_game_is_written_as_it_was_read(game: str, players: int, seed: int) -> None:
    """The state after each move is read from the one before it; another is read once, early, and goes on to the end."""
    chance = random.Random(seed)
    made = load(game, players, some_options(ziggurat.game(game), players, seed))
    state = made.new_initial_state()
    twin = early = again(state)
    number = 0
    while not state.is_terminal():
        assert_goes_on(state, twin)
        action = chance.choice(state.legal_actions())
        if number % 40 == 20:  # whether or not anybody has asked what is known
            assert_looks_the_same(state, twin)
        if number == 30:
            early = again(state)
        for one in {id(one): one for one in (state, twin, early)}.values():
            one.apply_action(action)
        assert twin.serialize() == state.serialize()
        twin, number = again(state), number + 1
    for one in (twin, early, pickle.loads(pickle.dumps(state)), state.clone()):
        assert_goes_on(state, one)
        assert_looks_the_same(state, one)
        assert one.serialize() == state.serialize()
    assert pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(made, state))[1].serialize() == (
        state.serialize()
    )


@pytest.mark.parametrize("game", SOME)
def test_a_state_that_was_drawn_is_written_as_it_was_read(game: str) -> None:
    chance, uniform = random.Random(5), pyspiel.UniformProbabilitySampler(0.0, 1.0)
    state = load(game, max(2, ziggurat.game(game).min_players)).new_initial_state()
    number = 0
    while not state.is_terminal():
        if number in (12, 13, 31):
            state = state.resample_from_infostate(state.current_player(), uniform)
        if number % 5 == 2:
            twin = again(state)
            assert_goes_on(state, twin)
            assert_looks_the_same(state, twin)
            state = twin
        state.apply_action(chance.choice(state.legal_actions()))
        number += 1
    assert_goes_on(state, again(state))


def test_what_a_seat_believes_is_written_as_it_was_read() -> None:
    chance, position = random.Random(6), ziggurat.new(EXAMPLE, SEATS, seed=6)
    for _ in range(20):
        position.play(position.actors[0], chance.choice(position.legal(position.actors[0])))
    state = openspiel_state(Belief(position, position.actors[0], ziggurat.generator(1)))
    while not state.is_terminal():
        twin = again(state)
        assert_goes_on(state, twin)
        if state.move_number() % 25 == 0:
            assert_looks_the_same(state, twin)
        state.apply_action(chance.choice(state.legal_actions()))
    assert_goes_on(state, again(state))


def test_a_state_of_other_rules_is_refused() -> None:
    state = load(EXAMPLE, SEATS).new_initial_state()
    made, (text,) = state._table.__reduce__()
    (_, digest), *rest = msgspec.json.decode(text)
    with pytest.raises(PositionError, match=rf"this state was kept by version 0 .* of {EXAMPLE}, this is "):
        made(msgspec.json.encode([("0", digest), *rest]))
