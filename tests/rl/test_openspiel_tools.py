"""OpenSpiel's environment, observers and bots, through whole games."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, mcts, random_agent
from open_spiel.python.bots import uniform_random
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from tests import runs
from tests.rl.tables import TABLES

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.rl.openspiel import PREFIX

pytestmark = pytest.mark.slow


def load(game: str, players: int) -> Any:
    return pyspiel.load_game(f"{PREFIX}{game}(players={players})")


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("kind", rl_environment.ObservationType)
def test_its_environment_is_played_to_the_end(game: str, players: int, kind: rl_environment.ObservationType) -> None:
    """And what it says of the whole state goes into another one."""
    made, other = (
        rl_environment.Environment(load(game, players), observation_type=kind, include_full_state=True)
        for _ in range(2)
    )
    made.seed(players)
    actions = made.action_spec()["num_actions"]
    agents = [random_agent.RandomAgent(seat, actions) for seat in range(players)]
    step = made.reset()
    number = 0
    while not step.last():
        seat, seen = step.observations["current_player"], step.observations["info_state"]
        assert {len(one) for one in seen} == set(made.observation_spec()["info_state"])
        if number % 30 == 10:
            _, state = pyspiel.deserialize_game_and_state(step.observations["serialized_state"])
            assert str(state) == str(made.get_state)
            other.reset()
            other.set_state(made.get_state)
            assert other.get_state.serialize() == made.get_state.serialize() == state.serialize()
        step, number = made.step([agents[seat].step(step).action]), number + 1
    for agent in agents:
        agent.step(step)
    assert players == 1 or sum(step.rewards) == pytest.approx(0)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_its_observers_say_what_states_do(game: str, players: int) -> None:
    chance, made = random.Random(players), load(game, players)
    now, known = make_observation(made), make_observation(made, INFO_STATE_OBS_TYPE)
    state, number = made.new_initial_state(), 0
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
        number += 1
        if number % 17 and not state.is_terminal():
            continue
        for player in range(players):
            now.set_from(state, player)
            known.set_from(state, player)
            assert now.tensor.tolist() == state.observation_tensor(player)
            assert known.tensor.tolist() == state.information_state_tensor(player)
            assert np.concatenate(list(known.dict.values())).tolist() == known.tensor.tolist()
            assert now.string_from(state, player) == state.observation_string(player)
            assert known.string_from(state, player) == state.information_state_string(player)
            assert all(len(state.observation_text(player, language)) <= 2000 for language in LANGUAGES)


@pytest.mark.parametrize("game", [game.id for game in ziggurat.registered_games().values() if game.min_players == 1])
def test_alone_one_wins_or_loses(game: str) -> None:
    for seed in range(3):
        chance, state = random.Random(seed), load(game, 1).new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        assert state.returns() in ([1.0], [-1.0])


@runs.whole
@pytest.mark.parametrize(("game", "players"), [table for table in TABLES if table.values[1] > 1])
def test_its_bots_play_to_the_end(game: str, players: int) -> None:
    made, rng = load(game, players), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bots = [mcts.MCTSBot(made, 1.5, 2, evaluator, random_state=rng)]
    bots += [uniform_random.UniformRandomBot(seat, rng) for seat in range(1, players)]
    assert sum(evaluate_bots.evaluate_bots(made.new_initial_state(), bots, rng)) == pytest.approx(0)
