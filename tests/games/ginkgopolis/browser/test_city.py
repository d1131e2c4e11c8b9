"""The city of Ginkgopolis: moved and zoomed, in sight as a whole in all windows, and still while it has to be."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure, settle
from tests.games.ginkgopolis.browser.person import Ginkgopolis
from tests.runs import often

PHONE: ViewportSize = {"width": 390, "height": 844}
ON_ITS_SIDE: ViewportSize = {"width": 844, "height": 390}


@often
def test_the_city_is_moved_and_zoomed_by_mouse_and_keys(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis)
    ada.sit("playing")
    ada.press(ada.button("label.zoom_fit"))
    everything_is_in_sight(ada)
    start = places(ada)
    middle = nearest_to_the_middle(ada)
    ada.city.get_by_role("button", name=middle, exact=True).focus()
    for key, wide in (("+", 1.25), ("-", 1.0)):
        ada.page.keyboard.press(key)
        assert_close(places(ada)[middle][2], start[middle][2] * wide)
    for button, wide in (("in", 1.25), ("out", 1.0)):
        ada.press(ada.button(f"label.zoom_{button}"))
        assert_close(places(ada)[middle][2], start[middle][2] * wide)

    # The wheel zooms at the pointer: what lies there stays there.
    x, y, wide = places(ada)[middle]
    ada.page.mouse.move(x, y)
    before = places(ada)
    ada.page.mouse.wheel(0, -300)
    moved(ada, middle, before)
    assert places(ada)[middle][2] > wide * 1.3
    assert_close(places(ada)[middle][0], x, 3)
    assert_close(places(ada)[middle][1], y, 3)

    # Dragging moves everything alike, and is no choice.
    before = places(ada)
    ada.page.mouse.down()
    ada.page.mouse.move(x + 20, y + 15, steps=4)
    ada.page.mouse.move(x + 40, y + 30, steps=4)
    ada.page.mouse.up()
    moved(ada, middle, before)
    for name, (left, top, wide) in places(ada).items():
        assert_close(left - before[name][0], 40, 2)
        assert_close(top - before[name][1], 30, 2)
        assert_close(wide, before[name][2])
    nothing_is_chosen(ada)
    ada.city.get_by_role("button", name=middle, exact=True).focus()
    ada.page.keyboard.press("0")
    everything_is_in_sight(ada)


def test_the_city_is_moved_and_zoomed_by_fingers(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, phone=True, language="hu")
    ada.sit("playing")
    ada.press(ada.button("label.zoom_fit"))
    everything_is_in_sight(ada)
    middle = nearest_to_the_middle(ada)
    fingers = Fingers(ada)

    # Two fingers that part.
    x, y, wide = places(ada)[middle]
    before = places(ada)
    fingers.go([(x - 30, y), (x + 30, y)], [(x - 45, y), (x + 45, y)], [(x - 60, y), (x + 60, y)])
    moved(ada, middle, before)
    assert_close(places(ada)[middle][2] / wide, 2, 0.2)
    assert_close(places(ada)[middle][0], x, 6)

    # One finger moves the city, and the page stays where it is.
    scrolled = ada.page.evaluate("scrollY")
    before = places(ada)
    fingers.go([(x, y)], [(x - 20, y - 15)], [(x - 40, y - 30)])
    moved(ada, middle, before)
    assert places(ada)[middle][0] < before[middle][0] - 20
    assert places(ada)[middle][1] < before[middle][1] - 15
    assert_close(places(ada)[middle][2], before[middle][2])
    assert ada.page.evaluate("scrollY") == scrolled
    nothing_is_chosen(ada)

    # A touch still chooses what a card names.
    ada.press(ada.button("label.zoom_fit"))
    everything_is_in_sight(ada)
    card = ada.own["hand"][0]
    ada.press(ada.named(card))
    expect(ada.card(card)).to_have_attribute("aria-pressed", "true")


class Fingers:
    """Several at once, which only the browser's own tools can move."""

    def __init__(self, person: Ginkgopolis) -> None:
        self.tools = person.context.new_cdp_session(person.page)

    def go(self, *path: list[tuple[float, float]]) -> None:
        """Touch, move, and let go."""
        for at, points in enumerate(path):
            self._send("touchMove" if at else "touchStart", points)
        self._send("touchEnd", [])

    def _send(self, kind: str, points: list[tuple[float, float]]) -> None:
        touches = [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]
        self.tools.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})


