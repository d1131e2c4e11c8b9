"""Fitting a network to decisions that were kept: PyTorch on a CPU, or on a GPU where there is one.

The same sums as :mod:`ziggurat.bots.network`, over many positions at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from ziggurat.bots.learned import places, scale, shapes
from ziggurat.core.features import Feature
from ziggurat.core.game import Game
from ziggurat.lab.learn.games import Sample

BATCH = 1024
RATE = 2e-3
"""Of learning, at first; it falls to nothing."""
DECAY = 0.05
STANDING, CHOICE = 1.0, 0.5
"""What a mistake about the standing, and about preferences, counts beside one about who wins."""


class Losses(NamedTuple):
    """How wrong a network is on average: cross-entropies in nats, of which what cannot be known is a part; ``error`` is
    the mean square error of the part of the win."""

    win: float
    standing: float
    choice: float
    error: float


class Spread:
    """Columns of integers spread over places, as numbers for a matrix."""

    def __init__(self, columns: Sequence[Feature], device: str) -> None:
        column, first, low, factor, shift = [], [], [], [], []
        place = 0
        for number, one in enumerate(columns):
            for bit in range(one.width if one.kind == "bits" else 1):
                column.append(number)
                first.append(place + bit)
                low.append(one.low)
                factor.append(scale(one) if one.kind == "number" else 1.0)
                shift.append({"number": -1, "category": -2}.get(one.kind, bit))
            place += one.width
        as_tensor: Callable[[Any], torch.Tensor] = lambda values: torch.tensor(values, device=device)  # noqa: E731
        self.size = place
        self._column, self._first, self._low = as_tensor(column), as_tensor(first), as_tensor(low)
        self._factor, kind = as_tensor(factor), as_tensor(shift)
        self._number, self._category, self._bit = kind == -1, kind == -2, kind.clamp(min=0)

    def __call__(self, values: torch.Tensor) -> torch.Tensor:
        """Shape (n, columns) of integers to (n, places)."""
        value = values.to(torch.int64)[:, self._column]
        index = self._first + torch.where(self._category, value - self._low, 0)
        bits = (value >> self._bit) & 1
        weight = torch.where(self._category, 1.0, torch.where(self._number, value * self._factor, bits.float()))
        found = torch.zeros(len(values), self.size, device=values.device)
        return found.scatter_(1, index, weight)


class Module(nn.Module):  # type: ignore[misc]  # it comes without types
    """The network of a game, while it learns."""

    def __init__(self, game: Game, arrays: Mapping[str, np.ndarray] | None, device: str) -> None:
        """With the weights of a network, or by chance."""
        super().__init__()
        inputs = game.inputs
        assert inputs is not None
        self.device = device
        self.spread = [Spread(columns, device) for columns in (inputs.table, inputs.seat, inputs.action)]
        self.open = places(inputs.open)
        for name, shape in shapes(inputs).items():
            if arrays is not None:
                start = torch.tensor(arrays[name].astype(np.float32))
            elif name.endswith("bias"):
                start = torch.zeros(shape)
            else:
                fan = shape[0] if name == "second" else 32  # of a sparse layer, about so many places count
                start = torch.randn(shape) * (0.5 / fan**0.5)
            setattr(self, name, nn.Parameter(start.to(device)))

    def arrays(self) -> dict[str, np.ndarray]:
        """The weights."""
        return {name: value.detach().cpu().numpy() for name, value in self.named_parameters()}

    def forward(self, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Logits of winning (n, seats), of the standing (n, seats), and of the actions."""
        w: Any = self
        table = self.spread[0](batch.table)
        n, most = batch.seats.shape[:2]
        present = torch.arange(most, device=table.device) < batch.players[:, None]
        seats = self.spread[1](batch.seats.reshape(n * most, -1)) * present.reshape(-1, 1)
        others = (seats @ w.value_others).reshape(n, most, -1)
        hidden = (seats @ w.value_seat).reshape(n, most, -1) + others.sum(1, keepdim=True) - others
        hidden = functional.relu(hidden + (table @ w.value_table + w.value_bias)[:, None])
        second = functional.relu(hidden @ w.second + w.second_bias)
        out = second @ w.value_out.T + w.value_out_bias
        win = out[:, :, 0].masked_fill(~present, -1e9)
        if not len(batch.acts):
            return win, out[:, :, 1], torch.zeros(0, device=table.device)
        chosen = batch.counts > 0
        seats = seats.reshape(n, most, -1)[chosen]
        own = seats[torch.arange(len(seats), device=table.device), batch.decider[chosen]]
        seen = (seats.sum(1) - own)[:, : self.open]
        context = table[chosen] @ w.choice_table + own @ w.choice_seat + seen @ w.choice_others[: self.open]
        acts = self.spread[2](batch.acts) @ w.choice_action
        of = torch.repeat_interleave(torch.arange(len(context), device=table.device), batch.counts[chosen])
        return win, out[:, :, 1], functional.relu(acts + (context + w.choice_bias)[of]) @ w.choice_out


