"""A table of Architects in small windows."""

from __future__ import annotations

import pytest
from tests.browser.fits import check_fits
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.prepared import lay
from tests.games.architects.browser.person import Architects


@pytest.mark.parametrize(("scene", "language"), [("seven", "hu"), ("playing", "en")])
def test_the_bar_and_half_of_the_window_for_the_middle(
    house: House, visitor: Invite, scene: str, language: str
) -> None:
    table = lay(house.base, "architects", scene)
    ada = visitor(house, Architects, cookie=table.cookie, language=language, phone=True)
    ada.come_to(table)
    assert ada.my_turn()
    check_fits(ada, (ada.region("label.offer"), ada.deck("left"), ada.deck("central"), ada.deck("right")))
