"""Somebody who learns a game."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, expect
from tests.browser.person import Person


class Pupil:
    """What a person does beside the board of a lesson."""

    def __init__(self, person: Person) -> None:
        self.person = person

    def begin(self) -> None:
        """From the first page, by one tap."""
        person = self.person
        person.home()
        person.press(person.plate.get_by_role("link", name=person.say("ui.home.learn"), exact=True))
        expect(self.coach).to_be_visible()

    @property
    def coach(self) -> Locator:
        return self.person.region("learn.title")

    def is_told(self, key: str, **args: Any) -> None:
        """The coach says so."""
        expect(self.coach).to_contain_text(self.person.say(f"learn.{key}", **args), ignore_case=True)

    def press(self, key: str) -> None:
        """Press a button of the coach."""
        self.person.press(self.person.button(f"learn.{key}", self.coach))

    def confirm(self, key: str) -> None:
        """Confirm a move that may be wrong, so that the board stays as it is."""
        self.person.press(self.person.button(key, self.person.bar))

    def choose(self, lesson: str, step: str, choice: str) -> None:
        """Answer a question."""
        self.is_told(f"{lesson}.{step}.goal")
        self.press(f"{lesson}.{step}.{choice}")
        self.is_told(f"{lesson}.{step}.{choice}.say")
