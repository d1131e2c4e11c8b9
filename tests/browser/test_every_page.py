"""Every page and drawer, and every state of a table of each game: on a desktop and a phone, each in a language of its
own, light and dark, for everybody to use."""

from __future__ import annotations

from importlib import import_module
from itertools import islice

import pytest
from playwright.sync_api import expect
from tests.browser import company_pages as company
from tests.browser.every_page import away_from_tables, before_a_game, by_invitation
from tests.browser.features.box.test_box import Counter, around, pads
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, THEMES, Walk, check, look
from tests.browser.newcomer import Newcomer
from tests.browser.person import Anybody
from tests.browser.prepared import COMPANY, HOST, make, newcomer
from tests.example import EXAMPLE, SEATS, WALKED
from tests.runs import often

from ziggurat.core.languages import LANGUAGES


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_every_page_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    waiting = make(house.base, EXAMPLE, "me", "open", "mason", cookie=newcomer(house.base, HOST))
    make(house.base, EXAMPLE, "me", *["mason"] * (SEATS - 1), cookie=waiting.cookie, company=COMPANY)
    host = visitor(house, Anybody, language=language, phone=phone, cookie=waiting.cookie, name=HOST)
    guest = visitor(house, Anybody, language=language, phone=phone)
    host.company = guest.company = (HOST, *COMPANY)
    check(host, away_from_tables(host, waiting))
    check(guest, by_invitation(guest, waiting))


@pytest.mark.parametrize(
    ("walk", "language", "phone"),
    [(around, "en", False), (pads, "hu", True), *((walk, *one.values) for walk in company.WALKS for one in BOTH)],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_people_do_together_is_for_everybody(
    house_of_masters: House, visitor: Invite, walk: Walk, language: str, phone: bool
) -> None:
    kind = Counter if walk in (around, pads) else Newcomer
    cookie = newcomer(house_of_masters.base, HOST)
    host = visitor(house_of_masters, kind, language=language, phone=phone, name=HOST, cookie=cookie)
    host.company = COMPANY
    host.expects("400", "403", "404", "409")
    if walk is company.in_one_room:
        house_of_masters.until_advisers_are_ready(EXAMPLE)
    check(host, walk(host))


@pytest.mark.parametrize(("language", "phone"), BOTH)
@pytest.mark.parametrize("game", WALKED)
def test_every_state_of_a_game_is_for_everybody(
    house: House, visitor: Invite, game: str, language: str, phone: bool
) -> None:
    """With people of long names. What the example has before a table is among the pages above."""
    own = import_module(f"tests.games.{game}.browser.every_page")
    cookie = newcomer(house.base, HOST)
    host = visitor(house, own.PLAYER, language=language, phone=phone, name=HOST, cookie=cookie)
    host.company = COMPANY
    for walk in own.WALKS if game == EXAMPLE else (before_a_game, *own.WALKS):
        check(host, walk(host))


@often
@pytest.mark.parametrize("game", WALKED)
def test_the_first_states_of_a_game_are_for_everybody(house: House, visitor: Invite, game: str) -> None:
    """On a phone, in Hungarian, with people of long names, where most can go wrong."""
    own = import_module(f"tests.games.{game}.browser.every_page")
    cookie = newcomer(house.base, HOST)
    host = visitor(house, own.PLAYER, language="hu", phone=True, name=HOST, cookie=cookie)
    host.company = COMPANY
    check(host, islice(own.WALKS[0](host), 2))


@pytest.mark.parametrize("language", ["en", pytest.param("hu", marks=often), pytest.param("de", marks=often)])
def test_the_first_page_fits_whatever_the_window(house: House, visitor: Invite, language: str) -> None:
    eve = visitor(house, Anybody, language=language)
    eve.page.goto("/")
    for width, height in ((320, 640), (390, 800), (601, 800), (740, 360), (844, 390), (1001, 800), (1366, 800)):
        eve.page.set_viewport_size({"width": width, "height": height})
        expect(eve.region("ui.home.begin").get_by_role("button")).to_be_in_viewport(ratio=1)
        assert list(look(eve, f"{width} x {height}", THEMES[:1])) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_into_the_smallest_window(house: House, visitor: Invite, language: str) -> None:
    """With a name without a space, with tables waiting, with the gear and all tabs in reach."""
    ada = visitor(house, Anybody, language=language, phone=True)
    ada.page.set_viewport_size({"width": 320, "height": 640})
    ada.set_up("mason", "mason", name="W" * 30)
    assert ada.my_turn()
    ada.set_up("open", "mason")
    expect(ada.button("ui.wait.copy")).to_be_visible()
    places = ["", "/me", "/people", f"/new/{EXAMPLE}", f"/day/{EXAMPLE}", f"/box/{EXAMPLE}", f"/rules/{EXAMPLE}"]
    for address in (ada.page.url, *(f"/#{place}" for place in places)):
        ada.page.goto(address)
        expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
        expect(ada.page.locator("[aria-busy]")).to_have_count(0)
        waiting = ada.page.get_by_title(ada.say("turns.waiting", n=1))
        expect(waiting).to_be_in_viewport(ratio=1)
        gear = ada.button("ui.settings.title")
        expect(gear).to_be_in_viewport(ratio=1)
        one, other = waiting.bounding_box(), gear.bounding_box()
        assert one
        assert other
        assert one["x"] + one["width"] <= other["x"]
        wide = ada.page.evaluate("document.documentElement.scrollWidth")
        assert wide == 320, (address, wide)
    ada.page.goto(f"/#/box/{EXAMPLE}")
    for tab in ("setup", "evenings"):
        expect(ada.page.get_by_role("tab", name=ada.say(f"box.tab.{tab}"), exact=True)).to_be_in_viewport(ratio=1)
    # Where the game goes on is above the pictures.
    ada.home()
    mine = ada.page.get_by_role("region", name=ada.say("ui.home.your_tables"))
    expect(mine.get_by_role("link").first).to_be_in_viewport(ratio=1)
    # Of two or three choices none stands below the others.
    ada.press(ada.button("ui.settings.title"))
    for question in ("ui.settings.theme", "forced.by"):
        rows = ada.page.get_by_role("group", name=ada.say(question), exact=True).get_by_role("radio")
        expect(rows.first).to_be_attached()
        assert len(set(rows.evaluate_all("all => all.map(e => e.getBoundingClientRect().top)"))) == 1, question


ROUND = """
() => [...document.querySelectorAll('main *')]
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && /[0-9]/.test(n.data)))
  .map((e) => getComputedStyle(e).fontVariantNumeric)
  .filter((one) => one !== 'lining-nums tabular-nums')
"""


@often
def test_no_zero_looks_like_an_o(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody)
    ada.come_to(make(house.base, EXAMPLE, "me", "mason"))
    assert ada.page.evaluate(ROUND) == []


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


@often
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
