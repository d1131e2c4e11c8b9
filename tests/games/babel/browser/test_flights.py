"""Offers fly to where they lie, as everybody has it who has chosen nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.flown import everything_is_shown, watch
from tests.browser.house import House
from tests.browser.prepared import begin, lay, move, seat_guest
from tests.games.babel.browser.person import Babel
from tests.runs import often


@pytest.mark.parametrize("phone", [False, pytest.param(True, marks=often)])
def test_offers_that_flew_in_are_seen_wherever_they_are_shown(house: House, visitor: Invite, phone: bool) -> None:
    """They are there twice: in front of each player, and short above on a phone."""
    ada = visitor(house, Babel, phone=phone)
    table = lay(house.base, "babel", "generous", "me", "open", "open", cookie=ada.cookie)
    guests = [seat_guest(house.base, table, name) for name in ("Bea", "Cid")]
    begin(house.base, table)
    ada.come_to(table)
    # What flies is loaded when the table is seen.
    ada.page.wait_for_load_state("networkidle")
    watch(ada)
    ada.turn(ada.state)
    for guest in guests:
        move(house.base, table, guest, "lay")
    ada.until(ada.say("ask.select"))
    everything_is_shown(ada)
    for seat in (1, 2):
        expect(ada.page.locator(f"[data-place^='offer:{seat}:']").filter(visible=True)).not_to_have_count(0)
