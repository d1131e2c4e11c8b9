"""Every state of a table of Ginkgopolis, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

import pytest
from tests.browser.every_page import before_a_game
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check_walks
from tests.games.ginkgopolis.browser.every_page import WALKS
from tests.games.ginkgopolis.browser.person import Ginkgopolis


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_every_state_of_ginkgopolis_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    check_walks(house, visitor, Ginkgopolis, (before_a_game, *WALKS), language, phone)
