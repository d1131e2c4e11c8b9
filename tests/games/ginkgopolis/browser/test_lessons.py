"""Lessons: every step is done by touching the board, and what cannot be paid for is explained."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.pupil import Pupil
from tests.games.ginkgopolis.browser.person import Ginkgopolis

import ziggurat
from ziggurat.core.lesson import lessons


def play(pupil: Pupil, ada: Ginkgopolis, move: str) -> None:
    """Make a move by touching what it names."""
    what, _, rest = move.partition(" ")
    card, _, tile = rest.partition(" with ")
    if move == "new hand":
        ada.press(ada.fresh)
        pupil.confirm("confirm.new_hand")
    elif what == "move":
        # From north to south, and there from west to east.
        targets = ada.city.get_by_role("button", name=ada.say("label.move_here", marker="A"))
        ada.press(targets.nth(("north", "west").index(rest)))
        pupil.confirm("confirm.move")
    elif what == "return":
        tiles = re.findall(r"\w+ \d+", rest)
        for one in tiles:
            ada.press(ada.tile(one))
        ada.press(ada.button("confirm.return", ada.bar, count=len(tiles), points=len(tiles)))
    else:
        ada.press(ada.card(card))
        if tile:
            ada.press(ada.tile(tile))
            pupil.confirm("confirm.urbanize" if len(card) == 1 else "confirm.construct")
        else:
            ada.press(ada.button("confirm.alone", ada.bar, card=card))


def test_every_step_of_every_lesson(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    pupil = Pupil(ada)
    pupil.begin()
    found = list(lessons(ziggurat.game("ginkgopolis")).values())
    for lesson in found:
        for step in lesson.steps:
            key = f"{lesson.name}.{step.name}"
            pupil.is_told(f"{key}.goal")
            if step.name == "tall":
                # A position may be later in the game than its deal.
                expect(ada.page.get_by_role("group", name=ada.say("label.round", number=5), exact=True)).to_be_visible()
            elif step.name == "edge":
                play(pupil, ada, "play H with red 7")
                pupil.is_told("actions.edge.blue")
            elif step.name == "own":
                ada.press(ada.card("blue 12"))
                ada.press(ada.tile("red 16"))
                ada.press(ada.button("confirm.with_tile", ada.bar, card="blue 12", tile="red 16"))
                pupil.is_told("cards.own.short")
            if step.right:
                pupil.choose(lesson.name, step.name, step.right)
            else:
                play(pupil, ada, step.show)
                pupil.is_told(f"{key}.{next(one.say for one in step.answers if one.fits(step.show, ()))}")
            if step is not lesson.steps[-1]:
                pupil.press("next")
            elif lesson is not found[-1]:
                pupil.press("next_lesson")
    expect(ada.button("learn.guided", pupil.coach)).to_be_visible()
