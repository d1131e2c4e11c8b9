"""Alone against bots: by one button, or as a game for two with the neutral player."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH
from tests.browser.prepared import lay, make
from tests.games.alhambra.browser.person import Alhambra
from tests.runs import often


@often
def test_one_button_is_enough_to_play(house: House, visitor: Invite) -> None:
    """No name, no account, no choice before the first move."""
    ada = visitor(house, Alhambra)
    ada.home()
    plate = ada.page.get_by_role("listitem").filter(has_text=ada.say("name"))
    ada.press(ada.button("ui.home.play_now", plate))
    ada.at_table()
    assert ada.my_turn()
    before = ada.hand.count()
    ada.take_money()
    expect(ada.hand).not_to_have_count(before)
    # The table is on the first page from now on.
    table = ada.page.url
    ada.page.get_by_role("link", name=ada.say("ui.nav.home")).filter(visible=True).first.click()
    ada.page.get_by_role("listitem").filter(has_text=ada.say("ui.seat.guest")).get_by_role("link").click()
    expect(ada.page).to_have_url(table)
    ada.at_table()


def test_a_game_for_two_with_the_neutral_player(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, language="hu", name="Ada")
    ada.come_to(lay(house.base, "alhambra", "neutral"))
    others = ada.page.get_by_role("list", name=ada.say("ui.table.opponents")).get_by_role("listitem")
    neutral = others.filter(has_text=ada.say("label.neutral"))
    expect(neutral.first).to_be_visible()

    given = undone = False
    while ada.my_turn():
        if not given:
            given = a_building_can_be_given_away(ada)
        elif not undone:
            undone = a_move_can_be_undone(ada)
        else:
            ada.play(hurry=True)
    assert given
    assert undone
    expect(ada.end).to_be_visible()
    expect(ada.end.get_by_role("table").first).to_contain_text(ada.say("label.neutral"))

    step_through(ada)


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_it_is_said_that_any_move_may_be_taken_back(house: House, visitor: Invite, language: str, phone: bool) -> None:
    """Against bots alone, whatever it has shown: at the button, and where a finger finds it too."""
    ada = visitor(house, Alhambra, language=language, phone=phone)
    size = ada.page.viewport_size
    assert size
    if phone:
        ada.page.set_viewport_size({"width": 320, "height": 640})
    ada.come_to(make(house.base, "alhambra", "me", "greedy"))
    assert ada.my_turn()
    before = ada.hand.count()
    ada.take_money()
    assert ada.my_turn()
    button = ada.button("ui.undo.free", ada.bar)
    expect(button).to_have_accessible_description(ada.say("ui.undo.bots"))
    ada.press(button)
    expect(ada.hand).to_have_count(before)
    ada.press(ada.button("ui.settings.title"))
    said = ada.drawer("ui.settings.title").get_by_text(ada.say("ui.undo.bots"))
    expect(said).to_be_visible()
    box, seen = said.bounding_box(), ada.page.viewport_size
    assert box
    assert seen
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= seen["width"]
    assert said.evaluate("e => e.scrollWidth <= e.clientWidth && e.scrollHeight <= e.clientHeight")
    ada.page.set_viewport_size(size)


def a_building_can_be_given_away(person: Alhambra) -> bool:
    for building in person.possible(person.yard):
        person.offer(building)
        expect(person.button("confirm.give", person.bar)).to_be_visible()
        person.confirm("confirm.give")
        gift = person.say("log.gave", lambda seat: "Ada", seat=0).partition("{")[0].partition(":")[0]
        expect(person.region("ui.table.log")).to_contain_text(gift)
        return True
    person.take_money()
    return False


def a_move_can_be_undone(person: Alhambra) -> bool:
    """Against bots only, a move can be taken back also after it was confirmed."""
    regions = ("label.market", "label.open_money", "label.hand")
    before = [person.region(region).aria_snapshot() for region in regions]
    person.take_money()
    assert person.my_turn()
    assert [person.region(region).aria_snapshot() for region in regions] != before
    shown = person.bar.get_attribute("data-seq") or ""
    person.press(person.button("ui.undo.free", person.bar))
    expect(person.bar).not_to_have_attribute("data-seq", shown)
    assert [person.region(region).aria_snapshot() for region in regions] == before
    return True


def step_through(person: Alhambra) -> None:
    """A finished game can be looked at move by move."""
    person.press(person.button("ui.end.replay", person.end))
    stepper = person.region("ui.replay.title")
    expect(stepper).to_contain_text(person.say("ui.replay.start"))
    slider = stepper.get_by_role("slider")
    last = int(slider.get_attribute("max") or 0)
    assert last >= 3
    for n in (1, 2):
        person.press(person.button("ui.replay.next", stepper))
        expect(stepper).to_contain_text(person.say("ui.replay.position", n=n, total=last))
    person.press(person.button("ui.replay.previous", stepper))
    expect(stepper).to_contain_text(person.say("ui.replay.position", n=1, total=last))
    person.press(person.button("ui.replay.last", stepper))
    expect(stepper).to_contain_text(person.say("ui.replay.position", n=last, total=last))
    person.press(person.button("ui.replay.leave", stepper))
    person.press(person.button("ui.end.breakdown", person.bar))
