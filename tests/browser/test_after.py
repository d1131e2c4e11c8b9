"""After the last move: two people before one board, who point, try other moves, and play on; and others who look."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fits import ON_ITS_SIDE
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check, faults_of
from tests.browser.newcomer import Newcomer
from tests.example import EXAMPLE
from tests.server.migrated import aside
from tests.server.test_after import played


def ended(house: House, hints: bool = False) -> dict[str, str]:
    """A game of Ann and Bob that is over after a few moves: the table, and who has which cookie."""
    found: dict[str, str] = {}

    async def play() -> None:
        async with played(house.base, 4, hints=hints) as game:
            found.update(
                table=game.table["id"],
                invite=game.table["invite"],
                ann=game.ann.http.cookies["ziggurat"],
                bob=game.bob.http.cookies["ziggurat"],
                replay=(await game.ann.http.get(f"{game.path}/replay")).text,
            )

    aside(play())
    return found


def at_the_end(person: Newcomer, table: str, cookie: str) -> None:
    """Somebody comes to the finished game."""
    person.become(cookie)
    person.page.goto(f"/#/table/{table}")
    expect(person.button("ui.end.replay")).to_be_visible()


def tried(person: Newcomer) -> Locator:
    """The moves of the line, in the panel of the copy."""
    return person.page.locator("section.beside ol > li")


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_two_people_in_one_room(house_of_masters: House, visitor: Invite, language: str, phone: bool) -> None:
    house = house_of_masters
    game = ended(house, hints=True)
    ann, bob = (visitor(house, Newcomer, name=name, language=language, phone=phone) for name in ("Ann", "Bob"))
    at_the_end(ann, game["table"], game["ann"])
    at_the_end(bob, game["table"], game["bob"])

    # Ann leads; Bob follows by one tap, to the moment where she is, and on.
    ann.press(ann.button("ui.end.replay"))
    ann.press(ann.button("room.lead"))
    expect(ann.button("room.let_go")).to_be_visible()
    ann.press(ann.button("ui.replay.next"))
    bob.press(bob.button("room.follow"))
    slider = bob.page.get_by_role("slider", name=bob.say("ui.replay.title"))
    expect(slider).to_have_value("1")
    check(bob, iter(["one room"]))
    # However long the sentence is, the board keeps its half.
    told = bob.page.locator("section .sentence").first
    told.evaluate("(element, words) => { element.textContent = words }", 3 * bob.say("ui.replay.start"))
    check(bob, iter(["one room, a long sentence"]))
    usual = bob.page.viewport_size
    assert usual
    for width, height in ON_ITS_SIDE if phone else ():
        bob.page.set_viewport_size({"width": width, "height": height})
        assert faults_of(bob) == [], f"{width}x{height}"
    bob.page.set_viewport_size(usual)
    ann.press(ann.button("ui.replay.next"))
    expect(slider).to_have_value("2")

    # Who looks on by the link follows as well, and sees what is tried.
    cid = visitor(house, Newcomer, language=language, phone=phone)
    cid.page.goto(f"/#/table/{game['table']}/{game['invite']}")
    cid.press(cid.button("ui.end.replay"))
    cid.press(cid.button("room.follow"))
    expect(cid.page.get_by_role("slider", name=cid.say("ui.replay.title"))).to_have_value("2")
    expect(cid.button("room.lead")).to_have_count(0)

    # She points at a piece: both see a ring with her name.
    ann.press(ann.button("room.point"))
    piece = ann.page.locator("main.table [data-place^='seat:']").filter(visible=True).first
    for person in (ann, bob):
        piece.click(position={"x": 6, "y": 6})
        expect(person.page.get_by_test_id("ring").first).to_contain_text("Ann")
    ann.press(ann.button("room.point"))

    # What if: she makes the move that a Master would make, on a copy, and he sees it there.
    ann.press(ann.button("room.what_if"))
    expect(ann.region("room.what_if")).to_be_visible()
    ann.press(ann.button("ui.hint.ask", ann.bar))
    ann.press(ann.button("ui.hint.play", ann.bar))
    for person in (ann, bob, cid):
        expect(tried(person)).to_have_count(1)
    expect(ann.page.get_by_test_id("ring")).to_have_count(0)
    check(ann, iter(["what if"]))
    # It is taken back, and made again.
    ann.press(ann.button("ui.undo.free", ann.bar))
    for person in (ann, bob):
        expect(tried(person)).to_have_count(0)
    ann.press(ann.button("ui.hint.ask", ann.bar))
    ann.press(ann.button("ui.hint.play", ann.bar))
    expect(tried(bob)).to_have_count(1)
    # He looks around freely, and the game is as it was.
    bob.press(bob.button("room.free"))
    bob.press(bob.button("room.leave"))
    expect(slider).to_have_value("2")

    # She plays on from here; he is asked to that table, and told what it is.
    ann.press(ann.button("room.play_on"))
    laying = ann.drawer("room.play_on")
    check(ann, iter(["play on"]))
    ann.press(ann.button("room.lay", laying))
    as_it_was = re.compile(re.escape(ann.say("room.from_same")))
    expect(ann.page.get_by_text(as_it_was)).to_be_visible()
    assert game["table"] not in ann.page.url
    bob.page.get_by_role("link", name=bob.say("room.join"), exact=True).click()
    expect(bob.page.get_by_text(as_it_was)).to_be_visible()
    assert bob.page.url == ann.page.url


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_others_open_the_link_and_the_file(
    house: House, visitor: Invite, tmp_path: Path, language: str, phone: bool
) -> None:
    game = ended(house)
    ann = visitor(house, Newcomer, name="Ann", language=language, phone=phone)
    eve = visitor(house, Newcomer, language=language, phone=phone)
    at_the_end(ann, game["table"], game["ann"])
    ann.press(ann.page.get_by_role("checkbox", name=ann.say("room.show_named")))
    ann.press(ann.button("room.show_yes"))
    expect(ann.page.get_by_text(ann.say("room.show_waits", names=["Bob"]))).to_be_visible()
    check(ann, iter(["who agrees"]))
    agreed = httpx.put(
        f"{house.base}/api/tables/{game['table']}/showing",
        json={"agree": True},
        cookies={"ziggurat": game["bob"]},
        verify=False,
    )
    assert agreed.status_code == 200
    link = ann.page.get_by_role("textbox", name=ann.say("room.show_link"))
    expect(link).to_have_value(re.compile(r"#/game/[\w-]+$"))
    address = link.input_value()

    eve.page.goto(address)
    expect(eve.page.get_by_text(eve.say("room.shown"))).to_be_visible()
    expect(eve.page.get_by_text("Ann").filter(visible=True).first).to_be_visible()
    expect(eve.page.get_by_text("Bob")).to_have_count(0)
    eve.press(eve.button("ui.replay.next"))
    expect(eve.page.get_by_role("slider", name=eve.say("ui.replay.title"))).to_have_value("1")
    check(eve, iter(["a game by its link"]))

    # Withdrawn by one of them: the link says so.
    ann.press(ann.button("room.show_withdraw"))
    expect(ann.button("room.show_yes")).to_be_visible()
    eve.expects("410")
    eve.reload()
    expect(eve.page.get_by_text(eve.say("ui.error.game_withdrawn"))).to_be_visible()

    # A file needs nobody's word: who has it can open it.
    eve.page.goto("/#/replay")
    good, bad = tmp_path / "x.replay", tmp_path / "y.replay"
    good.write_text(game["replay"], "utf-8")
    bad.write_text("no replay", "utf-8")
    check(eve, iter(["open a file"]))
    chooser = eve.page.locator("input[type=file]")
    eve.expects("400")
    chooser.set_input_files(bad)
    expect(eve.page.get_by_role("alert")).to_contain_text(eve.say("room.file_bad"))
    chooser.set_input_files(good)
    expect(eve.page.get_by_text(eve.say("room.from_file"))).to_be_visible()
    expect(eve.page.get_by_role("heading", level=1, name=eve.say("name"))).to_be_attached()
    assert EXAMPLE in game["replay"]
