"""Lessons: every step is done by touching the board, and what builds nothing, or the wrong thing, is explained."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.pupil import Pupil
from tests.games.architects.browser.person import Architects

import ziggurat
from ziggurat.core.lesson import Lesson, Step, answer, lessons


def play(pupil: Pupil, ada: Architects, move: str) -> None:
    """Make a move by touching what it names."""
    what, *rest = move.split()
    if what in ("draw", "extra"):
        ada.press(ada.deck(rest[-1]))
    elif what == "build":
        ada.press(ada.stage(int(rest[0])))
        pupil.confirm("confirm.build")
    elif what == "keep":
        ada.press(ada.bar.get_by_role("button", name=ada.say(f"card.{rest[0]}"), exact=True))
        pupil.confirm("confirm.keep")
    else:
        ada.press(ada.offer.filter(has_text=ada.say(f"token.{rest[-1]}")))
        pupil.confirm("confirm.claim")


def answered(pupil: Pupil, ada: Architects, lesson: Lesson, step: Step, move: str) -> None:
    """Make a move of a step, and hear what is said to it."""
    play(pupil, ada, move)
    position = lesson.begin(step)
    say = answer(lesson, step, position.read_move(move, step.seat - 1)).say
    pupil.is_told(say.key.removeprefix("learn."), **say.args)


WRONG = {
    "pay": "build 1 with brick coin",
    "effect": "keep wood",
    "token": "claim gear gear for decor",
    "wait": "draw left",
}


def test_every_step_of_every_lesson(house: House, visitor: Invite) -> None:
    ada = visitor(house, Architects, phone=True)
    pupil = Pupil(ada)
    pupil.begin()
    found = list(lessons(ziggurat.game("architects")).values())
    for lesson in found:
        for step in lesson.steps:
            pupil.is_told(f"{lesson.name}.{step.name}.goal")
            if step.right:
                pupil.choose(lesson.name, step.name, step.right)
            else:
                if step.name in WRONG:
                    answered(pupil, ada, lesson, step, WRONG[step.name])
                    pupil.is_told(f"{lesson.name}.{step.name}.goal")
                    back = ada.button("ui.table.take_back", ada.bar)
                    if back.is_visible():
                        ada.press(back)
                answered(pupil, ada, lesson, step, step.show)
            if step is not lesson.steps[-1]:
                pupil.press("next")
            elif lesson is not found[-1]:
                pupil.press("next_lesson")
    expect(ada.bar).to_contain_text(ada.say("ask.finished"))
    expect(ada.button("learn.guided", pupil.coach)).to_be_visible()
