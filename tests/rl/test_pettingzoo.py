"""PettingZoo's own conformance tests, and what they do not look at."""

from __future__ import annotations

import copy
import pickle
from typing import Any, Literal

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper
from tests import runs
from tests.example import EXAMPLE, RANGE, SEATS
from tests.rl.tables import SMALL, SOME_SMALL, TABLES

import ziggurat
from ziggurat.core.errors import BadOption, IllegalAction, NotYourTurn, PositionError, UnknownGame
from ziggurat.core.registry import part
from ziggurat.rl import pettingzoo

pytestmark = pytest.mark.usefixtures("advice_counts")


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_its_tests_of_turns_pass(game: str, players: int) -> None:
    api_test(pettingzoo.env(game, players), num_cycles=60)
    api_test(pettingzoo.raw_env(game, players, observations="compact", rewards="points"), num_cycles=60)
    seed_test(lambda: pettingzoo.env(game, players), num_cycles=30)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_its_tests_of_simultaneous_play_pass(game: str, players: int) -> None:
    parallel_api_test(pettingzoo.parallel_env(game, players), num_cycles=400)
    parallel_seed_test(lambda: pettingzoo.parallel_env(game, players), num_cycles=30)


@pytest.mark.parametrize(("game", "players"), SOME_SMALL)
def test_its_tests_of_drawing_and_of_the_state_pass(
    game: str, players: int, capsys: pytest.CaptureFixture[str]
) -> None:
    render_test(lambda render_mode: pettingzoo.env(game, players, render_mode=render_mode))
    assert "player_1" in capsys.readouterr().out or not part(game, "terminal")  # as it is shown field by field
    state_test(pettingzoo.env(game, players), pettingzoo.parallel_env(game, players), num_cycles=10)


def test_with_masks_in_the_info_what_is_observed_is_a_plain_array() -> None:
    env = pettingzoo.env(EXAMPLE, SEATS, masks="info", observations="compact")
    env.reset(seed=1)
    seen, *_, info = env.last()
    assert seen.dtype == np.int16
    assert env.observation_space("player_0").contains(seen)
    position = env.games.position(0)
    assert np.flatnonzero(info["action_mask"]).tolist() == sorted(position.legal(position.actors[0]))


def play(env: Any, seed: int, illegal_at: int = -1) -> list[Any]:
    """A game at random, told as everything that whoever plays is told."""
    env.reset(seed=seed)
    rng, told = np.random.default_rng(seed), []
    for number, agent in enumerate(env.agent_iter()):
        seen, reward, termination, truncation, _ = env.last()
        told.append((agent, seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward, termination))
        action = None
        if not (termination or truncation):
            wanted = 0 if number == illegal_at else 1
            action = int(rng.choice(np.flatnonzero(seen["action_mask"] == wanted)))
        env.step(action)
    return told


def test_an_illegal_action_ends_a_game_as_by_its_wrapper() -> None:
    for at in (-1, 0, 7):
        wrapped = TerminateIllegalWrapper(pettingzoo.raw_env(EXAMPLE, SEATS), illegal_reward=-1)
        ours, theirs = play(pettingzoo.env(EXAMPLE, SEATS), 3, at), play(wrapped, 3, at)
        # Of an agent that is not asked any more nobody needs a mask.
        assert [(one[0], one[1], one[3], one[4]) for one in ours] == [
            (one[0], one[1], one[3], one[4]) for one in theirs
        ]
        assert len(ours) > SEATS
        if at >= 0:
            assert sorted(one[3] for one in ours if one[4]) == [-1.0] + [0.0] * (SEATS - 1)


@pytest.mark.parametrize(("game", "players"), SOME_SMALL)
def test_a_game_goes_as_the_position_does(game: str, players: int) -> None:
    env = pettingzoo.env(game, players, observations="compact")
    env.reset(seed=5)
    position = env.games.position(0)
    rng = np.random.default_rng(5)
    for agent in env.agent_iter():
        seen, reward, termination, _, info = env.last()
        if termination:
            seat = env.possible_agents.index(agent)
            won = position.winners
            share = (seat in won) / len(won)
            assert reward == pytest.approx((players * share - 1) / (players - 1))
            assert (info["score"], info["share"]) == (position.scores[seat], share)
            assert not info["action_mask"].any()
            env.step(None)
            continue
        seat = position.actors[0]
        assert agent == f"player_{seat}"
        legal = sorted(position.legal(seat))
        assert np.flatnonzero(seen["action_mask"]).tolist() == legal
        for other in env.agents:
            if other != agent:
                assert not env.observe(other)["action_mask"].any()
                assert not env.infos[other]["action_mask"].any()
        action = int(rng.choice(legal))
        position.play(seat, action)
        env.step(action)
    assert position.finished
    assert env.agents == []


