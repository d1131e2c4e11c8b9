"""What a lesson refuses, and what a file of one."""

from __future__ import annotations

import pytest

import ziggurat
from ziggurat.core.errors import IllegalAction, ScenarioError, UnknownLesson
from ziggurat.core.lesson import _read, answer, lesson

GAME = ziggurat.game("alhambra")


def test_a_move_that_cannot_be_made_is_refused_and_an_unfinished_one() -> None:
    one = lesson(GAME, "market")
    step = one.step("exact")
    with pytest.raises(IllegalAction, match="not possible"):
        answer(one, step, [4095])
    buy, *_ = one.begin(step).read_move(step.show, 0)
    with pytest.raises(IllegalAction, match="not complete"):
        answer(one, step, [buy])
    points = lesson(GAME, "points")
    with pytest.raises(IllegalAction, match="question"):
        answer(points, points.step("tie"), [0])


def test_what_is_not_there_is_named_with_what_is() -> None:
    with pytest.raises(UnknownLesson, match="it has: market, points, end"):
        lesson(GAME, "x" * 1000)
    with pytest.raises(UnknownLesson, match="it has: take, several"):
        lesson(GAME, "market").step("nothing")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('game = "babel"\nminutes = 1\n[[steps]]\nname = "a"\nchoices = ["b"]\nright = "b"', "of 'babel'"),
        ('game = "alhambra"\nminutes = 1\n[[steps]]\nname = "a"', "either answers or choices"),
        ('game = "alhambra"\nminutes = 1\n[[steps]]\nname = "a"\nchoices = ["b"]', "right is one of its choices"),
        ('game = "alhambra"\nminutes = 1\n[[steps]]\nname = "a"\nbonus = 1', "line 5.*bonus"),
    ],
)
def test_a_lesson_that_cannot_be_is_refused(text: str, says: str) -> None:
    with pytest.raises(ScenarioError, match=says):
        _read(text, "test", GAME)
