"""Agents that others have made play as bots of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests import runs
from tests.example import EXAMPLE, GAME, SEATS

import ziggurat
from ziggurat.bots import Belief
from ziggurat.lab.tournament import tournament
from ziggurat.rl.agents import openspiel_agent, openspiel_state, policy_agent, stable_baselines3_agent

pytestmark = pytest.mark.slow


def failures(agent: Any) -> list[str]:
    """Why an agent lost games by failing, in a round against chance."""
    standings = tournament(EXAMPLE, [agent, "random"], players=SEATS, games=2 * SEATS, seed=1, seconds=60)
    return [one.reason for rank in standings.ladder for one in rank.failures]


def test_a_policy_is_given_what_its_environment_gives() -> None:
    seen = []

    def policy(observation: np.ndarray, mask: np.ndarray) -> int:
        seen.append((observation.dtype, observation.shape, mask.dtype, mask.shape))
        return int(np.flatnonzero(mask)[-1])

    pettingzoo = pytest.importorskip("ziggurat.rl.pettingzoo")
    for form in ("compact", "one_hot"):
        space = pettingzoo.env(EXAMPLE, SEATS, observations=form).observation_space("player_0")
        assert failures(policy_agent(policy, form)) == []
        inner, mask = space["observation"], space["action_mask"]
        assert set(seen) == {(inner.dtype, inner.shape, mask.dtype, mask.shape)}
        seen.clear()


def test_a_policy_that_plays_what_is_not_legal_has_failed() -> None:
    assert all("which is not legal" in why for why in failures(policy_agent(lambda seen, mask: int(np.argmin(mask)))))


def test_a_bot_of_openspiel_plays() -> None:
    mcts = pytest.importorskip("open_spiel.python.algorithms.mcts")

    def make(game: Any, seat: int, rng: np.random.RandomState) -> Any:
        return mcts.MCTSBot(game, 1.4, 3, mcts.RandomRolloutEvaluator(1, rng), random_state=rng)

    assert failures(openspiel_agent(make)) == []


def test_a_bot_of_openspiel_sees_no_true_card() -> None:
    """Its state is what another true position that looks the same would have given."""
    pytest.importorskip("pyspiel")
    rng = ziggurat.generator(1)
    position = ziggurat.new(EXAMPLE, players=SEATS, seed=3)
    for _ in range(20):
        seat = position.actors[0]
        legal = position.legal(seat)
        state = openspiel_state(Belief(position, seat, ziggurat.generator(7)))
        assert state.current_player() == seat
        assert sorted(state.legal_actions()) == sorted(legal)
        other = openspiel_state(Belief(position.redeal(seat, rng), seat, ziggurat.generator(8)))
        assert state.position.view(seat) == other.position.view(seat) == position.view(seat)
        twin = state.clone()
        twin.apply_action(legal[0])
        assert state.position.view(seat) == position.view(seat)
        position.play(seat, legal[0])


@runs.whole
def test_a_model_of_stable_baselines3_plays(tmp_path: Path) -> None:
    contrib = pytest.importorskip("sb3_contrib")
    from ziggurat.rl.stable_baselines3 import vec_env

    env = vec_env(EXAMPLE, SEATS, n=2, seed=1)
    contrib.MaskablePPO("MlpPolicy", env, n_steps=4, batch_size=8, device="cpu", seed=1).save(tmp_path / "model.zip")
    agent = stable_baselines3_agent(str(tmp_path / "model.zip"))
    assert failures(agent) == []
    belief = Belief(ziggurat.new(GAME, players=SEATS, seed=1), 0, ziggurat.generator(1))
    legal = ziggurat.new(GAME, players=SEATS, seed=1).legal(0)
    if legal:
        assert agent().choose(belief, legal, ziggurat.generator(1)) in legal
