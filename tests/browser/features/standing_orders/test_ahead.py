"""Moves ahead in a real browser: written on the board, arranged and withdrawn, by mouse and by keys."""

from __future__ import annotations

from contextlib import closing
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import measure_soon
from tests.browser.person import PATIENCE, Anybody
from tests.example import EXAMPLE, needs

pytestmark = needs("alhambra")
SIZES = ((1280, 800), (1024, 768), (900, 1100), (390, 844), (844, 390), (320, 640))
DAYS = {"kind": "days", "reserve": 2 * 86_400, "step": 86_400, "vacation": 0}


def person(house: House, name: str) -> httpx.Client:
    """Somebody with a cookie."""
    client = httpx.Client(base_url=house.base, timeout=PATIENCE / 1000)
    assert client.put("/api/me", json={"name": name}).status_code == 200
    return client


def laid(house: House) -> tuple[str, str]:
    """A table of days of two; its id, and the cookie of who waits."""
    with closing(person(house, "Ann")) as ann, closing(person(house, "Bob")) as bob:
        body: dict[str, Any] = {"game": EXAMPLE, "pace": "instant", "seats": [{"kind": "me"}, {"kind": "open"}]}
        table = ann.post("/api/tables", json={**body, "time": DAYS, "zone": "UTC"}).json()
        path = f"/api/tables/{table['id']}"
        assert bob.post(f"{path}/join", json={"invite": table["invite"], "name": "Bob"}).status_code == 200
        if ann.get(path).json()["status"] == "waiting":
            assert ann.post(f"{path}/start").status_code == 200
        waits = (bob, ann)[ann.get(path).json()["actors"][0]]
        return table["id"], waits.cookies["ziggurat"]


@pytest.mark.parametrize("look", [{}, {"phone": True, "language": "hu", "theme": "dark"}], ids=["desktop", "phone"])
def test_they_are_written_on_the_board_and_arranged_in_the_panel(
    house: House, visitor: Invite, look: dict[str, Any]
) -> None:
    table, cookie = laid(house)
    ada = visitor(house, Anybody, cookie=cookie, **look)
    page = ada.page
    page.goto(f"{house.base}/#/table/{table}")
    page.locator("a.ahead").press("Enter")
    rows = page.locator(".beside li")
    cards = page.locator('[data-place^="money"]:visible')
    for number in range(2):
        cards.nth(number).click()
        page.get_by_test_id("action-bar").locator("button.primary").first.click()
        expect(rows).to_have_count(number + 1)
    first, second = (rows.nth(number).locator(".grows").inner_text() for number in range(2))
    rows.nth(1).get_by_role("button").first.press("Enter")
    expect(rows.nth(0).locator(".grows")).to_have_text(second)
    expect(rows.nth(1).locator(".grows")).to_have_text(first)
    rows.nth(0).get_by_role("button").last.click()
    expect(rows).to_have_count(1)
    usual, wrong = page.viewport_size, []
    assert usual
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        faults = measure_soon(
            page, touch=False, only=("board", "blocked", "covered", "covered piece", "sideways", "cut")
        )
        wrong += [f"{width}x{height}: {one}" for one in faults]
    assert wrong == [], "\n".join(wrong)
    page.set_viewport_size(usual)
    page.locator(".beside .deeds a").click()
    expect(page.locator("a.ahead")).to_contain_text("1")
