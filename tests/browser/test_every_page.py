"""Every page and drawer that all games share, in both languages, on a desktop and a phone, light and dark."""

from __future__ import annotations

import pytest
from tests.browser.every_page import away_from_tables, by_invitation
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import THEMES, axe, check
from tests.browser.person import Anybody, Person
from tests.browser.prepared import make
from tests.example import EXAMPLE


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("hu", True)], ids=["desktop", "phone"])
def test_every_page_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    """What is light in one language is dark in the other."""
    themes = THEMES if language == "en" else THEMES[::-1]
    waiting = make(house.base, EXAMPLE, "me", "open", "mason")
    look = {"language": language, "phone": phone, "reduced_motion": "reduce"}
    host, guest = visitor(house, Anybody, cookie=waiting.cookie, **look), visitor(house, Anybody, **look)
    check(host, away_from_tables(host, waiting), themes)
    check(guest, by_invitation(guest, waiting), themes)


def test_the_checker_finds_what_is_wrong(house: House, visitor: Invite) -> None:
    """A checker that is never heard may be asleep."""
    eve = visitor(house, Person)
    eve.home()
    eve.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [found["id"] for found in axe(eve.page)] == ["button-name"]
