"""A walk through every page, drawer and state there is, for tests that look at all of them and for pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import expect
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.prepared import Table, late_in_the_game, prepare


@dataclass(frozen=True)
class Evening:
    """One table of every kind, all of them Ada's."""

    waiting: Table
    playing: Table
    finished: Table


def evening(house: House) -> Evening:
    finished = prepare(house.base, "greedy", "greedy")
    return Evening(
        waiting=prepare(house.base, "open", "greedy"),
        playing=prepare(house.base, "greedy", "random", until=late_in_the_game),
        finished=finished,
    )


def away_from_tables(ada: Person, tables: Evening) -> Iterator[str]:
    """Show one state after another; say which, and wait for the reader to look at it."""
    ada.home()
    expect(ada.page.get_by_role("listitem").filter(has_text="Ada").first).to_be_visible()
    yield "home"
    ada.press(ada.button("ui.settings.title"))
    yield from drawer(ada, "ui.settings.title", "settings")
    ada.page.goto("/#/new/alhambra")
    expect(ada.page.get_by_role("combobox").first).to_be_visible()
    ada.press(ada.page.get_by_text(ada.say("ui.setup.components"), exact=True))
    yield "set-up"
    ada.press(ada.button("ui.rules.open"))
    expect(ada.drawer("ui.rules.title").get_by_role("heading", level=1)).to_be_visible()
    yield from drawer(ada, "ui.rules.title", "rules")
    ada.page.goto(tables.waiting.path)
    expect(ada.button("ui.wait.copy")).to_be_visible()
    yield "waiting room"
    ada.page.goto("/#/no/such/page")
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.error.page_not_found"))
    yield "lost"


def by_invitation(bela: Person, tables: Evening) -> Iterator[str]:
    bela.page.goto(f"/#/join/{tables.waiting.id}/{tables.waiting.invite}")
    expect(bela.button("ui.invite.join")).to_be_visible()
    yield "invitation"


def at_the_table(ada: Person, tables: Evening) -> Iterator[str]:
    ada.page.goto(tables.playing.path)
    assert ada.my_turn()
    yield "table"
    ada.press(ada.impossible(ada.yard)[0])
    expect(ada.bar.get_by_role("alert")).to_be_visible()
    yield "refused"
    ada.offer(ada.possible(ada.yard)[0])
    yield "payment chosen"
    ada.take_back()
    ada.press(ada.possible(ada.open_money)[0])
    expect(ada.button("confirm.take", ada.bar)).to_be_visible()
    yield "money chosen"
    ada.take_back()
    ada.press(ada.page.get_by_role("button", name=ada.say("label.discard")))
    yield from drawer(ada, "label.discard", "discard pile")
    if ada.phone:
        ada.press(ada.page.get_by_role("button", name=ada.say("ui.table.opponents")))
        yield from drawer(ada, "ui.table.opponents", "opponents")
        ada.press(ada.button("ui.table.log"))
        yield from drawer(ada, "ui.table.log", "log")
        ada.press(ada.button("ui.table.log"))
    why = f"{ada.say('label.scoring.A')}: {ada.say('scoring.why.title')}"
    ada.press(ada.page.get_by_role("button", name=why))
    yield from drawer(ada, "label.scoring.A", "why these points")


def at_the_end(ada: Person, tables: Evening) -> Iterator[str]:
    ada.page.goto(tables.finished.path)
    expect(ada.end).to_be_visible()
    for letter in "ABC":
        label = f"{ada.say(f'label.scoring.{letter}')}: {ada.say('scoring.why.title')}"
        ada.press(ada.end.get_by_text(label))
    ada.press(ada.end.get_by_text(ada.say("ui.end.seed"), exact=True).first)
    yield "end"
    ada.press(ada.button("ui.end.replay", ada.end))
    stepper = ada.region("ui.replay.title")
    ada.press(ada.button("ui.replay.next", stepper))
    yield "stepping"


def drawer(person: Person, title: str, state: str) -> Iterator[str]:
    opened = person.drawer(title)
    expect(opened).to_be_visible()
    yield state
    person.close(opened)
