"""What comes late moves nothing of the first page under the finger that is about to press it."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Anybody
from tests.browser.test_strip import TEA, WORD, say
from tests.runs import often

HEIGHT = "() => Math.round(document.querySelector('.plates').getBoundingClientRect().top)"


def first_game(page: Page) -> int:
    """How far down the first game stands in the window."""
    expect(page.locator(".plates")).to_be_visible()
    return int(page.evaluate(HEIGHT))


@often
def test_the_games_stay_where_they_are(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody, phone=True)
    ada.set_up("mason", "mason")
    assert ada.my_turn()
    ada.home()
    expect(ada.page.get_by_role("region", name=ada.say("ui.home.your_tables"))).to_be_visible()
    with_tables = first_game(ada.page)

    held = list[Route]()
    ada.page.route("**/api/home", lambda route: held.append(route))
    with ada.page.expect_request("**/api/home"):
        ada.page.reload()
    before = first_game(ada.page)
    expect(ada.page.locator(".own > *")).to_have_count(0)
    for route in held:
        route.continue_()
    ada.page.unroute("**/api/home")
    expect(ada.page.locator(".own > *")).not_to_have_count(0)
    assert abs(first_game(ada.page) - before) <= 1
    assert abs(with_tables - before) <= 1
    # What the hosts of the server say comes later still, at the upper edge.
    ada.page.unroute_all()
    ada.stay()
    before = first_game(ada.page)
    strip = ada.page.locator("#strip > div")
    say(ada.page, words=[WORD], message={"id": "m", "text": {"en": TEA, "hu": TEA}})
    expect(strip).to_have_count(2)
    assert abs(first_game(ada.page) - before) <= 1
    say(ada.page)
    expect(strip).to_have_count(0)
    assert abs(first_game(ada.page) - before) <= 1
