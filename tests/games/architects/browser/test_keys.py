"""Architects without a mouse."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.keys import KeyboardPlayer, focused, press_until
from tests.games.architects.browser.person import Architects
from tests.runs import often


@often
def test_a_turn_by_keys_alone(house: House, visitor: Invite) -> None:
    ada = visitor(house, Architects)
    ada.sit("paying")
    keys = ada.page.keyboard

    # Tab leads to the payments, which are one stop; arrows walk within them.
    def on_a_payment() -> bool:
        return any(focused(pick)() for pick in ada.picks)

    press_until(ada, "Tab", on_a_payment, "the payments")
    press_until(ada, "ArrowRight", focused(ada.picks[1]), "the second payment")
    keys.press("Enter")
    build = ada.button("confirm.build", ada.bar)
    expect(build).to_be_visible()
    assert focused(ada.bar)()
    keys.press("Escape")
    expect(build).to_have_count(0)
    press_until(ada, "Tab", on_a_payment, "the payments")
    keys.press("Enter")
    press_until(ada, "Tab", focused(build), "the button that confirms")
    before = ada.bar.get_attribute("data-seq") or ""
    keys.press("Enter")
    expect(ada.bar).not_to_have_attribute("data-seq", before)
    if ada.my_turn():
        KeyboardPlayer(ada).is_asked_next()

    # A card, from a deck that says what lies on it; at a table of its own, as building can end the game.
    ada.sit("playing")
    before = ada.bar.get_attribute("data-seq") or ""
    press_until(ada, "Shift+Tab", focused(ada.deck("central")), "the central deck")
    keys.press(" ")
    expect(ada.bar).not_to_have_attribute("data-seq", before)
