"""Ginkgopolis without a mouse."""

from __future__ import annotations

from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.keys import KeyboardPlayer
from tests.games.ginkgopolis.browser.person import Ginkgopolis


def test_ordinary_moves_of_ginkgopolis_take_four_keys_at_most(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, language="hu")
    # A card with a tile.
    ada.sit("playing")
    hands = KeyboardPlayer(ada)
    hands.look()
    choices = [one for one in ada.legal if one["type"] == "card"]
    card, use = next((one["card"], use) for one in choices for use in one["uses"] if use["tile"] and use["payable"])
    cards = [hands.key(ada.card(one["card"])) for one in choices]
    hands.choose(ada.card(card))
    assert [hands.key(ada.card(one["card"])) for one in choices] == cards, "the other cards keep their keys"
    hands.press("Escape")
    hands.move(ada.card(card), ada.tile(use["tile"]))
    assert len(hands.pressed) == 3

    # A marker, tiles that are given back, a character.
    ada.sit("marker")
    hands.look()
    hands.move(ada.targets[-1][1])
    ada.sit("returning")
    hands.look()
    hands.move(*(ada.tile(tile) for tile in ada.own["tiles"][:2]))
    ada.sit("drafting")
    hands.look()
    hands.move(ada.characters.first)
