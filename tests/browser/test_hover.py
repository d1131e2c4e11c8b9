"""A mouse that rests changes nothing any more: what goes away under it comes back at once, and so on without end."""

from __future__ import annotations

from importlib import import_module

import pytest
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.measure import settle
from tests.browser.person import Person
from tests.browser.prepared import make
from tests.browser.windows import AWAY, DESKTOP
from tests.example import EXAMPLE

import ziggurat

NARROW = (640, 900)
EDGES = """
() => {
  window.pressed = [...document.querySelectorAll('main :is(button, a)')]
  return window.pressed.map((one) => {
    const { left, width, bottom } = one.getBoundingClientRect()
    const [x, y] = [left + width / 2, bottom - 1.5]
    return one.contains(document.elementFromPoint(x, y)) ? [x, y] : null
  })
}
"""
"""A place just above the lower edge of whatever can be pressed, or null where something else lies."""
BOXES = """
() => window.pressed.map((one) => {
  const { left, top, right, bottom } = one.getBoundingClientRect()
  return [left, top, right, bottom]
})
"""
STAYS = """
([at, [left, top, right, bottom]]) => {
  const now = window.pressed[at].getBoundingClientRect()
  return now.left <= left && now.top <= top && now.right >= right && now.bottom >= bottom
}
"""
"""It may become larger, and not leave a place at which it was."""
RUNS_AWAY = """
() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('main button:hover { transform: translateY(-4px) !important }')
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}
"""


def moved_by_a_mouse(ada: Person) -> list[str]:
    """What moves when a mouse comes to its lower edge."""
    page, found = ada.page, []
    page.mouse.move(*AWAY)
    settle(page)
    edges, before = page.evaluate(EDGES), page.evaluate(BOXES)
    assert sum(edge is not None for edge in edges) > 3
    for at, edge in enumerate(edges):
        if edge is None:
            continue
        page.mouse.move(*edge)
        settle(page)
        if page.evaluate(STAYS, [at, before[at]]):
            continue
        page.mouse.move(*AWAY)  # something else may have come that was slow
        settle(page)
        before = page.evaluate(BOXES)
        page.mouse.move(*edge)
        settle(page)
        if not page.evaluate(STAYS, [at, before[at]]):
            found.append(page.evaluate("(at) => window.pressed[at].outerHTML.slice(0, 200)", at))
    return found


def seated(house: House, visitor: Invite, game: str, size: tuple[int, int]) -> Person:
    own = import_module(f"tests.games.{game}.browser.every_page")
    ada: Person = visitor(house, own.PLAYER, size=size)
    ada.come_to(make(house.base, game, "me", *["mason"] * max(1, ziggurat.game(game).min_players - 1)))
    assert ada.my_turn()
    return ada


@pytest.mark.parametrize("size", [DESKTOP, NARROW], ids=["desktop", "narrow"])
@pytest.mark.parametrize("game", ziggurat.registered_games())
def test_what_can_be_pressed_stays_under_the_mouse(
    house: House, visitor: Invite, game: str, size: tuple[int, int]
) -> None:
    ada = seated(house, visitor, game, size)
    assert moved_by_a_mouse(ada) == []


def test_what_runs_away_is_found(house: House, visitor: Invite) -> None:
    ada = seated(house, visitor, EXAMPLE, DESKTOP)
    ada.page.evaluate(RUNS_AWAY)
    assert moved_by_a_mouse(ada)
