"""The board answers: a line of questions, by key and by touch, seen and spoken, from what the asker sees."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import THEMES, look
from tests.browser.person import Person
from tests.browser.prepared import make
from tests.example import WALKED

import ziggurat

MOST = 120


def somebody(visitor: Invite, house: House, game: str, language: str, *, phone: bool = False) -> Person:
    kind = type("Asker", (Person,), {"game": game})
    ada: Person = visitor(house, kind, language=language, phone=phone, reduced_motion="reduce")
    fewest = max(2, ziggurat.game(game).min_players)
    ada.come_to(make(house.base, game, "me", *["mason"] * (fewest - 1)))
    assert ada.my_turn()
    return ada


def spoken(ada: Person) -> Locator:
    return ada.page.locator("[aria-live=polite]")


def answer(ada: Person, question: str) -> str:
    """Ask by keys; what is shown is also spoken."""
    field = ada.drawer("ask.title").get_by_role("textbox")
    expect(field).to_be_focused()
    shown = ada.page.get_by_test_id("answer")
    ada.page.keyboard.type(question)
    ada.page.keyboard.press("Enter")
    expect(shown).not_to_have_text("")
    said = shown.inner_text()
    expect(spoken(ada)).to_contain_text(said)
    assert len(said) <= MOST
    return said


@pytest.mark.parametrize(("game", "language"), list(zip(WALKED, ["en", "hu", "de", "en"], strict=False)))
def test_a_board_answers_every_question_that_it_offers(house: House, visitor: Invite, game: str, language: str) -> None:
    ada = somebody(visitor, house, game, language)
    ada.page.keyboard.press("/")
    sheet = ada.drawer("ask.title")
    expect(sheet).to_be_visible()
    examples = sheet.get_by_role("list", name=ada.say("ask.examples")).get_by_role("button").all_inner_texts()
    assert len(examples) >= 10
    unknown = answer(ada, "xyzzy")
    assert unknown.startswith(ada.say("ask.unknown", questions="").partition(":")[0]), unknown
    assert examples[0] in unknown
    said = {example: answer(ada, f"{example}?") for example in examples}
    assert unknown not in said.values()
    # By its first letter, whose turn it is; a longer answer goes on when it is told to.
    letter = ada.say("ask.turn.words").split(", ")[-1]
    assert answer(ada, letter).startswith(ada.say("ui.table.your_turn"))
    # The same answer is said again.
    before = spoken(ada).text_content()
    assert answer(ada, letter).startswith(ada.say("ui.table.your_turn"))
    assert spoken(ada).text_content() != before
    long = next((one for one, text in said.items() if text.endswith("…")), None)
    if long:
        first = answer(ada, long)
        assert answer(ada, ada.say("ask.more.words").split(", ")[-1]) != first
    # What is no fact may be a piece, which says what it is.
    pieces = next(message["about"] for message in ada.heard if message["type"] == "about")
    names = [ada.say(piece["name"]["key"], **piece["name"]["args"]) for piece in pieces]
    name = max(names, key=len)
    told = answer(ada, f"{ada.say('ask.about.words').split(', ')[0]} {name}?")
    assert told.lower().startswith(f"{name}: ".lower()[: MOST // 2]), told
    assert list(look(ada, "questions", THEMES)) == []
    # Escape closes it and takes nothing back.
    ada.page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


def test_a_finger_asks_from_the_settings(house: House, visitor: Invite) -> None:
    game = next(iter(ziggurat.registered_games()))
    ada = somebody(visitor, house, game, "hu", phone=True)
    ada.press(ada.button("ui.settings.title"))
    ada.press(ada.button("ui.settings.ask"))
    sheet = ada.drawer("ask.title")
    expect(sheet).to_be_visible()
    assert list(look(ada, "questions by touch", THEMES)) == []
    points = ada.say("ask.points.words").split(", ")[0]
    ada.press(sheet.get_by_role("button", name=points, exact=True))
    expect(ada.page.get_by_test_id("answer")).to_have_text(re.compile(rf"{ada.say('ask.you')} 0", re.IGNORECASE))
    ada.close(sheet)
