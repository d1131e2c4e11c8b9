"""The page of levels, one's own and somebody else's, as it is seen."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
import sqlalchemy as sa
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.person import Anybody
from tests.browser.prepared import in_a_thread
from tests.example import EXAMPLE

from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import CountedGame, PartShare, Side
from ziggurat.server.features.levels.models import level_games, level_seats
from ziggurat.server.store.models import people

SAY_NAME = """
async (name) => (await fetch('/api/me', {
  method: 'PUT', body: JSON.stringify({ name }), headers: { 'Content-Type': 'application/json' },
})).status
"""
GAMES = 30


def lay(connection: sa.Connection, name: str, games: int) -> None:
    """Somebody as good as a Builder has played so many games against one and a Mason."""
    person = connection.execute(sa.select(people.c.id).where(people.c.name == name)).scalar_one()
    mine = sa.select(level_seats.c.game_id).where(level_seats.c.person == person)
    before = list(connection.execute(mine).scalars())
    connection.execute(sa.delete(level_seats).where(level_seats.c.person == person))
    connection.execute(sa.delete(level_games).where(level_games.c.id.in_(before)))
    for number in range(games):
        order = ["seat:0", "bot:builder"] if number % 2 else ["bot:builder", "seat:0"]
        sides = tuple(Side(place, (PartShare(who),)) for place, who in enumerate([*order, "bot:mason"], 1))
        game = CountedGame(f"{name}{number:02}", 86_400.0 * (19_000 + 3 * number), 3, sides)
        rows.add(connection, game.id, EXAMPLE, game, {0: person})


def pages(ada: Anybody, house: House, name: str) -> Iterator[str]:
    """Show one state after another; say which, and wait for the reader to look at it."""
    page = ada.page
    ada.home()
    assert page.evaluate(SAY_NAME, name) == 200
    in_a_thread(partial(house.in_database, partial(lay, name=name, games=2)))
    page.goto(f"{ada.base}/#/person")
    expect(page.get_by_text(ada.say("levels.games", n=2))).to_be_visible()
    yield "too little is known"
    in_a_thread(partial(house.in_database, partial(lay, name=name, games=GAMES)))
    ada.reload()
    expect(page.get_by_text(ada.say("levels.games", n=GAMES))).to_be_visible()
    expect(page.locator("svg[role=img]")).to_have_count(2)
    page.get_by_text(ada.say("levels.counts"), exact=True).click()
    yield "my levels"
    page.get_by_role("radio", name=ada.say("levels.shows.anyone")).check(force=True)
    address = page.get_by_label(ada.say("levels.link"))
    expect(address).to_be_visible()
    page.goto(address.input_value())
    expect(page.get_by_text(ada.say("levels.games", n=GAMES))).to_be_visible()
    yield "the page that others see"


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_levels_are_read_without_an_explanation(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Anybody, language=language, phone=phone)
    check(ada, pages(ada, house, f"Ada {language} {'phone' if phone else 'desk'}"))
