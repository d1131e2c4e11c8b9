"""Stable-Baselines3 trains; left out where it is not installed (extra ``sb3``)."""

from __future__ import annotations

import numpy as np
import pytest
from tests import runs
from tests.example import EXAMPLE

pytest.importorskip("sb3_contrib")

from ziggurat.core.errors import BadOption
from ziggurat.rl.stable_baselines3 import vec_env


@runs.whole
def test_masked_ppo_trains() -> None:
    from sb3_contrib import MaskablePPO

    env = vec_env(EXAMPLE, 2, n=16, opponents="random", seed=1)
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=1024, n_epochs=1, seed=1, device="cpu")
    model.learn(2 * 16 * 128)
    assert model.num_timesteps == 2 * 16 * 128
    assert len(model.ep_info_buffer or ()) > 0


def test_it_tells_what_stable_baselines_asks_for() -> None:
    env = vec_env(EXAMPLE, 2, n=8, opponents="random", seed=1)
    seen = env.reset()
    again = vec_env(EXAMPLE, 2, n=8, opponents="random", seed=1).reset()
    assert (seen == again).all()
    assert env.has_attr("action_masks")
    episodes, rewards, kept = 0, np.zeros(8), [(seen, seen.copy())]
    while episodes < 20:
        masks = np.stack(env.env_method("action_masks"))
        seen, reward, over, infos = env.step(masks.argmax(axis=1))
        rewards += reward
        kept.append((seen, seen.copy()))
        for i in np.flatnonzero(over):
            assert infos[i]["episode"]["r"] == rewards[i]
            assert infos[i]["episode"]["l"] > 0
            rewards[i], episodes = 0, episodes + 1
    assert all((one == copy).all() for one, copy in kept)
    with pytest.raises(BadOption, match="use DummyVecEnv"):
        vec_env(EXAMPLE, 2, opponents="builder")
