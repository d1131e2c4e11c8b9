"""Every state of a table of Architects, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

import pytest
from tests.browser.every_page import before_a_game
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import check
from tests.games.architects.browser import every_page as of_architects
from tests.games.architects.browser.person import Architects


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("hu", True)], ids=["desktop", "phone"])
def test_every_state_of_architects_is_for_everybody(
    house: House, tables_of_architects: of_architects.Tables, visitor: Invite, language: str, phone: bool
) -> None:
    def come(cookie: str = "") -> Architects:
        return visitor(house, Architects, language=language, phone=phone, cookie=cookie, reduced_motion="reduce")

    ada, winner = come(), come(tables_of_architects.finished.cookie)
    check(ada, before_a_game(ada))
    check(ada, of_architects.at_the_tables(ada, tables_of_architects))
    check(winner, of_architects.at_the_end(winner, tables_of_architects.finished))
