"""Every state of a table of Tower of Babel, on a desktop and a phone, light and dark: for everybody to use."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.every_page import before_a_game, drawer, stepping
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import check
from tests.browser.prepared import Table, Wish, prepare
from tests.games.babel.browser.person import Babel
from tests.server.player import Live

WHOLE = ("pass", "choose", "commit", "accept", "fail", "decline")
"""Moves of one step."""


def one_step(live: Live) -> list[int]:
    """Anything, but rather build than pass or fail."""
    moves = [choice for choice in live.legal if choice["type"] in WHOLE]
    rather = [choice for choice in moves if choice["type"] not in ("pass", "fail")] or moves
    return [random.choice(rather if random.random() < 0.8 else moves)["action"]]


def phase(name: str) -> Wish:
    """Asked for something of this kind after the first rounds."""

    def reached(live: Live) -> bool:
        view = live.state["view"]
        return bool(live.legal) and view["phase"] == name and sum(builder["score"] for builder in view["builders"]) > 5

    return reached


def table(base: str, until: Wish = lambda live: live.over, bots: int = 2) -> Table:
    return prepare(base, *("mason",) * bots, game="babel", until=until, play=one_step)


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("hu", True)], ids=["desktop", "phone"])
def test_every_state_of_babel_is_for_everybody(house: House, visitor: Invite, language: str, phone: bool) -> None:
    def come(at: Table) -> Babel:
        return visitor(house, Babel, language=language, phone=phone, cookie=at.cookie, reduced_motion="reduce")

    turn, offering = table(house.base, phase("turn")), table(house.base, phase("offer"), bots=4)
    selecting, finished = table(house.base, phase("select"), bots=3), table(house.base)
    ada = come(turn)
    check(ada, before_a_game(ada))
    check(ada, at_the_turn(ada, turn))
    check(offerer := come(offering), with_an_offer(offerer, offering))
    check(builder := come(selecting), with_ways_to_build(builder, selecting))
    check(winner := come(finished), at_the_end(winner, finished))


def at_the_turn(ada: Babel, turn: Table) -> Iterator[str]:
    ada.page.goto(turn.path)
    assert ada.my_turn()
    yield "table"
    choice = next(one for one in ada.legal if one["type"] == "choose")
    ada.press(ada.disc(choice["wonder"], choice["space"]))
    expect(ada.button("confirm.choose", ada.bar)).to_be_visible()
    yield "disc chosen"
    if ada.phone:
        ada.press(ada.button("ui.table.log"))
        yield from drawer(ada, "ui.table.log", "log")


def with_an_offer(ada: Babel, offering: Table) -> Iterator[str]:
    ada.page.goto(offering.path)
    assert ada.my_turn()
    yield "offer asked"
    hand = ada.state["view"]["builders"][0]["hand"]
    card = max(hand, key=lambda one: int(hand[one]))
    ada.press(ada.hand(card))
    expect(ada.button("confirm.with_trade", ada.bar)).to_be_visible()
    yield "offer"


def with_ways_to_build(ada: Babel, selecting: Table) -> Iterator[str]:
    ada.page.goto(selecting.path)
    assert ada.my_turn()
    yield "ways to build"
    ada.press(ada.ways.first)
    yield "way chosen"


def at_the_end(ada: Babel, finished: Table) -> Iterator[str]:
    ada.page.goto(finished.path)
    expect(ada.end).to_be_visible()
    yield "end"
    yield from stepping(ada)
