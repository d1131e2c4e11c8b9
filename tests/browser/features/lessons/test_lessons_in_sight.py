"""Every step of every lesson, and riddles, in small windows: what is asked, what answers it and the board are seen at
once."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module

import pytest
from tests.browser.every_page import finding, steps_of, to_step
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure_soon
from tests.browser.person import Person
from tests.example import EXAMPLE, TAUGHT, WALKED
from tests.runs import each, often

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.lesson import Lesson, Step, lessons

SIZES = ((320, 640), (360, 740), (390, 844), (740, 360))


def missing(ada: Person, where: str, sizes: Iterable[tuple[int, int]] = SIZES) -> list[str]:
    """What is not in sight in these windows, although the page has had time to bring it there."""
    found = []
    for width, height in sizes:
        ada.page.set_viewport_size({"width": width, "height": height})
        faults = measure_soon(ada.page, touch=True, only=("task", "asked", "board", "sideways", "cut"))
        found += [f"{width}x{height}, {where}: {one}" for one in faults]
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", TAUGHT)
def test_what_a_lesson_asks_is_in_sight(house: House, visitor: Invite, game: str, language: str) -> None:
    ada: Person = visitor(house, type("Pupil", (Person,), {"game": game}), language=language, phone=True, size=SIZES[0])
    wrong = [one for step in steps_of(ada) for one in missing(ada, ", ".join(step))]
    assert wrong == [], "\n".join(wrong)


@often
@pytest.mark.parametrize("game", TAUGHT)
def test_the_longest_question_is_in_sight(house: House, visitor: Invite, game: str) -> None:
    """In Hungarian, on the smallest phone, upright and on its side."""
    ada: Person = visitor(house, type("Pupil", (Person,), {"game": game}), language="hu", phone=True, size=SIZES[0])

    def long(at: tuple[Lesson, Step]) -> int:
        lesson, step = at
        return sum(len(ada.say(f"learn.{lesson.name}.{step.name}.{one}")) for one in ("goal", *step.choices))

    lesson, step = max(((one, step) for one in lessons(ziggurat.game(game)).values() for step in one.steps), key=long)
    to_step(ada, lesson, step)
    wrong = missing(ada, f"{lesson.name}, {step.name}", (SIZES[0], SIZES[-1]))
    assert wrong == [], "\n".join(wrong)


@pytest.mark.parametrize("language", ["en", pytest.param("hu", marks=often), "de"])
@pytest.mark.parametrize("game", each(WALKED, often=[EXAMPLE]))
def test_what_a_riddle_asks_and_answers_is_in_sight(house: House, visitor: Invite, game: str, language: str) -> None:
    player = import_module(f"tests.games.{game}.browser.every_page").PLAYER
    ada: Person = visitor(house, player, language=language, phone=True, size=SIZES[0])
    wrong = [one for state in finding(ada) for one in missing(ada, state)]
    assert wrong == [], "\n".join(wrong)
