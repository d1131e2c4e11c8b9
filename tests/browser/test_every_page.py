"""Every page and drawer, in both languages, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page
from tests.browser.conftest import Invite
from tests.browser.every_page import Evening, at_the_end, at_the_table, away_from_tables, by_invitation, evening
from tests.browser.house import House
from tests.browser.person import Person

WCAG_2_2_AA = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
OPTIONS = {"runOnly": {"type": "tag", "values": list(WCAG_2_2_AA)}, "resultTypes": ["violations"]}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")

# What can be pressed and is smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8; links in a line of text may be).
SMALL = """
() => [...document.querySelectorAll('button, a, input, select, summary')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !(e.matches('a') && e.closest('p, article')))
  .map((e) => [e, (e.matches('input[type=radio]') ? e.closest('label') : e).getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([e, box]) => `${e.outerHTML.slice(0, 120)} is ${box.width} x ${box.height}`)
"""


@pytest.fixture(scope="session")
def tables(house: House) -> Evening:
    return evening(house)


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["en", "hu"])
def test_every_page_is_for_everybody(
    house: House, tables: Evening, visitor: Invite, language: str, phone: bool
) -> None:
    ada = visitor(house, language=language, phone=phone, cookie=tables.playing.cookie, reduced_motion="reduce")
    host = visitor(house, language=language, phone=phone, cookie=tables.waiting.cookie, reduced_motion="reduce")
    winner = visitor(house, language=language, phone=phone, cookie=tables.finished.cookie, reduced_motion="reduce")
    bela = visitor(house, language=language, phone=phone, reduced_motion="reduce")
    walks: list[tuple[Person, Iterator[str]]] = [
        (ada, at_the_table(ada, tables)),
        (winner, at_the_end(winner, tables)),
        (host, away_from_tables(host, tables)),
        (bela, by_invitation(bela, tables)),
    ]
    wrong = list(chain.from_iterable(look(person, state) for person, walk in walks for state in walk))
    assert wrong == [], "\n".join(wrong)


def look(person: Person, state: str) -> Iterator[str]:
    """Say what is wrong with what is on the screen."""
    page = person.page
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        for violation in axe(page):
            yield f"{state}, {theme}: {explain(violation)}"
    wide, high = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
    size = page.viewport_size or {"width": 0, "height": 0}
    if wide > size["width"]:
        yield f"{state}: {wide} pixels wide, has to be scrolled sideways"
    if not person.phone and state in ("table", "payment chosen", "stepping") and high > size["height"]:
        yield f"{state}: {high} pixels high, has to be scrolled"
    yield from (f"{state}: {small}" for small in page.evaluate(SMALL))


def axe(page: Page) -> list[dict[str, Any]]:
    """The rules that the page breaks. The checker is large, so it is loaded once into each document."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    broken: list[dict[str, Any]] = page.evaluate(
        "(options) => axe.run(options).then((found) => found.violations)", OPTIONS
    )
    return broken


def test_the_checker_finds_what_is_wrong(house: House, visitor: Invite) -> None:
    """A checker that is never heard may be asleep."""
    eve = visitor(house)
    eve.home()
    eve.page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert [found["id"] for found in axe(eve.page)] == ["button-name"]


def explain(violation: dict[str, Any]) -> str:
    nodes = [
        {"at": node["target"], "html": node["html"][:160], "why": [one["message"] for one in node["any"] + node["all"]]}
        for node in violation["nodes"][:3]
    ]
    return f"{violation['id']} ({len(violation['nodes'])}): {json.dumps(nodes, ensure_ascii=False)}"
