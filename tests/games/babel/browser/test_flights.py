"""Offers fly to where they lie, as everybody has it who has chosen nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.flown import everything_is_shown, watch
from tests.browser.house import House
from tests.browser.prepared import lay
from tests.games.babel.browser.person import Babel


@pytest.mark.parametrize("phone", [False, True])
def test_offers_that_flew_in_are_seen_wherever_they_are_shown(house: House, visitor: Invite, phone: bool) -> None:
    """They are there twice: in front of each player, and short above on a phone."""
    ada = visitor(house, Babel, phone=phone)
    ada.come_to(lay(house.base, "babel", "turn"))
    # What flies is loaded when the table is seen.
    ada.page.wait_for_load_state("networkidle")
    watch(ada)
    ada.turn(ada.state)
    ada.until(ada.say("ask.select"))
    everything_is_shown(ada)
    offers = ada.page.locator("[data-place^='offer:']").filter(visible=True)
    expect(offers.first).to_be_visible()
