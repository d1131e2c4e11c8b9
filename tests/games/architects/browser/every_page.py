"""Every state and drawer of a table of Architects."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import expect
from tests.browser.every_page import drawer, opponents, stepping
from tests.browser.prepared import Table, lay, make, play_on
from tests.games.architects.browser.person import AGENDA, PAYMENT, Architects
from tests.server.player import Live

PLAYER = Architects


def finished(base: str, cookie: str = "") -> Table:
    """A game of seven that its maker has ended by the last stage."""

    def build(live: Live) -> list[int]:
        return [next((one for one in live.legal if one["type"] == "build"), live.legal[0])["action"]]

    return play_on(base, lay(base, "architects", "ending", cookie=cookie), play=build)


def at_the_tables(ada: Architects) -> Iterator[str]:
    ada.sit("choosing", *["mason"] * 6, "me")
    assert ada.asked() == "choose_wonder"
    yield "choosing a wonder"
    ada.pick(ada.possible(ada.gallery)[0])
    expect(ada.button("confirm.choose_wonder", ada.bar)).to_be_visible()
    yield "wonder chosen"

    ada.sit("paying")
    assert ada.asked() == PAYMENT
    yield "payment"
    ada.pick(ada.picks[0])
    expect(ada.button("confirm.build", ada.bar)).to_be_visible()
    yield "payment chosen"

    ada.sit("claiming")
    if ada.asked() in AGENDA:
        ada.press(ada.button("confirm.claim", ada.bar))
    yield "claim"
    ada.sit("more")
    assert ada.asked() == "act_optional"
    yield "another card"
    ada.sit("alexandria")
    yield "a deck of anybody"
    ada.sit("babylon")
    yield "a token granted"
    ada.sit("looking")
    yield "a deck to look at"
    ada.sit("keeping")
    assert ada.asked() == "keep"
    yield "one of five"
    ada.pick(ada.picks[0])
    yield "one of five chosen"

    ada.sit("playing")
    yield "table"
    yield from drawers(ada)
    ada.press(ada.stage(5))
    expect(ada.bar.get_by_role("alert")).to_be_visible()
    yield "refused"
    ada.sit("seven")
    yield "table of seven"
    yield from opponents(ada)
    if ada.company:  # somebody who never came
        gone, options = ada.company[:1], {"first_player": "first_seat"}
        table = make(
            ada.base, "architects", "me", "mason", cookie=ada.cookie, company=gone, patience=0, options=options
        )
        ada.come_to(table)
        ada.take(ada.best_deck())
        offer = ada.button("ui.stand_in.offer", ada.bar, player=gone[0])
        expect(offer).to_be_visible()
        yield "a bot is offered"
        ada.press(offer)
        assert ada.my_turn()
        yield "a bot plays"


def drawers(ada: Architects) -> Iterator[str]:
    ada.press(ada.page.get_by_role("button", name=ada.say("label.discard")))
    yield from drawer(ada, "label.discard", "discard pile")
    yield from opponents(ada)
    if ada.sees(ada.button("ui.table.log")):
        ada.press(ada.button("ui.table.log"))
        expect(ada.drawer("ui.table.log")).to_be_visible()
        yield "log"
        ada.press(ada.battles.last)
        yield from drawer(ada, "label.battle", "battle")
        ada.close(ada.drawer("ui.table.log"))
    else:
        ada.press(ada.battles.last)
        yield from drawer(ada, "label.battle", "battle")


def at_the_end(ada: Architects) -> Iterator[str]:
    ada.come_to(finished(ada.base, ada.cookie))
    expect(ada.end.get_by_role("table")).to_be_visible()
    yield "end"
    yield from stepping(ada)


WALKS = (at_the_tables, at_the_end)
