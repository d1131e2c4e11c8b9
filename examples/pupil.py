"""An agent for 7 Wonders: Architects with two players that learns from wins and losses until it beats the heuristic.

    python examples/pupil.py        trains it, tests it on deals that it has never seen, writes pupil.npz
    ziggurat tournament architects --players 2 --bots greedy,builder,Pupil=examples.pupil:Pupil
    ziggurat serve --bot architects/Pupil=examples.pupil:Pupil

It is PPO with masks (Schulman and others 2017; Huang and Ontañón 2022) in one file, with JAX and Optax: the extra
`train`. docs/train.ipynb shows how it learns. docs/rl.md says how Stable-Baselines3 does the same.
"""

import argparse
import json
import os
import sys
from collections import deque
from functools import cache, partial
from pathlib import Path

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import gymnasium
import jax
import jax.numpy as jnp
import numpy as np
import optax
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeElapsedColumn

import ziggurat
import ziggurat.rl  # makes the games known to Gymnasium
from ziggurat import vector
from ziggurat.core.features import one_hot
from ziggurat.lab import wilson

GAME, PLAYERS, FILE = "architects", 2, "pupil.npz"
GAMES, STEPS, BATCH, EPOCHS = 512, 64, 1024, 2  # 64 decisions of the agent are two games or so
RATE, CLIP, ENTROPY, LAMBDA = 1e-3, 0.2, 0.01, 0.95  # a win is worth the same however late it comes: no discount
HIDDEN = (256, 256)


def new_network(seen, actions, seed):
    """Weights of two networks, for the preferences of actions and for the value, with layers drawn at random."""
    keys = iter(jax.random.split(jax.random.key(seed), 2 * (len(HIDDEN) + 1)))

    def layers(outputs, last):
        sizes = (seen, *HIDDEN, outputs)
        scales = [2**0.5] * len(HIDDEN) + [last]
        orthogonal = jax.nn.initializers.orthogonal
        return [
            {"w": orthogonal(scale)(next(keys), (into, out)), "b": jnp.zeros(out)}
            for into, out, scale in zip(sizes, sizes[1:], scales, strict=False)
        ]

    return {"actor": layers(actions, 0.01), "critic": layers(1, 1.0)}


def through(layers, seen):
    *hidden, last = layers
    for layer in hidden:
        seen = jax.nn.relu(seen @ layer["w"] + layer["b"])
    return seen @ last["w"] + last["b"]


def preferences(weights, seen, masks):
    """The logarithms of the probabilities of actions; those that are not legal have none."""
    return jax.nn.log_softmax(jnp.where(masks, through(weights["actor"], seen), -1e9))


@jax.jit
def decide(weights, seen, masks, key):
    """An action for every game, the logarithm of its probability, and the value of what is seen."""
    logs = preferences(weights, seen, masks)
    actions = jax.random.categorical(key, logs)
    chosen = jnp.take_along_axis(logs, actions[:, None], axis=1)[:, 0]
    return actions, chosen, through(weights["critic"], seen)[:, 0]


@jax.jit
def best(weights, seen, masks):
    return preferences(weights, seen, masks).argmax(axis=-1)


def loss(weights, batch):
    seen = batch["seen"].astype(jnp.float32)
    logs = preferences(weights, seen, batch["masks"])
    chosen = jnp.take_along_axis(logs, batch["actions"][:, None], axis=1)[:, 0]
    gains = batch["gains"]
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    ratio = jnp.exp(chosen - batch["logs"])
    policy = -jnp.minimum(ratio * gains, jnp.clip(ratio, 1 - CLIP, 1 + CLIP) * gains).mean()
    value = ((through(weights["critic"], seen)[:, 0] - batch["returns"]) ** 2).mean()
    entropy = -jnp.where(batch["masks"], jnp.exp(logs) * logs, 0).sum(axis=1).mean()
    return policy + 0.5 * value - ENTROPY * entropy


@partial(jax.jit, static_argnums=0)
def learn(optimizer, weights, state, batch):
    updates, state = optimizer.update(jax.grad(loss)(weights, batch), state)
    return optax.apply_updates(weights, updates), state


class Watch:
    """Shows how far it has come, and what part of the last 3,000 games it won."""

    def __init__(self, steps):
        self.curve, self.shares, self.decisions = [], deque(maxlen=3000), 0
        columns = "wins {task.fields[wins]:.1%}", BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self.bar = Progress(*columns, disable=not sys.stdout.isatty())
        self.task = self.bar.add_task("", total=steps, wins=0.0)

    def ended(self, infos):
        if "final_info" in infos:
            self.shares.extend(infos["final_info"]["share"][infos["_final_info"]])

    def round(self, decisions):
        self.decisions += decisions
        wins = float(np.mean(self.shares)) if self.shares else 0.0
        self.curve.append((self.decisions, wins))
        self.bar.update(self.task, completed=self.decisions, wins=wins)


def play(envs, weights, seen, masks, key, watch):
    """Play the agent's next decisions in all games.

    Returns: by name what it saw, did and gained, an array of shape (STEPS, GAMES, ...), and what it sees now.
    """
    kept = {name: [] for name in ("seen", "masks", "actions", "logs", "values", "rewards", "over")}
    for one in jax.random.split(key, STEPS):
        actions, logs, values = map(np.asarray, decide(weights, seen, masks, one))
        # What is seen is 0, 1 or a part of a bound: half of a float keeps it.
        now = {"seen": seen.astype(np.float16), "masks": masks, "actions": actions, "logs": logs, "values": values}
        seen, now["rewards"], now["over"], _, infos = envs.step(actions)
        masks = infos["action_mask"].astype(bool)
        watch.ended(infos)
        for name, what in now.items():
            kept[name].append(what)
    return {name: np.stack(what) for name, what in kept.items()}, seen, masks


