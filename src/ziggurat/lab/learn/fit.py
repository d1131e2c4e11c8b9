"""The training of a network on recorded decisions: JAX on a CPU, or on a GPU where its package for one is installed.

The same sums as :mod:`ziggurat.bots.network`, over many positions at once.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax

from ziggurat.bots.learned import places, scale, shapes
from ziggurat.core import registry
from ziggurat.core.features import KINDS, Feature
from ziggurat.core.game import Game
from ziggurat.lab.learn.games import Sample

BATCH_SIZE = 1024
LEARNING_RATE = 2e-3
"""Of learning, at its height; it rises for a tenth of the steps and falls to nothing."""
WEIGHT_DECAY = 1.0
STANDING_LOSS_WEIGHT, POLICY_LOSS_WEIGHT = 1.0, 0.5
"""What a mistake about the standing, and about preferences, counts compared with one about who wins."""
ACTIONS_MULTIPLE = 2048
"""Actions of a batch are filled up to a multiple, so that few programs are compiled."""
TD_LAMBDA = 0.7
"""What is learned of a decision: so much of it from what the next decision that was kept of that game teaches, at last
how the game ended, the rest from what the network before thinks of that decision. See Sutton, "Learning to Predict by
the Methods of Temporal Differences" (1988), whose lambda this is: an end depends on chance that comes later."""
ROLLOUT_SHARE = 0.5
"""What is learned of a decision: so much of it is how games end that the heuristic plays from there. Many of those tell
with less chance what a position is worth, if only to the heuristic."""
FIRST_LAYER_FAN_IN = 32
"""Places of a first layer that count at once, about: weights begin as small as that wants."""

Weights = dict[str, jax.Array]


class Losses(NamedTuple):
    """The mean losses of a network: cross-entropies in nats, of which what cannot be known is a part; ``error`` is the
    mean square error of the share of the win."""

    win: float
    standing: float
    choice: float
    error: float


class TrainingBatch(NamedTuple):
    """A training batch of decisions; see `Sample`. Padding decisions have weight 0, padding actions belong to the
    decision after the last."""

    table: np.ndarray
    seats: np.ndarray
    players: np.ndarray
    decider: np.ndarray
    win: np.ndarray
    standing: np.ndarray
    weight: np.ndarray
    acts: np.ndarray
    of: np.ndarray
    target: np.ndarray


class Spread:
    """A one-hot encoding of integer columns, as input of a matrix."""

    def __init__(self, columns: Sequence[Feature]) -> None:
        number, bits = KINDS.index("number"), KINDS.index("bits")
        found = []
        for place, one in enumerate(columns):
            kind = KINDS.index(one.kind)
            for k in range(one.width):
                found.append(
                    (place, kind, one.low + k, scale(one) if kind == number else 0.0, k if kind == bits else 0)
                )
        column, kinds, label, factor, bit = (np.array(part) for part in zip(*found, strict=True))
        self._column, self._label, self._bit = column, label.astype(np.int32), bit.astype(np.int32)
        self._factor = factor.astype(np.float32)
        self._number, self._bits = kinds == number, kinds == bits

    def __call__(self, values: Any) -> jax.Array:
        """Encode integers of shape (..., columns) as shape (..., places)."""
        value = values.astype(jnp.int32)[..., self._column]
        category = (value == self._label).astype(jnp.float32)
        bits = ((value >> self._bit) & 1).astype(jnp.float32)
        return jnp.where(self._number, value * self._factor, jnp.where(self._bits, bits, category))


