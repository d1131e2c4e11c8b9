"""Whole games under Gymnasium's own wrappers, one by one, many at once, and in processes of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import wrappers
from gymnasium.vector import AsyncVectorEnv, AutoresetMode
from gymnasium.wrappers import vector as vector_wrappers
from tests import runs
from tests.example import EXAMPLE
from tests.rl.tables import TABLES

import ziggurat.rl

pytestmark = pytest.mark.slow


def name(game: str) -> str:
    """By which a process finds it that has imported nothing."""
    return f"{ziggurat.rl.__name__}:ziggurat/{game.title()}-v0"


WRAPPED: dict[str, Callable[[Callable[..., Any]], Any]] = {
    "RecordEpisodeStatistics": lambda make: wrappers.RecordEpisodeStatistics(make()),
    "FlattenObservation": lambda make: wrappers.FlattenObservation(make()),
    "NormalizeObservation": lambda make: wrappers.NormalizeObservation(make()),
    "NormalizeReward": lambda make: wrappers.NormalizeReward(make(rewards="points")),
    "ClipReward": lambda make: wrappers.ClipReward(make(rewards="points"), 0, 1),
    "FrameStackObservation": lambda make: wrappers.FrameStackObservation(make(), 3),
    "DelayObservation": lambda make: wrappers.DelayObservation(make(), 2),
    "DtypeObservation": lambda make: wrappers.DtypeObservation(make(observations="compact"), np.float32),
    "RescaleObservation": lambda make: wrappers.RescaleObservation(make(), np.float32(0), np.float32(1)),
    "TimeAwareObservation": lambda make: wrappers.TimeAwareObservation(wrappers.TimeLimit(make(), 10**4), flatten=True),
    "RenderCollection": lambda make: wrappers.RenderCollection(make(render_mode="ansi"), pop_frames=False),
    "Autoreset": lambda make: wrappers.Autoreset(make()),
}


def play(env: Any, seed: int | None) -> tuple[list[int], list[float], dict[str, Any]]:
    """A game at random: what was played, what it brought, and the last info."""
    seen, info = env.reset(seed=seed)
    chance, actions, rewards, over = np.random.default_rng(1), list[int](), list[float](), False
    while not over:
        assert env.observation_space.contains(seen)
        actions.append(int(chance.choice(np.flatnonzero(info["action_mask"]))))
        seen, reward, over, cut, info = env.step(actions[-1])
        rewards.append(float(reward))
        assert not cut
    return actions, rewards, info


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("wrapper", [one for one in WRAPPED if one != "RenderCollection"])
def test_whole_games_go_as_without_its_wrappers(game: str, players: int, wrapper: str) -> None:
    def make(**chosen: Any) -> Any:
        return gymnasium.make(name(game), players=players, opponents="random", **chosen)

    env, bare = WRAPPED[wrapper](make), make()
    for seed in (3, None):
        actions, rewards, info = play(env, seed)
        expected, gained, told = play(bare, seed)
        assert actions == expected
        assert (info["share"], info["scores"].tolist()) == (told["share"], told["scores"].tolist())
        assert rewards == gained or wrapper in ("NormalizeReward", "ClipReward")
        if wrapper == "RecordEpisodeStatistics":
            assert (info["episode"]["l"], info["episode"]["r"]) == (len(actions), pytest.approx(sum(gained)))
    if wrapper == "Autoreset":  # the step after the end begins the next one, whatever is played in it
        assert env.step(0)[1:4] == (0, False, False)


def test_what_is_drawn_is_collected() -> None:
    env = WRAPPED["RenderCollection"](lambda **chosen: gymnasium.make(name(EXAMPLE), players=2, **chosen))
    _, info = env.reset(seed=1)
    for _ in range(3):
        *_, info = env.step(int(info["action_mask"].argmax()))
    assert len(env.render()) == 4


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_points_add_up_to_the_score(game: str, players: int) -> None:
    """But for those with which a seat begins."""
    env = gymnasium.make(name(game), players=players, opponents="random", rewards="points")
    for seed in range(3):
        env.reset(seed=seed)
        begun = env.unwrapped.games.position(0).scores
        _, rewards, info = play(env, seed)
        seat = info["seat"]
        assert sum(rewards) == info["scores"][seat] - begun[seat]


MANY: dict[str, Callable[[Any], Any]] = {
    "RecordEpisodeStatistics": vector_wrappers.RecordEpisodeStatistics,
    "FlattenObservation": vector_wrappers.FlattenObservation,
    "DtypeObservation": lambda envs: vector_wrappers.DtypeObservation(envs, np.float64),
    "ClipReward": lambda envs: vector_wrappers.ClipReward(envs, 0, 1),
    "NormalizeReward": vector_wrappers.NormalizeReward,
    "DictInfoToList": vector_wrappers.DictInfoToList,
}


@pytest.mark.parametrize(("game", "players"), TABLES)
@pytest.mark.parametrize("mode", [None, "sync"])
def test_many_whole_games_go_on_under_its_wrappers(game: str, players: int, mode: str | None) -> None:
    def make() -> Any:
        return gymnasium.make_vec(
            name(game), num_envs=3, vectorization_mode=mode, players=players, opponents="random", observations="compact"
        )

    for wrapper, wrap in MANY.items():
        if mode is None and "Observation" in wrapper:
            with pytest.raises(ValueError, match="Expected autoreset_mode to be NEXT_STEP"):
                wrap(make())
            continue
        envs = wrap(make())
        seen, infos = envs.reset(seed=1)
        chance, ended = np.random.default_rng(1), 0
        while ended < 4:
            assert envs.observation_space.contains(seen), wrapper
            masks = [one["action_mask"] for one in infos] if isinstance(infos, list) else infos["action_mask"]
            # Without compiled games Gymnasium begins the next one in a step of its own, in which nothing is played.
            actions = np.array([chance.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks])
            seen, _, over, cut, infos = envs.step(actions)
            assert not cut.any()
            ended += int(over.sum())


@runs.whole
@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_games_are_played_in_processes_of_their_own(mode: AutoresetMode) -> None:
    """Which are spawned, and import nothing by themselves."""
    makes = [lambda: gymnasium.make(name(EXAMPLE), players=2, opponents="random")] * 2
    envs = AsyncVectorEnv(makes, context="spawn", autoreset_mode=mode)
    try:
        seen, infos = envs.reset(seed=1)
        ended = 0
        while ended < 3:
            assert envs.observation_space.contains(seen)
            seen, _, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
            ended += int(over.sum())
    finally:
        envs.close()


def test_pictures_are_of_one_size_and_of_the_learners_seat() -> None:
    pytest.importorskip("resvg_py")
    from ziggurat.core.picture import rgb
    from ziggurat.rl import pettingzoo

    env = gymnasium.make(name(EXAMPLE), players=2, opponents="greedy", seat=1, render_mode="rgb_array")
    env.reset(seed=1)
    together = pettingzoo.parallel_env(EXAMPLE, 2, render_mode="rgb_array")
    together.reset(seed=1)
    turns = pettingzoo.env(EXAMPLE, 2, render_mode="rgb_array")
    turns.reset(seed=1)
    asked = turns.possible_agents.index(turns.agent_selection)
    for one, seat in ((env.unwrapped, 1), (turns, asked), (together, None)):
        drawn: Any = one.render()
        assert (drawn.shape, drawn.dtype) == ((960, 1280, 3), np.uint8)
        assert (drawn == rgb(one.games.position(0), seat, names=turns.possible_agents)).all()


def test_without_copies_the_next_step_overwrites_what_was_given() -> None:
    for copies in (True, False):
        envs = gymnasium.make_vec(name(EXAMPLE), num_envs=4, players=2, opponents="random", copy=copies)
        seen, infos = envs.reset(seed=1)
        before, mask = seen.copy(), infos["action_mask"].copy()
        envs.step(infos["action_mask"].argmax(axis=1))
        assert (seen == before).all() == copies
        assert (infos["action_mask"] == mask).all() == copies
