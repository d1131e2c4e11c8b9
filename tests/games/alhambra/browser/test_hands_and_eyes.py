"""Without a mouse, and without motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.keys import focused, press_until
from tests.browser.prepared import lay
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


def test_a_whole_move_by_keys_alone(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.come_to(lay(house.base, "alhambra", "late"))
    assert ada.my_turn()
    keys = ada.page.keyboard

    # Tab leads to the yard, which is one stop; arrows walk within it.
    press_until(ada, "Tab", focused(ada.yard), "the yard")
    keys.press("Tab")
    assert not focused(ada.yard)()
    keys.press("Shift+Tab")
    assert focused(ada.yard)()
    wanted = ada.possible(ada.yard)[0]
    left_first = ada.yard.first
    press_until(ada, "ArrowLeft", focused(left_first), "the first building")
    press_until(ada, "ArrowRight", focused(wanted), "a building that can be bought")
    keys.press("Enter")
    buy = ada.button("confirm.keep", ada.bar)
    expect(buy).to_be_visible()

    # Escape takes back; the building is still where the focus is.
    keys.press("Escape")
    expect(buy).to_have_count(0)
    assert focused(wanted)()
    keys.press("Enter")
    expect(buy).to_be_visible()
    press_until(ada, "Tab", focused(buy), "the button that confirms")
    before = ada.bar.get_attribute("data-seq") or ""
    keys.press("Enter")
    expect(ada.bar).not_to_have_attribute("data-seq", before)

    # Whoever used the keys is still at the bar, and takes money next.
    assert focused(ada.bar)()
    assert ada.my_turn()
    press_until(ada, "Shift+Tab", focused(ada.open_money), "the open money")
    keys.press(" ")
    take = ada.button("confirm.take", ada.bar)
    expect(take).to_be_visible()
    press_until(ada, "Tab", focused(take), "the button that confirms")
    before = ada.bar.get_attribute("data-seq") or ""
    keys.press("Enter")
    expect(ada.bar).not_to_have_attribute("data-seq", before)


@pytest.mark.parametrize(
    ("motion", "speed", "travels"), [("no-preference", 1, True), ("reduce", 1, False), ("no-preference", 0, False)]
)
def test_pieces_travel_only_for_those_who_like_it(
    house: House, visitor: Invite, motion: str, speed: int, travels: bool
) -> None:
    ada = visitor(house, Alhambra, speed=speed, reduced_motion=motion)
    ada.come_to(lay(house.base, "alhambra", "late"))
    assert ada.my_turn()
    ada.page.evaluate(COUNT_FLIGHTS)
    ada.take_money()
    assert ada.my_turn()
    assert (ada.page.evaluate(f"window[{FLOWN!r}]") > 0) == travels
    if motion == "reduce":
        moving = "[...document.getAnimations()].filter((one) => one.effect.getComputedTiming().duration > 10).length"
        assert ada.page.evaluate(moving) == 0