class Fitter:
    """The trainer of one game's network weights. What JAX compiles is kept with it, so there is one for every game: see
    `fitter_of`."""

    def __init__(self, game: Game) -> None:
        inputs = game.inputs
        assert inputs is not None
        self.shapes = shapes(inputs)
        self._table, self._seat, self._act = (Spread(columns) for columns in (inputs.table, inputs.seat, inputs.action))
        self._open = places(inputs.open)
        self._measure = jax.jit(self._losses)
        self._judge = jax.jit(self._judged)
        self._rule = optax.adamw(1.0, weight_decay=WEIGHT_DECAY)  # the rate comes with each batch
        self.memory = self._rule.init
        self.learned = jax.jit(self._learned, donate_argnums=(0, 1))

    def start(self, arrays: Mapping[str, np.ndarray] | None, seed: int) -> Weights:
        """Return initial weights: those of a network, or small random ones."""
        chance = np.random.default_rng(seed)
        found = {}
        for name, shape in self.shapes.items():
            if arrays is not None:
                start = arrays[name]
            elif name.endswith("bias"):
                start = np.zeros(shape)
            else:
                start = chance.normal(size=shape) * 0.5 / np.sqrt(shape[0] if name == "second" else FIRST_LAYER_FAN_IN)
            found[name] = jnp.asarray(start, jnp.float32)
        return found

    def _forward(self, w: Weights, batch: TrainingBatch) -> tuple[jax.Array, jax.Array, jax.Array]:
        """Return the logits of winning (n, seats), of the standing (n, seats), and of the actions."""
        table = self._table(batch.table)
        n, most = batch.seats.shape[:2]
        present = jnp.arange(most) < batch.players[:, None]
        seats = self._seat(batch.seats) * present[:, :, None]
        others = seats @ w["value_others"]
        hidden = seats @ w["value_seat"] + others.sum(1, keepdims=True) - others
        hidden = jax.nn.relu(hidden + (table @ w["value_table"] + w["value_bias"])[:, None])
        second = jax.nn.relu(hidden @ w["second"] + w["second_bias"])
        out = second @ w["value_out"].T + w["value_out_bias"]
        own = seats[jnp.arange(n), batch.decider]
        seen = (seats.sum(1) - own)[:, : self._open]
        context = table @ w["choice_table"] + own @ w["choice_seat"] + seen @ w["choice_others"][: self._open]
        context = jnp.concatenate([context + w["choice_bias"], jnp.zeros((1, context.shape[1]))])
        acts = self._act(batch.acts) @ w["choice_action"]
        preference = jax.nn.relu(acts + context[batch.of]) @ w["choice_out"]
        return jnp.where(present, out[:, :, 0], -1e9), out[:, :, 1], preference

    def _judged(self, w: Weights, batch: TrainingBatch) -> tuple[jax.Array, jax.Array]:
        """Return the chances of winning (n, seats), and standings; 0 where nobody sits."""
        win, standing, _ = self._forward(w, batch)
        present = jnp.arange(win.shape[1]) < batch.players[:, None]
        likely = jnp.where((batch.players == 1)[:, None], jax.nn.sigmoid(win), jax.nn.softmax(win, 1))
        return jnp.where(present, likely, 0.0), jnp.where(present, jax.nn.sigmoid(standing), 0.0)

    def taught(self, w: Weights | None, sample: Sample) -> Sample:
        """Return the training target of each decision: from later decisions' targets, from these weights' values of
        those, if there are any, and from how the heuristic's games ended."""
        later = self._later(w, sample) if w else (sample.win, sample.standing)
        played = sample.played_win, sample.played_standing
        found = [
            (ROLLOUT_SHARE * one.astype(np.float32) + (1 - ROLLOUT_SHARE) * other.astype(np.float32)).astype(np.float16)
            for one, other in zip(played, later, strict=True)
        ]
        return sample._replace(win=found[0], standing=found[1])

    def _later(self, w: Weights, sample: Sample) -> tuple[np.ndarray, np.ndarray]:
        none = sample._replace(counts=np.zeros_like(sample.counts), acts=sample.acts[:0], target=sample.target[:0])
        n = len(sample.game)
        last = np.append(sample.game[1:] != sample.game[:-1], True)
        left = np.flatnonzero(last)[np.cumsum(last) - last] - np.arange(n)  # decisions of its game that follow
        thought = [
            [np.asarray(part)[: int(batch.weight.sum())] for part in self._judge(w, batch)]
            for batch in batches(none, np.arange(n))
        ]
        found = []
        for ends, parts in zip((sample.win, sample.standing), zip(*thought, strict=True), strict=True):
            judged, taught = np.concatenate(parts), ends.astype(np.float32)
            for number in range(1, int(left.max(initial=0)) + 1):
                [places] = np.nonzero(left == number)
                taught[places] = TD_LAMBDA * taught[places + 1] + (1 - TD_LAMBDA) * judged[places + 1]
            found.append(taught)
        return found[0], found[1]

    def _losses(self, w: Weights, batch: TrainingBatch) -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
        """Return the losses of winning, of the standing and of the policy; and the square error of the share of the
        win."""
        win, standing, preference = self._forward(w, batch)
        n, most = win.shape
        alone = batch.players == 1
        weight = batch.weight / jnp.maximum(batch.weight.sum(), 1)
        present = jnp.arange(most) < batch.players[:, None]
        likely = jnp.where(alone[:, None], jax.nn.sigmoid(win), jax.nn.softmax(win, 1))
        shared = -(batch.win * jax.nn.log_softmax(win, 1)).sum(1)
        solo = optax.sigmoid_binary_cross_entropy(win[:, 0].clip(-30, 30), batch.win[:, 0])

        def mean(values: jax.Array) -> jax.Array:
            return (jnp.where(present, values, 0).sum(1) / batch.players * weight).sum()

        of_win = (jnp.where(alone, solo, shared) * weight).sum()
        far = mean(optax.sigmoid_binary_cross_entropy(standing, batch.standing))
        error = mean((likely - batch.win) ** 2)
        top = jnp.full(n + 1, -1e9).at[batch.of].max(jax.lax.stop_gradient(preference))
        preference = preference - top[batch.of]
        total = jnp.zeros(n + 1).at[batch.of].add(jnp.exp(preference))
        log = preference - jnp.log(jnp.maximum(total, 1e-30))[batch.of]
        kept = batch.of < n
        chosen = jnp.where(kept, batch.target, 0.0).sum()  # of every decision whose preferences are known, 1
        of_choice = -jnp.where(kept, batch.target * log, 0.0).sum() / jnp.maximum(chosen, 1)
        return of_win, far, of_choice, error

    def _learned(self, w: Weights, memory: Any, batch: TrainingBatch, rate: Any) -> tuple[Weights, Any]:
        """Do one optimizer step: return the weights, and the optimizer's state, after one batch."""

        def wrong(w: Weights) -> jax.Array:
            win, standing, choice, _ = self._losses(w, batch)
            return win + STANDING_LOSS_WEIGHT * standing + POLICY_LOSS_WEIGHT * choice

        change, memory = self._rule.update(jax.grad(wrong)(w), memory, w)
        return optax.apply_updates(w, jax.tree.map(lambda one: rate * one, change)), memory

    def measured(self, w: Weights, sample: Sample, order: np.ndarray) -> Losses:
        """Return the losses of weights on some decisions."""
        total, n = np.zeros(4), 0
        for batch in batches(sample, order):
            found = int(batch.weight.sum())
            total += found * np.array([float(loss) for loss in self._measure(w, batch)])
            n += found
        return Losses(*(float(part) for part in total / max(n, 1)))


