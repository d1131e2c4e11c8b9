"""Advice: hints and reviews by a strong search: what it would do, and what the move that was made instead cost."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from ziggurat.bots.belief import Belief
from ziggurat.bots.reasons import MADE, OTHERS, PAIRS_PER_CHUNK, PairedRollouts, compared_with, reasons
from ziggurat.bots.search import Budget, Candidate, Searcher
from ziggurat.core.decision import Description
from ziggurat.core.position import Position
from ziggurat.core.trace import Phrase

HINT_PAIRS = 2000
"""Pairs of games in which a hint is compared with another move, if the time suffices."""
COMPARISON_SECONDS = 0.12
"""For each of the two comparisons of a hint."""
JUDGEMENT_PAIRS = 200
"""Pairs of games in which the better move of a judgement is compared with the one that was made."""
MOVES_FOR_ALL_OTHERS = 8
"""Moves that stand for whatever else could be done."""
WORTH_A_REASON = 0.03
"""What costs less than this of the chance of winning is not explained."""


class Thought(NamedTuple):
    """An evaluation: every seat's chance of winning, by so many games that were played on."""

    chances: list[float]
    games: int


class Advice(msgspec.Struct, frozen=True):
    """A search's best move, and every seat's chance of winning after it, by so many games.

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


class CandidateMove(msgspec.Struct, frozen=True):
    """A candidate move of a search, with its value.

    Attributes:
        move: with the steps that were not looked at as the heuristic would do them.
        visits: how often the search tried it.
        value: its mean reward there, from 0 to 1; not a chance of winning.
    """

    move: Description
    visits: int
    value: float


class Analysis(msgspec.Struct, frozen=True):
    """The analysis of a decision: a search's candidate moves, and the judgement of the move that was made there.

    Attributes:
        advice: the best move.
        judgement: what the move that was made was worth; None where none was made.
        difference: how much less the mover's chance of winning is than after the best move: the cost before it is kept
            from falling below 0, so that its mean over many moves is not too high.
        candidates: the best moves, the best one first.
    """

    advice: Advice
    judgement: Judgement | None
    difference: float
    candidates: list[CandidateMove]


def advise(position: Position, seat: int, budget: Budget, rng: np.ndarray) -> Advice:
    """Return a search's advice to a seat that must decide, from what the seat may know.

    Args:
        budget: of the first step; the others have a quarter of it.

    Raises:
        NotYourTurn: when the seat owes no decision.
    """
    return _explained(position, position.deciding_seat(seat), budget, rng)[0]


def _explained(position: Position, seat: int, budget: Budget, rng: np.ndarray) -> tuple[Advice, _Branch | None]:
    advice, asked = _advise(position, seat, budget, rng)
    if asked is None:
        return advice, None
    number = min(HINT_PAIRS, budget.iterations or HINT_PAIRS)
    seconds = math.inf if budget.seconds is None else min(COMPARISON_SECONDS, budget.seconds)
    why = _why(position, seat, advice.steps, asked, number, seconds, rng)
    return msgspec.structs.replace(advice, why=why), asked


class _Branch(NamedTuple):
    """The branching step of a move: the first one with a choice, and a search's value of it.

    ``options`` are the others than the ``chosen`` one, which is None where the search has not tried it.
    """

    step: int
    options: list[Candidate]
    chosen: Candidate | None


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
            chosen = next((option for option in options if option.action == action), None)
            asked = asked or _Branch(len(steps), others, chosen)
        steps.append(action)
        ahead.play(seat, action)
        if not ahead.in_move:
            break
    chances = thought or _chances(position, seat, steps[0], budget, rng)
    return Advice(position.describe(seat, steps), *chances), asked


def _why(
    position: Position, seat: int, steps: Sequence[int], branch: _Branch, number: int, seconds: float, rng: np.ndarray
) -> list[Phrase]:
    """Return the reasons why a move is better than the next best one; where that is as good, than others on average
    too."""
    if not branch.options:
        return []
    begun = list(steps[: branch.step])
    others = [completed(position, seat, [*begun, one.action], rng) for one in branch.options[:MOVES_FOR_ALL_OTHERS]]
    until = time.perf_counter() + seconds
    for other in others:
        pairs = PairedRollouts(position, seat, rng).play(steps, other, PAIRS_PER_CHUNK, until)
        if pairs.differ:  # one of two equal cards is no other move
            break
    why = reasons(
        pairs.play(steps, other, number - PAIRS_PER_CHUNK, until), compared_with(position.describe(seat, other).words)
    )
    if not why or why[0].key != "why.noise" or len(others) == 1:
        return why
    pairs = PairedRollouts(position, seat, rng)
    until = time.perf_counter() + seconds
    for _ in range(max(1, number // (len(others) * PAIRS_PER_CHUNK))):
        for other in others:
            pairs.play(steps, other, PAIRS_PER_CHUNK, until)
    return [why[0], *(one for one in reasons(pairs, OTHERS) if one.key != "why.noise")]


def completed(position: Position, seat: int, steps: Sequence[int], rng: np.ndarray) -> list[int]:
    """Return a whole move that begins with some steps, completed by the heuristic."""
    ahead = position.redeal(seat, rng)
    steps = list(steps)
    ahead.play_all(seat, steps)
    while ahead.in_move and seat in ahead.actors:
        steps.append(ahead.suggest(rng, seat))
        ahead.play(seat, steps[-1])
    return steps


def judge(position: Position, seat: int, steps: Sequence[int], iterations: int, rng: np.ndarray) -> Judgement:
    """Return the judgement of a move: it and the best one are played on in as many games, dealt alike.

    Args:
        iterations: of the search, and of each of the two.

    Raises:
        NotYourTurn: when the seat owes no decision.
    """
    judgement = analyse(position, seat, steps, iterations, rng).judgement
    assert judgement is not None
    return judgement


def analyse(
    position: Position,
    seat: int,
    steps: Sequence[int] | None,
    iterations: int,
    rng: np.ndarray,
    *,
    candidates: int = 0,
    explain: bool = True,
) -> Analysis:
    """Return the analysis of a decision: the best moves, and the cost of the move that was made.

    The same every time for the same position, budget and chance: it looks at no clock.

    Args:
        steps: the move that was made, or None.
        iterations: of the search, and of what each of the two moves is worth.
        candidates: so many of the best moves at most.
        explain: give reasons.

    Raises:
        NotYourTurn: when the seat owes no decision.
    """
    budget, seat = Budget(iterations=iterations), position.deciding_seat(seat)
    if steps is None:
        best, branch = (_explained if explain else _advise)(position, seat, budget, rng)
        return Analysis(best, None, 0.0, _candidate_moves(position, seat, best, branch, candidates, rng))
    judgement, branch, difference = _judge(position, seat, list(steps), budget, explain, rng)
    found = _candidate_moves(position, seat, judgement.best, branch, candidates, rng)
    return Analysis(judgement.best, judgement, difference, found)


def _judge(
    position: Position, seat: int, steps: list[int], budget: Budget, explain: bool, rng: np.ndarray
) -> tuple[Judgement, _Branch | None, float]:
    best, branch = _advise(position, seat, budget, rng)
    here, other = position.copy(), position.copy()
    same = 0
    while same < min(len(steps), len(best.steps)) and steps[same] == best.steps[same]:
        here.play(seat, steps[same])
        same += 1
    move = position.describe(seat, steps)
    if same == len(steps):
        return Judgement(seat, move, best.chances, best.games, best, 0.0), branch, 0.0
    for action in best.steps[:same]:
        other.play(seat, action)
    alike = rng.copy()
    made = _chances(here, seat, steps[same], budget, rng)
    better = _chances(other, seat, best.steps[same], budget, alike)
    best = Advice(best.move, *better)
    difference = better.chances[seat] - made.chances[seat]
    cost = max(0.0, difference)
    why = []
    if explain and cost >= WORTH_A_REASON:
        why = reasons(PairedRollouts(position, seat, rng).play(best.steps, steps, JUDGEMENT_PAIRS), MADE)
    return Judgement(seat, move, *made, best, cost, why), branch, difference


def _candidate_moves(
    position: Position, seat: int, best: Advice, branch: _Branch | None, number: int, rng: np.ndarray
) -> list[CandidateMove]:
    """Return the best moves; the first is the one that was searched to its end."""
    if branch is None or number == 0:
        return [CandidateMove(best.move, 0, 0.0)][:number]
    first = branch.chosen or Candidate(best.steps[branch.step], 0, 0.0)
    found = [CandidateMove(best.move, first.tries, first.worth)]
    for one in branch.options[: number - 1]:
        steps = completed(position, seat, [*best.steps[: branch.step], one.action], rng)
        found.append(CandidateMove(position.describe(seat, steps), one.tries, one.worth))
    return found


def _chances(position: Position, seat: int, action: int, budget: Budget, rng: np.ndarray) -> Thought:
    """Return every seat's chance of winning when a seat plays an action."""
    searcher = Searcher(position.game)
    searcher.think(Belief(position, seat, rng), budget, rng, only=action)
    return Thought(searcher.chances, searcher.games)
