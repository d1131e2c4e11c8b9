"""One button is enough to play, and what it fetches is no more than when nobody had an account, a clock or news."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Response, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.example import PLAIN
from tests.games.alhambra.browser.person import Alhambra
from tests.runs import often

NO_REST = """
const later = setTimeout
window.setTimeout = (run, ms, ...more) => (ms >= 500 ? 0 : later(run, ms, ...more))
"""
"""What the page does once it rests is no part of a first move, however slow the machine."""
REQUESTS, BYTES = 33, 130_434
"""Of the page before there was any of that, from its first request until one's own turn: lessons, the day's deal,
puzzles and score pads come when they are opened. Bytes are counted as they are compressed, but for what the service
makes anew and compresses anew; with what the socket says of the table."""


@often
@pytest.mark.skipif(bool(PLAIN), reason="what the page draws plainly of another game comes on top")
def test_a_first_move_takes_no_more_than_ever(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, speed=None)
    ada.page.add_init_script(NO_REST)
    fetched: list[Response] = []
    ada.page.on("response", lambda response: fetched.append(response))
    ada.home()
    expect(ada.quick).to_be_enabled()
    ada.press(ada.quick)
    ada.at_table()
    expect(ada.your_turn).to_be_attached()
    ada.page.wait_for_load_state("networkidle")
    told = next(message for message in ada.heard if message["type"] == "update")
    sizes = {"what the socket says of the table": len(json.dumps(told["table"], separators=(",", ":")))}
    for number, response in enumerate(fetched):
        name = f"{number} {response.request.method} {response.url.removeprefix(house.base)}"
        sizes[name] = len(response.body()) if "/api/" in name else response.request.sizes()["responseBodySize"]
    report = "\n".join(f"{size:7} {name}" for name, size in sizes.items())
    assert len(fetched) <= REQUESTS, f"{len(fetched)} requests\n{report}"
    assert sum(sizes.values()) <= BYTES, f"{sum(sizes.values())} bytes\n{report}"
    # No name, no account, no choice before the first move; and the table is on the first page from now on.
    before, at = ada.hand.count(), ada.page.url
    ada.take_money()
    expect(ada.hand).not_to_have_count(before)
    ada.page.get_by_role("link", name=ada.say("ui.nav.home")).filter(visible=True).first.click()
    ada.page.get_by_role("listitem").filter(has_text=ada.say("ui.seat.guest")).get_by_role("link").click()
    expect(ada.page).to_have_url(at)
    ada.at_table()