def test_what_was_observed_does_not_change() -> None:
    env = pettingzoo.env(EXAMPLE, SEATS)
    env.reset(seed=1)
    told = []
    for agent in env.agent_iter(12):
        seen, *_, info = env.last()
        told.append((seen, seen["observation"].copy(), info["action_mask"], info["action_mask"].copy()))
        env.step(env.action_space(agent).sample(info["action_mask"]))
    for seen, before, mask, mask_before in told:
        assert (seen["observation"] == before).all()
        assert (mask == mask_before).all()


def several() -> tuple[str, int]:
    """A game in which several decide at once."""
    for game, players in SMALL:
        env = pettingzoo.parallel_env(game, players)
        env.reset(seed=1)
        rng = np.random.default_rng(1)
        while env.agents:
            masks = {agent: seen["action_mask"] for agent, seen in env._observe()[0].items()}
            if sum(not mask[env.wait] for mask in masks.values()) > 1:
                return game, players
            env.step({agent: int(rng.choice(np.flatnonzero(mask))) for agent, mask in masks.items()})
    # Where all games are there, some have several decide at once.
    assert len(ziggurat.registered_games()) < 4, "in no game did several decide at once"
    pytest.skip("everybody decides alone")


@runs.whole
def test_who_decides_at_once_acts_at_once() -> None:
    game, players = several()
    env = pettingzoo.parallel_env(game, players, observations="compact")
    seen, _ = env.reset(seed=1)
    position = env.games.position(0)
    rng, together = np.random.default_rng(1), 0
    rewards: dict[str, float] = {}
    infos: dict[str, Any] = {}
    while env.agents:
        acting = [agent for agent, one in seen.items() if not one["action_mask"][env.wait]]
        assert acting == [f"player_{seat}" for seat in position.actors]
        together += len(acting) > 1
        actions = {agent: int(rng.choice(np.flatnonzero(seen[agent]["action_mask"]))) for agent in acting}
        seen, rewards, _, _, infos = env.step(actions)  # who only waits may be left out
        for seat, action in zip(position.actors, actions.values(), strict=True):
            position.play(seat, action)
        assert env.games.position(0).to_bytes() == position.to_bytes()
    assert together > 3
    assert [info["score"] for info in infos.values()] == position.scores
    assert [seat for seat, reward in enumerate(rewards.values()) if reward > 0] == position.winners


def test_a_game_begins_from_a_position() -> None:
    position = ziggurat.new(EXAMPLE, SEATS, seed=4)
    for _ in range(5):
        position.play(position.actors[0], position.legal(position.actors[0])[0])
    env, parallel = pettingzoo.env(EXAMPLE, SEATS), pettingzoo.parallel_env(EXAMPLE, SEATS)
    env.reset(options={"position": position})
    assert env.games.position(0).to_bytes() == position.to_bytes()
    assert env.agent_selection == f"player_{position.actors[0]}"
    _, infos = parallel.reset(options={"position": position})
    assert infos[env.agent_selection]["action_mask"][: parallel.wait].sum() == len(position.legal(position.actors[0]))
    with pytest.raises(PositionError):
        env.reset(options={"position": ziggurat.new(EXAMPLE, SEATS + 1, seed=1)})
    while position.actors:
        position.play(position.actors[0], position.legal(position.actors[0])[0])
    with pytest.raises(BadOption, match="somebody must decide"):
        env.reset(options={"position": position})


def test_it_says_what_it_was_made_with() -> None:
    env = pettingzoo.env(EXAMPLE, SEATS)
    game = ziggurat.game(EXAMPLE)
    assert env.metadata["versions"] == ziggurat.versions(game)
    assert str(env) == f"{EXAMPLE}_v{game.version}"


