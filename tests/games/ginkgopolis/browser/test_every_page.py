"""Every state of a table of Ginkgopolis, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

import pytest
from tests.browser.every_page import before_a_game
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.prepared import COMPANY, HOST, newcomer
from tests.games.ginkgopolis.browser.every_page import WALKS
from tests.games.ginkgopolis.browser.person import Ginkgopolis


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_every_state_of_ginkgopolis_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Ginkgopolis, language=language, phone=phone, name=HOST, cookie=newcomer(house.base, HOST))
    ada.company = COMPANY
    check(ada, before_a_game(ada))
    for walk in WALKS:
        check(ada, walk(ada))
