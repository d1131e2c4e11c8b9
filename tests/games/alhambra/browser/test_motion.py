"""Without motion."""

from __future__ import annotations

import pytest
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.games.alhambra.browser.person import Alhambra

FLOWN = "ziggurat.flown"
COUNT_FLIGHTS = f"""() => {{
  const animate = Element.prototype.animate
  window[{FLOWN!r}] = 0
  Element.prototype.animate = function (...all) {{
    window[{FLOWN!r}] += 1
    return animate.apply(this, all)
  }}
}}"""


@pytest.mark.parametrize(
    ("motion", "speed", "travels"), [("no-preference", 1, True), ("reduce", 1, False), ("no-preference", 0, False)]
)
def test_pieces_travel_only_for_those_who_like_it(
    house: House, visitor: Invite, motion: str, speed: int, travels: bool
) -> None:
    ada = visitor(house, Alhambra, speed=speed, reduced_motion=motion)
    ada.sit("late")
    ada.window.changed = True
    ada.page.evaluate(COUNT_FLIGHTS)
    ada.take_money()
    assert ada.my_turn()
    assert (ada.page.evaluate(f"window[{FLOWN!r}]") > 0) == travels
    if motion == "reduce":
        moving = "[...document.getAnimations()].filter((one) => one.effect.getComputedTiming().duration > 10).length"
        assert ada.page.evaluate(moving) == 0
