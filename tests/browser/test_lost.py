"""Never an empty page: what cannot be fetched says so and comes by itself; a broken link or a fault says so."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Anybody
from tests.browser.prepared import make
from tests.example import EXAMPLE
from tests.runs import often

BROKEN = (f"#/rules/{EXAMPLE}/%", f"#/rules/{EXAMPLE}/'\"]")
"""What somebody may paste; the page of the rules looks in it for a place."""
DOORS = ("learn", "box")


def says_something(page: Page) -> None:
    """A heading or a message, and no sign of what is still to come."""
    page.wait_for_function(
        """() => [...document.querySelectorAll('h1, [role=alert], .notice')].some((e) => e.innerText.trim())
                 && !document.querySelector('.coming, [aria-busy]')"""
    )


def test_a_broken_link_leads_to_a_page_that_says_so(house: House, visitor: Invite) -> None:
    eve = visitor(house, Anybody)
    eve.expects("403", "404", "400", "422")
    for fragment in BROKEN:
        eve.page.goto("about:blank")
        eve.page.goto(f"/{fragment}")
        says_something(eve.page)


def at_home_in_the_dark(house: House, visitor: Invite) -> Anybody:
    """Somebody has the first page, and then its server ends."""
    ada = visitor(house, Anybody)
    ada.home()
    ada.press(ada.plate.locator("summary"))
    expect(ada.plate.get_by_role("link", name=ada.say("ui.home.set_up"))).to_be_visible()
    ada.page.wait_for_load_state("networkidle")
    ada.patient = True
    house.power_cut()
    return ada


@pytest.mark.parametrize("door", DOORS)
def test_a_page_that_cannot_be_fetched_says_so_and_comes_by_itself(
    own_house: House, visitor: Invite, door: str
) -> None:
    ada = at_home_in_the_dark(own_house, visitor)
    ada.press(ada.plate.locator(f"a[href='#/{door}/{EXAMPLE}']"))
    alert = ada.page.get_by_role("alert").filter(has_text=ada.say("ui.live.unreachable"))
    expect(alert).to_be_visible()
    expect(alert.get_by_role("link", name=ada.say("ui.nav.home"))).to_be_visible()
    expect(ada.page.get_by_text(ada.say("ui.common.coming"))).to_be_visible()
    own_house.open()
    if door != DOORS[0]:  # who does not wait
        ada.press(ada.button("ui.live.again", alert))
    expect(alert).to_have_count(0)
    says_something(ada.page)


def test_try_again_does_so_at_once(own_house: House, visitor: Invite) -> None:
    ada = at_home_in_the_dark(own_house, visitor)
    ada.press(ada.button("ui.settings.title"))
    expect(ada.page.get_by_role("alert")).to_contain_text(ada.say("ui.live.unreachable"))
    own_house.open()
    ada.press(ada.button("ui.live.again"))
    expect(ada.drawer("ui.settings.title")).to_be_visible(timeout=3000)


@pytest.mark.parametrize(("part", "place", "language"), [("Board", "table", "hu"), ("Learn", "learn", "en")])
def test_a_part_that_breaks_is_not_waited_for(
    house: House, visitor: Invite, part: str, place: str, language: str
) -> None:
    """A fault of our own before anything is drawn, in words like those of a lost connection."""
    table = make(house.base, EXAMPLE, "me", "mason")
    ada = visitor(house, Anybody, cookie=table.cookie, language=language)
    ada.page.route(
        f"**/assets/{part}-*.js",
        lambda route: route.fulfill(content_type="text/javascript", body="throw Error('could not load it')"),
    )
    ada.page.goto("about:blank")
    ada.page.goto(table.path if place == "table" else f"/#/{place}/{EXAMPLE}")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.error.broken"))
    expect(ada.button("ui.error.reload_button")).to_be_visible()
    assert ada.troubles  # it is reported
    ada.page.unroute_all()
    ada.press(ada.button("ui.error.reload_button"))
    says_something(ada.page)
    expect(ada.page.get_by_role("heading", level=1)).not_to_have_text(ada.say("ui.error.broken"))
    ada.troubles.clear()


def test_a_page_whose_parts_do_not_come_has_something_to_say(house: House, visitor: Invite) -> None:
    eve = visitor(house, Anybody)
    eve.page.goto("about:blank")
    eve.page.route("**/assets/shell-*.js", lambda route: route.abort())
    eve.page.goto("/")
    expect(eve.page.get_by_role("link")).to_have_count(2)
    expect(eve.page.get_by_role("link").first).to_be_visible()
    eve.page.unroute_all()
    eve.troubles.clear()
    eve.page.get_by_role("link").first.click()
    expect(eve.page.get_by_role("heading", level=1)).to_have_text(eve.say("ui.home.title"))


KEEPS_NOTHING = """
for (const store of ['localStorage', 'sessionStorage'])
  Object.defineProperty(window, store, { get() { throw new DOMException('denied', 'SecurityError') } })
"""
KEEPS_NO_COOKIES = """
const go = fetch
window.fetch = (at, how) => go(at, { ...how, ...(window.forgets ? { credentials: 'omit' } : {}) })
"""


@often
def test_a_browser_that_keeps_nothing_speaks_its_language_says_so_and_works(own_house: House, visitor: Invite) -> None:
    eve = visitor(own_house, Anybody, speed=None, language="hu")
    for script in (KEEPS_NOTHING, KEEPS_NO_COOKIES):
        eve.page.add_init_script(script)
    eve.expects("404")
    eve.page.goto("about:blank")
    eve.home()
    expect(eve.page.locator("html")).to_have_attribute("lang", "hu")
    eve.press(eve.button("ui.settings.title"))
    drawer = eve.drawer("ui.settings.title")
    expect(drawer).to_contain_text(eve.say("ui.settings.forgetful"))
    eve.choose("ui.settings.theme", "ui.settings.theme.dark")
    eve.close(drawer)
    eve.press(eve.quick)
    eve.at_table()
    # Without cookies the server does not know who has made a table.
    eve.home()
    eve.page.evaluate("window.forgets = true")
    eve.press(eve.quick)
    expect(eve.page.get_by_role("heading", level=1)).to_have_text(eve.say("ui.error.no_cookies"))
