"""A table of Alhambra in small windows and in a large one."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fits import check_fits
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.prepared import lay
from tests.games.alhambra.browser.person import Alhambra
from tests.runs import often

from ziggurat.core.languages import LANGUAGES

MIDDLE = """
(place) => {
  const { left, top, width, height } = document.querySelector(`[data-place="${place}"]`).getBoundingClientRect()
  return [left + width / 2, top + height / 2, width]
}
"""
# Where the middle of each piece that travels begins and ends its way, however fast it is.
WATCH = """
() => {
  window.flown = []
  const animate = Element.prototype.animate
  Element.prototype.animate = function (frames, ...how) {
    if (this.matches('.flight')) {
      const { width, height } = this.getBoundingClientRect()
      const middle = ({ e, f }) => [e + width / 2, f + height / 2]
      flown.push(frames.map(({ transform }) => middle(new DOMMatrix(transform))))
    }
    return animate.call(this, frames, ...how)
  }
}
"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_bar_the_hand_and_half_of_the_window_for_the_market(house: House, visitor: Invite, language: str) -> None:
    table = lay(house.base, "alhambra", "late")
    ada = visitor(house, Alhambra, cookie=table.cookie, language=language, phone=True)
    ada.come_to(table)
    board = (ada.region("label.market"), ada.region("label.open_money"))
    check_fits(ada, board, ada.region("label.hand"))
    ada.offer(ada.possible(ada.yard)[0])
    for size in ((844, 390), (683, 384), (320, 640)):
        ada.page.set_viewport_size({"width": size[0], "height": size[1]})
        expect(ada.button("confirm.keep", ada.bar)).to_be_in_viewport(ratio=1)
        expect(ada.button("ui.table.take_back", ada.bar)).to_be_in_viewport(ratio=1)
    ada.take_back()


@often
def test_everything_grows_with_a_large_window_and_pieces_fly_to_where_they_lie(house: House, visitor: Invite) -> None:
    table = lay(house.base, "alhambra", "late")
    ada = visitor(house, Alhambra, cookie=table.cookie, speed=1, reduced_motion="no-preference")
    ada.come_to(table)
    before = {}
    for width, height in ((1366, 768), (2560, 1440)):
        ada.page.set_viewport_size({"width": width, "height": height})
        card, name = ada.hand.first.bounding_box(), ada.bar.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert card
        before[width] = (card["width"], name)
    assert all(large > 1.5 * small for small, large in zip(before[1366], before[2560], strict=True)), before
    start = ada.page.evaluate(MIDDLE, "money:3")
    ada.window.changed = True
    ada.page.evaluate(WATCH)
    ada.press(ada.open_money.nth(3))
    ada.confirm("confirm.take")
    expect(ada.page.locator(".flight")).to_have_count(0)
    flown = ada.page.evaluate("flown")
    fan = ada.page.locator("[data-place='hand:yellow']").bounding_box()
    assert fan
    landed = [
        (x, y)
        for (left, top), (x, y) in flown
        if abs(left - start[0]) + abs(top - start[1]) < 20
        and 0 < x - fan["x"] < fan["width"]
        and 0 < y - fan["y"] < fan["height"]
    ]
    assert landed, (start, fan, flown)


def test_where_nothing_is_asked_there_is_no_bar(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    bar = ada.page.get_by_test_id("action-bar")
    for lesson, size, shown in (
        ("points", (1366, 768), False),
        ("points", (390, 844), False),
        ("market", (390, 844), True),
    ):
        ada.page.set_viewport_size({"width": size[0], "height": size[1]})
        ada.page.goto(f"/#/learn/alhambra/{lesson}")
        expect(ada.region("learn.title")).to_contain_text(ada.say(f"learn.{lesson}"))
        expect(bar).to_be_visible(visible=shown)
    # What is asked, and what answers it, beside what is told: at most a third of a phone.
    told = ada.region("learn.title").bounding_box()
    assert told
    assert told["height"] <= 844 / 3 + 1
    expect(ada.button("learn.show")).to_be_in_viewport(ratio=1)
