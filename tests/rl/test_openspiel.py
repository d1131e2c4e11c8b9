"""The games as OpenSpiel's, held to its own tests and played by its own algorithms."""

from __future__ import annotations

import lzma
import pickle
import re
import unittest
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl import flags
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import evaluate_bots, ismcts, mcts, random_agent, tabular_qlearner
from open_spiel.python.bots import uniform_random
from tests import runs
from tests.example import EXAMPLE, GAME
from tests.rl.tables import GAMES, SOME

import ziggurat
from ziggurat import vector
from ziggurat.core.errors import BadOption, IllegalAction
from ziggurat.core.features import one_hot_size
from ziggurat.rl.openspiel import DIGITS, PREFIX, ZigguratState

pytestmark = pytest.mark.slow

ALONE = tuple(game for game in GAMES if ziggurat.game(game).min_players == 1)
FOLDER = Path(__file__).parents[1] / "games"


def load(game: str, parameters: str = "") -> Any:
    return pyspiel.load_game(f"{PREFIX}{game}({parameters})")


def dealt(game: Any, seed: int) -> ZigguratState:
    """A state in which the first decision is due."""
    state: ZigguratState = game.new_initial_state()
    rng = np.random.default_rng(seed)
    while state.is_chance_node():
        state.apply_action(int(rng.integers(len(state.chance_outcomes()))))
    return state


def played(game: Any, seed: int) -> list[ZigguratState]:
    """All states of a random game, from the first decision to the end."""
    state, rng = dealt(game, seed), np.random.default_rng(seed)
    states = [state]
    while not state.is_terminal():
        state.information_state_string(0)  # those after it begin with what is known here
        state = state.child(int(rng.choice(state.legal_actions())))
        states.append(state)
    return states


# --- OpenSpiel's own tests ---


