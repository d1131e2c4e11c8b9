"""Keys as a player's hands: where their letters are drawn, and that a dialog keeps its own."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.keys import KEY, KeyboardPlayer
from tests.browser.person import Anybody
from tests.browser.prepared import make
from tests.example import EXAMPLE, SEATS
from tests.runs import often

LETTERS = ".letters kbd"


@often
def test_letters_are_drawn_on_the_pieces_and_a_dialog_keeps_its_own_keys(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody)
    ada.come_to(make(house.base, EXAMPLE, "me", *["mason"] * (SEATS - 1)))
    assert ada.my_turn()
    hands, keys = KeyboardPlayer(ada), ada.page.keyboard
    hands.look()
    marks = [mark.get_attribute(KEY) or "" for mark in ada.page.locator(f"main [{KEY}]").all()]
    drawn = ada.page.locator(LETTERS)
    assert sorted(marks) == sorted(text for text in drawn.all_inner_texts() if text != "⏎")
    take_back = ada.button("ui.table.take_back", ada.bar)
    keys.press("w")
    expect(ada.page.locator("dialog.piece-help[aria-busy=false]")).to_be_visible()
    keys.press(marks[0])
    keys.press("Escape")
    expect(take_back).to_have_count(0)
    # What is chosen is confirmed by another Enter, and not by one that is held.
    keys.press("ArrowRight")
    hands.is_asked_next()
    chosen = hands.where
    for _ in range(5):
        keys.down("Enter")
    keys.up("Enter")
    expect(take_back).to_be_visible()
    assert hands.where == chosen
    hands.confirm()
    hands.is_asked_next()
    # Whoever uses a pointer sees no letters.
    ada.press(ada.page.get_by_role("main").get_by_role("button").first)
    expect(drawn).to_have_count(0)
