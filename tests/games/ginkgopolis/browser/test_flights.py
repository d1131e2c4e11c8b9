"""Cards fly to where they lie, as everybody has it who has chosen nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.flown import everything_is_shown, watch
from tests.browser.house import House
from tests.browser.prepared import lay
from tests.games.ginkgopolis.browser.person import Ginkgopolis
from tests.runs import often


@pytest.mark.parametrize("phone", [False, pytest.param(True, marks=often)])
def test_what_others_have_laid_down_is_seen_when_it_has_flown(house: House, visitor: Invite, phone: bool) -> None:
    """In front of them, and on a phone in short above."""
    ada = visitor(house, Ginkgopolis, phone=phone)
    ada.come_to(lay(house.base, "ginkgopolis", "five"))
    ada.page.wait_for_load_state("networkidle")
    watch(ada)
    ada.play()
    everything_is_shown(ada)
    expect(ada.page.locator("[data-place^='laid:']").filter(visible=True).first).to_be_visible()
