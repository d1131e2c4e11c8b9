"""Every state and drawer of a table of Architects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import expect
from tests.browser.every_page import drawer, stepping
from tests.browser.house import House
from tests.browser.prepared import Table, phase
from tests.games.architects.browser.person import AGENDA, PAYMENT, Architects
from tests.games.architects.browser.prepared import (
    another_card,
    architects,
    several_payments,
    symbols_to_turn_in,
    well_after_a_battle,
)

SIX = ("mason",) * 6


@dataclass(frozen=True)
class Tables:
    """Tables at which something is to be decided, all of them somebody's called Ada."""

    choosing: Table
    playing: Table
    paying: Table
    claiming: Table
    more: Table
    keeping: Table
    seven: Table
    finished: Table


def lay(house: House) -> Tables:
    base = house.base
    return Tables(
        choosing=architects(base, *SIX, until=phase("choose"), wonders="drafted", first_player="first_seat"),
        playing=architects(base, "mason", "random", until=well_after_a_battle),
        paying=architects(base, "mason", until=several_payments),
        claiming=architects(base, "random", "random", until=symbols_to_turn_in),
        more=architects(base, "random", "random", until=another_card),
        keeping=architects(base, "random", "random", until=phase("keep"), wonder="halicarnassus"),
        seven=architects(base, *SIX, until=well_after_a_battle),
        finished=architects(base, *SIX),
    )


def at_the_tables(ada: Architects, tables: Tables) -> Iterator[str]:
    ada.come_to(tables.choosing)
    assert ada.my_turn()
    assert ada.asked() == "choose_wonder"
    yield "choosing a wonder"
    ada.pick(ada.possible(ada.gallery)[0])
    expect(ada.button("confirm.choose_wonder", ada.bar)).to_be_visible()
    yield "wonder chosen"

    ada.come_to(tables.paying)
    assert ada.my_turn()
    assert ada.asked() == PAYMENT
    yield "payment"
    ada.pick(ada.picks[0])
    expect(ada.button("confirm.build", ada.bar)).to_be_visible()
    yield "payment chosen"

    ada.come_to(tables.claiming)
    assert ada.my_turn()
    if ada.asked() in AGENDA:
        ada.press(ada.button("confirm.claim", ada.bar))
    yield "claim"
    ada.come_to(tables.more)
    assert ada.my_turn()
    assert ada.asked() == "act_optional"
    yield "another card"
    ada.come_to(tables.keeping)
    assert ada.my_turn()
    assert ada.asked() == "keep"
    yield "one of five"
    ada.pick(ada.picks[0])
    yield "one of five chosen"

    ada.come_to(tables.playing)
    assert ada.my_turn()
    yield "table"
    yield from drawers(ada)
    ada.press(ada.stage(5))
    expect(ada.bar.get_by_role("alert")).to_be_visible()
    yield "refused"
    ada.come_to(tables.seven)
    assert ada.my_turn()
    yield "table of seven"
    if ada.phone:
        yield from opponents(ada)


def drawers(ada: Architects) -> Iterator[str]:
    ada.press(ada.page.get_by_role("button", name=ada.say("label.discard")))
    yield from drawer(ada, "label.discard", "discard pile")
    if ada.phone:
        yield from opponents(ada)
        ada.press(ada.button("ui.table.log"))
        expect(ada.drawer("ui.table.log")).to_be_visible()
        yield "log"
        ada.press(ada.battles.last)
        yield from drawer(ada, "label.battle", "battle")
        ada.close(ada.drawer("ui.table.log"))
    else:
        ada.press(ada.battles.last)
        yield from drawer(ada, "label.battle", "battle")


def opponents(ada: Architects) -> Iterator[str]:
    ada.press(ada.page.get_by_role("button", name=ada.say("ui.table.opponents")))
    yield from drawer(ada, "ui.table.opponents", "opponents")


def at_the_end(ada: Architects, finished: Table) -> Iterator[str]:
    ada.page.goto(finished.path)
    expect(ada.end).to_be_visible()
    ada.press(ada.end.get_by_text(ada.say("ui.end.seed"), exact=True).first)
    yield "end"
    yield from stepping(ada)
