"""Gymnasium's own checks, and what they do not look at."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from tests.example import EXAMPLE, RANGE, SEATS
from tests.rl.tables import SMALL, SOME_SMALL, TABLES

import ziggurat
from ziggurat.core.errors import BadOption, IllegalAction, UnknownBot
from ziggurat.rl.gymnasium import GameEnv, GameVectorEnv

pytestmark = pytest.mark.slow


def make(game: str = EXAMPLE, **chosen: Any) -> Any:
    return gymnasium.make(f"ziggurat/{game.title()}-v0", **chosen)


@pytest.mark.parametrize(("game", "players"), TABLES)
def test_its_check_passes(game: str, players: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(game, players=players, opponents="random").unwrapped, skip_render_check=True)
    if (game, players) in SMALL:
        check_env(make(game, players=players, observations="compact", rewards="points", render_mode="ansi").unwrapped)


def play(env: Any, seed: int | None = None) -> tuple[float, dict[str, Any], int]:
    """A game at random: the reward at its end, its last info, and the learner's decisions."""
    _, info = env.reset(seed=seed)
    if seed is not None:
        env.action_space.seed(seed)
    over, decisions, total = False, 0, 0.0
    while not over:
        assert (env.unwrapped.action_masks() == info["action_mask"]).all()
        _, reward, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
        assert not cut
        total, decisions = total + reward, decisions + 1
    return total, info, decisions


@pytest.mark.parametrize("opponents", ["random", "greedy", "mason"])
def test_bots_play_the_other_seats(opponents: str) -> None:
    """Whether they play in compiled code or not."""
    env = make(players=SEATS, opponents=opponents)
    seats = []
    for _ in range(SEATS + 1):
        reward, info, decisions = play(env)
        seats.append(info["seat"])
        assert reward == pytest.approx((SEATS * info["share"] - 1) / (SEATS - 1))
        assert info["share"] in (1.0, 0.0) or (info["scores"] == info["scores"].max()).sum() > 1
        assert decisions < info["length"]
    assert seats == [*range(SEATS), 0]


def test_the_heuristic_beats_chance_from_every_seat() -> None:
    lost = sum(play(make(players=2, opponents="greedy", seat=k % 2), k)[0] < 0 for k in range(10))
    assert lost >= 9


def test_compiled_bots_and_others_play_alike() -> None:
    """Of a seat's own decisions each hears the same: its points add up to its score."""
    for opponents in ("greedy", ["greedy", *["mason"] * (SEATS - 2)]):
        env = make(players=SEATS, opponents=opponents, rewards="points", observations="compact")
        total, info, _ = play(env, 3)
        assert total == info["scores"][info["seat"]] - 0


@pytest.mark.parametrize("opponents", ["greedy", "mason"])
def test_it_is_told_what_its_seat_sees_to_the_end(opponents: str) -> None:
    env = make(players=SEATS, opponents=opponents, seat=SEATS - 1, observations="compact")
    seen, info = env.reset(seed=2)
    over, games = False, env.unwrapped.games
    while not over:
        assert (seen == games.position(0).observe(SEATS - 1)).all()
        seen, _, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert (seen == games.position(0).observe(SEATS - 1)).all()
    assert not info["action_mask"].any()


def test_a_seat_can_be_kept() -> None:
    env = make(players=SEATS, seat=1)
    assert [env.reset()[1]["seat"] for _ in range(3)] == [1, 1, 1]


@pytest.mark.parametrize("opponents", ["greedy", "mason"])
def test_a_seed_says_everything(opponents: str) -> None:
    one, other = (make(players=SEATS, opponents=opponents) for _ in range(2))
    play(other, 9)
    for env in (one, other):
        play(env, 4)
    assert [play(one)[1]["scores"].tolist() for _ in range(2)] == [play(other)[1]["scores"].tolist() for _ in range(2)]


@pytest.mark.parametrize("opponents", ["greedy", "mason"])
def test_a_copy_goes_on_by_itself(opponents: str) -> None:
    env = make(players=SEATS, opponents=opponents).unwrapped
    play(env, 1)
    _, info = env.reset()
    for _ in range(5):
        _, _, _, _, info = env.step(int(info["action_mask"].argmax()))
    scores = []
    for one in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env):
        over, told = False, info
        while not over:
            _, _, over, _, told = one.step(int(told["action_mask"].argmax()))
        scores.append(told["scores"].tolist())
    assert scores[0] == scores[1] == scores[2]
    envs = GameVectorEnv(3, EXAMPLE, 2, "random")
    _, infos = envs.reset(seed=1)
    _, told = copy.deepcopy(envs).step(infos["action_mask"].argmax(axis=1))[3:]
    assert (told["action_mask"] == envs.step(infos["action_mask"].argmax(axis=1))[4]["action_mask"]).all()


def test_an_illegal_action_loses() -> None:
    env = make(players=SEATS)
    _, info = env.reset(seed=1)
    illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
    _, reward, over, cut, info = env.step(illegal)
    assert (reward, over, cut, info["illegal"]) == (-1.0, True, False, illegal)
    with pytest.raises(IllegalAction, match=r"reset\(\) begins the next one"):
        env.unwrapped.step(illegal)
    for wrong in (-1, 10**6, 0.5):
        with pytest.raises(IllegalAction, match="a number from 0 to"):
            env.unwrapped.step(wrong)


