"""Who uses the keyboard alone."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Locator, expect
from tests.browser.person import Person

MOST = 4
"""So many keys are enough for an ordinary move."""
KEY = "aria-keyshortcuts"


def press_until(person: Person, key: str, there: Callable[[], bool], what: str) -> None:
    """Press a key until the focus is where it is wanted, as long as somebody would have patience."""
    for _ in range(25):
        if there():
            return
        person.page.keyboard.press(key)
    raise AssertionError(f"{key} does not lead to {what}")


def focused(choices: Locator) -> Callable[[], bool]:
    return lambda: bool(choices.evaluate_all("(all) => all.includes(document.activeElement)"))


class KeyboardPlayer:
    """Somebody plays with keys alone, and they are counted from the question to the answer."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.pressed: list[str] = []

    def press(self, *keys: str) -> None:
        for key in keys:
            self.person.page.keyboard.press(key)
            self.pressed.append(key)

    def look(self) -> None:
        """See the letters; that is no part of a move."""
        self.person.page.keyboard.press("?")
        sheet = self.person.drawer("keys.title")
        expect(sheet).to_be_visible()
        self.person.page.keyboard.press("Escape")
        expect(sheet).to_have_count(0)

    def key(self, what: Locator) -> str:
        """The key that something carries."""
        expect(what).to_have_attribute(KEY, re.compile(r"^[0-9a-z]$"))
        return what.get_attribute(KEY) or ""

    def choose(self, *things: Locator) -> None:
        for thing in things:
            self.press(self.key(thing))

    def confirm(self) -> None:
        """Confirm, at once as a quick hand does; the table moves on."""
        before = self.person.seq
        self.press("Enter")
        self.person.catch_up(before + 1)

    def move(self, *things: Locator) -> None:
        """A whole move: choose and confirm, with no more keys than it may take."""
        self.pressed.clear()
        self.choose(*things)
        self.confirm()
        assert len(self.pressed) <= MOST, self.pressed

    @property
    def where(self) -> str:
        """The key of what the focus is on."""
        found: str | None = self.person.page.evaluate("document.activeElement.ariaKeyShortcuts")
        return found or ""

    def is_asked_next(self) -> None:
        """The focus is on something that answers what is asked now."""
        assert self.person.my_turn()
        on = "() => /^[0-9a-z]$/.test(document.activeElement.ariaKeyShortcuts ?? '')"
        self.person.page.wait_for_function(on)
