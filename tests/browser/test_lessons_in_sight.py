"""Every step of every lesson in small windows: what is asked, what answers it and the board are seen at once."""

from __future__ import annotations

import pytest
from tests.browser.every_page import steps_of, to_step
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure
from tests.browser.person import Person
from tests.runs import often

import ziggurat
from ziggurat.core.lesson import Lesson, Step, lessons

SIZES = ((320, 640), (360, 740), (390, 844), (740, 360))
SETTLED = 600
"""Milliseconds in which frames have found their places, and what they are about has come into sight."""


def missing(ada: Person, where: str) -> list[str]:
    ada.page.wait_for_timeout(SETTLED)
    return [f"{where}: {one}" for one in measure(ada.page, touch=True, only=("task", "board", "sideways"))]


@pytest.mark.parametrize("language", ["en", "hu"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: "{}x{}".format(*size))
@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_what_a_lesson_asks_is_in_sight(
    house: House, visitor: Invite, game: str, size: tuple[int, int], language: str
) -> None:
    kind = type("Pupil", (Person,), {"game": game})
    ada: Person = visitor(house, kind, language=language, phone=True, size=size)
    wrong = [one for step in steps_of(ada) for one in missing(ada, ", ".join(step))]
    assert wrong == [], "\n".join(wrong)


@often
@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_the_longest_question_is_in_sight(house: House, visitor: Invite, game: str) -> None:
    """In Hungarian, on the smallest phone, upright and on its side."""
    ada: Person = visitor(house, type("Pupil", (Person,), {"game": game}), language="hu", phone=True, size=SIZES[0])

    def long(at: tuple[Lesson, Step]) -> int:
        lesson, step = at
        return sum(len(ada.say(f"learn.{lesson.name}.{step.name}.{one}")) for one in ("goal", *step.choices))

    lesson, step = max(((one, step) for one in lessons(ziggurat.game(game)).values() for step in one.steps), key=long)
    wrong = []
    for width, height in (SIZES[0], SIZES[-1]):
        ada.page.set_viewport_size({"width": width, "height": height})
        to_step(ada, lesson, step)
        wrong += missing(ada, f"{width}x{height}, {lesson.name}, {step.name}")
    assert wrong == [], "\n".join(wrong)
