"""Every state and drawer of a table of Alhambra."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import expect
from tests.browser.every_page import drawer, log, opponents, stepping
from tests.browser.prepared import lay, play_on
from tests.games.alhambra.browser.person import Alhambra

PLAYER = Alhambra


def at_the_table(ada: Alhambra) -> Iterator[str]:
    ada.sit("late")
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
    yield from opponents(ada)
    yield from log(ada)
    if ada.sees(ada.button("ui.table.log")):  # in which the scorings are
        ada.press(ada.button("ui.table.log"))
    why = f"{ada.say('label.scoring.A')}: {ada.say('scoring.why.title')}"
    ada.press(ada.page.get_by_role("button", name=why))
    yield from drawer(ada, "label.scoring.A", "why these points")


def with_a_neutral_player(ada: Alhambra) -> Iterator[str]:
    ada.sit("neutral")
    yield "neutral player"
    ada.offer(ada.possible(ada.yard)[0])
    yield "building for whom"


def at_the_end(ada: Alhambra) -> Iterator[str]:
    ada.come_to(play_on(ada.base, lay(ada.base, "alhambra", "ending", cookie=ada.cookie)))
    expect(ada.end).to_be_visible()
    for letter in "ABC":
        label = f"{ada.say(f'label.scoring.{letter}')}: {ada.say('scoring.why.title')}"
        ada.press(ada.end.get_by_text(label))
    expect(ada.end).to_contain_text(ada.say("ui.laid.title"))
    yield "end"
    yield from stepping(ada)


IN_DOCS = "payment chosen"
"""What the pictures of README show."""
WALKS = (at_the_table, with_a_neutral_player, at_the_end)
