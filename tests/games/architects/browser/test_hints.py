"""What a Master would do, and what a game was lost by: drawn on the board, and gone through by keys."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import Theme, look
from tests.browser.person import Json, Person
from tests.browser.prepared import lay, play_on
from tests.games.architects.browser.person import Architects
from tests.server.player import Live

# A review asks for one move after the other, on a machine that may be busy with other tests.
SOON = 90_000
BANDS = """
(curve) => [...curve.querySelectorAll('polygon')]
  .map((band) => band.getBoundingClientRect())
  .every((box) => box.width > 0 && box.height > 2)
"""


def for_everybody(person: Person, state: str, theme: Theme) -> None:
    wrong = list(look(person, state, (theme,)))
    assert wrong == [], "\n".join(wrong)


def light(person: Person, label: str) -> Locator:
    """The frame on the board that carries a label."""
    return person.page.get_by_role("main").get_by_text(label, exact=True).locator("xpath=..")


def lies_on(frame: Locator, what: Locator) -> bool:
    """A frame has its middle on what it is about, and is hardly larger."""
    outer, inner = frame.bounding_box(), what.bounding_box()
    assert outer
    assert inner
    right, down = (outer["x"] + outer["width"] / 2 - inner["x"], outer["y"] + outer["height"] / 2 - inner["y"])
    inside = 0 < right < inner["width"] and 0 < down < inner["height"]
    return inside and outer["width"] <= inner["width"] + 24 and outer["height"] <= inner["height"] + 24


def test_a_hint_is_asked_for_shown_and_played(house_of_masters: House, visitor: Invite) -> None:
    house = house_of_masters
    house.until_advisers_are_ready("architects")
    ada = visitor(house, Architects)
    ada.set_up("mason", name="Ada")
    assert ada.my_turn()
    asks, plays, declines = (ada.button(f"ui.hint.{key}", ada.bar) for key in ("ask", "play", "dismiss"))

    lay = ada.deck("central").bounding_box()
    ada.press(asks)
    expect(plays).to_be_visible()
    assert ada.deck("central").bounding_box() == lay, "a hint makes the board smaller"
    advice: Json = next(message["advice"] for message in reversed(ada.heard) if message["type"] == "hint")
    side = advice["move"]["notation"].removeprefix("draw ")
    expect(ada.bar).to_contain_text(ada.say("move.draw.own", **advice["move"]["steps"][0]))
    shown = light(ada, ada.say("ui.bot.master"))
    expect(shown).to_be_in_viewport()
    assert lies_on(shown, ada.deck(side))
    for_everybody(ada, "hint", "light")

    ada.press(declines)
    expect(shown).to_have_count(0)
    ada.press(asks)
    expect(plays).to_be_visible()
    before = ada.seq
    ada.press(plays)
    ada.catch_up(before + 1)
    expect(shown).to_have_count(0)
    updates = [message for message in ada.heard if message["type"] == "update" and message["seq"] > before]
    assert any(event["type"] == "took" and event["seat"] == 0 for update in updates for event in update["events"])


def test_a_finished_game_is_reviewed_by_keys(house_of_masters: House, visitor: Invite) -> None:
    house = house_of_masters
    house.until_advisers_are_ready("architects")
    table = play_on(house.base, lay(house.base, "architects", "whole"), play=poorly)
    ada = visitor(house, Architects, language="hu", phone=True, cookie=table.cookie, name="Ada")
    keys = ada.page.keyboard
    ada.page.goto(table.path)
    ada.press(ada.button("ui.end.replay", ada.end))
    stepper = ada.region("ui.replay.title")
    ada.button("ui.review.title", stepper).press("Enter")
    review = ada.region("ui.review.title").first
    curve = review.get_by_role("slider")
    # It rests when it is told to, and goes on.
    ada.button("ui.review.stop", review).press("Enter")
    ada.button("ui.review.go_on", review).press("Enter")
    expect(review.get_by_role("list").last.get_by_role("button").first).to_be_visible(timeout=SOON)

    # The curve says in words how everybody stood, and goes from move to move.
    curve.press("Home")
    curve.press("ArrowRight")
    expect(curve).to_have_attribute("aria-valuenow", "1")
    expect(curve).to_have_attribute("aria-valuetext", re.compile(r"Ada \d+% \(\d+ \S+ \d+.*\d+%"))
    expect(review).to_contain_text(ada.say("ui.review.band"))
    bands = curve.locator("polygon")
    assert bands.count() == review.get_by_role("figure").get_by_role("listitem").count() > 1
    # They are drawn as far as moves are judged, and of the first few every game may have ended the same way.
    ada.page.wait_for_function(BANDS, arg=curve.element_handle(), timeout=SOON)
    curve.press("PageUp")
    expect(stepper).to_contain_text(position(ada, curve, 11))
    curve.press("End")
    last = int(curve.get_attribute("aria-valuemax") or 0)
    expect(stepper).to_contain_text(position(ada, curve, last))

    # A move that cost much: the board stands as it was before it, with both moves shown.
    review.get_by_role("listitem").get_by_role("button").first.press("Enter")
    expect(review.locator("[aria-current=step]")).to_be_visible()
    played, better = (light(ada, ada.say(f"ui.review.shown.{which}")) for which in ("played", "better"))
    expect(played).to_be_visible()
    expect(better).to_be_in_viewport()  # on a phone there may not be room for both
    expect(stepper).to_contain_text(ada.say("ui.review.better", move="").strip())
    for_everybody(ada, "review", "dark")
    keys.press("Tab")
    ada.button("ui.replay.next", stepper).press("Enter")
    expect(better).to_have_count(0)
    expect(review.locator("[aria-current=step]")).to_have_count(0)


def poorly(live: Live) -> list[int]:
    """Whatever is said last: in a whole game that is often a bad move."""
    return [live.legal[-1]["action"]]


def position(ada: Person, curve: Locator, at: int) -> str:
    return ada.say("ui.replay.position", n=at, total=int(curve.get_attribute("aria-valuemax") or 0))
