"""The rules, one click away."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Anybody
from tests.example import EXAMPLE

RULES = Path(__file__).parents[2] / "docs" / "games" / EXAMPLE


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