@pytest.mark.parametrize("game", SOME)
def test_openspiel_simulates_it(game: str) -> None:
    pyspiel.random_sim_test(load(game), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", ALONE)
def test_openspiel_simulates_a_game_for_one(game: str) -> None:
    pyspiel.random_sim_test(load(game, "players=1"), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("game", SOME)
def test_openspiel_keeps_and_reads_it(game: str) -> None:
    from open_spiel.python.tests import games_sim_test  # which reads SciPy: a second in every process that reads tests

    most = ziggurat.game(game).max_players
    games_sim_test.GamesSimTest().sim_game(load(game, f"players={most}"))


@pytest.mark.parametrize("game", SOME)
def test_openspiel_finds_its_interface_kept(game: str) -> None:
    from open_spiel.integration_tests import api_test  # takes two seconds, for this alone

    case = type("Case", (api_test.EnforceAPIOnPartialTreeBase,), {"game": load(game), "game_name": game})
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    assert result.testsRun >= 5
    assert result.errors + result.failures == []


@pytest.mark.parametrize("game", runs.each([game for game in GAMES if ziggurat.game(game).text("en")], often=[EXAMPLE]))
def test_a_playthrough_plays_again(
    game: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows everything that OpenSpiel asks of a state; ``--update-golden`` writes it anew, with the same moves."""
    from open_spiel.python.algorithms import generate_playthrough  # and this

    flags.FLAGS.mark_as_parsed()
    # The numbers of NumPy take most of the time otherwise.
    monkeypatch.setattr(generate_playthrough, "round", lambda value, digits: round(float(value), digits), raising=False)
    kept, plain = FOLDER / game / "openspiel.txt.xz", tmp_path / "openspiel.txt"
    if not kept.exists():
        plain.write_text(generate_playthrough.playthrough(f"{PREFIX}{game}", [], seed=1), encoding="utf-8")
    else:
        plain.write_bytes(lzma.decompress(kept.read_bytes()))
    before, after = generate_playthrough.replay(plain)
    if request.config.getoption("--update-golden"):
        kept.write_bytes(lzma.compress(after.encode()))
        return
    assert kept.exists()
    later = observed_size(after) - observed_size(before)
    for was, now in zip(lines(before, game, 0), lines(after, game, later), strict=True):
        assert was == now


def observed_size(playthrough: str) -> int:
    found = re.search(r"^ObservationTensorSize\(\) = (\d+)$", playthrough, re.MULTILINE)
    assert found
    return int(found[1])


def lines(playthrough: str, game: str, later: int) -> list[str]:
    """A playthrough without so many places of options that came later, all usual, so that only sizes tell of them."""
    features = ziggurat.game(game).features(max(2, ziggurat.game(game).min_players))
    [options] = [number for number, feature in enumerate(features) if feature.name == "options"]
    end = one_hot_size(features[: options + 1])
    found = []
    for line in playthrough.splitlines():
        if re.match(r"GameType\.parameter_spec|GetParameters|(Observation|InformationState)Tensor(Shape|Size)", line):
            continue
        if tensor := re.fullmatch(
            r"(\w+Tensor\(\d\)(?:\.observation)?)(?:: ([◯◉]+)|: zeros\((\d+)\)| = \[(.*)\])", line
        ):
            told = list(tensor[2] or "◯" * int(tensor[3] or 0)) or tensor[4].split(", ")
            assert set(told[end - later : end]) <= {"◯", "0.0"}
            line = f"{tensor[1]}: {' '.join(told[: end - later] + told[end:])}"
        found.append(line)
    return found


# --- What a player knows ---


@pytest.mark.parametrize("game", SOME)
def test_states_drawn_from_what_a_player_knows_look_the_same_to_it(game: str) -> None:
    """As OpenSpiel's ResampleInfostateTest has it, which its games in Python cannot be given to."""
    uniform = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    others = 0
    for state in played(load(game), seed=5)[:-1:7]:
        for player in range(state.num_players()):
            other = state.resample_from_infostate(player, uniform)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            assert other.legal_actions(player) == state.legal_actions(player)
            others += str(other) != str(state)
    assert others


def test_a_tensor_is_what_many_games_at_once_show() -> None:
    games = vector.make(EXAMPLE, 2, n=1, observations="one_hot")
    for state in played(load(EXAMPLE, "players=2"), seed=5)[:-1:20]:
        assert state.position
        games.put(0, state.position)
        shown = games.observations[0].tolist()
        assert shown == state.observation_tensor() == state.information_state_tensor()[: len(shown)]


@pytest.mark.parametrize("game", SOME)
def test_a_player_forgets_nothing(game: str) -> None:
    """What it knew at a decision, and what it decided, is how all that it knows later begins."""
    states = played(load(game), seed=6)
    for player in range(states[0].num_players()):
        known = [state.information_state_string(player) for state in states]
        tensors = [tuple(state.information_state_tensor(player)) for state in states]
        assert len(set(known)) == len(set(tensors)) == len(set(zip(known, tensors, strict=True)))
        decisions = [at for at, state in enumerate(states) if state.current_player() == player]
        for now, later in pairwise([*decisions, len(states) - 1]):
            action = states[now].action_to_string(player, int(states[later].history()[DIGITS + now]))
            assert known[later].startswith(f"{known[now]}\np{player} plays {action}\n")


def test_nobody_is_told_what_others_choose_in_secret() -> None:
    """Not even that they did: from the number of steps a card that lies face down could be guessed."""
    secrets = 0
    for game in GAMES:
        for state, after in pairwise(played(load(game), seed=7)):
            actor = state.current_player()
            assert after.position
            _, action, secret = after.position.history[-1]
            secrets += secret
            line = f"p{actor} plays {state.action_to_string(actor, action)}"
            for listener in range(state.num_players()):
                before, now = (one.information_state_string(listener).splitlines() for one in (state, after))
                told = now.count(line) - before.count(line)
                assert told == (listener == actor or not secret)
    assert secrets


def test_what_a_seat_is_told_alone_is_told_to_nobody_else() -> None:
    alone = 0
    for game in GAMES:
        *_, last = played(load(game), seed=10)
        told = ziggurat.new(game, last.num_players(), seed=last.deal)
        for action in last.history()[DIGITS:]:
            told.play(told.actors[0], int(action))
        for listener in range(last.num_players()):
            heard = last.information_state_string(listener)
            for event in told.events:
                if event.private is True:
                    assert (f"\n{event.type} p{event.seat} " in heard) == (event.seat == listener)
                    alone += 1
    assert alone


def test_before_the_deal_there_is_nothing_to_see() -> None:
    state = load(EXAMPLE).new_initial_state()
    assert state.information_state_string(0) == state.observation_string(0) == ""
    assert not any(state.information_state_tensor(0) + state.observation_tensor(0))


# --- States ---


@pytest.mark.parametrize("game", SOME)
def test_a_history_tells_the_whole_game(game: str) -> None:
    *_, last = played(load(game), seed=8)
    again = load(game).new_initial_state()
    for action in last.history():
        again.apply_action(action)
    assert str(again) == str(last)
    assert again.information_state_string(0) == last.information_state_string(0)


@pytest.mark.parametrize("game", SOME)
def test_the_deal_is_a_seed(game: str) -> None:
    state = load(game).new_initial_state()
    for digit in (0, 0, 0, 0, 0, 1, 0, 15):
        state.apply_action(digit)
    position = ziggurat.new(game, state.num_players(), seed=0x10F)
    assert state.position.to_bytes() == position.to_bytes()
    assert state.legal_actions() == sorted(position.legal(state.current_player()))


def test_a_state_that_was_drawn_can_be_kept() -> None:
    state = played(load(EXAMPLE), seed=9)[20]
    drawn = state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    drawn.apply_action(drawn.legal_actions()[0])
    kept = pickle.loads(pickle.dumps(drawn))
    assert str(kept) == str(drawn) == str(drawn.clone())
    for player in range(drawn.num_players()):
        assert kept.information_state_string(player) == drawn.information_state_string(player)


def test_one_wins_what_the_others_lose() -> None:
    *before, last = played(load(EXAMPLE, f"players={GAME.max_players}"), seed=1)
    others = GAME.max_players - 1
    assert last.position
    assert last.position.winners == [last.returns().index(1.0)]
    assert sorted(last.returns()) == [-1 / others] * others + [1.0]
    assert before[-1].returns() == [0.0] * GAME.max_players
    assert (last.get_game().min_utility(), last.get_game().max_utility()) == (-1 / others, 1.0)


# --- Bad input ---


def test_parameters_that_there_are_not() -> None:
    with pytest.raises(BadOption, match=f"not {GAME.max_players + 1}"):
        load(EXAMPLE, f"players={GAME.max_players + 1}")
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter 'plays'"):
        load(EXAMPLE, "plays=2")
    option = next(option for option in GAME.options if option.choices)
    with pytest.raises(BadOption, match=f"option {option.name} is one of {option.choices[0]}"):
        load(EXAMPLE, f"{option.name}=nonsense")
    game = load(EXAMPLE, f"{option.name}={option.choices[-1]}")
    assert game.get_parameters()[option.name] == option.choices[-1]
    assert str(pickle.loads(pickle.dumps(game))) == str(game)


def test_actions_that_are_not_legal() -> None:
    state = dealt(load(EXAMPLE), seed=1)
    before = str(state)
    illegal = (set(range(GAME.actions)) - set(state.legal_actions())).pop()
    for action in (illegal, GAME.actions, -7):
        with pytest.raises(IllegalAction, match="is not possible"):
            state.apply_action(action)
    assert (str(state), len(state.history())) == (before, DIGITS)
    with pytest.raises(ValueError, match=f"actions are 0 to {GAME.actions - 1}, not {GAME.actions}"):
        state.action_to_string(0, GAME.actions)
    with pytest.raises(ValueError, match="a digit of the deal is 0 to 15, not 16"):
        load(EXAMPLE).new_initial_state().apply_action(16)


# --- OpenSpiel's algorithms ---


def test_bots_are_evaluated() -> None:
    game = load(EXAMPLE)
    bots = [uniform_random.UniformRandomBot(seat, np.random.RandomState(seat)) for seat in range(game.num_players())]
    returns = evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))
    assert sum(returns) == pytest.approx(0)


def test_tree_searches_decide() -> None:
    game, rng = load(EXAMPLE), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    state = dealt(game, seed=2)
    assert mcts.MCTSBot(game, 1.5, 10, evaluator, random_state=rng).step(state) in state.legal_actions()
    searcher = ismcts.ISMCTSBot(game, evaluator, 1.5, 10, random_state=rng)
    for _ in range(6):
        state.apply_action(searcher.step(state))
    assert len(state.history()) == DIGITS + 6


def test_a_learner_learns_in_openspiels_environment() -> None:
    environment = rl_environment.Environment(load(EXAMPLE), observation_type=rl_environment.ObservationType.OBSERVATION)
    environment.seed(1)
    actions = environment.action_spec()["num_actions"]
    learner = tabular_qlearner.QLearner(0, actions)
    agents = [learner, *(random_agent.RandomAgent(seat, actions) for seat in range(1, environment.num_players))]
    for _ in range(20):  # a game may end in a draw, of which nothing is learned
        step = environment.reset()
        while not step.last():
            step = environment.step([agents[step.current_player()].step(step).action])
        for agent in agents:
            agent.step(step)
        assert step.rewards[0] in (-1, 0, 1)
    assert {value for values in learner._q_values.values() for value in values.values()} - {0}
