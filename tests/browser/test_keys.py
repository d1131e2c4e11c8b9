"""Keys as a player's hands, at any game: which there are, how they are shown, and what they leave alone."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.keys import KEY, KeyboardPlayer
from tests.browser.person import Anybody, Person
from tests.browser.prepared import make
from tests.example import EXAMPLE, SEATS
from tests.runs import often

from ziggurat.core.text import LANGUAGES

LETTERS = "kbd"
HELD = """async (modifier) => {
  const key = { key: '5', bubbles: true, cancelable: true, [modifier]: true }
  return document.body.dispatchEvent(new KeyboardEvent('keydown', key))
}"""


def at_a_table(visitor: Invite, house: House, language: str = "en") -> Person:
    ada = visitor(house, Anybody, language=language)
    ada.come_to(make(house.base, EXAMPLE, "me", *["mason"] * (SEATS - 1)))
    assert ada.my_turn()
    return ada


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_keys_are_on_a_sheet_and_on_the_pieces(house: House, visitor: Invite, language: str) -> None:
    ada = at_a_table(visitor, house, language)
    marks = ada.page.locator(f"main [{KEY}]")
    expect(marks).to_have_count(0)
    ada.page.keyboard.press("?")
    sheet = ada.drawer("keys.title")
    expect(sheet).to_be_visible()
    for key in ("choose", "confirm", "back", "arrows", "tab", "undo", "hint", "log", "what", "ask", "sheet"):
        expect(sheet).to_contain_text(ada.say(f"keys.{key}"))
    # Each is shown where it is, and told to those who listen; no two things have the same.
    shown = ada.page.locator(LETTERS).filter(visible=True)
    keys = [mark.get_attribute(KEY) or "" for mark in marks.all()]
    assert len(keys) >= 4
    assert len(set(keys)) == len(keys)
    assert not set(keys) & set("zhlw?/"), "these mean something everywhere"
    on_pieces = [text for text in shown.all_inner_texts() if len(text) == 1]
    assert set(keys) <= set(on_pieces)
    # It takes nothing back when it is closed; whoever uses a pointer sees no letters.
    ada.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    expect(ada.page.locator(f".letters {LETTERS}")).not_to_have_count(0)
    ada.press(ada.page.get_by_role("main").get_by_role("button").first)
    expect(ada.page.locator(f".letters {LETTERS}")).to_have_count(0)


SAID = """
bar => {
  const asked = bar.querySelector('p').innerText.trim()
  return document.querySelector('[aria-live=polite]').textContent.includes(asked)
}
"""
"""Whether those who listen have heard what stands in the bar."""


@often
def test_a_move_is_made_and_undone_and_the_focus_is_on_what_is_asked(house: House, visitor: Invite) -> None:
    ada = at_a_table(visitor, house)
    hands = KeyboardPlayer(ada)
    keys = ada.page.keyboard
    # From nowhere an arrow leads to what can be chosen; Enter chooses it, and then confirms.
    keys.press("ArrowRight")
    hands.is_asked_next()
    chosen = hands.where
    keys.down("Enter")
    expect(ada.button("ui.table.take_back", ada.bar)).to_be_visible()
    # A key that is held does nothing twice: what is chosen is not confirmed by it.
    seq = ada.seq
    for _ in range(5):
        keys.down("Enter")
    keys.up("Enter")
    expect(ada.button("ui.table.take_back", ada.bar)).to_be_visible()
    assert (hands.where, ada.seq) == (chosen, seq)
    # What it does is said to those who listen.
    ada.page.wait_for_function(SAID, arg=ada.bar.element_handle())
    hands.confirm()
    hands.is_asked_next()
    # What cannot be chosen any more has no key.
    on_marks = ada.page.locator(f"main [{KEY}]")
    assert sorted(mark.get_attribute(KEY) or "" for mark in on_marks.all()) == sorted(
        text for text in ada.page.locator(f".letters {LETTERS}").all_inner_texts() if text != "⏎"
    )
    seq = ada.seq
    keys.press("z")
    ada.catch_up(seq + 1)
    # There are no hints at this table, and nothing to undo any more: a key that does nothing says why.
    keys.press("h")
    expect(ada.bar).to_contain_text(ada.say("keys.none.h"))
    keys.press("Escape")
    keys.press("z")
    expect(ada.bar).to_contain_text(ada.say("keys.none.z"))
    keys.press("l")
    expect(ada.page.get_by_role("list", name=ada.say("ui.table.log"), exact=True)).to_be_focused()
    keys.press("w")
    expect(ada.page.locator("dialog.piece-help")).to_be_visible()


def test_keys_leave_browsers_fields_and_those_who_do_not_want_them_alone(house: House, visitor: Invite) -> None:
    ada = at_a_table(visitor, house)
    keys = ada.page.keyboard
    keys.press("?")
    keys.press("Escape")
    # What belongs to the browser or to a screen reader is not taken.
    for modifier in ("ctrlKey", "altKey", "metaKey"):
        assert ada.page.evaluate(HELD, modifier), f"{modifier} is somebody else's"
    take_back = ada.button("ui.table.take_back", ada.bar)
    expect(take_back).to_have_count(0)
    # What is typed is typed.
    keys.press("/")
    field = ada.page.get_by_role("textbox", name=ada.say("ask.title"))
    expect(field).to_be_focused()
    keys.type("5 zhl?")
    expect(field).to_have_value("5 zhl?")
    expect(take_back).to_have_count(0)
    keys.press("Escape")
    # A dialog keeps its own keys.
    keys.press("w")
    expect(ada.page.locator("dialog.piece-help[aria-busy=false]")).to_be_visible()
    keys.press("5")
    keys.press("Escape")
    expect(take_back).to_have_count(0)
    # They can be switched off: then no letter does anything, and arrows and Enter still do.
    ada.press(ada.button("ui.settings.title"))
    ada.choose("ui.settings.keys", "ui.settings.keys.off")
    keys.press("Escape")
    for key in ("5", "z", "?", "w", "/"):
        keys.press(key)
    expect(ada.page.get_by_role("dialog")).to_have_count(0)
    expect(take_back).to_have_count(0)
    assert json.loads(ada.page.evaluate("localStorage.getItem('ziggurat.settings')"))["keys"] is False
    ada.bar.focus()
    keys.press("ArrowRight")
    keys.press("Enter")
    expect(take_back).to_be_visible()
    # They stay off, and come back when they are wanted.
    ada.reload()
    assert ada.my_turn()
    keys.press("5")
    expect(take_back).to_have_count(0)
    ada.press(ada.button("ui.settings.title"))
    ada.choose("ui.settings.keys", "ui.settings.keys.on")
    keys.press("Escape")
    keys.press("5")
    expect(take_back).to_be_visible()
