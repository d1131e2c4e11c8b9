"""Every page and drawer that all games share, in both languages, on a desktop and a phone, light and dark."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.every_page import away_from_tables, by_invitation
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, THEMES, check, look
from tests.browser.person import Anybody
from tests.browser.prepared import COMPANY, HOST, make, newcomer
from tests.example import EXAMPLE, SEATS


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_every_page_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    waiting = make(house.base, EXAMPLE, "me", "open", "mason", cookie=newcomer(house.base, HOST))
    make(house.base, EXAMPLE, "me", *["mason"] * (SEATS - 1), cookie=waiting.cookie, company=COMPANY)
    host = visitor(house, Anybody, language=language, phone=phone, cookie=waiting.cookie, name=HOST)
    guest = visitor(house, Anybody, language=language, phone=phone)
    host.company = guest.company = (HOST, *COMPANY)
    check(host, away_from_tables(host, waiting))
    check(guest, by_invitation(guest, waiting))


@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_first_page_fits_whatever_the_window(house: House, visitor: Invite, language: str) -> None:
    eve = visitor(house, Anybody, language=language)
    eve.page.goto("/")
    for width in (320, 390, 601, 1001, 1366):
        eve.page.set_viewport_size({"width": width, "height": 800})
        expect(eve.page.get_by_role("navigation")).to_have_count(4)
        assert list(look(eve, f"{width} pixels", THEMES[:1])) == []


MISTAKES = {
    "button-name": "<button style='width: 40px; height: 40px'></button>",
    "light: color-contrast": "<p style='color: silver; background: white'>Words</p>",
    "dark: color-contrast": "<p style='background: white'>Words</p>",
    "is 20 x 20": "<button style='width: 20px; height: 20px; padding: 0; border: 0; min-height: 0'>X</button>",
    "is written 9.0 pixels high": "<p style='font-size: 9px'>Words</p>",
    "is cut off by <p>": "<p style='width: 99px; overflow: hidden; white-space: nowrap'>Words that go on</p>",
    "ui.no.such.key is no text": "<p>ui.no.such.key</p>",
    "sideways: the page is 3": "<div style='width: 3000px; height: 1px'></div>",
    "pixels high, has to be scrolled": "<div style='height: 3000px'></div>",
}
PLANT = "(html) => document.querySelector('main').insertAdjacentHTML('beforeend', `<div id='planted'>${html}</div>`)"


def test_the_checker_finds_what_is_wrong(house: House, visitor: Invite) -> None:
    """A checker that is never heard may be asleep."""
    eve = visitor(house, Anybody)
    eve.page.goto("/#/no/such/page")
    expect(eve.page.get_by_role("heading", level=1)).to_have_text(eve.say("ui.error.page_not_found"))
    assert list(look(eve, "table", THEMES)) == []
    for says, html in MISTAKES.items():
        eve.page.evaluate(PLANT, html)
        found = list(look(eve, "table", THEMES))
        assert any(says in one for one in found), (says, found)
        assert ("light: color-contrast" in "".join(found)) == says.startswith("light"), "each in its theme"
        eve.page.evaluate("document.querySelector('#planted').remove()")
    assert list(look(eve, "table", THEMES)) == []
