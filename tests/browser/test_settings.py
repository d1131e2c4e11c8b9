"""What a browser remembers, and the rules one click away."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Anybody
from tests.example import EXAMPLE
from tests.runs import often

SAY_NAME = """
async () => {
  const headers = { 'Content-Type': 'application/json' }
  await fetch('/api/me', { method: 'PUT', body: JSON.stringify({ name: 'Eve' }), headers })
}
"""
RULES = Path(__file__).parents[2] / "docs" / "games" / EXAMPLE


def test_language_theme_and_speed_are_remembered(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody, speed=None)
    ada.home()
    root = ada.page.locator("html")
    expect(root).to_have_attribute("lang", "en")
    expect(root).to_have_attribute("data-theme", "light")

    ada.press(ada.button("ui.settings.title"))
    ada.choose("ui.settings.theme", "ui.settings.theme.dark")
    ada.choose("ui.settings.speed", "ui.settings.speed.2")
    ada.choose("ui.settings.language", "ui.language.hu")
    expect(root).to_have_attribute("lang", "hu")
    expect(root).to_have_attribute("data-theme", "dark")

    ada.speak("hu")
    ada.reload()
    ada.home()
    expect(root).to_have_attribute("lang", "hu")
    expect(root).to_have_attribute("data-theme", "dark")
    expect(root).to_have_attribute("data-speed", "2")
    ada.press(ada.button("ui.settings.title"))
    for question, answer in (("theme", "ui.settings.theme.dark"), ("speed", "ui.settings.speed.2")):
        expect(ada.answer(f"ui.settings.{question}", answer)).to_be_checked()


@often
def test_the_first_visit_speaks_the_language_of_the_browser(house: House, visitor: Invite) -> None:
    bela = visitor(house, Anybody, language="hu", speed=None)
    bela.home()
    expect(bela.page.locator("html")).to_have_attribute("lang", "hu")


def test_who_makes_moves_without_a_choice_is_ones_own_wish(house: House, visitor: Invite) -> None:
    eve = visitor(house, Anybody)
    eve.home()
    settings, asked = eve.button("ui.settings.title"), eve.page.get_by_role("group", name=eve.say("forced.by"))
    eve.press(settings)
    expect(eve.page.get_by_role("group", name=eve.say("turns.sound"))).to_be_visible()
    expect(asked).to_have_count(0)  # the server does not know this browser yet
    eve.page.keyboard.press("Escape")
    eve.page.evaluate(SAY_NAME)
    eve.press(settings)
    expect(eve.answer("forced.by", "forced.by.page")).to_be_checked()
    with eve.page.expect_response("**/api/me"):
        eve.choose("forced.by", "forced.by.me")
    eve.page.keyboard.press("Escape")
    eve.press(settings)
    expect(eve.answer("forced.by", "forced.by.me")).to_be_checked()


def test_the_rules_are_one_click_away(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody, language="hu")
    ada.set_up("mason")
    ada.at_table()
    ada.press(ada.button("ui.rules.open").filter(visible=True))
    rules = ada.drawer("ui.rules.title")
    text = (RULES / "rules.hu.md").read_text(encoding="utf-8")
    for heading in re.findall("^## (.+)$", text, re.MULTILINE):
        expect(rules.get_by_role("heading", name=heading, exact=True)).to_be_attached()
    ada.page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
