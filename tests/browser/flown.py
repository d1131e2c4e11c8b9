"""Pieces fly as every new visitor has it, and afterwards everything that lies on the table can be seen."""

from __future__ import annotations

from tests.browser.person import PATIENCE, Person

COUNTS = """
window.flown = 0
new MutationObserver((changes) => {
  const added = changes.flatMap(({ addedNodes }) => [...addedNodes])
  window.flown += added.filter((node) => node.className === 'flight').length
}).observe(document, { childList: true, subtree: true })
"""


def watch(person: Person) -> None:
    """Count what flies from now on."""
    person.window.changed = True
    person.page.evaluate(COUNTS)


def everything_is_shown(person: Person) -> None:
    """Wait until something has flown; after that nothing may stay unseen."""
    person.page.wait_for_function("() => window.flown > 0", timeout=PATIENCE)
    person.sees_all_pieces()
