"""Every state of a table of Alhambra, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

import pytest
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.prepared import COMPANY, HOST, newcomer
from tests.games.alhambra.browser.every_page import WALKS
from tests.games.alhambra.browser.person import Alhambra


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_every_state_of_alhambra_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Alhambra, language=language, phone=phone, name=HOST, cookie=newcomer(house.base, HOST))
    ada.company = COMPANY
    for walk in WALKS:
        check(ada, walk(ada))
