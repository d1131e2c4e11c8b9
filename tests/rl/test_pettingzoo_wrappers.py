"""Whole games under PettingZoo's own wrappers and conversions, with masks in the observation and in the info."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.utils import conversions
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    BaseParallelWrapper,
    BaseWrapper,
    CaptureStdoutWrapper,
    MultiEpisodeEnv,
    MultiEpisodeParallelEnv,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)
from tests import runs
from tests.example import EXAMPLE, LARGEST, SEATS
from tests.example import TABLES as EVERY_TABLE

import ziggurat
from ziggurat.rl import pettingzoo

pytestmark = pytest.mark.usefixtures("advice_counts")

FOUR = runs.each(EVERY_TABLE, often=LARGEST)
TABLES = runs.each(EVERY_TABLE, often=[table for table in LARGEST if table[0] == EXAMPLE])
MASKS = pytest.mark.parametrize("masks", ["observation", "info"])
Masks = Literal["observation", "info"]


def guarded(env: Any) -> Any:
    return TerminateIllegalWrapper(env, illegal_reward=-1)


def all_of_them(env: Any) -> Any:
    """As the environments of PettingZoo's classic games are wrapped."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(guarded(env)))


WRAPPED: dict[str, Callable[..., Any]] = {
    "bare": pettingzoo.env,
    "base": lambda *table, **chosen: BaseWrapper(pettingzoo.env(*table, **chosen)),
    "illegal": lambda *table, **chosen: guarded(pettingzoo.raw_env(*table, **chosen)),
    "bounds": lambda *table, **chosen: AssertOutOfBoundsWrapper(pettingzoo.env(*table, **chosen)),
    "order": lambda *table, **chosen: OrderEnforcingWrapper(pettingzoo.env(*table, **chosen)),
    "all": lambda *table, **chosen: all_of_them(pettingzoo.raw_env(*table, **chosen)),
    "all around the guarded": lambda *table, **chosen: all_of_them(pettingzoo.env(*table, **chosen)),
}
CONVERTED: dict[str, Callable[..., Any]] = {
    "converted": lambda *table, **chosen: conversions.parallel_to_aec(pettingzoo.parallel_env(*table, **chosen)),
    "converted and all": lambda *table, **chosen: all_of_them(
        conversions.parallel_to_aec(BaseParallelWrapper(pettingzoo.parallel_env(*table, **chosen)))
    ),
}


def mask_of(seen: Any, info: dict[str, Any]) -> np.ndarray:
    """Where an agent that knows PettingZoo's conventions looks for it."""
    mask: np.ndarray = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
    return mask


def play(env: Any, seed: int, illegal_at: int = -1, games: int = 1) -> list[Any]:
    """A game in turns at random, to its end: who was asked and what each was told."""
    env.reset(seed=seed)
    agents, rng, told = list(env.agents), np.random.default_rng(seed), []
    for number, agent in enumerate(env.agent_iter()):
        seen, reward, termination, truncation, info = env.last()
        assert env.observation_space(agent).contains(seen)
        over, mask = termination or truncation, mask_of(seen, info)
        assert info["action_mask"].shape == mask.shape == (env.action_space(agent).n,)
        action = None if over else int(rng.choice(np.flatnonzero(mask == (number != illegal_at))))
        array = seen["observation"] if isinstance(seen, dict) else seen
        told.append((agent, array.tobytes(), reward, over, action, info.get("score"), info.get("share")))
        env.step(action)
    assert env.agents == []
    assert sorted(one[0] for one in told if one[3]) == sorted(agents * games)
    return told


def play_together(env: Any, seed: int) -> tuple[dict[str, float], dict[str, Any]]:
    """A game at once at random, to its end: the rewards and infos of the last step."""
    seen, infos = env.reset(seed=seed)
    rng, rewards, steps = np.random.default_rng(seed), dict[str, float](), 0
    while env.agents:
        assert all(env.observation_space(agent).contains(one) for agent, one in seen.items())
        actions = {a: int(rng.choice(np.flatnonzero(mask_of(seen[a], infos[a])))) for a in env.agents}
        seen, rewards, terminations, truncations, infos = env.step(actions)
        steps += 1
    assert all(terminations[agent] or truncations[agent] for agent in terminations)
    return rewards, infos


def assert_shared(rewards: Any) -> None:
    """What one wins the others lose; alone one wins or loses."""
    gained = list(rewards)
    assert sum(gained) == pytest.approx(0, abs=1e-6) if len(gained) > 1 else abs(gained[0]) == 1


@MASKS
@pytest.mark.parametrize(("game", "players"), FOUR)
def test_whole_games_go_as_without_its_wrappers(game: str, players: int, masks: Masks) -> None:
    expected = play(pettingzoo.env(game, players, masks=masks), 3)
    for name, make in WRAPPED.items():
        env = make(game, players, masks=masks)
        assert play(env, 3) == expected, name
        assert play(env, 3) == expected, f"{name}, begun again"


