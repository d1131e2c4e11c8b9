"""What is this? Buttons of moves stand on the table, too, and are no pieces."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.test_what import MOVE, answer, somebody


def test_the_button_of_a_move_is_no_piece(house: House, visitor: Invite) -> None:
    ada = somebody(visitor, house, "babel", "hu")
    assert ada.my_turn()
    ada.page.mouse.move(1, 1)
    ada.page.locator(MOVE).filter(visible=True).first.focus()
    ada.page.keyboard.press("w")
    shown = answer(ada)
    expect(shown.get_by_role("heading", level=2)).to_have_text(ada.say("what.board"))
    assert shown.get_by_role("listitem").count() >= 5
