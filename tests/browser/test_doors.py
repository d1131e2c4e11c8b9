"""The first page: every game has a door there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH
from tests.browser.person import Anybody

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
    plates = ada.page.locator(".plates > li")
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
