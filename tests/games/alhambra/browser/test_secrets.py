"""A cheat with the developer's tools: everything that reaches a browser is read, and no message knows too much."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Response, expect
from tests.browser.fixtures import Invite
from tests.browser.heard import SECRET, parts
from tests.browser.house import House
from tests.browser.prepared import lay
from tests.games.alhambra.browser.person import Alhambra

# What lies open on the table. A field that is new here must be public.
VIEW = {
    *("game", "players", "seat", "actors", "turn", "start", "finished", "winners", "neutral", "paying"),
    *("slots", "money", "building_deck", "money_deck", "discard", "discards", "rounds_scored", "owners"),
    *("kinds", "currencies", "take_limit"),
}
# The first cards are dealt openly; everything else happens in front of everybody anyway.
PUBLIC = {
    *("dealt", "start", "building_revealed", "money_revealed", "turn", "took", "bought", "again", "skipped"),
    *("reshuffled", "scoring_card", "scored", "round_scored"),
}


def over(one: Any) -> bool:
    return isinstance(one, dict) and one.get("status") in ("finished", "ended")


def test_no_message_holds_what_its_reader_must_not_know(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, name="Ada")
    bodies: list[Any] = []

    def read(response: Response) -> None:
        if "json" in response.headers.get("content-type", "") and "/api/" in response.url:
            body = response.json()
            # Of the tables of others before, in the list of all: what is over is open.
            bodies.append([one for one in body if not over(one)] if isinstance(body, list) else body)

    ada.page.on("response", read)
    ada.set_up("mason", "mason", name="Ada")
    ada.at_table()
    assert ada.my_turn()
    ada.play()
    assert ada.my_turn()
    # A table that was laid out has more to hide: what it was laid out from.
    dealt = list(ada.heard)
    ada.come_to(lay(house.base, "alhambra", "late"))
    for _ in range(3):
        assert ada.my_turn()
        ada.play()
    assert ada.my_turn()
    ada.home()
    expect(ada.page.get_by_role("listitem").filter(has_text="Ada").first).to_be_visible()
    ada.page.remove_listener("response", read)
    ada.heard[:0] = dealt

    updates = [message for message in ada.heard if message["type"] == "update" and message["view"]]
    assert {message["table"]["laid"] for message in updates} == {False, True}
    assert len(updates) > 8
    assert bodies
    for message in [*ada.heard, *bodies]:
        for path, name, value in parts(message):
            assert name not in SECRET or value is None, f"{path} = {value!r}"
    for message in updates:
        assert message["table"]["you"] == 0
        for owner in message["view"]["owners"]:
            assert (owner["hand"] is not None) == (owner["seat"] == 0), owner
        # The piles are numbers, and nothing else.
        assert all(isinstance(message["view"][pile], int) for pile in ("building_deck", "money_deck", "discard"))
        assert set(message["view"]) == VIEW
    for event in (event for message in updates for event in message["events"]):
        assert event["type"] in PUBLIC, event

    # Nor do the doors open that lead to the whole game once it is over.
    for door in ("history", "replay"):
        assert ada.page.request.get(f"/api/tables/{updates[-1]['table']['id']}/{door}").status == 409