class Batch(NamedTuple):
    """Some decisions as tensors; see `Sample`."""

    table: torch.Tensor
    seats: torch.Tensor
    players: torch.Tensor
    decider: torch.Tensor
    win: torch.Tensor
    standing: torch.Tensor
    counts: torch.Tensor
    acts: torch.Tensor
    target: torch.Tensor


def batches(sample: Sample, order: np.ndarray, device: str, size: int = BATCH) -> Iterator[Batch]:
    """The decisions of a sample in an order, some at a time."""
    ends = np.cumsum(sample.counts, dtype=np.int64)
    for first in range(0, len(order), size):
        rows = order[first : first + size]
        counts = sample.counts[rows].astype(np.int64)
        before = np.cumsum(counts) - counts
        acts = np.repeat(ends[rows] - counts - before, counts) + np.arange(counts.sum())
        most = int(sample.players[rows].max())

        def tensor(array: np.ndarray) -> torch.Tensor:
            return torch.from_numpy(array).to(device)

        yield Batch(
            tensor(sample.table[rows]),
            tensor(sample.seats[rows, :most]),
            tensor(sample.players[rows].astype(np.int64)),
            tensor(sample.decider[rows].astype(np.int64)),
            tensor(sample.win[rows, :most].astype(np.float32)),
            tensor(sample.standing[rows, :most].astype(np.float32)),
            tensor(counts),
            tensor(sample.acts[acts]),
            tensor(sample.target[acts].astype(np.float32)),
        )


def losses(module: Module, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """Of winning, of the standing, of the preferences; and the square error of the part of the win."""
    win, standing, choice = module(batch)
    alone = (batch.players == 1)[:, None]
    likely = torch.where(alone, torch.sigmoid(win), torch.softmax(win, 1))
    shared = -(batch.win * torch.log_softmax(win, 1)).sum(1, keepdim=True)
    solo = functional.binary_cross_entropy_with_logits(win[:, :1].clamp(-30, 30), batch.win[:, :1], reduction="none")
    present = torch.arange(win.shape[1], device=win.device) < batch.players[:, None]
    far = functional.binary_cross_entropy_with_logits(standing, batch.standing, reduction="none")[present].mean()
    error = ((likely - batch.win) ** 2)[present].mean()
    of_win = torch.where(alone, solo, shared).mean()
    if not len(choice):
        return of_win, far, torch.zeros((), device=win.device), error
    counts = batch.counts[batch.counts > 0]
    of = torch.repeat_interleave(torch.arange(len(counts), device=win.device), counts)
    most = torch.full((len(counts),), -1e9, device=win.device).scatter_reduce(0, of, choice.detach(), "amax")
    total = torch.zeros(len(counts), device=win.device).index_add(0, of, torch.exp(choice - most[of]))
    of_choice = -(batch.target * (choice - most[of] - torch.log(total)[of])).sum() / len(counts)
    return of_win, far, of_choice, error


def measured(module: Module, sample: Sample, order: np.ndarray) -> Losses:
    """How wrong a network is about some decisions."""
    total, n = np.zeros(4), 0
    with torch.no_grad():
        for batch in batches(sample, order, module.device, 4 * BATCH):
            total += len(batch.table) * np.array([float(loss) for loss in losses(module, batch)])
            n += len(batch.table)
    return Losses(*(float(part) for part in total / max(n, 1)))


def fit(
    module: Module, sample: Sample, order: np.ndarray, epochs: float, seed: int, rate: float = RATE
) -> Iterator[float]:
    """Learn from the decisions in ``order``; yields how much of the work is done."""
    chance = np.random.default_rng(seed)
    steps = max(1, round(epochs * len(order) / BATCH))
    optimizer = torch.optim.AdamW(module.parameters(), lr=rate, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=steps + 1, pct_start=0.1)
    done = 0
    while done < steps:
        for batch in batches(sample, chance.permutation(order), module.device):
            if done == steps:
                break
            win, standing, choice, _ = losses(module, batch)
            optimizer.zero_grad()
            (win + STANDING * standing + CHOICE * choice).backward()
            optimizer.step()
            schedule.step()
            done += 1
            yield done / steps
