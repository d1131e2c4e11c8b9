"""The big screen: all of the table is in sight on any television, and nothing is to be pressed until a mouse moves."""

from __future__ import annotations

from playwright.sync_api import ViewportSize, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Anybody
from tests.browser.prepared import make
from tests.example import EXAMPLE, SEATS

PRESSED = "[...document.querySelectorAll('button, a')].filter((e) => !e.closest('[inert]')).map((e) => e.outerHTML)"
"""What can be pressed."""
TELEVISION: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}]


def test_a_big_screen_shows_all(house: House, visitor: Invite) -> None:
    table = make(house.base, EXAMPLE, "me", *["random"] * (SEATS - 1))
    tv = visitor(house, Anybody, size=(1920, 1080))
    tv.page.goto(f"/#/screen/{table.id}/{table.invite}")
    expect(tv.bar).to_be_visible()
    for size in TELEVISION:
        tv.page.set_viewport_size(size)
        expect(tv.bar).to_be_visible()
        high, wide = tv.page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
        assert (wide, high) == (size["width"], size["height"]), "all is in sight"
        expect(tv.button("wait.screen.full")).to_have_count(0)
        assert tv.page.evaluate(PRESSED) == []
        tv.page.mouse.move(200, 200)
        expect(tv.button("wait.screen.full")).to_be_visible()
