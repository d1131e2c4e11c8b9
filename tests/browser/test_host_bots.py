"""Bots that whoever runs the server has added: offered apart from ours, and marked where they sit."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Anybody
from tests.browser.prepared import make
from tests.example import EXAMPLE, GAME

PLAYERS = max(2, GAME.min_players)


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Its bots say nothing that anybody could play."""
    with House(tmp_path_factory.mktemp("data"), bots=["Robo of Köln=cmd:cat"]) as running:
        yield running


@pytest.mark.parametrize(("language", "phone"), [("en", False), ("hu", True)])
def test_it_is_offered_under_its_name(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Anybody, language=language, phone=phone)
    ada.page.goto(f"/#/new/{EXAMPLE}")
    chair = ada.page.get_by_role("combobox").first
    apart = chair.locator('optgroup[label="{}"] > option'.format(ada.say("ui.setup.host_bots")))
    expect(apart).to_have_text(["Robo of Köln"])
    chair.select_option("Robo of Köln")
    expect(chair).to_have_accessible_description(ada.say("ui.setup.host_bot_about"))


def test_its_seat_says_whose_it_is_and_the_log_that_it_does_not_answer(house: House, visitor: Invite) -> None:
    table = make(house.base, EXAMPLE, "me", *["host:Robo of Köln"] * (PLAYERS - 1))
    ada = visitor(house, Anybody, cookie=table.cookie)
    ada.page.goto(table.path)
    ada.at_table()
    expect(ada.page.get_by_title(ada.say("ui.seat.host_bot"))).to_have_count(PLAYERS - 1)
    watched = make(house.base, EXAMPLE, *["host:Robo of Köln"] * PLAYERS)
    ada.page.goto(watched.path)
    # In the log: for a moment the same may stand in the news of the table, too.
    log = ada.page.get_by_role("list", name=ada.say("ui.table.log"))
    expect(log.get_by_text(ada.say("note.bot_failed", who="Robo of Köln 1"))).to_be_visible()
