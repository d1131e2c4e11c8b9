"""Every state and drawer of a table of Tower of Babel."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import expect
from tests.browser.every_page import log, opponents, stepping
from tests.browser.prepared import lay, play_on
from tests.games.babel.browser.person import Babel
from tests.server.player import Live

PLAYER = Babel


def at_the_turn(ada: Babel) -> Iterator[str]:
    ada.sit("turn")
    yield "table"
    choice = next(one for one in ada.legal if one["type"] == "choose")
    ada.press(ada.disc(choice["wonder"], choice["space"]))
    expect(ada.button("confirm.choose", ada.bar)).to_be_visible()
    yield "disc chosen"
    yield from opponents(ada)
    yield from log(ada)


def with_an_offer(ada: Babel) -> Iterator[str]:
    ada.sit("offering")
    yield "offer asked"
    hand = ada.state["view"]["builders"][0]["hand"]
    card = max(hand, key=lambda one: int(hand[one]))
    ada.press(ada.hand(card))
    expect(ada.button("confirm.with_trade", ada.bar)).to_be_visible()
    yield "offer"
    if ada.company:  # bots would have offered at once
        ada.confirm("confirm.commit", count=1)
        expect(ada.bar).to_contain_text(ada.say("ask.offer_waiting"))
        yield "offer made"


def with_ways_to_build(ada: Babel) -> Iterator[str]:
    ada.sit("selecting")
    yield "ways to build"
    ada.press(ada.ways.first)
    yield "way chosen"


def with_action_cards(ada: Babel) -> Iterator[str]:
    ada.sit("cards")
    yield "action cards"
    ada.press(ada.page.get_by_role("button", name=ada.say("action.exchange")).filter(visible=True).first)
    yield "action card chosen"
    ada.sit("refused")
    expect(ada.bar).to_contain_text(ada.say("ask.refusal"))
    yield "offer refused"


def build(live: Live) -> list[int]:
    """Accept what is offered, which ends the game."""
    return [next((one for one in live.legal if one["type"] == "accept"), live.legal[-1])["action"]]


def at_the_end(ada: Babel) -> Iterator[str]:
    ada.come_to(play_on(ada.base, lay(ada.base, "babel", "ending", cookie=ada.cookie), play=build))
    expect(ada.end.get_by_role("table")).to_be_visible()
    yield "end"
    yield from stepping(ada)


WALKS = (at_the_turn, with_an_offer, with_ways_to_build, with_action_cards, at_the_end)
