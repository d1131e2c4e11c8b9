"""Tower of Babel in small windows: what answers is in sight, has a name, and is as large as what presses it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure
from tests.games.babel.browser.person import Babel

SMALL = [
    pytest.param((320, 640), True, id="small phone"),
    pytest.param((390, 844), True, id="phone"),
    pytest.param((844, 390), True, id="phone on its side"),
    pytest.param((683, 384), False, id="at twice the size"),
]
LOW = 400
"""Pixels of a window on its side."""


def box(what: Locator) -> tuple[float, float, float, float]:
    """Left, top, right and bottom."""
    found = what.bounding_box()
    assert found
    return found["x"], found["y"], found["x"] + found["width"], found["y"] + found["height"]


@pytest.mark.parametrize(("size", "touch"), SMALL)
def test_everything_that_answers_is_in_sight_and_large_enough(
    house: House, visitor: Invite, size: tuple[int, int], touch: bool
) -> None:
    ada = visitor(house, Babel, phone=touch, size=size, language="hu")
    ada.sit("turn")
    wonders = ada.page.get_by_role("group", name=ada.say("label.wonders"), exact=True)
    least = 44 if touch else 24
    for disc in wonders.get_by_role("button").all():
        left, top, right, bottom = box(disc)
        assert min(right - left, bottom - top) >= least - 0.5, disc.get_attribute("aria-label")
    assert measure(ada.page, touch=touch, only=("covered", "covered piece")) == []
    if size[1] <= LOW:
        for choice in (one for one in ada.legal if one["type"] == "choose"):
            assert box(ada.disc(choice["wonder"], choice["space"]))[3] <= size[1]

    ada.sit("selecting")
    offers = ada.page.get_by_role("group", name=ada.say("label.offers"), exact=True)
    for seat in ada.state["table"]["seats"][1:]:
        expect(offers.get_by_text(seat["name"] or ada.say("ui.bot.name.1")).first).to_be_visible()
    ways = ada.region("label.combinations")
    for heading in ("offers", "add", "units", "not_accepted"):
        expect(ways.get_by_text(ada.say(f"label.{heading}"), exact=True)).to_be_visible()
    # The cheapest are in sight, and so is giving the build up; the others come when they are wanted.
    if size[1] <= 700:
        upright = size[0] < size[1]
        assert box(ada.ways.last)[3] <= (box(ada.bar)[1] if upright else size[1])
        assert ways.get_by_role("listitem").filter(visible=True).count() == 3
        ada.press(ada.button("label.more_ways", ways))
        assert ways.get_by_role("listitem").filter(visible=True).count() > 3


def test_what_is_laid_stands_above_the_rest_of_the_hand(house: House, visitor: Invite) -> None:
    ada = visitor(house, Babel, phone=True, size=(320, 640))
    ada.sit("offering")
    ada.press(ada.hand("ship"))
    laid = ada.region("label.hand").get_by_role("button", pressed=True, name=ada.say("card.ship"))
    left, top, right, bottom = box(laid)
    assert right - left >= 43.5
    assert bottom - top >= 43.5
    rest = box(ada.hand("ship"))
    assert rest[2] - rest[0] >= 43.5
    assert bottom <= rest[1] + 1
    ada.press(laid)
    expect(laid).to_have_count(0)
