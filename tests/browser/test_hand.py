"""A seat is handed to a friend by a link."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.newcomer import Newcomer


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_a_friend_takes_the_seat(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Newcomer, language=language, phone=phone)
    bela = visitor(house, Newcomer, language=language, phone=phone)
    ada.own_page()
    ada.say_name("Ada")
    table = ada.make_table()
    link = ada.hand_on(table)
    bela.page.goto(link)
    named = bela.page.get_by_label(bela.say("hand.name"))
    named.fill("Béla")
    expect(bela.page.locator("form svg[preserveAspectRatio]")).to_be_visible()  # the picture of the game
    check(bela, iter(["take a seat"]))
    bela.press(bela.button("hand.take"))
    expect(bela.page.get_by_text("Béla").first).to_be_visible()
    assert bela.page.url.endswith(f"/#/table/{table}")
    ada.home()
    expect(ada.row(table)).to_have_count(0)
    ada.expects("403")
    ada.page.goto(link)
    expect(ada.page.get_by_role("alert")).to_have_text(ada.say("account.error.bad_seat_link"))


def with_a_link(ada: Newcomer) -> tuple[Locator, str]:
    """Play at a table, and make the link that hands the seat on; return where it is shown, and the link."""
    ada.set_up("mason", "mason", name="Ada")
    ada.at_table()
    ada.press(ada.button("ui.settings.title").first)
    ada.press(ada.button("hand.leave"))
    shown = ada.drawer("hand.leave")
    ada.press(ada.button("hand.make", shown))
    return shown, shown.get_by_role("textbox").input_value()


def test_a_link_that_is_used_is_offered_no_more(house: House, visitor: Invite) -> None:
    """Whoever still looks at the link when a friend takes the seat has nothing left to hand on."""
    ada, bela = visitor(house, Newcomer), visitor(house, Newcomer)
    shown, link = with_a_link(ada)
    bela.page.goto(link)
    bela.page.get_by_label(bela.say("hand.name")).fill("Béla")
    bela.press(bela.button("hand.take"))
    bela.at_table()
    expect(shown).to_have_count(0)


def test_somebody_who_plays_leaves_by_the_settings_and_takes_the_link_back(house: House, visitor: Invite) -> None:
    ada, bela = visitor(house, Newcomer), visitor(house, Newcomer)
    shown, link = with_a_link(ada)
    ada.press(ada.button("hand.keep", shown))
    expect(ada.button("hand.make", shown)).to_be_visible()
    bela.expects("403")
    bela.page.goto(link)
    expect(bela.page.get_by_role("alert")).to_have_text(bela.say("account.error.bad_seat_link"))
    ada.press(ada.button("hand.get_up", shown))
    expect(ada.page.get_by_role("heading", level=1, name=ada.say("ui.home.title"))).to_be_visible()
