"""Any game on the plain board, which the page takes for a game without a board of its own.

The page is built with the boards of all games. Here it gets the plain one in the place of each, and the server is the
same: all that the board knows is what it is sent.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Route, TimeoutError, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, THEMES, look
from tests.browser.person import Anybody
from tests.browser.prepared import make, newcomer
from tests.example import EXAMPLE, SEATS

import ziggurat

ASSETS = Path(ziggurat.__file__).parent / "server/static/assets"
CHOICES = "main button[data-place^='choice:'][aria-pressed=false]"
DEED = "[data-place^='deed:']"
PLAIN = """
const style = document.createElement('link')
Object.assign(style, { rel: 'stylesheet', href: new URL('./%s', import.meta.url) })
document.head.append(style)
await new Promise((done) => style.addEventListener('load', done))
export { default, questions } from './%s'
"""
STEPS = 20
MOVES = 4
NAME = "Ada"


def with_plain_boards(person: Anybody) -> None:
    """Answer with the plain board where the page asks for that of a game."""
    person.window.changed = True  # whoever comes next would find it, too
    script, style = (next(ASSETS.glob(f"PlainBoard-*.{kind}")).name for kind in ("js", "css"))

    def answer(route: Route) -> None:
        route.fulfill(content_type="text/javascript", body=PLAIN % (style, script))

    person.page.route("**/assets/Board-*.js", answer)


def move(person: Anybody) -> None:
    """Choose the first of all choices, and further ones until there is something to confirm; then confirm it."""
    before, choices, deed = person.seq, person.page.locator(CHOICES), person.bar.locator(DEED)
    for _ in range(STEPS):
        person.press(choices.first)
        try:
            deed.first.wait_for(timeout=1000)
            break
        except TimeoutError:
            continue  # what is chosen is no whole move yet
    person.press(deed.first)
    person.catch_up(before + 1)


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_any_game_is_played_on_the_plain_board(house: House, visitor: Invite, language: str, phone: bool) -> None:
    size = (391, 843) if phone else (1365, 767)  # a window in which no board has been loaded
    cookie = newcomer(house.base, NAME)
    ada = visitor(house, Anybody, language=language, phone=phone, size=size, name=NAME, cookie=cookie)
    with_plain_boards(ada)
    ada.come_to(make(house.base, EXAMPLE, "me", *["random"] * (SEATS - 1), cookie=ada.cookie))
    expect(ada.region("plain.table")).to_be_visible()
    assert list(look(ada, "plain board", THEMES)) == []
    for _ in range(MOVES):
        if not ada.my_turn():
            break
        assert ada.page.locator(CHOICES).count() == len(ada.legal)
        move(ada)
    assert list(look(ada, "plain board, later", THEMES)) == []
    line = ada.page.get_by_role("group", name=NAME, exact=True)
    expect(line).to_be_visible()
