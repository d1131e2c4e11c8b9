"""What is said over a table takes its place at the upper edge, and lies over nothing: no piece, player or question."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect
from tests.browser.every_page import to_step
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure_soon
from tests.browser.person import Person
from tests.browser.prepared import make
from tests.example import EXAMPLE, SEATS, TAUGHT
from tests.runs import each, often

import ziggurat
from ziggurat.core.lesson import lessons

SIZES = ((320, 640), (360, 740), (740, 360), (1366, 768))
TEXT = "The games of this evening are over at eleven: please begin no long one after ten, and thank you for all."
WORD = {"id": "w", "phrase": "thanks", "text": TEXT, "at": 1}
SOON = {"on": False, "begins": 4_000_000_000, "text": {}}
TEA = "Ötkor tea!"


def say(page: Page, **told: Any) -> None:
    """Have the hosts of the server say something; a table's socket tells that there is something."""
    house = {"message": None, "maintenance": None, "words": [], "barred": None, **told}

    def answer(route: Route) -> None:
        route.fulfill(body=json.dumps(house), content_type="application/json")

    page.unroute_all()
    page.route("**/api/house", answer)
    page.evaluate("dispatchEvent(new Event('house'))")


def lies_over(ada: Person) -> list[str]:
    """What the strip lies over, and what else is wrong beside it, in windows of all kinds."""
    wrong = []
    for width, height in SIZES:
        ada.page.set_viewport_size({"width": width, "height": height})
        wrong += [f"{width}x{height}: {one}" for one in measure_soon(ada.page, touch=width < 1000)]
        place, board = (ada.page.locator(at).bounding_box() for at in ("#strip", "main.table > .middle"))
        assert place
        assert board
        if place["y"] + place["height"] > board["y"] + 0.5:
            wrong.append(f"{width}x{height}: the strip {place} lies over the board {board}")
    return wrong


@often
@pytest.mark.parametrize("game", each(TAUGHT, often=[EXAMPLE]))
def test_what_is_said_over_a_table_lies_over_nothing(house: House, visitor: Invite, game: str) -> None:
    ada: Person = visitor(house, type("Somebody", (Person,), {"game": game}), language="hu", phone=True, size=SIZES[0])
    players = max(2, ziggurat.game(game).min_players)
    ada.come_to(make(house.base, game, "me", *["random"] * (players - 1), cookie=ada.cookie))
    assert ada.my_turn()
    ada.stay()
    at = ada.page.url
    strip = ada.page.locator("#strip")
    say(ada.page, words=[WORD], maintenance=SOON)
    # One thing at a time.
    expect(strip.locator("> div").filter(visible=True)).to_contain_text([TEXT])
    wrong = lies_over(ada)
    assert wrong == [], "\n".join(wrong)
    # In a lesson, which fills a small window, it waits.
    expect(strip.locator("> div")).not_to_have_count(0)
    lesson = next(iter(lessons(ziggurat.game(game)).values()))
    to_step(ada, lesson, lesson.steps[0])
    expect(strip.locator("> div")).to_have_count(1)
    expect(strip).not_to_contain_text(TEXT)
    ada.page.goto(at)
    expect(strip).to_contain_text(TEXT)
    # What waits for the end of the game is said elsewhere.
    say(ada.page, message={"id": "m", "text": {"en": "", "hu": TEA}})
    expect(strip.locator("> div")).to_have_count(0)
    ada.page.goto("/#/nowhere")
    expect(strip).to_contain_text(TEA)
    # However long it is, what closes it stands beside it.
    ada.page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
    say(ada.page, message={"id": "n", "text": {"en": "", "hu": TEXT}})
    expect(strip).to_contain_text(TEXT)
    words, close = (one.bounding_box() for one in (strip.locator("p"), ada.button("ui.common.close")))
    assert words
    assert close
    assert close["x"] >= words["x"] + words["width"]
    assert words["y"] - 1 <= close["y"] <= close["y"] + close["height"] <= words["y"] + words["height"] + 1


@often
def test_that_the_server_is_gone_lies_over_nothing(house: House, visitor: Invite) -> None:
    ada: Person = visitor(house, type("Somebody", (Person,), {"game": EXAMPLE}), phone=True, size=SIZES[0])
    ada.come_to(make(house.base, EXAMPLE, "me", *["random"] * (SEATS - 1), cookie=ada.cookie))
    assert ada.my_turn()
    ada.stay()
    say(ada.page, maintenance=SOON)
    expect(ada.button("ui.strip.whole")).to_be_visible()
    ada.patient = True
    ada.page.unroute_all()
    ada.page.route("**/assets/**", lambda route: route.abort())
    # A part of the page that has not come yet.
    ada.press(ada.button("ui.rules.open").filter(visible=True))
    expect(ada.page.locator("#strip .lost")).to_be_visible()
    assert (wrong := lies_over(ada)) == [], "\n".join(wrong)
