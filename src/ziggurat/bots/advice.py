"""Hints and reviews: what a strong player would do, and what the move that was made instead cost."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from ziggurat.bots.belief import Belief
from ziggurat.bots.reasons import CHUNK, MADE, OTHERS, PairedRollouts, compared_with, reasons
from ziggurat.bots.search import Budget, Candidate, Searcher
from ziggurat.core.decision import Description
from ziggurat.core.position import Position
from ziggurat.core.trace import Phrase

PAIRS = 2000
"""Pairs of games in which a hint is compared with another move, if the time suffices."""
SECONDS = 0.12
"""For each of the two comparisons of a hint."""
EXPLAINED = 200
"""Pairs of games in which the better move of a judgement is compared with the one that was made."""
MOVES = 8
"""Moves that stand for whatever else could be done."""
WORTH_A_REASON = 0.03
"""What costs less than this of the chance of winning is not explained."""


class Thought(NamedTuple):
    """Every seat's chance of winning, by so many games that were played on."""

    chances: list[float]
    games: int


class Advice(msgspec.Struct, frozen=True):
    """A move that a search would make, and every seat's chance of winning after it, by so many games.

    ``why`` says what it gives, prepares and denies compared with the next best move, or that nothing clear is known: in
    words of the part ``why``.
    """

    move: Description
    chances: list[float]
    games: int
    why: list[Phrase] = []

    @property
    def steps(self) -> list[int]:
        """The numbers of the move's actions."""
        return [step.action for step in self.move.steps]


class Judgement(msgspec.Struct, frozen=True):
    """A move that was made, compared with the one that a search would have made.

    Attributes:
        seat: who moved.
        move: what it was.
        chances: of every seat to win, after the move as it was made, by the games that were played on.
        games: how many; the fewer, the less can be said.
        best: what the search would have done.
        cost: how much less the mover's chance of winning is than after ``best``; 0 for the same move.
        why: what ``best`` gives, prepares and denies compared with it, if that costs anything worth a word.
    """

    seat: int
    move: Description
    chances: list[float]
    games: int
    best: Advice
    cost: float
    why: list[Phrase] = []


def advise(position: Position, seat: int, budget: Budget, rng: np.ndarray) -> Advice:
    """Return what a search would do for a seat that must decide, from what the seat may know.

    Args:
        budget: of the first step; the others have a quarter of it.
    """
    advice, asked = _advise(position, seat, budget, rng)
    if asked is None:
        return advice
    number = min(PAIRS, budget.iterations or PAIRS)
    seconds = math.inf if budget.seconds is None else min(SECONDS, budget.seconds)
    why = _why(position, seat, advice.steps, asked, number, seconds, rng)
    return msgspec.structs.replace(advice, why=why)


class _Branch(NamedTuple):
    """The first step of a move at which there was anything to choose, and what a search thinks of it."""

    step: int
    options: list[Candidate]


def _advise(position: Position, seat: int, budget: Budget, rng: np.ndarray) -> tuple[Advice, _Branch | None]:
    ahead = position.copy()
    searcher = Searcher(position.game)
    steps: list[int] = []
    thought: Thought | None = None
    asked: _Branch | None = None
    while True:
        legal = ahead.legal(seat)
        action = legal[0]
        if len(legal) > 1:
            options = searcher.think(Belief(ahead, seat, rng), budget.part if steps else budget, rng)
            action = next((option.action for option in options if option.action in legal), action)
            thought = thought or Thought(searcher.chances, searcher.games)
            others = [option for option in options if option.action in legal and option.action != action]
            asked = asked or _Branch(len(steps), others)
        steps.append(action)
        ahead.play(seat, action)
        if not ahead.in_move:
            break
    chances = thought or _chances(position, seat, steps[0], budget, rng)
    return Advice(position.describe(seat, steps), *chances), asked


def _why(
    position: Position, seat: int, steps: Sequence[int], branch: _Branch, number: int, seconds: float, rng: np.ndarray
) -> list[Phrase]:
    """Return why a move is better than the next best one; where that is as good, than others on average too."""
    if not branch.options:
        return []
    begun = list(steps[: branch.step])
    others = [completed(position, seat, [*begun, one.action], rng) for one in branch.options[:MOVES]]
    until = time.perf_counter() + seconds
    for other in others:
        pairs = PairedRollouts(position, seat, rng).play(steps, other, CHUNK, until)
        if pairs.differ:  # one of two equal cards is no other move
            break
    why = reasons(pairs.play(steps, other, number - CHUNK, until), compared_with(position.describe(seat, other).words))
    if not why or why[0].key != "why.noise" or len(others) == 1:
        return why
    pairs = PairedRollouts(position, seat, rng)
    until = time.perf_counter() + seconds
    for _ in range(max(1, number // (len(others) * CHUNK))):
        for other in others:
            pairs.play(steps, other, CHUNK, until)
    return [why[0], *(one for one in reasons(pairs, OTHERS) if one.key != "why.noise")]


def completed(position: Position, seat: int, steps: Sequence[int], rng: np.ndarray) -> list[int]:
    """Return a whole move that begins with some steps, as the heuristic would end it."""
    ahead = position.redeal(seat, rng)
    steps = list(steps)
    ahead.play_all(seat, steps)
    while ahead.in_move and seat in ahead.actors:
        steps.append(ahead.suggest(rng, seat))
        ahead.play(seat, steps[-1])
    return steps


def judge(position: Position, seat: int, steps: Sequence[int], iterations: int, rng: np.ndarray) -> Judgement:
    """Return what a move cost: it and the best one are played on in as many games, dealt alike.

    Args:
        iterations: of the search, and of each of the two.
    """
    budget = Budget(iterations=iterations)
    best, _ = _advise(position, seat, budget, rng)
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
    cost = max(0.0, better.chances[seat] - made.chances[seat])
    why = []
    if cost >= WORTH_A_REASON:
        why = reasons(PairedRollouts(position, seat, rng).play(best.steps, steps, EXPLAINED), MADE)
    return Judgement(seat, move, *made, best, cost, why)


def _chances(position: Position, seat: int, action: int, budget: Budget, rng: np.ndarray) -> Thought:
    """Return every seat's chance of winning when a seat plays an action."""
    searcher = Searcher(position.game)
    searcher.think(Belief(position, seat, rng), budget, rng, only=action)
    return Thought(searcher.chances, searcher.games)
