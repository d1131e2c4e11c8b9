"""Without a mouse, and without motion."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.keys import KeyboardPlayer, focused, press_until
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
    ada.sit("late")
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

    # Whoever used the keys is at what is asked next, and takes money.
    KeyboardPlayer(ada).is_asked_next()
    press_until(ada, "Tab", focused(ada.open_money), "the open money")
    keys.press(" ")
    take = ada.button("confirm.take", ada.bar)
    expect(take).to_be_visible()
    press_until(ada, "Tab", focused(take), "the button that confirms")
    before = ada.bar.get_attribute("data-seq") or ""
    keys.press("Enter")
    expect(ada.bar).not_to_have_attribute("data-seq", before)


def test_ordinary_moves_of_alhambra_take_four_keys_at_most(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, language="hu")
    ada.sit("late")
    hands = KeyboardPlayer(ada)
    # The very first key that is pressed chooses: buildings are 1 to 4, money 5 to 8.
    hands.press("5")
    expect(ada.button("confirm.take", ada.bar)).to_be_visible()
    expect(ada.open_money.first).to_have_attribute("aria-pressed", "true")
    hands.press("Escape")
    expect(ada.button("confirm.take", ada.bar)).to_have_count(0)
    assert ada.my_turn(), "nothing was confirmed"

    # A building is bought, the payment that the server proposes is confirmed: two keys.
    keys = [hands.key(one) for one in (*ada.yard.all(), *ada.open_money.all())]
    assert keys == list("12345678")
    hands.move(ada.possible(ada.yard)[0])
    assert len(hands.pressed) == 2
    hands.is_asked_next()
    # A key keeps its place, whatever can be bought.
    assert hands.key(ada.open_money.first) in "45"
    hands.move(ada.possible(ada.open_money)[0])
    assert len(hands.pressed) == 2


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
