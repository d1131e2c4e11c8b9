"""Tower of Babel without a mouse."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.keys import KeyboardPlayer
from tests.games.babel.browser.person import Babel


def test_ordinary_moves_of_babel_take_four_keys_at_most(house: House, visitor: Invite) -> None:
    ada = visitor(house, Babel, language="hu")
    # A disc.
    ada.sit("turn")
    hands = KeyboardPlayer(ada)
    hands.look()
    disc = next(one for one in ada.legal if one["type"] == "choose")
    hands.move(ada.disc(disc["wonder"], disc["space"]))
    assert len(hands.pressed) == 2

    # An offer of two cards.
    ada.sit("offering")
    hands.look()
    card = next(one["card"] for one in ada.legal if one["type"] == "lay")
    hands.move(ada.hand(card), ada.hand(card))
    assert len(hands.pressed) == 3

    # The offers that are accepted; a card that is laid keeps the key of the others.
    ada.sit("selecting")
    hands.look()
    hands.move(ada.ways.first)
    assert len(hands.pressed) == 2


def test_passing_is_never_confirmed_by_chance(house: House, visitor: Invite) -> None:
    ada = visitor(house, Babel)
    ada.sit("turn")
    hands = KeyboardPlayer(ada)
    hands.look()
    passing = ada.button("confirm.pass", ada.bar)
    # Enter confirms what has been chosen, and nothing has been.
    ada.bar.focus()
    hands.press("Enter", "Enter")
    expect(passing).to_be_visible()
    before = ada.seq
    hands.choose(passing)
    ada.catch_up(before + 1)