@MASKS
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_whole_games_go_on_in_its_conversions(game: str, players: int, masks: Masks) -> None:
    rewards, infos = play_together(pettingzoo.parallel_env(game, players, masks=masks), 4)
    assert_shared(rewards.values())
    assert all({"score", "share", "action_mask"} <= set(info) for info in infos.values())
    base = BaseParallelWrapper(pettingzoo.parallel_env(game, players, masks=masks))
    assert play_together(base, 4)[0] == rewards
    converted = [play(make(game, players, masks=masks), 4) for make in CONVERTED.values()]
    assert converted[0] == converted[1]
    assert_shared(one[2] for one in converted[0] if one[3])
    parallel = pettingzoo.parallel_env(game, players, masks=masks)
    assert conversions.aec_to_parallel(conversions.parallel_to_aec(parallel)) is parallel
    with pytest.raises(AssertionError, match="is not generally safe"):
        conversions.aec_to_parallel(pettingzoo.env(game, players, masks=masks))


@MASKS
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_a_game_in_turns_is_played_as_one_at_once(game: str, players: int, masks: Masks) -> None:
    """By PettingZoo's conversion of games in turns, in which only the action of the active agent is looked at."""
    expected = play(pettingzoo.env(game, players, masks=masks), 5)
    env = conversions.turn_based_aec_to_parallel(pettingzoo.env(game, players, masks=masks))
    seen, infos = env.reset(seed=5)
    rng, actions, rewards = np.random.default_rng(5), [], dict[str, float]()
    active = env.unwrapped.agent_selection
    while env.agents:
        actions.append(int(rng.choice(np.flatnonzero(mask_of(seen[active], infos[active])))))
        seen, rewards, *_, infos = env.step({active: actions[-1]})
        active = infos[active].get("active_agent", active)
    assert actions == [one[4] for one in expected if one[4] is not None]
    assert list(rewards.values()) == [one[2] for one in expected if one[3]]


@MASKS
@pytest.mark.parametrize(("game", "players"), FOUR)
def test_an_illegal_action_ends_a_game_under_its_wrappers(game: str, players: int, masks: Masks) -> None:
    """Its agents leave one by one, and the next game is played to its end."""
    # Around what was at once PettingZoo's TerminateIllegalWrapper fails with any game.
    for name, make in {**WRAPPED, "converted": CONVERTED["converted"]}.items():
        env = make(game, players, masks=masks)
        for at in (0, 9):
            told = play(env, 6, at)
            last = [one[2] for one in told if one[3]]
            assert sorted(last) == [-1.0] + [0.0] * (players - 1), name
            assert not any(one[5] for one in told), name
        assert all(one[6] is not None for one in play(env, 6) if one[3]), name


@MASKS
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_several_games_in_a_row(game: str, players: int, masks: Masks) -> None:
    env = MultiEpisodeEnv(pettingzoo.env(game, players, masks=masks), num_episodes=2)
    first, second = play(pettingzoo.env(game, players, masks=masks), 7), play(env, 7, games=2)
    assert second[: len(first)] == first
    assert sum(one[3] for one in second) == 2 * players
    parallel = MultiEpisodeParallelEnv(pettingzoo.parallel_env(game, players, masks=masks), num_episodes=2)
    rewards, _ = play_together(parallel, 7)
    assert_shared(rewards.values())


@MASKS
@pytest.mark.parametrize(("game", "players"), TABLES)
def test_its_own_tests_see_the_end_of_games(game: str, players: int, masks: Masks) -> None:
    most = ziggurat.game(game).longest(players)
    api_test(all_of_them(pettingzoo.raw_env(game, players, masks=masks)), num_cycles=most)
    if masks == "observation":  # without, PettingZoo's test draws actions that are not legal
        parallel_api_test(pettingzoo.parallel_env(game, players), num_cycles=most)
    seed_test(lambda: all_of_them(pettingzoo.raw_env(game, players, masks=masks)), num_cycles=most)


@runs.whole
@MASKS
@pytest.mark.parametrize(("game", "players"), LARGEST)
def test_its_own_test_of_turns_takes_the_conversion(game: str, players: int, masks: Masks) -> None:
    for make in CONVERTED.values():
        api_test(make(game, players, masks=masks), num_cycles=ziggurat.game(game).longest(players))


@MASKS
def test_what_is_printed_is_captured(masks: Masks, capsys: pytest.CaptureFixture[str]) -> None:
    position, chance = ziggurat.new(EXAMPLE, SEATS, seed=1), np.random.default_rng(1)
    moments = []
    while position.actors:
        moments.append(position.copy())
        position.play(position.actors[0], int(chance.choice(position.legal(position.actors[0]))))
    env = CaptureStdoutWrapper(pettingzoo.env(EXAMPLE, SEATS, masks=masks, render_mode="human"))
    plain: Any = pettingzoo.env(EXAMPLE, SEATS, masks=masks, render_mode="ansi")
    assert (env.render_mode, env.metadata["render_modes"].count("ansi")) == ("ansi", 2)
    for one in (env, plain):
        one.reset(options={"position": moments[-2]})
    drawn = []
    for agent in env.agent_iter():
        seen, _, over, _, info = env.last()
        drawn.append(env.render())
        assert drawn[-1].rstrip() == plain.render().rstrip()
        action = None if over else int(mask_of(seen, info).argmax())
        for one in (env, plain):
            assert one.agent_selection == agent
            one.step(action)
    assert len(drawn) > SEATS
    capsys.readouterr()
