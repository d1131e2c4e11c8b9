"""Every state and drawer of a table of Architects."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import expect
from tests.browser.every_page import drawer, stepping
from tests.browser.prepared import Table, lay, play_on
from tests.games.architects.browser.person import AGENDA, PAYMENT, Architects
from tests.server.player import Live


def sit(ada: Architects, scene: str, *seats: str) -> None:
    """Come to a table at which something is to be decided."""
    ada.come_to(lay(ada.base, "architects", scene, *seats))
    assert ada.my_turn()


def finished(base: str) -> Table:
    """A game of seven that Ada has ended by her last stage."""

    def build(live: Live) -> list[int]:
        return [next((one for one in live.legal if one["type"] == "build"), live.legal[0])["action"]]

    return play_on(base, lay(base, "architects", "ending"), play=build)


def at_the_tables(ada: Architects) -> Iterator[str]:
    sit(ada, "choosing", *["mason"] * 6, "me")
    assert ada.asked() == "choose_wonder"
    yield "choosing a wonder"
    ada.pick(ada.possible(ada.gallery)[0])
    expect(ada.button("confirm.choose_wonder", ada.bar)).to_be_visible()
    yield "wonder chosen"

    sit(ada, "paying")
    assert ada.asked() == PAYMENT
    yield "payment"
    ada.pick(ada.picks[0])
    expect(ada.button("confirm.build", ada.bar)).to_be_visible()
    yield "payment chosen"

    sit(ada, "claiming")
    if ada.asked() in AGENDA:
        ada.press(ada.button("confirm.claim", ada.bar))
    yield "claim"
    sit(ada, "more")
    assert ada.asked() == "act_optional"
    yield "another card"
    sit(ada, "keeping")
    assert ada.asked() == "keep"
    yield "one of five"
    ada.pick(ada.picks[0])
    yield "one of five chosen"

    sit(ada, "playing")
    yield "table"
    yield from drawers(ada)
    ada.press(ada.stage(5))
    expect(ada.bar.get_by_role("alert")).to_be_visible()
    yield "refused"
    sit(ada, "seven")
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


def at_the_end(ada: Architects) -> Iterator[str]:
    ada.come_to(finished(ada.base))
    expect(ada.end).to_be_visible()
    yield "end"
    yield from stepping(ada)
