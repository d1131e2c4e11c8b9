"""Every state and drawer of a table of Ginkgopolis."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from playwright.sync_api import Locator, expect
from tests.browser.every_page import drawer, log, opponents, stepping
from tests.games.ginkgopolis.browser.person import Ginkgopolis
from tests.games.ginkgopolis.browser.prepared import ended

PLAYER = Ginkgopolis


def at_the_table(ada: Ginkgopolis) -> Iterator[str]:
    """A card is to be chosen."""
    ada.sit("playing")
    yield "table"
    ada.press(ada.tile(ada.own["tiles"][0]))
    expect(ada.bar.get_by_role("alert")).to_be_visible()
    yield "refused"
    card = ada.own["hand"][0]
    ada.press(ada.card(card))
    expect(ada.bar).to_contain_text(ada.say("ask.choose_tile", card=card))
    yield "card chosen"
    ada.take_back()
    if ada.company:  # bots would have chosen at once
        alone = next(one for one in ada.legal if one["type"] == "card" and one["card"] == card)["uses"]
        ada.play_card(card, next(use for use in alone if use["tile"] is None))
        expect(ada.bar).to_contain_text(ada.say("ask.choose_waiting"))
        yield "card laid"
        ada.sit("playing")
    ada.press(ada.fresh)
    expect(ada.button("confirm.new_hand", ada.bar)).to_be_visible()
    yield "new hand asked for"
    ada.take_back()
    yield from drawers(ada)

    ada.sit("playing")
    uses = [(one["card"], use) for one in ada.legal if one["type"] == "card" for use in one["uses"] if use["tile"]]
    for payable in (True, False):
        card, use = next(one for one in uses if one[1]["payable"] == payable)
        ada.press(ada.card(card))
        ada.press(ada.tile(use["tile"]))
        expect(ada.tile(use["tile"])).to_have_attribute("aria-pressed", "true")
        yield "tile chosen" if payable else "tile that cannot be paid for"
        ada.take_back()

    ada.sit("five")
    yield "table of five"
    yield from opponents(ada)
    ada.sit("hal")
    yield "table with Hal"


def drawers(ada: Ginkgopolis) -> Iterator[str]:
    narrow = ada.sees(ada.opponents)
    if narrow:
        ada.press(ada.button("label.districts"))
        yield from drawer(ada, "label.districts", "districts")
        ada.press(ada.button("label.districts"))
        ada.press(ada.button("label.districts_show", ada.drawer("label.districts")))
        expect(ada.drawer("label.districts")).to_have_count(0)
        yield "districts in the city"
        yield from log(ada)
        yield from opponents(ada)
        ada.press(ada.opponents)
        ada.press(ada.opens(1, ada.drawer("ui.table.opponents")))
    else:
        ada.press(ada.button("label.districts_show"))
        expect(ada.button("label.districts_hide")).to_be_visible()
        yield "districts in the city"
        ada.press(ada.opens(1))
    yield from about(ada, ada.details(ada.called(1)), "somebody's cards")
    if narrow:
        ada.close(ada.drawer("ui.table.opponents"))
    ada.press(ada.tableau)
    yield from about(ada, ada.details(ada.called(ada.you)), "one's own cards")


def about(ada: Ginkgopolis, details: Locator, state: str) -> Iterator[str]:
    expect(details).to_be_visible()
    yield state
    ada.close(details)


def what_is_asked(ada: Ginkgopolis) -> Iterator[str]:
    """Everything else that is to be decided."""
    ada.sit("drafting")
    yield "draft"
    ada.press(ada.characters.first)
    expect(ada.button("confirm.pick", ada.bar)).to_be_visible()
    yield "character chosen"
    ada.sit("good")
    yield "resource or tile"
    for scene, state in (("marker", "marker"), ("shift", "marker that makes room")):
        ada.sit(scene)
        yield state
        ada.press(ada.targets[0][1])
        expect(ada.button("ui.table.take_back", ada.bar)).to_be_visible()
        yield f"{state} chosen"
    ada.sit("returning")
    yield "tiles to give back"
    ada.press(ada.tile(ada.own["tiles"][0]))
    expect(ada.button("ui.table.take_back", ada.bar)).to_be_visible()
    yield "tiles given back"


def at_the_end(winner: Ginkgopolis, scene: str) -> Iterator[str]:
    winner.come_to(ended(winner.base, scene, cookie=winner.cookie))
    expect(winner.end.get_by_role("table")).to_be_visible()
    yield "end"
    winner.close(winner.end)
    in_a_drawer = winner.sees(winner.button("ui.table.log"))
    if in_a_drawer:
        winner.press(winner.button("ui.table.log"))
    winner.press(winner.counted.last)
    yield from drawer(winner, "label.districts", "a district")
    if in_a_drawer:
        winner.close(winner.drawer("ui.table.log"))
    winner.press(winner.over)
    yield from stepping(winner)


def at_the_end_of_five(winner: Ginkgopolis) -> Iterator[str]:
    return at_the_end(winner, "ending")


def at_the_end_alone(winner: Ginkgopolis) -> Iterator[str]:
    """Only the count is another one for whoever plays alone."""
    return islice(at_the_end(winner, "alone"), 1)


WALKS = (at_the_table, what_is_asked, at_the_end_of_five, at_the_end_alone)
