"""Opponents by mixture and by checkpoint pool, policies as bots, and evaluation from every chair."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from tests import runs
from tests.example import EXAMPLE, GAME
from tests.rl.tables import SOME

import ziggurat
from ziggurat.core.errors import BadOption, IllegalAction, UnknownBot
from ziggurat.rl.evaluation import evaluate
from ziggurat.rl.gymnasium import GameEnv
from ziggurat.rl.opponents import Policy, Pool

pytestmark = pytest.mark.slow

SEATS = max(2, GAME.min_players)


def first(seen: np.ndarray, mask: np.ndarray) -> Any:
    return mask.argmax()


class Met:
    """A bot that counts the games in which it is asked."""

    def __init__(self, name: str, met: Counter[str]) -> None:
        self.name, self._met = name, met

    def choose(self, belief: Any, legal: Any, rng: Any) -> int:
        self._met[self.name] += 1
        return int(legal[0])


def played(env: GameEnv, games: int, seed: int | None = None) -> list[float]:
    shares = []
    for number in range(games):
        _, info = env.reset(seed=seed if number == 0 else None)
        over = False
        while not over:
            _, _, over, _, info = env.step(info["action_mask"].argmax())
        shares.append(info["share"])
    return shares


def test_each_game_draws_one_of_a_pool_by_its_weight() -> None:
    met: Counter[str] = Counter()
    pool = Pool({Met("often", met): 9, Met("seldom", met): 1})
    env = GameEnv(EXAMPLE, SEATS, pool, seat=0)
    one = played(env, 30, seed=1)
    assert met["often"] > 3 * met["seldom"] > 0
    assert played(GameEnv(EXAMPLE, SEATS, pool, seat=0), 30, seed=1) == one, "the same seed draws the same ones"


def test_checkpoints_come_in_and_the_oldest_go() -> None:
    met: Counter[str] = Counter()
    pool = Pool(checkpoints=2)
    env = GameEnv(EXAMPLE, SEATS, pool)
    with pytest.raises(BadOption, match="there is nobody in the pool"):
        env.reset(seed=1)
    for number in range(4):
        pool.add(Met(f"after {number}", met))
    played(env, 12)
    assert set(met) == {"after 2", "after 3"}
    assert repr(pool) == "<Pool: after 2 1, after 3 1>"


def test_a_policy_sees_what_the_environment_shows() -> None:
    seen: list[np.ndarray] = []

    def keeps(observation: np.ndarray, mask: np.ndarray) -> Any:
        seen.append(observation)
        assert mask.dtype == np.bool_
        return mask.argmax()

    for observations in ("one_hot", "compact"):
        seen.clear()
        env = GameEnv(EXAMPLE, SEATS, Policy(keeps, observations), observations=observations)
        first_seen, _ = env.reset(seed=1)
        played(env, 1)
        assert seen
        assert all((one.shape, one.dtype) == (first_seen.shape, first_seen.dtype) for one in seen)


@pytest.mark.parametrize("game", SOME)
def test_every_deal_is_played_from_every_chair(game: str) -> None:
    players = max(2, ziggurat.game(game).min_players)
    found = evaluate(first, game, players, "random", deals=6, seed=3)
    assert found == evaluate(first, game, players, "random", deals=6, seed=3)
    assert found.games == 6 * players
    assert found.share == pytest.approx(sum(found.by_seat) / players)
    assert 0 <= found.low <= found.share <= found.high <= 1


@runs.whole
def test_who_is_no_better_than_its_opponents_wins_its_part() -> None:
    """The same agent in all chairs: of each deal the shares of all chairs add up to one game."""
    found = evaluate(first, EXAMPLE, SEATS, Policy(first), deals=20, seed=1)
    assert found.share == pytest.approx(1 / SEATS)
    assert found.low == found.high == pytest.approx(found.share)
    better = evaluate(lambda seen, mask: mask.argmax(), EXAMPLE, SEATS, Pool(["greedy"]), deals=20, seed=1)
    assert better.share < 1 / SEATS


def test_what_is_wrong_is_said() -> None:
    wrong: list[Any] = [0, -1, float("nan"), "much"]
    for weight in wrong:
        with pytest.raises(BadOption, match="a weight is a number above 0"):
            Pool({"greedy": weight})
    with pytest.raises(BadOption, match="at least one checkpoint"):
        Pool(checkpoints=0)
    with pytest.raises(BadOption, match="one_hot or compact"):
        Policy(first, "pixels")  # type: ignore[arg-type]
    with pytest.raises(UnknownBot, match="there is no bot 'nobody'"):
        GameEnv(EXAMPLE, SEATS, Pool(["greedy", "nobody"]))
    with pytest.raises(BadOption, match="at least one deal"):
        evaluate(first, EXAMPLE, SEATS, deals=0)
    with pytest.raises(IllegalAction, match=r"the agent plays \d+, which is not legal"):
        evaluate(lambda seen, mask: (~mask).argmax(), EXAMPLE, SEATS, deals=1)


def test_positions_are_cloned_and_say_what_is_gained() -> None:
    position = ziggurat.new(EXAMPLE, SEATS, seed=1)
    twin = position.clone()
    twin.play(twin.actors[0], twin.legal(twin.actors[0])[0])
    assert position != twin
    assert twin.returns() == [0.0] * SEATS
    while twin.actors:
        twin.play(twin.actors[0], twin.legal(twin.actors[0])[0])
    assert sum(twin.returns()) == pytest.approx(0)
    assert {seat for seat, gained in enumerate(twin.returns()) if gained == max(twin.returns())} == set(twin.winners)
