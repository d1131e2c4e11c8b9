"""Looks at what is on the screen, for everybody to use: in both themes, by the rules of WCAG 2.2."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal
from zlib import crc32

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page
from tests.browser.person import Person

WCAG_2_2_AA = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
OPTIONS = {"runOnly": {"type": "tag", "values": list(WCAG_2_2_AA)}, "resultTypes": ["violations"]}
# On a desktop these fit on one screen.
FITS = (
    *("table", "table of seven", "payment chosen", "another card", "one of five", "stepping"),
    *("table of five", "table with Hal", "card chosen", "tile chosen", "draft", "marker", "tiles to give back"),
)
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
# What only a phone shows, which has to be looked at there in both themes.
ON_A_PHONE = ("opponents", "log", "districts", "a bot is offered")
# The rules that a theme can break; about all others one look is enough.
OF_COLOURS = ("color-contrast", "link-in-text-block")

# What can be pressed and is smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8; links in a line of text may be).
SMALL = """
() => [...document.querySelectorAll('button, a, input, select, summary')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !(e.matches('a') && e.closest('p, article')))
  .map((e) => [e, (e.matches('input[type=radio]') ? e.closest('label') : e).getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([e, box]) => `${e.outerHTML.slice(0, 120)} is ${box.width} x ${box.height}`)
"""

# Words that nobody could read: lower than so many pixels. Signs in drawings are named for those who cannot read them.
LOWEST = 10
TINY = """
(lowest) => [...document.querySelectorAll('*')]
  .filter((e) => !e.ownerSVGElement && !e.closest('.unseen'))
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()))
  .filter((e) => e.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
  .map((e) => [e, parseFloat(getComputedStyle(e).fontSize)])
  .filter(([, size]) => size < lowest)
  .map(([e, size]) => `${e.outerHTML.slice(0, 120)} is written ${size.toFixed(1)} pixels high`)
"""

# What can be pressed, or is read, and reaches beyond the edge of what hides the rest of it, unless that can be scrolled
# or, as a map, be moved by hand.
CUT = """
() => [...document.querySelectorAll('button, a, select, h1, h2')]
  .filter((e) => !e.ownerSVGElement && !e.closest('.unseen') && e.checkVisibility({ visibilityProperty: true }))
  .flatMap((e) => {
    const box = e.getBoundingClientRect()
    for (let over = e.parentElement; over && over !== document.body; over = over.parentElement) {
      const { overflowX, position, touchAction } = getComputedStyle(over)
      if (overflowX === 'auto' || overflowX === 'scroll' || position === 'fixed' || touchAction === 'none') return []
      const edge = over.getBoundingClientRect()
      if (overflowX !== 'visible' && (box.right > edge.right + 1 || box.left < edge.left - 1))
        return [`${e.outerHTML.slice(0, 120)} is cut off by ${over.tagName} ${over.className}`]
    }
    return []
  })
"""

# A key that no catalogue has is shown as it is.
KEYS = r"""
() => [...document.querySelectorAll('*')]
  .flatMap((e) => [e.ariaLabel, ...[...e.childNodes].map((n) => (n.nodeType === Node.TEXT_NODE ? n.data : null))])
  .filter((text) => text && /^[a-z_]+(\.[a-z_0-9]+)+$/.test(text.trim()))
"""


# All of these in one question: each answer costs more to fetch than to find.
EVERYTHING = f"""
(lowest) => [
  [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
  ({SMALL})(), ({TINY})(lowest), ({CUT})(), ({KEYS})(),
]
"""

# The page, or the drawer that lies on it: what is below was looked at without it. Null where the checker is not loaded.
AXE = """
async ([options, theme]) => {
  if (!window.axe) return null
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (let n = 0; document.documentElement.dataset.theme !== theme; n++) {
    if (n > 600) throw new Error(`the page is not ${theme}`)
    await frame()
  }
  return (await axe.run(document.querySelector('dialog[open]') ?? document, options)).violations
}
"""


def check(person: Person, walk: Iterator[str]) -> None:
    """Look at every state on the way; complain about all of them at once.

    What is light on a desktop is dark on a phone, or the reverse. A walk keeps its theme: a change draws all anew.
    """
    wrong: list[str] = []
    theme: Theme | None = None
    for state in walk:
        theme = theme or THEMES[(crc32(state.encode()) + person.phone) % 2]
        again = person.phone and state in ON_A_PHONE
        wrong += look(person, state, (theme, *(one for one in THEMES if again and one != theme)))
    assert wrong == [], "\n".join(wrong)


BOTH = [pytest.param("en", False, id="desktop"), pytest.param("hu", True, id="phone")]
"""The two devices with which all states are looked at, each in its language."""


def look(person: Person, state: str, themes: tuple[Theme, ...]) -> Iterator[str]:
    """Say what is wrong with what is on the screen.

    All rules once for each state: on the desktop, or on the phone if only a phone shows it. What a second look can find
    is what a device or a theme changes: colours, sizes, and what does not fit.
    """
    page = person.page
    for at, theme in enumerate(themes):
        page.emulate_media(color_scheme=theme)
        for violation in axe(page, theme, of_colours=at > 0 or (person.phone and state not in ON_A_PHONE)):
            yield f"{state}, {theme}: {explain(violation)}"
    (wide, high), small, tiny, cut, keys = page.evaluate(EVERYTHING, LOWEST)
    size = page.viewport_size or {"width": 0, "height": 0}
    if wide > size["width"]:
        yield f"{state}: {wide} pixels wide, has to be scrolled sideways"
    if not person.phone and state in FITS and high > size["height"]:
        yield f"{state}: {high} pixels high, has to be scrolled"
    yield from (f"{state}: {one}" for one in (*small, *tiny, *cut, *(f"{key} is no text" for key in keys)))


def axe(page: Page, theme: Theme, of_colours: bool) -> list[dict[str, Any]]:
    """The rules that the page breaks, when it shows a theme.

    The checker is large, so it is loaded once into each document.
    """
    rules = {"runOnly": {"type": "rule", "values": list(OF_COLOURS)}} if of_colours else {}
    broken: list[dict[str, Any]] | None = page.evaluate(AXE, [OPTIONS | rules, theme])
    if broken is None:
        page.evaluate(AXE_SCRIPT)
        return axe(page, theme, of_colours)
    return broken


def explain(violation: dict[str, Any]) -> str:
    nodes = [
        {"at": node["target"], "html": node["html"][:160], "why": [one["message"] for one in node["any"] + node["all"]]}
        for node in violation["nodes"][:3]
    ]
    return f"{violation['id']} ({len(violation['nodes'])}): {json.dumps(nodes, ensure_ascii=False)}"
