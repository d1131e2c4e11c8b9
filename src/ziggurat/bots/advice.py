"""What a strong player would do, and what a move cost that was made instead."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from ziggurat.bots.belief import Belief
from ziggurat.bots.search import Budget, Searcher
from ziggurat.core.decision import Description
from ziggurat.core.position import Position


class Thought(NamedTuple):
    """Every seat's part of so many games."""

    chances: list[float]
    games: int


class Advice(msgspec.Struct, frozen=True):
    """A move that a search would make, and every seat's chance of winning after it: its part of so many games."""

    move: Description
    chances: list[float]
    games: int

    @property
    def steps(self) -> list[int]:
        """The numbers of the move's actions."""
        return [step.action for step in self.move.steps]


class Judgement(msgspec.Struct, frozen=True):
    """A move that was made beside the one that a search would have made.

    Attributes:
        seat: who moved.
        move: what it was.
        chances: of every seat to win, after the move as it was made: its part of the games that were played on.
        games: how many; the fewer, the less can be said.
        best: what the search would have done.
        cost: how much less the mover's chance of winning is than after ``best``; 0 for the same move.
    """

    seat: int
    move: Description
    chances: list[float]
    games: int
    best: Advice
    cost: float


def advise(position: Position, seat: int, budget: Budget, rng: np.ndarray) -> Advice:
    """What a search would do for a seat that must decide, from what the seat may know.

    Args:
        budget: of the first step; the others have a quarter of it.
    """
    ahead = position.copy()
    searcher = Searcher(position.game)
    steps: list[int] = []
    thought: Thought | None = None
    while True:
        legal = ahead.legal(seat)
        action = legal[0]
        if len(legal) > 1:
            options = searcher.think(Belief(ahead, seat, rng), budget.part if steps else budget, rng)
            action = next((option.action for option in options if option.action in legal), action)
            thought = thought or Thought(searcher.chances, searcher.games)
        steps.append(action)
        ahead.play(seat, action)
        if not ahead.in_move:
            break
    return Advice(position.describe(seat, steps), *(thought or _chances(position, seat, steps[0], budget, rng)))


def judge(position: Position, seat: int, steps: Sequence[int], iterations: int, rng: np.ndarray) -> Judgement:
    """What a move cost: it and the best one are played on in as many games, dealt alike.

    Args:
        iterations: of the search, and of each of the two.
    """
    budget = Budget(iterations=iterations)
    best = advise(position, seat, budget, rng)
    steps = list(steps)
    here, other = position.copy(), position.copy()
    same = 0
    while same < min(len(steps), len(best.steps)) and steps[same] == best.steps[same]:
        here.play(seat, steps[same])
        same += 1
    move = position.describe(seat, steps)
    if same == len(steps):
        return Judgement(seat, move, best.chances, best.games, best, 0.0)
    for action in best.steps[:same]:
        other.play(seat, action)
    alike = rng.copy()
    made = _chances(here, seat, steps[same], budget, rng)
    better = _chances(other, seat, best.steps[same], budget, alike)
    best = Advice(best.move, *better)
    return Judgement(seat, move, *made, best, max(0.0, better.chances[seat] - made.chances[seat]))


def _chances(position: Position, seat: int, action: int, budget: Budget, rng: np.ndarray) -> Thought:
    """Every seat's chance of winning when a seat plays an action."""
    searcher = Searcher(position.game)
    searcher.think(Belief(position, seat, rng), budget, rng, only=action)
    return Thought(searcher.chances, searcher.games)
