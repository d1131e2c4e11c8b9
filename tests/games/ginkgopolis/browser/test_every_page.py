"""Every state of a table of Ginkgopolis, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.every_page import before_a_game, drawer, stepping
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.prepared import lay
from tests.games.ginkgopolis.browser.person import Ginkgopolis
from tests.games.ginkgopolis.browser.prepared import ended


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_every_state_of_ginkgopolis_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Ginkgopolis, language=language, phone=phone)
    check(ada, before_a_game(ada))
    check(ada, at_the_table(ada))
    check(ada, what_is_asked(ada))
    check(ada, at_the_end(ada, "ending"))
    # Only the count is another one for whoever plays alone.
    check(ada, islice(at_the_end(ada, "alone"), 1))


def sit(ada: Ginkgopolis, scene: str) -> None:
    ada.come_to(lay(ada.base, "ginkgopolis", scene))
    assert ada.my_turn()


def at_the_table(ada: Ginkgopolis) -> Iterator[str]:
    """A card is to be chosen."""
    sit(ada, "playing")
    yield "table"
    ada.press(ada.tile(ada.own["tiles"][0]))
    expect(ada.bar.get_by_role("alert")).to_be_visible()
    yield "refused"
    card = ada.own["hand"][0]
    ada.press(ada.card(card))
    expect(ada.bar).to_contain_text(ada.say("ask.choose_tile", card=card))
    yield "card chosen"
    ada.take_back()
    ada.press(ada.fresh)
    expect(ada.button("confirm.new_hand", ada.bar)).to_be_visible()
    yield "new hand asked for"
    ada.take_back()
    yield from drawers(ada)

    sit(ada, "playing")
    uses = [(one["card"], use) for one in ada.legal if one["type"] == "card" for use in one["uses"] if use["tile"]]
    for payable in (True, False):
        card, use = next(one for one in uses if one[1]["payable"] == payable)
        ada.press(ada.card(card))
        ada.press(ada.tile(use["tile"]))
        expect(ada.tile(use["tile"])).to_have_attribute("aria-pressed", "true")
        yield "tile chosen" if payable else "tile that cannot be paid for"
        ada.take_back()

    sit(ada, "five")
    yield "table of five"
    if ada.phone:
        ada.press(ada.page.get_by_role("button", name=ada.say("ui.table.opponents")))
        yield from drawer(ada, "ui.table.opponents", "opponents")
    sit(ada, "hal")
    yield "table with Hal"


def drawers(ada: Ginkgopolis) -> Iterator[str]:
    if ada.phone:
        ada.press(ada.button("label.districts"))
        yield from drawer(ada, "label.districts", "districts")
        ada.press(ada.button("label.districts"))
        ada.press(ada.button("label.districts_show", ada.drawer("label.districts")))
        expect(ada.drawer("label.districts")).to_have_count(0)
        yield "districts in the city"
        ada.press(ada.button("ui.table.log"))
        yield from drawer(ada, "ui.table.log", "log")
        ada.press(ada.page.get_by_role("button", name=ada.say("ui.table.opponents")))
        opponents = ada.drawer("ui.table.opponents")
        yield from drawer(ada, "ui.table.opponents", "opponents")
        ada.press(ada.page.get_by_role("button", name=ada.say("ui.table.opponents")))
        ada.press(ada.opens(1, opponents))
    else:
        ada.press(ada.button("label.districts_show"))
        expect(ada.button("label.districts_hide")).to_be_visible()
        yield "districts in the city"
        ada.press(ada.opens(1))
    yield from about(ada, ada.details(ada.called(1)), "somebody's cards")
    if ada.phone:
        ada.close(ada.drawer("ui.table.opponents"))
    ada.press(ada.button("label.tableau", ada.region("label.tableau")))
    yield from about(ada, ada.details("Ada"), "one's own cards")


def about(ada: Ginkgopolis, details: Locator, state: str) -> Iterator[str]:
    expect(details).to_be_visible()
    yield state
    ada.close(details)


def what_is_asked(ada: Ginkgopolis) -> Iterator[str]:
    """Everything else that is to be decided."""
    sit(ada, "drafting")
    yield "draft"
    ada.press(ada.characters.first)
    expect(ada.button("confirm.pick", ada.bar)).to_be_visible()
    yield "character chosen"
    sit(ada, "good")
    yield "resource or tile"
    for scene, state in (("marker", "marker"), ("shift", "marker that makes room")):
        sit(ada, scene)
        yield state
        ada.press(ada.targets[0][1])
        expect(ada.button("ui.table.take_back", ada.bar)).to_be_visible()
        yield f"{state} chosen"
    sit(ada, "returning")
    yield "tiles to give back"
    ada.press(ada.tile(ada.own["tiles"][0]))
    expect(ada.button("ui.table.take_back", ada.bar)).to_be_visible()
    yield "tiles given back"


def at_the_end(winner: Ginkgopolis, scene: str) -> Iterator[str]:
    winner.come_to(ended(winner.base, scene))
    expect(winner.end).to_be_visible()
    expect(winner.end.get_by_role("table")).to_be_visible()
    yield "end"
    winner.close(winner.end)
    if winner.phone:
        winner.press(winner.button("ui.table.log"))
    winner.press(winner.counted.last)
    yield from drawer(winner, "label.districts", "a district")
    if winner.phone:
        winner.close(winner.drawer("ui.table.log"))
    winner.press(winner.over)
    yield from stepping(winner)
