"""The city of Ginkgopolis in windows of all shapes: in sight as a whole, and still while something is chosen."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure, settle
from tests.games.ginkgopolis.browser.person import Ginkgopolis
from tests.games.ginkgopolis.browser.test_table import everything_is_in_sight, places

PHONE: ViewportSize = {"width": 390, "height": 844}
ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}


def test_a_phone_that_is_turned_shows_the_whole_city(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, phone=True, size=(390, 844))
    ada.sit("five")
    for size in (PHONE, ON_ITS_SIDE, PHONE):
        ada.page.set_viewport_size(size)
        settle(ada.page)
        everything_is_in_sight(ada)
        box = ada.city.bounding_box()
        assert box
        assert box["height"] >= size["height"] / 2
        # Its buttons lie beside it.
        assert measure(ada.page, touch=True, only=("covered", "covered piece", "blocked")) == []


@pytest.mark.parametrize(
    ("sizes", "touch"),
    [
        pytest.param([(390, 844), (320, 640)], True, id="phones"),
        pytest.param([(683, 384), (1366, 768)], False, id="desktop, and at twice the size"),
    ],
)
def test_the_city_stays_where_it_is_while_a_card_is_chosen(
    house: House, visitor: Invite, sizes: list[tuple[int, int]], touch: bool
) -> None:
    """The bar may grow for what it says."""
    ada = visitor(house, Ginkgopolis, phone=touch)
    for width, height in sizes:
        ada.page.set_viewport_size({"width": width, "height": height})
        ada.sit("five")
        settle(ada.page)
        everything_is_in_sight(ada)
        before = {name.partition(";")[0]: place for name, place in places(ada).items()}
        card = "blue 8"
        ada.press(ada.card(card))
        expect(ada.card(card)).to_have_attribute("aria-pressed", "true")
        expect(ada.button("ui.table.take_back", ada.bar)).to_be_visible()
        settle(ada.page)
        for name, place in places(ada).items():
            assert place == pytest.approx(before[name.partition(";")[0]], abs=1), name
        ada.take_back()
        settle(ada.page)
        everything_is_in_sight(ada)


def test_a_large_window_shows_the_city_larger(house: House, visitor: Invite) -> None:
    wide = {}
    for size in ((1366, 768), (2560, 1440)):
        ada = visitor(house, Ginkgopolis, size=size)
        ada.sit("marker")
        settle(ada.page)
        everything_is_in_sight(ada)
        wide[size[0]] = next(iter(places(ada).values()))[2]
    assert wide[2560] > 1.5 * wide[1366]


def test_what_is_ones_own_opens_from_its_sums_on_a_phone(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, phone=True)
    ada.sit("five")
    ada.press(ada.tableau)
    details = ada.details("Ada")
    expect(details).to_contain_text(ada.say("trigger.exploit.title"))
    ada.close(details)
    # Nothing of the table lies below the bar.
    assert ada.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
