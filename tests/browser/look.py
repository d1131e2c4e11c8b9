"""Looks at what is on the screen, for everybody to use: in both themes, by the rules of WCAG 2.2."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, Literal
from zlib import crc32

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page
from tests.browser.measure import PATIENCE, SETTLED, UNREST, Fault, measure, measure_soon
from tests.browser.person import Person
from tests.browser.windows import DEVICES

WCAG_2_2_AA = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa")
OPTIONS = {"runOnly": {"type": "tag", "values": list(WCAG_2_2_AA)}, "resultTypes": ["violations"]}
# On a desktop these fit on one screen.
FITS = (
    *("table", "table of seven", "payment chosen", "another card", "one of five", "stepping"),
    *("table of five", "table with Hal", "card chosen", "tile chosen", "draft", "marker", "tiles to give back"),
)
Theme = Literal["light", "dark"]
Walk = Callable[[Any], Iterator[str]]
"""Shows one state of the page after the other, and says which."""
THEMES: tuple[Theme, ...] = ("light", "dark")
# What only a phone shows, which has to be looked at there in both themes.
ON_A_PHONE = ("opponents", "log", "districts", "a bot is offered")
# What `look` says of a state in any window.
ANYWHERE = ("small", "cut", "broken word", "sideways", "invisible", "named twice", "empty")
# The windows in which most can go wrong, by whether they are touched; `python -m tests.browser.gallery` knows more.
ALSO = {True: ("320x640", "844x390"), False: ("683x384", "2560x1440")}
# The rules that a theme can break; about all others one look is enough.
OF_COLOURS = ("color-contrast", "link-in-text-block")

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

# A key that no catalogue has is shown as it is.
KEYS = r"""
() => [...document.querySelectorAll('*')]
  .flatMap((e) => [e.ariaLabel, ...[...e.childNodes].map((n) => (n.nodeType === Node.TEXT_NODE ? n.data : null))])
  .filter((text) => text && /^[a-z_]+(\.[a-z_0-9]+)+$/.test(text.trim()))
"""


# All of these in one question: each answer costs more to fetch than to find.
EVERYTHING = f"""
(lowest) => [
  document.documentElement.scrollHeight, ({TINY})(lowest), ({KEYS})(),
]
"""

# Tells the measure what answers the question of the bar.
ANSWERS = """
(all, no) => window.answersToBeSeen.push(...all.filter((e) =>
  !(e.ariaLabel ?? e.textContent).includes(no) && !e.matches(':disabled, [aria-disabled=true]')))
"""

# Waits until the page shows a theme: colours that still change would be measured half way.
THEMED = f"""
async (theme) => {{
  for (let n = 0; document.documentElement.dataset.theme !== theme; n++) {{
    if (n > 600) throw new Error(`the page is not ${{theme}}`)
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }}
  if (!(await ({SETTLED})({PATIENCE}))) throw new Error('{UNREST}')
}}
"""

# The page, or the drawer that lies on it: what is below was looked at without it. Null where the checker is not loaded.
AXE = f"""
async ([options, theme]) => {{
  if (!window.axe) return null
  await ({THEMED})(theme)
  // What sticks to the lower edge of a long page covers what can be scrolled to: that is no fault of its size.
  const stuck = [...document.querySelectorAll('form *')].filter((e) => getComputedStyle(e).position === 'sticky')
  for (const e of stuck) e.style.position = 'static'
  try {{
    return (await axe.run(document.querySelector('dialog[open]') ?? document, options)).violations
  }} finally {{
    for (const e of stuck) e.style.position = ''
  }}
}}
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
        wrong += read(person, state, (theme, *(one for one in THEMES if again and one != theme)))
        wrong += measure_sizes(person, state)
    assert wrong == [], "\n".join(wrong)


BOTH = [
    pytest.param("en", False, id="desktop"),
    pytest.param("hu", True, id="phone"),
    pytest.param("de", True, id="german_phone"),
]
"""The devices with which all states are looked at, each in its language: where words are long, on a phone."""


def look(person: Person, state: str, themes: tuple[Theme, ...]) -> Iterator[str]:
    """Say what is wrong with what is on the screen, in the window as it is."""
    yield from read(person, state, themes)
    yield from (f"{state}: {fault}" for fault in measure(person.page, names=person.names, only=ANYWHERE))


def read(person: Person, state: str, themes: tuple[Theme, ...]) -> Iterator[str]:
    """Say what breaks the rules of WCAG, which words cannot be read, and what does not fit on a desktop.

    All rules once for each state: on the desktop, or on the phone if only a phone shows it. What a second look can find
    is what a device or a theme changes: colours, sizes, and what does not fit.
    """
    page = person.page
    for at, theme in enumerate(themes):
        page.emulate_media(color_scheme=theme)
        for violation in axe(page, theme, of_colours=at > 0 or (person.phone and state not in ON_A_PHONE)):
            yield f"{state}, {theme}: {explain(violation)}"
    high, tiny, keys = page.evaluate(EVERYTHING, LOWEST)
    size = page.viewport_size or {"width": 0, "height": 0}
    if not person.phone and state in FITS and high > size["height"]:
        yield f"{state}: {high} pixels high, has to be scrolled"
    yield from (f"{state}: {one}" for one in (*tiny, *(f"{key} is no text" for key in keys)))


def measure_sizes(person: Person, state: str) -> Iterator[str]:
    """Say what is wrong by measure, in the window as it is and in another one of such a device.

    Each state in one of them; the gallery looks at all.
    """
    usual = person.page.viewport_size
    assert usual
    yield from (f"{state}: {fault}" for fault in faults_of(person))
    also = ALSO[person.phone][crc32(state.encode()) % 2]
    person.page.set_viewport_size(next(device.size for device in DEVICES if device.name == also))
    yield from (f"{state}, {also}: {fault}" for fault in faults_of(person, resized=True))
    person.page.set_viewport_size(usual)


def faults_of(person: Person, resized: bool = False) -> list[Fault]:
    """All that is wrong with what is on somebody's screen, by measure. `resized`: the window was another one before."""
    person.page.evaluate("() => { window.answersToBeSeen = [] }")
    for choices in person.answers if person.sees(person.bar) else []:
        choices.evaluate_all(ANSWERS, person.say("ui.table.not_possible"))
    return (measure_soon if resized else measure)(person.page, touch=person.phone, names=person.names)


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


def show_in(page: Page, theme: Theme) -> None:
    """Let the page show a theme, and wait until it does."""
    page.emulate_media(color_scheme=theme)
    page.evaluate(THEMED, theme)


def explain(violation: dict[str, Any]) -> str:
    nodes = [
        {"at": node["target"], "html": node["html"][:160], "why": [one["message"] for one in node["any"] + node["all"]]}
        for node in violation["nodes"][:3]
    ]
    return f"{violation['id']} ({len(violation['nodes'])}): {json.dumps(nodes, ensure_ascii=False)}"
