"""Scoring answers, and the answers of the two baselines."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import ziggurat
from ziggurat.bots import decide
from ziggurat.core.errors import ZigguratError
from ziggurat.core.position import Position
from ziggurat.core.seed import generator, parse_seed
from ziggurat.lab.intervals import wilson
from ziggurat.lab.questions.files import QuestionSet, QuestionsProblem, RightAnswer, SheetQuestion

BASELINES = ("random", "greedy")
HEURISTIC = "greedy"


class GroupScore(NamedTuple):
    """The score of some questions.

    Attributes:
        chance: what answers at random would be worth, of 1.
        low, high: the ends of the 95 % interval of the share.
    """

    right: int
    questions: int
    answered: int
    chance: float
    low: float
    high: float

    @property
    def share(self) -> float:
        return self.right / self.questions


class SetScores(NamedTuple):
    """The scores of a set: of all questions, and by tier, game and kind."""

    all: GroupScore
    by: dict[str, dict[str, GroupScore]]


def score(questions: QuestionSet, given: Mapping[str, int | str]) -> SetScores:
    """Compare answers, as ``read_answers`` returns them, with the right ones; one that is not there is wrong."""
    asked = [*questions.questions.values()]
    groups: dict[str, Callable[[SheetQuestion], str]] = {
        "tier": lambda one: str(one.tier),
        "game": lambda one: one.game,
        "kind": lambda one: f"{one.tier} {one.kind}",
    }
    by = {}
    for name, group in groups.items():
        values = dict.fromkeys(group(one) for one in (asked if name == "game" else sorted(asked, key=_by_tier)))
        by[name] = {value: _score(questions, [one for one in asked if group(one) == value], given) for value in values}
    return SetScores(_score(questions, asked, given), by)


def _by_tier(question: SheetQuestion) -> tuple[int, str]:
    return question.tier, question.kind


def _score(questions: QuestionSet, some: list[SheetQuestion], given: Mapping[str, int | str]) -> GroupScore:
    right = sum(given.get(one.id) == questions.answers[one.id].answer for one in some)
    chance = sum(questions.answers[one.id].chance for one in some) / len(some)
    low, high = wilson(right / len(some), len(some))
    return GroupScore(right, len(some), sum(one.id in given for one in some), chance, low, high)


def table(report: SetScores) -> list[str]:
    """Return a report as lines of a table."""
    rows = [("all", report.all)]
    rows += [(f"{name} {value}", one) for name, scores in report.by.items() for value, one in scores.items()]
    width = max(len(name) for name, _ in rows)
    lines = [f"{'':{width}}  right  of  share  95 %          by chance"]
    for name, one in rows:
        interval = f"{one.low:.0%} to {one.high:.0%}"
        lines.append(
            f"{name:{width}}  {one.right:5}  {one.questions:3}  {one.share:4.0%}  {interval:12}  {one.chance:4.0%}"
        )
    return lines


def as_json(report: SetScores) -> dict[str, Any]:
    """Return a report for programs."""

    def told(one: GroupScore) -> dict[str, Any]:
        return {**one._asdict(), "share": one.share}

    return {
        "all": told(report.all),
        **{name: {k: told(v) for k, v in some.items()} for name, some in report.by.items()},
    }


def baseline(questions: QuestionSet, by: str, seed: int = 1) -> dict[str, int | str]:
    """Return the answers of a baseline.

    Args:
        by: ``random``, any answer of the form that is asked for; ``greedy``, the option that the game's heuristic would
            play, and at random where it is none.

    Raises:
        QuestionsProblem: for another baseline, and for the heuristic where the set is of other rules.
    """
    if by not in BASELINES:
        raise QuestionsProblem(f"a baseline is one of {', '.join(BASELINES)}, not {by!r:.20}")
    if by == HEURISTIC:
        questions.must_be_ours()
    chance = random.Random(seed)
    given = {}
    for one in questions.questions.values():
        at_random = _at_random(one, chance)
        answer = _by_heuristic(one, questions.answers[one.id], seed) if by == HEURISTIC else None
        given[one.id] = at_random if answer is None else answer
    return given


def _at_random(question: SheetQuestion, chance: random.Random) -> int | str:
    letters = [*question.options]
    if question.form == "number":
        return chance.randint(0, question.most or 0)
    if question.form == "choice":
        return chance.choice(letters)
    mask = chance.randint(1, 2 ** len(letters) - 1)
    return "".join(letter for place, letter in enumerate(letters) if mask >> place & 1)


def _by_heuristic(question: SheetQuestion, answer: RightAnswer, seed: int) -> int | str | None:
    """Return what the heuristic says; None where it has nothing to say."""
    if question.form == "number":
        return answer.usual
    if not answer.steps or question.kind.endswith("_not"):
        return None
    position = position_of(question, answer)
    try:
        played = position.after_move(question.seat, decide(position, question.seat, HEURISTIC, generator(seed)))
    except ZigguratError as error:
        raise QuestionsProblem(f"the position of {question.id} is damaged: {error}") from None
    for letter, steps in answer.steps.items():
        after = position.copy(events=False)
        after.play_all(question.seat, steps)
        if after.to_bytes() == played.to_bytes():
            return letter
    return None


def position_of(question: SheetQuestion, answer: RightAnswer) -> Position:
    """Return the position of a question, dealt again from what the seat that is asked knows."""
    game = ziggurat.game(question.game)
    return Position.from_bytes(game, answer.state, players=question.players, trace=False, seed=parse_seed(0))
