"""Pieces fly as every new visitor has it, and afterwards everything that lies on the table can be seen."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import TimeoutError
from tests.browser.person import PATIENCE, Person

AS_IT_COMES: dict[str, Any] = {"speed": None, "reduced_motion": "no-preference"}
"""How somebody looks who has never chosen anything: `visitor(house, Kind, **AS_IT_COMES)`."""
COUNTS = """
window.flown = 0
new MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
  window.flown += added.filter((node) => node.className === 'flight').length
}).observe(document, { childList: true, subtree: true })
"""
UNSEEN = """
() => [...document.querySelectorAll('[data-place]')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && !e.checkVisibility({ opacityProperty: true }))
  .map((e) => `${e.dataset.place} in ${e.parentElement.className}`)
"""


def watch(person: Person) -> None:
    """Count what flies from now on."""
    person.page.evaluate(COUNTS)


def everything_is_shown(person: Person) -> None:
    """Wait until something has flown; soon after, no place may be empty that has something on it."""
    person.page.wait_for_function("() => window.flown > 0", timeout=PATIENCE)
    try:
        person.page.wait_for_function(f"() => !document.querySelector('.flight') && !({UNSEEN})().length", timeout=8000)
    except TimeoutError:
        raise AssertionError(f"stays unseen: {person.page.evaluate(UNSEEN)}") from None
