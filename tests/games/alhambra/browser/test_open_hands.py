"""What everybody has seen go into a hand stands beside it, where the table remembers it; elsewhere it does not."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.games.alhambra.browser.person import Alhambra


def seen_by_all(events: list[dict[str, Any]], seat: int) -> Counter[str]:
    """The hand of a seat, counted by somebody who has watched all along."""
    hand: Counter[str] = Counter()
    for event in events:
        if event.get("seat") != seat:
            continue
        if event["type"] in ("dealt", "took"):
            hand.update(event["args"]["cards"])
        elif event["type"] in ("bought", "gave"):
            hand.subtract(event["args"]["cards"])
    return +hand


@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_the_cards_that_everybody_has_seen_stand_beside_the_others(house: House, visitor: Invite, phone: bool) -> None:
    ada = visitor(house, Alhambra, name="Ada", phone=phone)
    ada.set_up("mason", "mason", name="Ada", open_hands="remembered")
    ada.at_table()
    for _ in range(3):
        assert ada.my_turn()
        ada.play()
    assert ada.my_turn()
    events = [event for message in ada.heard for event in message.get("events", [])]
    if phone:
        ada.press(ada.page.get_by_role("button", name=re.compile(ada.say("ui.table.opponents"))))
    lists = ada.page.get_by_role("list", name=ada.say("label.known.hand"))
    expect(lists).to_have_count(2)
    for owner, shown in zip(ada.state["view"]["owners"][1:], lists.all(), strict=True):
        hand = seen_by_all(events, owner["seat"])
        assert Counter(f"{card['currency']} {card['value']}" for card in owner["known"]) == hand
        assert hand.total() == owner["cards"]
        values = {
            ada.say(f"currency.{currency}.title"): [
                str(card["value"]) for card in owner["known"] if card["currency"] == currency
            ]
            for currency in ada.state["view"]["currencies"]
        }
        for item, (title, held) in zip(
            shown.get_by_role("listitem").all(), [(title, held) for title, held in values.items() if held], strict=True
        ):
            expect(item).to_contain_text(title)
            expect(item).to_contain_text(" ".join(held))


def test_where_nothing_is_remembered_nothing_is_sent(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, name="Ada")
    ada.set_up("mason", name="Ada")
    ada.at_table()
    assert ada.my_turn()
    assert all(owner["known"] is None for owner in ada.state["view"]["owners"])
    expect(ada.page.get_by_role("list", name=ada.say("label.known.hand"))).to_have_count(0)
