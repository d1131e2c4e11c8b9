"""What is special about a table of Architects, by clicking: decks that are far away, and seven bots in a hurry."""

from __future__ import annotations

import re

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import PATIENCE
from tests.browser.prepared import lay
from tests.games.architects.browser.person import WONDERS, Architects
from tests.runs import often

SEVEN = ["mason"] * 7


def test_the_light_of_alexandria_reaches_every_deck_of_seven_on_a_phone(house: House, visitor: Invite) -> None:
    """Also those of the others, which are in a drawer there."""
    ada = visitor(house, Architects, phone=True)
    ada.sit("alexandria")
    titles = {
        wonder: re.compile(re.escape(ada.say(f"deck.{wonder}.title")) + r"\. ") for wonder in (*WONDERS, "central")
    }
    far = [one for one, title in titles.items() if not ada.page.get_by_role("button", name=title).count()]
    ada.press(ada.opponents)
    opponents = ada.drawer("ui.table.opponents")
    expect(opponents).to_be_visible()
    assert len(far) >= 5
    for wonder in far:
        deck = ada.page.get_by_role("button", name=titles[wonder])
        expect(deck).to_have_count(1)
        deck.scroll_into_view_if_needed()
        box = deck.bounding_box()
        wide = (ada.page.viewport_size or {"width": 0})["width"]
        assert box, f"{wonder} cannot be seen"
        assert min(box["width"], box["height"]) >= 24, wonder
        assert 0 <= box["x"] <= wide - box["width"], wonder
    ada.take(ada.page.get_by_role("button", name=titles[far[0]]))
    ada.close(opponents)
    ada.press(ada.button("ui.table.log"))
    log = ada.drawer("ui.table.log")
    expect(log).to_contain_text(re.compile(f"Ada .*{re.escape(ada.say(f'deck.{far[0]}.from'))}"))


@often
def test_seven_bots_play_to_the_end_while_somebody_watches(house: House, visitor: Invite) -> None:
    """Nobody sits at this table: whoever made it looks on."""
    eve = visitor(house, Architects)
    eve.come_to(lay(house.base, "architects", "seven", *SEVEN))
    expect(eve.over).to_be_visible(timeout=PATIENCE)
    expect(eve.end.get_by_role("row")).to_have_count(8)
