"""A server that goes and comes back."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.games.alhambra.browser.person import Alhambra


def test_a_move_made_while_the_server_is_gone_arrives_when_it_is_back(own_house: House, visitor: Invite) -> None:
    ada = visitor(own_house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    assert ada.my_turn()
    ada.patient = True
    before = ada.bar.get_attribute("data-seq") or ""
    # The page gets what it can say of a piece; cut off in the middle, that would fail by another name.
    with ada.page.expect_event("requestfinished", lambda request: "/assets/Piece" in request.url):
        ada.press(ada.possible(ada.open_money)[0])
    expect(ada.button("confirm.take", ada.bar)).to_be_visible()
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    ada.press(ada.button("confirm.take", ada.bar))
    own_house.open()
    expect(ada.bar).not_to_contain_text(ada.say("ui.live.lost"))
    expect(ada.bar).not_to_have_attribute("data-seq", before)
    assert ada.my_turn()


def test_what_a_piece_is_cannot_come_while_the_server_is_gone_and_does_afterwards(
    own_house: House, visitor: Invite
) -> None:
    ada = visitor(own_house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    assert ada.my_turn()
    ada.patient = True
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    with ada.page.expect_event("requestfailed", lambda request: "/assets/" in request.url):
        ada.press(ada.possible(ada.open_money)[0])
    own_house.open()
    expect(ada.bar).not_to_contain_text(ada.say("ui.live.lost"))
    ada.page.keyboard.press("w")
    expect(ada.page.locator("dialog.what")).to_be_visible()
