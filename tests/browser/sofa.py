"""Two people play on one device, which they hand to each other."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect
from tests.browser.person import Person

CARDS = "[data-what], [data-place]"
"""What a board shows of a game."""


def on_one_device(person: Person, *seats: str) -> None:
    """Make a table for oneself, somebody next to one, and others."""
    person.set_up("companion", *seats, name="Ada")


def hand_to_and_fro(person: Person, play: Callable[[], object], moves: int) -> tuple[int, int]:
    """Play moves of both. Return how often a curtain was between them, and for how many people moves were made."""
    ada, zoe = person.name, person.say("near.name", n=2)
    takes = {name: person.page.get_by_role("button", name=person.say("near.take", who=name)) for name in (ada, zoe)}
    passes = person.bar.get_by_role("button", name=person.say("near.pass", who="").strip())
    curtains, movers = 0, set[int | None]()
    while moves:
        expect(takes[ada].or_(takes[zoe]).or_(passes).or_(person.your_turn).first).to_be_attached()
        curtain = next((take for take in takes.values() if take.is_visible()), None)
        if curtain is not None:
            assert person.page.locator(CARDS).count() == 0, "what one of them has seen is on the page"
            curtains += 1
            person.heard.clear()
            person.seen = 0
            curtain.click()
            person.at_table()
        elif passes.is_visible():
            passes.click()
        else:
            movers.add(person.state["table"]["you"])
            play()
            moves -= 1
    return curtains, len(movers)