def judged(kept, last):
    """Add what each decision gained more than expected, and what was to be expected (GAE), as one row of decisions.

    `last`: the values of what is seen after them.
    """
    gains, gain, after = np.zeros_like(kept["values"]), 0.0, last
    for step in reversed(range(STEPS)):
        goes_on = 1.0 - kept["over"][step]
        gain = kept["rewards"][step] + after * goes_on - kept["values"][step] + LAMBDA * goes_on * gain
        gains[step], after = gain, kept["values"][step]
    rows = {**kept, "gains": gains, "returns": gains + kept["values"]}
    names = ("seen", "masks", "actions", "logs", "gains", "returns")
    return {name: rows[name].reshape(STEPS * GAMES, *rows[name].shape[2:]) for name in names}


def train(steps, *, opponents="greedy", seed=1):
    """Learn from so many decisions: the agent, and a curve of (decisions, part of the last 3,000 games won)."""
    envs = gymnasium.make_vec(f"ziggurat/{GAME.title()}-v0", GAMES, players=PLAYERS, opponents=opponents)
    seen, infos = envs.reset(seed=seed)
    masks = infos["action_mask"].astype(bool)
    rounds, parts = -(-steps // (GAMES * STEPS)), GAMES * STEPS // BATCH
    falls = optax.linear_schedule(RATE, RATE / 20, rounds * EPOCHS * parts)
    optimizer = optax.chain(optax.clip_by_global_norm(0.5), optax.adam(falls, eps=1e-5))
    weights = new_network(seen.shape[1], masks.shape[1], seed)
    state, dice, key = optimizer.init(weights), np.random.default_rng(seed), jax.random.key(seed)
    watch = Watch(rounds * GAMES * STEPS)
    with watch.bar:
        for _ in range(rounds):
            key, one = jax.random.split(key)
            kept, seen, masks = play(envs, weights, seen, masks, one, watch)
            rows = judged(kept, np.asarray(decide(weights, seen, masks, one)[2]))
            for _ in range(EPOCHS):
                for part in np.split(dice.permutation(GAMES * STEPS), parts):
                    batch = {name: what[part] for name, what in rows.items()}
                    weights, state = learn(optimizer, weights, state, batch)
            watch.round(GAMES * STEPS)
    return Agent(weights["actor"], ziggurat.versions(GAME)), watch.curve


class Agent:
    """What has been learned: the layers of its preferences, and the versions of the game that it learned."""

    def __init__(self, layers, versions):
        self.weights, self.versions = {"actor": layers}, versions

    def __call__(self, seen, masks):
        """The best action, of one position or of many."""
        return np.asarray(best(self.weights, seen, masks.astype(bool)))

    def save(self, file):
        layers = enumerate(self.weights["actor"])
        arrays = {f"{at} {name}": what for at, layer in layers for name, what in layer.items()}
        np.savez(file, versions=json.dumps(self.versions), **arrays)

    @classmethod
    def load(cls, file):
        with np.load(file) as kept:
            layers = [{name: kept[f"{at} {name}"] for name in "wb"} for at in range(len(HIDDEN) + 1)]
            return cls(layers, json.loads(str(kept["versions"])))


def evaluate(agent, opponent="greedy", games=10_000, seed=1_000_000):
    """Play games of the finished agent, every other one from the second seat: the table at which they have ended."""
    table = vector.make(GAME, PLAYERS, games, seed=seed, observations="one_hot", inside={1: opponent}, autoreset=False)
    while (asked := table.seats >= 0).any():
        table.step(np.where(asked, agent(table.observations, table.masks), -1))
    return table


class Pupil:
    """What has been learned as a bot: see docs/agents.md."""

    def __init__(self, game):
        self.agent, self.features = load(), game.features(PLAYERS)
        known, now = self.agent.versions, ziggurat.versions(game)
        if changed := [what for what in ("game", "actions", "observations") if known[what] != now[what]]:
            raise ValueError(f"{FILE} has learned with other {' and '.join(changed)}: train it again")

    def choose(self, belief, legal, rng):
        if belief.players != PLAYERS:
            raise ValueError(f"{FILE} has learned to play with {PLAYERS} players, not with {belief.players}")
        mask = np.isin(np.arange(belief.game.actions), legal)
        return int(self.agent(one_hot(belief.observation, self.features), mask))


@cache
def load():
    if not Path(FILE).exists():
        raise FileNotFoundError(f"there is no {FILE} here: python examples/pupil.py makes it")
    return Agent.load(FILE)


if __name__ == "__main__":
    chosen = argparse.ArgumentParser()
    chosen.add_argument("--steps", type=int, default=3_000_000, help="decisions to learn from")
    chosen.add_argument("--games", type=int, default=10_000, help="games to be tested in")
    chosen.add_argument("--seed", type=int, default=1)
    chosen = chosen.parse_args()

    agent, _ = train(chosen.steps, seed=chosen.seed)
    agent.save(FILE)
    for opponent in ("greedy", "random"):
        table = evaluate(agent, opponent, chosen.games)
        share = float(table.shares[table.outside == 1].mean())
        low, high = wilson(share, chosen.games)
        print(f"against {opponent}: {share:.1%} of {chosen.games} games (95 % interval {low:.1%} to {high:.1%})")