@cache
def fitter_of(game: str) -> Fitter:
    """Return the fitter of the game of this name; it is cached."""
    return Fitter(registry.game(game))


class Fit:
    """A training under way, which can be saved and resumed.

    Attributes:
        weights: so far.
        step, steps: how many batches were learned from, and of how many.
    """

    def __init__(
        self,
        fitter: Fitter,
        sample: Sample,
        order: np.ndarray,
        *,
        epochs: float,
        seed: int,
        start: Mapping[str, np.ndarray] | None = None,
        rate: float = LEARNING_RATE,
    ) -> None:
        self.fitter, self.sample, self.order, self.seed = fitter, sample, order, seed
        self.steps = max(2, round(epochs * len(order) / BATCH_SIZE))
        self.step = 0
        self.weights = fitter.start(start, seed)
        schedule = optax.cosine_onecycle_schedule(self.steps + 1, rate, pct_start=0.1)
        self._rates = np.asarray(jax.vmap(schedule)(jnp.arange(self.steps)))
        self._memory = fitter.memory(self.weights)

    def run(self) -> Iterator[int]:
        """Train; yields after each batch the number of decisions so far."""
        whole = max(1, -(-len(self.order) // BATCH_SIZE))
        while self.step < self.steps:
            epoch, place = divmod(self.step, whole)
            shuffled = np.random.default_rng([self.seed, epoch]).permutation(self.order)
            for batch in batches(self.sample, shuffled[place * BATCH_SIZE :]):
                if self.step == self.steps:
                    break
                rate = self._rates[self.step]
                self.weights, self._memory = self.fitter.learned(self.weights, self._memory, batch, rate)
                self.step += 1
                yield self.step

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the weights as arrays."""
        return {name: np.asarray(value) for name, value in self.weights.items()}

    def to_bytes(self) -> bytes:
        """Return a checkpoint of the training."""
        stream = io.BytesIO()
        leaves = jax.tree.leaves((self.weights, self._memory))
        arrays: dict[str, Any] = {f"leaf{place}": np.asarray(leaf) for place, leaf in enumerate(leaves)}
        np.savez(stream, step=self.step, steps=self.steps, **arrays)
        return stream.getvalue()

    def go_on(self, data: bytes) -> bool:
        """Resume from a checkpoint; return whether it was whole and of the same kind, else the training starts
        empty."""
        leaves, tree = jax.tree.flatten((self.weights, self._memory))
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as archive:
                found = [archive[f"leaf{i}"] for i in range(len(leaves))]
                step, steps = int(archive["step"]), int(archive["steps"])
        except (ValueError, KeyError, OSError, EOFError, zipfile.BadZipFile):
            return False
        if steps != self.steps or any(a.shape != b.shape for a, b in zip(found, leaves, strict=True)):
            return False
        self.step = step
        self.weights, self._memory = jax.tree.unflatten(tree, [jnp.asarray(leaf) for leaf in found])
        return True


def batches(sample: Sample, order: np.ndarray, size: int = BATCH_SIZE) -> Iterator[TrainingBatch]:
    """Yield the decisions of a sample in batches, in a given order."""
    ends = np.cumsum(sample.counts, dtype=np.int64)
    for first in range(0, len(order), size):
        rows = order[first : first + size]
        counts = sample.counts[rows].astype(np.int64)
        before = np.cumsum(counts) - counts
        acts = np.repeat(ends[rows] - counts - before, counts) + np.arange(counts.sum())
        missing, fill = size - len(rows), -len(acts) % ACTIONS_MULTIPLE if len(acts) else ACTIONS_MULTIPLE
        filled = _filler(missing)
        more = _filler(fill)
        yield TrainingBatch(
            filled(sample.table[rows]),
            filled(sample.seats[rows]),
            filled(sample.players[rows].astype(np.int32), 1),
            filled(sample.decider[rows].astype(np.int32)),
            filled(sample.win[rows].astype(np.float32)),
            filled(sample.standing[rows].astype(np.float32)),
            filled(np.ones(len(rows), np.float32)),
            more(sample.acts[acts]),
            more(np.repeat(np.arange(len(rows), dtype=np.int32), counts), size),
            more(sample.target[acts].astype(np.float32)),
        )


def _filler(number: int) -> Callable[..., np.ndarray]:
    """Return a function that pads an array with rows of one value."""

    def filled(array: np.ndarray, value: int = 0) -> np.ndarray:
        if number == 0:
            return array
        return np.concatenate([array, np.full((number, *array.shape[1:]), value, array.dtype)])

    return filled
