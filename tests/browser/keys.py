"""Who uses the keyboard alone."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator
from tests.browser.person import Person


def press_until(person: Person, key: str, there: Callable[[], bool], what: str) -> None:
    """Press a key until the focus is where it is wanted, as long as somebody would have patience."""
    for _ in range(25):
        if there():
            return
        person.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {what}")


def focused(choices: Locator) -> Callable[[], bool]:
    return lambda: bool(choices.evaluate_all("(all) => all.includes(document.activeElement)"))
