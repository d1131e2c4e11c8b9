"""A question before it has its number: what is asked, in which form, and the right answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

LETTERS = "ABCDEF"


class AnswerOption(NamedTuple):
    """An option in words; with the steps, if it is a whole move that can be made now."""

    words: str
    steps: list[int] | None = None


class Draft(NamedTuple):
    """A question.

    Attributes:
        ask: the question in words.
        right: the right options, or a number.
        wrong: the other options; none where a number is asked for.
        most: the largest number that may be answered.
        several: any number of options may be right.
        spread: what must not always be the same in the answers of a kind.
        steps: for a number, what it is when the heuristic has its way.
    """

    ask: str
    right: Sequence[AnswerOption] | int
    wrong: Sequence[AnswerOption] = ()
    most: int = 0
    several: bool = False
    spread: Any = None
    usual: int | None = None


def one_of(ask: str, right: AnswerOption | str, wrong: Sequence[AnswerOption | str], spread: Any = None) -> Draft:
    """Return a question with one right option."""
    return Draft(ask, [_option(right)], [_option(one) for one in wrong], spread=spread)


def number(ask: str, right: int, largest: int, usual: int | None = None) -> Draft:
    """Return a question for a number from 0 on."""
    most = max(9, 2 * max(right, largest))
    return Draft(ask, right, most=most, spread=right, usual=usual)


def _option(one: AnswerOption | str) -> AnswerOption:
    return one if isinstance(one, AnswerOption) else AnswerOption(one)
