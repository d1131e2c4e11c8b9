"""A server that goes and comes back, and the way back of a browser."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.games.alhambra.browser.person import Alhambra
from tests.runs import often


@often
def test_what_the_server_could_not_give_comes_when_it_is_back_and_so_does_a_move(
    own_house: House, visitor: Invite
) -> None:
    ada = visitor(own_house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    assert ada.my_turn()
    ada.patient = True
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    # What the page can say of a piece is fetched when one is chosen.
    with ada.page.expect_event("requestfailed", lambda request: "/assets/" in request.url):
        ada.press(ada.possible(ada.open_money)[0])
    own_house.open()
    expect(ada.bar).not_to_contain_text(ada.say("ui.live.lost"))
    ada.page.keyboard.press("w")
    expect(ada.page.locator("dialog.piece-help")).to_be_visible()
    ada.page.keyboard.press("Escape")
    if not ada.button("confirm.take", ada.bar).count():
        ada.press(ada.possible(ada.open_money)[0])
    before = ada.bar.get_attribute("data-seq") or ""
    own_house.power_cut()
    expect(ada.bar).to_contain_text(ada.say("ui.live.lost"))
    ada.press(ada.button("confirm.take", ada.bar))
    own_house.open()
    expect(ada.bar).not_to_contain_text(ada.say("ui.live.lost"))
    expect(ada.bar).not_to_have_attribute("data-seq", before)
    assert ada.my_turn()


def test_whoever_goes_back_closes_the_drawer_and_stays_at_the_table(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, phone=True)
    ada.set_up("mason")
    ada.at_table()
    here = ada.page.url
    for drawer, opener in (("ui.settings.title", "ui.settings.title"), ("ui.table.log", "ui.table.log")):
        ada.press(ada.button(opener).filter(visible=True))
        expect(ada.drawer(drawer)).to_be_visible()
        ada.page.go_back()
        expect(ada.drawer(drawer)).to_have_count(0)
        assert ada.page.url == here
        ada.at_table()
    # Closed by hand it leaves nothing behind: the next way back leads away.
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    ada.close(ada.drawer("ui.settings.title"))
    ada.page.wait_for_function("() => !history.state?.drawer")
    ada.page.go_back()
    ada.bar.wait_for(state="detached")


# The link is followed while the entry of the closed drawer is still being left.
AT_ONCE = """
() => {
  const back = history.back.bind(history)
  history.back = () => {
    back()
    history.back = back
    document.querySelector('a[href="#/"]').click()
  }
}
"""


def test_a_link_that_is_followed_right_after_a_drawer_was_closed_leads_away(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    drawer = ada.drawer("ui.settings.title")
    expect(drawer).to_be_visible()
    ada.window.changed = True
    ada.page.evaluate(AT_ONCE)
    ada.press(ada.button("ui.common.close", drawer))
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.home.title"))
    ada.page.go_back()
    ada.at_table()
    ada.page.wait_for_function("() => !history.state?.drawer")


def test_a_link_in_a_drawer_needs_no_second_way_back(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.set_up("mason")
    ada.at_table()
    here = ada.page.url
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    ada.press(ada.page.get_by_role("link", name=ada.say("ui.settings.account")))
    ada.bar.wait_for(state="detached")
    ada.page.go_back()
    ada.at_table()
    assert ada.page.url == here
    ada.page.wait_for_function("() => !history.state?.drawer")
    ada.page.go_back()
    ada.bar.wait_for(state="detached")
