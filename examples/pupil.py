"""An agent for 7 Wonders: Architects with two players that learns with Stable-Baselines3 until it beats the heuristic.

    python examples/pupil.py        trains it, tests it on deals that it has never seen, writes pupil.zip
    ziggurat tournament architects --players 2 --bots greedy,builder,Pupil=examples.pupil:Pupil
    ziggurat serve --bot architects/Pupil=examples.pupil:Pupil

It needs the extra `train`. docs/train.ipynb shows how it learns.
"""

import argparse
import sys
from collections import deque
from functools import cache
from pathlib import Path

import numpy as np
import torch
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import ziggurat
from ziggurat import vector
from ziggurat.core.features import one_hot
from ziggurat.lab import wilson
from ziggurat.rl.stable_baselines3 import vec_env

GAME, PLAYERS, FILE = "architects", 2, "pupil.zip"


def train(steps, *, opponents="greedy", seed=1, games=512):
    """Learn from so many decisions: the model, and a curve of (decisions, part of the last 3,000 games won)."""
    env = vec_env(GAME, PLAYERS, n=games, opponents=opponents, seed=seed)
    model = MaskablePPO(
        "MlpPolicy",
        env,
        n_steps=64,  # two games or so
        batch_size=1024,
        n_epochs=2,
        learning_rate=lambda left: 1e-3 * max(left, 0.05),  # what is left of the steps: from 1 to 0
        gamma=1.0,  # a win is worth the same however late it comes
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256], "activation_fn": torch.nn.ReLU},
        device="cpu",
        seed=seed,
    )
    model.versions = ziggurat.versions(GAME)  # is kept with the weights
    watch = Watch(steps)
    model.learn(steps, callback=watch)
    return model, watch.curve


class Watch(BaseCallback):
    """Shows how far it has come, and what part of the last games it won."""

    def __init__(self, steps):
        super().__init__()
        self.curve, self.shares = [], deque(maxlen=3000)
        columns = "wins {task.fields[wins]:.1%}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.bar = Progress(*columns, disable=not sys.stdout.isatty())
        self.task = self.bar.add_task("", total=steps, wins=0.0)

    def _on_training_start(self):
        self.bar.start()

    def _on_step(self):
        self.shares.extend(info["share"] for info in self.locals["infos"] if info)
        return True

    def _on_rollout_end(self):
        wins = float(np.mean(self.shares)) if self.shares else 0.0
        self.curve.append((self.num_timesteps, wins))
        self.bar.update(self.task, completed=self.num_timesteps, wins=wins)

    def _on_training_end(self):
        self.bar.stop()


def evaluate(model, opponent="greedy", games=10_000, seed=1_000_000):
    """Play games of the finished agent, every other one from the second seat: the table at which they have ended."""
    table = vector.make(GAME, PLAYERS, games, seed=seed, observations="one_hot", inside={1: opponent}, autoreset=False)
    while (asked := table.seats >= 0).any():
        actions, _ = model.predict(table.observations, action_masks=table.masks, deterministic=True)
        table.step(np.where(asked, actions, -1))
    return table


class Pupil:
    """What has been learned as a bot: see docs/agents.md."""

    def __init__(self, game):
        self.model, self.features = load(), game.features(PLAYERS)
        known, now = self.model.versions, ziggurat.versions(game)
        if changed := [what for what in ("game", "actions", "observations") if known[what] != now[what]]:
            raise ValueError(f"{FILE} has learned with other {' and '.join(changed)}: train it again")

    def choose(self, belief, legal, rng):
        if belief.players != PLAYERS:
            raise ValueError(f"{FILE} has learned to play with {PLAYERS} players, not with {belief.players}")
        mask = np.isin(np.arange(belief.game.actions), legal)
        seen = one_hot(belief.observation, self.features)
        return int(self.model.predict(seen, action_masks=mask, deterministic=True)[0])


@cache
def load():
    if not Path(FILE).exists():
        raise FileNotFoundError(f"there is no {FILE} here: python examples/pupil.py makes it")
    torch.set_num_threads(1)  # for a decision at a time more would be slower
    return MaskablePPO.load(FILE, device="cpu")


if __name__ == "__main__":
    chosen = argparse.ArgumentParser()
    chosen.add_argument("--steps", type=int, default=3_000_000, help="decisions to learn from")
    chosen.add_argument("--games", type=int, default=10_000, help="games to be tested in")
    chosen.add_argument("--seed", type=int, default=1)
    chosen = chosen.parse_args()

    model, _ = train(chosen.steps, seed=chosen.seed)
    model.save(FILE)
    for opponent in ("greedy", "random"):
        table = evaluate(model, opponent, chosen.games)
        share = float(table.shares[table.outside == 1].mean())
        low, high = wilson(share, chosen.games)
        print(f"against {opponent}: {share:.1%} of {chosen.games} games (95 % interval {low:.1%} to {high:.1%})")
