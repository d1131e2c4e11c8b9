"""Whether a table fits into small windows: a phone upright and on its side, and a page at twice its size."""

from __future__ import annotations

from playwright.sync_api import Locator, expect
from tests.browser.person import Person

ON_ITS_SIDE = ((844, 390), (667, 375), (683, 384))
UPRIGHT = ((320, 640), (390, 844))
PAGE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"


def check_fits(person: Person, board: tuple[Locator, ...], *answers: Locator) -> None:
    """What is asked and what answers it are in sight, and half of the height is the board's.

    Args:
        board: the regions that make up the middle of the table.
        answers: what a move is chosen from besides; it stays in sight, too.
    """
    for size in (*ON_ITS_SIDE, *UPRIGHT):
        fits(person, size, board, answers)


def fits(person: Person, size: tuple[int, int], board: tuple[Locator, ...], answers: tuple[Locator, ...]) -> None:
    width, height = size
    person.page.set_viewport_size({"width": width, "height": height})
    person.page.evaluate("scrollTo(0, 0)")
    expect(person.bar).to_be_in_viewport(ratio=1)
    for answer in answers:
        expect(answer).to_be_in_viewport(ratio=0.99)
    wide, high = person.page.evaluate(PAGE)
    assert wide <= width, f"{size}: {wide} pixels wide"
    if size in ON_ITS_SIDE:
        assert high <= height, f"{size}: the page is {high} pixels high and scrolls"
    bar = person.bar.bounding_box()
    boxes = [box for box in (one.bounding_box() for one in board) if box]
    assert bar
    assert len(boxes) == len(board)
    left, top = min(box["x"] for box in boxes), min(box["y"] for box in boxes)
    right = max(box["x"] + box["width"] for box in boxes)
    beside = bar["x"] >= right or bar["x"] + bar["width"] <= left
    bottom = height if beside else bar["y"]
    if size in ON_ITS_SIDE:
        bottom = min(bottom, max(box["y"] + box["height"] for box in boxes))
    assert bottom - top >= height / 2, f"{size}: the board has {bottom - top:.0f} pixels of {height}"
    assert right - left >= width / 2, f"{size}: the board is {right - left:.0f} pixels wide"