def test_a_game_begins_from_a_position() -> None:
    position = ziggurat.new(EXAMPLE, SEATS, seed=4)
    env = make(players=SEATS, seat=position.actors[0], opponents="mason")
    _, info = env.reset(options={"position": position})
    assert np.flatnonzero(info["action_mask"]).tolist() == sorted(position.legal(position.actors[0]))
    while position.actors:
        position.play(position.actors[0], position.legal(position.actors[0])[0])
    with pytest.raises(BadOption, match="the learner still has to decide"):
        env.reset(options={"position": position})


@pytest.mark.parametrize(("game", "players"), SOME_SMALL)
def test_many_games_are_played_at_once(game: str, players: int) -> None:
    n = 40
    envs = gymnasium.make_vec(f"ziggurat/{game.title()}-v0", num_envs=n, players=players, opponents="random")
    assert isinstance(envs, GameVectorEnv)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    seen, infos = envs.reset(seed=1)
    envs.action_space.seed(1)
    ended, won, kept = 0, 0.0, []
    while ended < 60:
        assert envs.observation_space.contains(seen)
        kept.append((seen, seen.copy()))
        assert (envs.action_masks() == infos["action_mask"]).all()
        actions = envs.action_space.sample(tuple(infos["action_mask"]))
        seen, rewards, over, cut, infos = envs.step(actions)
        assert not cut.any()
        assert ("final_info" in infos) == over.any()
        if over.any():
            final = infos["final_info"]
            assert (infos["_final_info"] == over).all()
            expected = (players * final["share"] - 1) / (players - 1)
            assert rewards[over] == pytest.approx(expected[over])
            won += final["share"].sum()
            ended += int(over.sum())
        assert not rewards[~over].any()
    assert all((one == copy).all() for one, copy in kept[:20])
    assert 0 < won < ended


def test_a_seed_says_everything_of_many_games() -> None:
    envs = gymnasium.make_vec(f"ziggurat/{EXAMPLE.title()}-v0", num_envs=5, players=SEATS, opponents="random")
    told = []
    for _ in range(2):
        seen, infos = envs.reset(seed=3)
        for _ in range(200):
            seen, *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
        told.append((seen, infos["seat"]))
    assert (told[0][0] == told[1][0]).all()
    assert (told[0][1] == told[1][1]).all()


def test_its_wrappers_of_many_games_find_what_they_need() -> None:
    envs = GameVectorEnv(20, EXAMPLE, SEATS, "random")
    wrapped = RecordEpisodeStatistics(envs)
    _, infos = wrapped.reset(seed=1)
    lengths, episodes = np.zeros(20, dtype=int), 0
    while episodes < 25:
        _, rewards, over, _, infos = wrapped.step(infos["action_mask"].argmax(axis=1))
        lengths += 1
        if over.any():
            assert (infos["episode"]["r"][over] == rewards[over]).all()
            assert (infos["episode"]["l"][over] == lengths[over]).all()
            lengths[over], episodes = 0, episodes + int(over.sum())


class First:
    """A bot of one's own, as a class."""

    def choose(self, belief: Any, legal: Any, rng: Any) -> int:
        chosen: int = legal[0]
        return chosen


def test_a_bot_of_ones_own_plays_too() -> None:
    reward, info, _ = play(make(players=SEATS, opponents=[First, *["greedy"] * (SEATS - 2)]), 1)
    assert reward == pytest.approx((SEATS * info["share"] - 1) / (SEATS - 1))


def test_with_other_bots_many_games_are_played_one_after_the_other() -> None:
    envs = gymnasium.make_vec(f"ziggurat/{EXAMPLE.title()}-v0", num_envs=2, players=SEATS, opponents="mason")
    assert isinstance(envs, SyncVectorEnv)
    _, infos = envs.reset(seed=1)
    over = np.zeros(2, dtype=bool)
    while not over.any():
        _, _, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert infos["final_info"]["share"].shape == (2,)
    assert infos["action_mask"].any(axis=1).all()


def test_what_is_wrong_is_said() -> None:
    with pytest.raises(BadOption, match=f"{RANGE}, not 99"):
        GameEnv(EXAMPLE, 99)
    for players in (-1, 2.0, "2"):
        with pytest.raises(BadOption, match=f"{RANGE}, not"):
            GameEnv(EXAMPLE, players)  # type: ignore[arg-type]
    with pytest.raises(BadOption, match="2 players leave 1 to opponents, not 2"):
        GameEnv(EXAMPLE, 2, ["greedy", "greedy"])
    with pytest.raises(BadOption, match="seats are 0 to 1, not 2"):
        GameEnv(EXAMPLE, 2, seat=2)
    with pytest.raises(UnknownBot, match="there is no bot 'nobody'"):
        GameEnv(EXAMPLE, 2, "nobody")
    with pytest.raises(BadOption, match="render_mode is one of human, ansi, rgb_array or None, not 'svg'"):
        GameEnv(EXAMPLE, 2, render_mode="svg")  # type: ignore[arg-type]
    envs = GameVectorEnv(3, EXAMPLE, 2, "random")
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = np.flatnonzero(infos["action_mask"][2] == 0)[0]
    with pytest.raises(IllegalAction, match=r"^game 2: "):
        envs.step(actions)


@pytest.mark.parametrize("opponents", ["greedy", "builder"])
def test_seeds_in_a_row_measure_every_seat(opponents: str) -> None:
    env = GameEnv(EXAMPLE, players=3, opponents=opponents)
    assert [env.reset(seed=seed)[1]["seat"] for seed in (0, 1, 2, 3, 10)] == [0, 1, 2, 0, 1]
    assert env.reset()[1]["seat"] == 2
