"""Stable-Baselines3: many games as one ``VecEnv``, with the masks that sb3-contrib's ``MaskablePPO`` asks for.

>>> from sb3_contrib import MaskablePPO
>>> from ziggurat.rl import stable_baselines3
>>> env = stable_baselines3.vec_env("architects", players=2, n=256, opponents="greedy", seed=1)
>>> MaskablePPO("MlpPolicy", env).learn(100_000)
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from ziggurat.core.errors import BadOption
from ziggurat.core.game import Game
from ziggurat.rl.gymnasium import INSIDE, GameVectorEnv, plays_inside
from ziggurat.rl.opponents import chosen, opponents_of


class GamesVecEnv(VecEnv):  # type: ignore[misc]
    """The games as a ``VecEnv`` of Stable-Baselines3. Made by :func:`vec_env`.

    Where a game has ended ``infos[i]["episode"]`` has its reward and length in the learner's decisions, as from
    ``Monitor``, and ``infos[i]["scores"]`` and ``["share"]`` tell how it ended.
    """

    def __init__(self, envs: GameVectorEnv, seed: int | None) -> None:
        self.envs = envs
        self.render_mode = None
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self._seed_at_reset = seed
        self._began = time.time()
        self._rewards = np.zeros(envs.num_envs, dtype=np.float64)
        self._lengths = np.zeros(envs.num_envs, dtype=np.int64)
        self._actions: Any = None

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """Set the seed of all games, from the next reset on."""
        self._seed_at_reset = seed
        return [seed] * self.num_envs

    def reset(self) -> np.ndarray:
        seen, _ = self.envs.reset(seed=self._seed_at_reset)
        self._seed_at_reset = None
        self._rewards[:] = 0
        self._lengths[:] = 0
        return seen.copy()

    def step_async(self, actions: np.ndarray) -> None:
        self._actions = actions

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        games = self.envs.games
        games.step(self._actions)
        ended = games.ended.astype(np.bool_)
        rewards = games.rewards[np.arange(self.num_envs), games.played]
        self._rewards += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended).tolist():
            infos[i] = {
                "episode": {
                    "r": float(self._rewards[i]),
                    "l": int(self._lengths[i]),
                    "t": round(time.time() - self._began, 6),
                },
                "scores": games.scores[i].copy(),
                "share": float(games.shares[i, games.played[i]]),
            }
        self._rewards[ended] = 0
        self._lengths[ended] = 0
        return games.observations.copy(), rewards, ended, infos

    def close(self) -> None:
        self.envs.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        value = getattr(self, attr_name) if attr_name == "render_mode" else getattr(self.envs, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        raise BadOption(f"games that are played together have no attributes of their own, such as {attr_name}")

    def env_method(
        self, method_name: str, *args: Any, indices: int | Iterable[int] | None = None, **kwargs: Any
    ) -> list[Any]:
        """Call ``action_masks`` of the games."""
        if method_name != "action_masks":
            raise AttributeError(f"games that are played together have action_masks, and no {method_name}")
        masks = self.envs.games.masks
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper[Any, Any, Any, Any]], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        return [False for _ in self._get_indices(indices)]


def vec_env(
    game: str | Game,
    players: int | None = None,
    n: int = 64,
    opponents: Any = "greedy",
    *,
    seed: int | None = None,
    options: Mapping[str, str] | None = None,
    **more: Any,
) -> GamesVecEnv:
    """Return ``n`` games as one ``VecEnv``; the arguments are those of :class:`ziggurat.rl.gymnasium.GameVectorEnv`.

    Raises:
        BadOption: for opponents that do not play inside the compiled loop: for those, give
            ``stable_baselines3.common.vec_env.DummyVecEnv`` the environments of ``gymnasium.make``.
    """
    _, number = chosen(game, players)
    slow = [one for one in opponents_of(opponents, number) if not plays_inside(one)]
    if slow:
        raise BadOption(
            f"{slow[0]!r} does not play inside the compiled loop, as {' and '.join(INSIDE)} do: "
            "use DummyVecEnv with gymnasium.make"
        )
    return GamesVecEnv(GameVectorEnv(n, game, number, opponents, options=options, copy=False, **more), seed)
