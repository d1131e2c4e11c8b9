"""A report in a browser: its tables can be sorted, it fits a phone, and everybody can read it in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np
import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page, expect
from tests.browser.look import OPTIONS
from tests.browser.windows import Windows

from ziggurat.lab import report
from ziggurat.lab.report import Html, Shaded, estimate, figures, more, section, table
from ziggurat.lab.report.charts import Point, Scale, bars, curve, dots, histogram, mark

BOTS = ("greedy", "random", "search:0.1s:network=a/rather/long/name/of/a/folder/network.npz")
POINTS = [Point(bot, 900 + 100 * k, 850, 1150) for k, bot in enumerate(BOTS)]
RATED = [
    [point.name, estimate(*point[1:], "{:.0f}".format), rate, mark(point, Scale(800, 1200), 1000)]
    for point, rate in zip(POINTS, ("81,311.5", "", "9.5"), strict=True)
]
SHARES = (0, 0.3, 1)


def met(bot: str) -> list[str | Shaded]:
    return [bot, *(Shaded(Html(f"{share:.0%} <small>of 9</small>"), share, bot) for share in SHARES)]


TEXT = report.page(
    "A report",
    "20 games",
    [
        section("Dots", "Of all.", dots(POINTS, "{:.0f}".format, alt="Ratings", axis="rating")),
        section("Rated", table(["bot", "rating", "decisions/s", ""], RATED), more("more", table(["a"], [["b"]]))),
        section("Met", table(["ahead of", *BOTS], map(met, BOTS))),
        section("Points", figures(("a", histogram(bars(np.arange(50)), alt="a")), ("b", curve(POINTS, str, alt="b")))),
    ],
)


@pytest.fixture
def shown(windows: Windows) -> Iterator[Page]:
    page = windows.browser.new_page()
    page.set_content(TEXT)
    yield page
    page.close()


def order(page: Page) -> list[str]:
    return page.locator("section", has_text="Rated").locator("tbody").first.locator("th").all_inner_texts()


def test_a_head_that_is_pressed_sorts_the_table_and_in_the_end_it_is_as_it_was(shown: Page) -> None:
    greedy, random, search = BOTS
    head = shown.get_by_role("columnheader", name="decisions/s")
    for sort, rows in (("descending", (greedy, search, random)), ("ascending", (random, search, greedy))):
        head.get_by_role("button").click()
        assert order(shown) == [*rows]
        expect(head).to_have_attribute("aria-sort", sort)
    head.get_by_role("button").click()
    assert order(shown) == [*BOTS]
    expect(head).not_to_have_attribute("aria-sort", "ascending")


def test_words_are_sorted_from_a_on_and_only_one_head_says_so(shown: Page) -> None:
    shown.get_by_role("button", name="rating").click()
    shown.get_by_role("button", name="bot").click()
    assert order(shown) == sorted(BOTS)
    assert shown.locator("[aria-sort]").all_inner_texts() == ["bot"]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1366])
def test_it_fits_and_can_be_read(shown: Page, width: int, theme: Literal["light", "dark"]) -> None:
    shown.set_viewport_size({"width": width, "height": 800})
    shown.emulate_media(color_scheme=theme)
    assert shown.evaluate("document.documentElement.scrollWidth") == width
    shown.evaluate(AXE_SCRIPT)
    found = shown.evaluate("async (options) => (await axe.run(document, options)).violations", OPTIONS)
    assert [(one["id"], [node["html"][:200] for node in one["nodes"]]) for one in found] == []
