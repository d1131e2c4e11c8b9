"""Where notes are written lies over nothing of the table, in windows of all kinds."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure_soon
from tests.browser.person import Person
from tests.browser.prepared import make
from tests.example import TAUGHT

import ziggurat

SIZES = ((1280, 800), (900, 1100), (390, 844), (844, 390), (320, 640))
MEETS = """
() => {
  const box = (element) => element.getBoundingClientRect()
  const panel = box(document.querySelector('.notes-place'))
  const parts = [...document.querySelectorAll('main.table > .middle, main.table > .dock > section')]
  const over = (part) => part.left < panel.right - 1 && panel.left < part.right - 1
    && part.top < panel.bottom - 1 && panel.top < part.bottom - 1
  return parts.filter((part) => over(box(part))).map((part) => part.className)
}
"""


@pytest.mark.parametrize("game", TAUGHT)
def test_notes_lie_over_nothing(house: House, visitor: Invite, game: str) -> None:
    ada: Person = visitor(house, type("Somebody", (Person,), {"game": game}), language="hu", phone=True, size=SIZES[2])
    players = max(2, ziggurat.game(game).min_players)
    ada.come_to(make(house.base, game, "me", *["random"] * (players - 1), cookie=ada.cookie))
    assert ada.my_turn()
    ada.stay()
    # Whoever looked elsewhere for a moment is no newcomer any more.
    ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    ada.press(ada.page.locator(".strip").get_by_role("button", name=ada.say("ui.table.log")))
    ada.press(ada.page.locator("dialog").get_by_role("button", name=ada.say("notes.title")))
    field = ada.page.locator(".notes-place textarea")
    expect(field).to_be_focused()
    field.fill("Miért vette el éppen azt?\nA végén még jól jöhet.")
    expect(ada.page.locator(".notes-place")).to_contain_text(ada.say("notes.saved"))
    wrong = []
    for width, height in SIZES:
        ada.page.set_viewport_size({"width": width, "height": height})
        expect(field).to_be_visible()
        expect(field).to_have_value("Miért vette el éppen azt?\nA végén még jól jöhet.")
        wrong += [f"{width}x{height}: over {one}" for one in ada.page.evaluate(MEETS)]
        wrong += [f"{width}x{height}: {one}" for one in measure_soon(ada.page, touch=width < 1000)]
    assert wrong == [], "\n".join(wrong)