Places = dict[str, tuple[float, float, float]]


def places(ada: Ginkgopolis) -> Places:
    """Where on the page everything in the city comes to rest: the middle of each cell, and how wide it is."""
    settle(ada.page)
    found: list[list[str | float]] = ada.cells.evaluate_all(
        "(all) => all.map((e) => [e.ariaLabel, e.getBoundingClientRect()])"
        ".map(([name, { x, y, width, height }]) => [name, x + width / 2, y + height / 2, width])"
    )
    return {str(name): (float(x), float(y), float(wide)) for name, x, y, wide in found}


def moved(ada: Ginkgopolis, name: str, before: Places) -> None:
    """Wait until something is not where it was."""
    cell = ada.city.get_by_role("button", name=name, exact=True).element_handle()
    ada.page.wait_for_function(
        "([e, x, wide]) => Math.abs(e.getBoundingClientRect().x + e.getBoundingClientRect().width / 2 - x) > 1"
        " || Math.abs(e.getBoundingClientRect().width - wide) > 1",
        arg=[cell, before[name][0], before[name][2]],
    )


def nearest_to_the_middle(ada: Ginkgopolis) -> str:
    """The name of the building that lies most in the middle of what is seen."""
    box = ada.city.bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    markers = {ada.say("label.marker", marker=letter) for letter in "ABCDEFGHIJKL"}
    found = {name: at for name, at in places(ada).items() if name.partition(";")[0] not in markers}
    return min(found, key=lambda name: abs(found[name][0] - x) + abs(found[name][1] - y))


def everything_is_in_sight(ada: Ginkgopolis) -> None:
    box = ada.city.bounding_box()
    assert box
    for name, (x, y, _) in places(ada).items():
        assert box["x"] < x < box["x"] + box["width"], name
        assert box["y"] < y < box["y"] + box["height"], name


def nothing_is_chosen(ada: Ginkgopolis) -> None:
    expect(ada.bar.get_by_role("alert")).to_have_count(0)
    expect(ada.button("ui.table.take_back", ada.bar)).to_have_count(0)
    expect(ada.bar).to_contain_text(ada.say("ask.choose"))


def assert_close(value: float, wanted: float, by: float = 1) -> None:
    assert abs(value - wanted) <= by, f"{value}, not {wanted}"


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
    # Nothing of the table lies below the bar.
    assert ada.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize(
    ("sizes", "touch"),
    [
        pytest.param([(390, 844), (320, 640)], True, id="phones"),
        pytest.param([(683, 384), (640, 900), (1366, 768)], False, id="desktop, and at twice the size"),
    ],
)
def test_the_city_stays_where_it_is_while_a_card_is_chosen(
    house: House, visitor: Invite, sizes: list[tuple[int, int]], touch: bool
) -> None:
    """The bar may grow for what it says; and a mouse that rests moves nothing."""
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
        if not touch:
            pointing_at_cards_moves_nothing(ada)
        ada.take_back()
        settle(ada.page)
        everything_is_in_sight(ada)


def pointing_at_cards_moves_nothing(ada: Ginkgopolis) -> None:
    """In a narrow window the hand lies below the city: if it became lower, the mouse would be over the city again."""
    boxes = []
    for card in ada.own["hand"]:
        ada.card(card).hover()
        settle(ada.page)
        boxes.append((ada.region("label.hand").bounding_box(), ada.tile(ada.own["tiles"][0]).bounding_box()))
        one = ada.card(card).bounding_box()
        assert one
        assert one["width"] > 70 or (ada.page.viewport_size or {"width": 0})["width"] < 1366, "whole cards have room"
    assert boxes == boxes[:1] * 4


def test_a_large_window_shows_the_city_larger(house: House, visitor: Invite) -> None:
    wide = {}
    for size in ((1366, 768), (2560, 1440)):
        ada = visitor(house, Ginkgopolis, size=size)
        ada.sit("marker")
        settle(ada.page)
        everything_is_in_sight(ada)
        wide[size[0]] = next(iter(places(ada).values()))[2]
    assert wide[2560] > 1.5 * wide[1366]