@pytest.mark.parametrize("again", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_goes_on_by_itself(again: Any) -> None:
    env = pettingzoo.env(EXAMPLE, SEATS, rewards="points")
    play(env, 1)
    env.reset(seed=2)
    for agent in env.agent_iter(20):
        env.step(env.action_space(agent).sample(env.observe(agent)["action_mask"]))
    twin, before = again(env), env.games.position(0).to_bytes()
    told = []
    for one in (twin, env):
        rng, rewards = np.random.default_rng(3), []
        for _ in one.agent_iter():
            seen, reward, over, *_ = one.last()
            rewards.append((reward, seen["observation"].tobytes()))
            one.step(None if over else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        told.append(rewards)
        if one is twin:
            assert env.games.position(0).to_bytes() == before
    assert told[0] == told[1]
    for one in (twin, env):
        one.reset()  # the next deal is the same, too
    assert twin.games.position(0).to_bytes() == env.games.position(0).to_bytes()
    parallel = pettingzoo.parallel_env(EXAMPLE, SEATS)
    parallel.reset(seed=1)
    assert again(parallel).games.position(0).to_bytes() == parallel.games.position(0).to_bytes()


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(BadOption, match=f"{RANGE}, not 99"):
        pettingzoo.env(EXAMPLE, 99)
    with pytest.raises(UnknownGame):
        pettingzoo.env("chess")
    with pytest.raises(BadOption, match="has no option 'colour'"):
        pettingzoo.env(EXAMPLE, SEATS, {"colour": "red"})
    with pytest.raises(BadOption, match="observations are one of"):
        pettingzoo.env(EXAMPLE, SEATS, observations="pixels")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="in the observation or in the info"):
        pettingzoo.env(EXAMPLE, SEATS, masks="nowhere")  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="render_mode is one of human, ansi, rgb_array or None, not 'svg'"):
        pettingzoo.parallel_env(EXAMPLE, SEATS, render_mode="svg")  # type: ignore[arg-type]
    env = pettingzoo.raw_env(EXAMPLE, SEATS)
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        env.step(0)
    env.reset(seed=1)
    before = env.games.position(0).to_bytes()
    mask = env.infos[env.agent_selection]["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    for wrong in (illegal, -1, len(mask), 10**30, None, 0.5):
        with pytest.raises(IllegalAction):
            env.step(wrong)
    with pytest.raises(IllegalAction, match=f"^{env.agent_selection}: .* is not possible"):
        env.step(illegal)
    assert env.games.position(0).to_bytes() == before
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(NotYourTurn, match=r"the agents are player_0, .*, not 'player_9'"):
            ask("player_9")
    guarded = pettingzoo.env(EXAMPLE, SEATS)
    guarded.reset(seed=1)
    for wrong in (-1, len(mask), None, 0.5):
        with pytest.raises(IllegalAction):
            guarded.step(wrong)


def test_what_is_wrong_with_actions_of_several_is_said() -> None:
    env = pettingzoo.parallel_env(EXAMPLE, SEATS)
    _, infos = env.reset(seed=1)
    first = next(agent for agent, info in infos.items() if not info["action_mask"][env.wait])
    with pytest.raises(IllegalAction, match=f"{first} must decide, and has no action"):
        env.step({})
    with pytest.raises(IllegalAction, match=f"from 0 to {env.wait} \\(wait\\), not {env.wait + 1}"):
        env.step({first: env.wait + 1})
    with pytest.raises(NotYourTurn, match="not 'player_9'"):
        env.step({"player_9": 0})
    _, rewards, over, _, infos = env.step({first: env.wait})
    assert rewards == {agent: -1.0 if agent == first else 0.0 for agent in rewards}
    assert all(over.values())
    assert [info.get("illegal") for info in infos.values()].count(None) == len(infos) - 1
    assert infos[first]["illegal"] == env.wait
    assert not any(info["action_mask"].any() for info in infos.values())
    assert env.step({}) == ({}, {}, {}, {}, {})


@pytest.mark.parametrize("masks", ["observation", "info"])
def test_what_is_done_to_a_mask_changes_nothing(masks: Literal["observation", "info"]) -> None:
    """Wrappers and networks write into what they are given."""
    env = pettingzoo.env(EXAMPLE, masks=masks)
    env.reset(seed=1)
    for value in (0, 1):
        seen, *_, info = env.last()
        for mask in [info["action_mask"], *([seen["action_mask"]] if masks == "observation" else [])]:
            legal = np.flatnonzero(mask)
            mask[:] = value
        if value == 0:  # nothing is legal, it says; the game knows better
            env.step(legal[0])
            assert not any(env.terminations.values())
    agent = env.agent_selection
    env.step(next(action for action in range(env.action_space(agent).n) if action not in legal))
    assert env.rewards[agent] == -1
