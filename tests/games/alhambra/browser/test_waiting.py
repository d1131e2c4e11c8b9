"""The other tables that wait for somebody, one tap away; and a sound for whoever looks elsewhere."""

from __future__ import annotations

import json
import re
import time

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, THEMES, look
from tests.browser.newcomer import MAKE
from tests.games.alhambra.browser.person import Alhambra

TURNS = "/api/turns"
HEARD = """
() => {
window.rung = window.shown = 0
navigator.setAppBadge = async (count) => void (window.shown = count)
navigator.clearAppBadge = async () => void (window.shown = 0)
const start = OscillatorNode.prototype.start
OscillatorNode.prototype.start = function (...when) {
  window.rung += 1
  start.apply(this, when)
}
}
"""
LOOKS_AWAY = "Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })"


def make_table(person: Alhambra) -> str:
    """One more table against a bot, made in another window."""
    seats = [{"kind": "me"}, {"kind": "bot", "bot": "mason"}]
    wish = {"game": person.game, "seats": seats, "pace": "instant", "start": True}
    made: str = person.page.evaluate(MAKE, json.dumps(wish))
    return made


def chip(person: Alhambra, tables: int) -> Locator:
    """What leads to the tables that wait."""
    name = person.say("turns.waiting", n=tables)
    return person.page.get_by_role("link" if tables == 1 else "button", name=name).filter(visible=True)


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_tables_that_wait_are_one_tap_away(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Alhambra, language=language, phone=phone)
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url) if TURNS in request.url else None)
    ada.home()
    # The page knows by its list of tables that there are no others.
    expect(ada.page.get_by_text(ada.say("ui.home.no_tables"))).to_be_visible()
    ada.page.evaluate(HEARD)
    ada.page.goto(f"/#/table/{make_table(ada)}")
    ada.at_table()
    assert ada.my_turn()
    ada.play()
    assert ada.my_turn()
    assert asked == [], "nothing is looked up for whoever plays at one table"

    first = ada.page.url
    second, third = make_table(ada), make_table(ada)
    ada.home()
    expect(chip(ada, 3)).to_be_visible()
    expect(ada.page).to_have_title("(3) Ziggurat")
    assert ada.page.evaluate("shown") == 3
    assert [*look(ada, "home with tables", THEMES)] == []

    ada.page.goto(first)
    ada.at_table()
    expect(chip(ada, 2)).to_be_visible()
    assert [*look(ada, "table", THEMES)] == []
    ada.press(chip(ada, 2))
    drawer = ada.drawer("turns.waiting", n=2)
    expect(drawer.get_by_role("listitem")).to_have_count(2)
    assert [*look(ada, "tables that wait", THEMES)] == []
    ada.press(drawer.locator(f"a[href='#/table/{second}']"))
    expect(ada.page).to_have_url(f"{house.base}/#/table/{second}")
    ada.at_table()
    expect(chip(ada, 2)).to_be_visible()
    ada.reload()
    assert third in ada.page.evaluate("async () => await (await fetch('/api/turns')).text()")


def test_how_long_a_table_waits_goes_by_the_clock_of_the_server(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra, theme="dark")
    ada.home()
    # A device whose clock is two hours slow.
    ada.page.clock.set_fixed_time(time.time() - 7200)
    for _ in range(3):
        here = make_table(ada)
    ada.page.goto(f"/#/table/{here}")
    ada.at_table()
    ada.page.goto("/#/")
    ada.reload()
    ada.press(chip(ada, 3))
    drawer = ada.drawer("turns.waiting", n=3)
    expect(drawer.get_by_role("listitem")).to_have_count(3)
    expect(drawer.get_by_text(re.compile("this minute|minutes? ago"))).to_have_count(3)
    ada.page.evaluate("localStorage.left = 1")  # nobody else gets this window


def test_it_sounds_for_whoever_looks_elsewhere_and_may_be_silenced(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    ada.home()
    ada.page.evaluate(HEARD)
    ada.page.goto(f"/#/table/{make_table(ada)}")
    ada.at_table()
    assert ada.my_turn()
    ada.play()
    assert ada.my_turn()
    assert ada.page.evaluate("rung") == 0, "whoever looks at the table hears nothing"
    ada.page.evaluate(LOOKS_AWAY)
    for _ in range(9):
        ada.play()  # whoever pays exactly plays again, and has been on turn all the time
        assert ada.my_turn()
        if ada.page.evaluate("rung"):
            break
    assert ada.page.evaluate("rung") > 0

    ada.press(ada.button("ui.settings.title").filter(visible=True))
    ada.choose("turns.sound", "turns.sound.off")
    ada.page.keyboard.press("Escape")
    before = ada.page.evaluate("rung")
    assert ada.my_turn()
    ada.play()
    assert ada.my_turn()
    ada.play()
    assert ada.page.evaluate("rung") == before
    ada.reload()  # whoever has this window next looks at it again


def test_nothing_is_asked_of_a_newcomer_who_looks_away_before_the_first_move(house: House, visitor: Invite) -> None:
    ada = visitor(house, Alhambra)
    asked: list[str] = []
    ada.page.on("request", lambda request: asked.append(request.url))
    ada.home()
    table = make_table(ada)
    ada.page.goto(f"/#/table/{table}")
    ada.reload()  # as if a link had led there: nobody knows of other tables
    ada.at_table()
    assert ada.my_turn()
    for _ in range(3):  # and what is asked then is answered
        ada.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        ada.page.evaluate("async () => (await fetch('/api/me')).ok")
    assert not [url for url in asked if TURNS in url]
    with ada.page.expect_response(lambda response: TURNS in response.url):
        for _ in range(9):
            ada.play()
            assert ada.my_turn()
            if any(TURNS in url for url in asked):
                break
    ada.reload()
