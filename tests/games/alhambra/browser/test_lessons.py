"""Lessons: the first is one tap away, questions are answered by keys, and at the end there is a guided game."""

from __future__ import annotations

from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.pupil import Pupil
from tests.games.alhambra.browser.person import Alhambra


def card(cards: Locator, worth: int) -> Locator:
    return cards.filter(has_text=str(worth)).first


def test_questions_by_keys_the_end_and_a_guided_game(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    pupil = Pupil(ada)
    pupil.begin()
    pupil.press("show")
    expect(ada.page.get_by_text(ada.say("learn.so"), exact=True)).to_be_visible()
    ada.page.goto("/#/learn/alhambra/points")
    pupil.choose("points", "most", "money")
    right = ada.button("learn.points.most.most", pupil.coach)
    right.focus()
    ada.page.keyboard.press("Enter")
    pupil.is_told("points.most.most.say")
    ada.page.keyboard.press("Tab")
    onwards = ada.button("learn.next", pupil.coach)
    onwards.focus()
    ada.page.keyboard.press("Enter")
    pupil.is_told("points.scoring.goal")
    ada.press(ada.page.get_by_role("button", name=ada.say("learn.points")))
    ada.press(pupil.coach.get_by_role("button", name=ada.say("learn.end")))
    pupil.choose("end", "when", "hidden")
    pupil.press("next")
    # A game ends within a lesson, and the lesson goes on.
    ada.press(card(ada.open_money, 8))
    pupil.confirm("confirm.take")
    pupil.is_told("end.leftover.most")
    expect(ada.bar).to_contain_text(ada.say("ask.finished"))
    ada.press(ada.page.get_by_role("button", name=ada.say("learn.end")))
    pupil.press("guided")
    expect(ada.region("learn.guide")).to_be_visible()
    ada.at_table()
    expect(ada.your_turn).to_be_attached()
