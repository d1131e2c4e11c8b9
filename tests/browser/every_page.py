"""A walk through every page and drawer that all games share, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import expect
from tests.browser.person import Person
from tests.browser.prepared import Table


def away_from_tables(ada: Person, waiting: Table) -> Iterator[str]:
    """Show one state after another; say which, and wait for the reader to look at it."""
    ada.home()
    expect(ada.page.get_by_role("listitem").filter(has_text="Ada").first).to_be_visible()
    yield "home"
    ada.press(ada.button("ui.settings.title"))
    yield from drawer(ada, "ui.settings.title", "settings")
    yield from before_a_game(ada)
    ada.page.goto(waiting.path)
    expect(ada.button("ui.wait.copy")).to_be_visible()
    yield "waiting room"
    ada.page.goto("/#/no/such/page")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.error.page_not_found"))
    yield "lost"


def before_a_game(ada: Person) -> Iterator[str]:
    """What each game has of its own before a table is set up."""
    ada.page.goto(f"/#/new/{ada.game}")
    expect(ada.page.get_by_role("combobox").first).to_be_visible()
    for summary in ada.page.locator("summary").all():
        ada.press(summary)
    yield "set-up"
    ada.press(ada.button("ui.rules.open"))
    expect(ada.drawer("ui.rules.title").get_by_role("heading", level=1)).to_be_visible()
    yield from drawer(ada, "ui.rules.title", "rules")


def by_invitation(bela: Person, waiting: Table) -> Iterator[str]:
    bela.page.goto(f"/#/join/{waiting.id}/{waiting.invite}")
    expect(bela.button("ui.invite.join")).to_be_visible()
    yield "invitation"


def stepping(person: Person) -> Iterator[str]:
    """A finished game, move by move."""
    person.press(person.button("ui.end.replay", person.end))
    stepper = person.region("ui.replay.title")
    person.press(person.button("ui.replay.next", stepper))
    yield "stepping"


def drawer(person: Person, title: str, state: str) -> Iterator[str]:
    opened = person.drawer(title)
    expect(opened).to_be_visible()
    yield state
    person.close(opened)
