"""The first page, and doors that stay closed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH
from tests.browser.person import Anybody
from tests.browser.prepared import expire, make
from tests.example import EXAMPLE
from tests.runs import often

import ziggurat


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_every_game_has_a_name_and_a_picture_of_the_same_size(
    house: House, visitor: Invite, language: str, phone: bool
) -> None:
    """However long it takes to say what it is; and for its name no catalogue of a game is fetched."""
    ada = visitor(house, Anybody, language=language, phone=phone)
    fetched: list[str] = []
    ada.page.on("request", lambda request: fetched.append(request.url))
    ada.home()
    plates = ada.page.get_by_role("main").get_by_role("listitem")
    games = ziggurat.registered_games().values()
    expect(plates).to_have_count(len(games))
    assert {plate.get_by_role("heading").inner_text() for plate in plates.all()} == {
        game.text(language)["name"] for game in games
    }
    for game in games:
        counts = ada.say("ui.home.players", min=game.min_players, max=game.max_players)
        expect(plates.filter(has_text=game.text(language)["name"])).to_contain_text(counts)
    assert len([url for url in fetched if url.endswith(".json")]) <= 1
    pictures = [plate.locator(".picture svg") for plate in plates.all()]
    for picture in pictures:
        expect(picture).to_be_visible()
    boxes = [picture.bounding_box() for picture in pictures]
    assert len({(round(box["width"]), round(box["height"])) for box in boxes if box}) == 1, boxes


@often
def test_nobody_sees_a_table_without_its_invitation(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody)
    ada.set_up("mason")
    ada.at_table()
    eve = visitor(house, Anybody)
    eve.expects("404")
    eve.page.goto(ada.page.url)
    expect(eve.page.get_by_role("heading", level=1)).to_have_text(eve.say("ui.error.unknown_table"))
    expect(eve.bar).to_have_count(0)
    eve.home()
    expect(eve.page.get_by_text(eve.say("ui.home.no_tables"))).to_be_visible()


def test_an_invalid_invitation_says_so(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody)
    ada.set_up("open")
    link = ada.page.get_by_role("textbox", name=ada.say("ui.wait.invite")).input_value()
    eve = visitor(house, Anybody, language="hu")
    eve.expects("403", "404")
    for wrong in (link[:-4] + "zzzz", f"{house.base}/#/join/nosuchtable2/abcdefghijklmnop"):
        eve.page.goto("about:blank")
        eve.page.goto(wrong)
        expect(eve.page.get_by_role("alert")).to_have_text(eve.say("ui.invite.wrong"))
        expect(eve.button("ui.invite.join")).to_have_count(0)


def test_a_table_that_nobody_began_says_so(house: House, visitor: Invite) -> None:
    table = make(house.base, EXAMPLE, "me", "open")
    expire(house, table)
    ada = visitor(house, Anybody, cookie=table.cookie)
    ada.page.goto("/")
    row = ada.page.get_by_role("link").filter(has_text=ada.say("ui.status.expired")).first
    expect(row).to_have_attribute("href", re.compile(rf"{table.id}$"))
    ada.press(row)
    expect(ada.page.get_by_role("heading", level=1)).to_have_text(ada.say("ui.error.expired"))
    eve = visitor(house, Anybody, language="hu")
    eve.page.goto(f"/#/join/{table.id}/{table.invite}")
    expect(eve.page.get_by_text(eve.say("ui.error.expired"))).to_be_visible()
    expect(eve.button("ui.invite.join")).to_have_count(0)


@often
def test_an_address_that_leads_nowhere_leads_home(house: House, visitor: Invite) -> None:
    eve = visitor(house, Anybody)
    eve.page.goto("/#/no/such/page")
    expect(eve.page.get_by_role("heading", level=1)).to_have_text(eve.say("ui.error.page_not_found"))
    eve.press(eve.page.get_by_role("link", name=eve.say("ui.nav.home")).last)
    expect(eve.page.get_by_role("heading", level=1)).to_have_text(eve.say("ui.home.title"))
