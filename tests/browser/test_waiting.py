"""A table fills and is watched: the waiting room, those who come late, onlookers, and the big screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, ViewportSize, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import check
from tests.browser.person import Anybody
from tests.browser.prepared import make
from tests.browser.together import copy_link
from tests.example import EXAMPLE

PRESSED = "[...document.querySelectorAll('button, a')].filter((e) => !e.closest('[inert]')).map((e) => e.outerHTML)"
"""What can be pressed."""
TELEVISION: list[ViewportSize] = [{"width": 1920, "height": 1080}, {"width": 3840, "height": 2160}]


def sit_down(guest: Anybody, link: str, name: str) -> None:
    guest.name = name
    guest.page.goto(link)
    guest.page.get_by_label(guest.say("ui.invite.name")).fill(name)
    guest.press(guest.button("ui.invite.join"))
    expect(guest.button("ui.wait.leave")).to_be_visible()


def rows(person: Anybody) -> Locator:
    """The seats, in their order."""
    return person.page.get_by_role("main").locator("ol").first.get_by_role("listitem")


def agreed(person: Anybody, what: str) -> Locator:
    """What is agreed about something."""
    term = person.page.get_by_role("term").filter(has_text=person.say(what))
    return person.page.locator("dl > div").filter(has=term).first


def eye(person: Anybody, n: int) -> Locator:
    return person.page.get_by_role("img", name=person.say("wait.onlookers", n=n), exact=True).filter(visible=True)


def test_a_table_fills_and_is_watched(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody)
    bela = visitor(house, Anybody, language="hu", phone=True)
    eve = visitor(house, Anybody, language="hu")
    ada.set_up("open", "random", name="Ada")
    link = copy_link(ada)
    ada.press(ada.page.locator("summary").filter(has_text=ada.say("wait.qr")))
    expect(ada.page.get_by_role("img", name=ada.say("wait.qr.label"))).to_be_visible()
    check(ada, iter(["the link as a picture"]))
    sit_down(bela, link, "Béla")
    expect(rows(bela).nth(0)).to_contain_text(bela.say("wait.host"))
    check(ada, iter(["waiting room of a host"]))
    check(bela, iter(["waiting room of a guest"]))

    # What is agreed changes before everybody's eyes.
    expect(agreed(bela, "ui.setup.hints")).to_contain_text(bela.say("wait.hints.no"))
    ada.press(ada.button("wait.agreed.change"))
    terms = ada.drawer("wait.agreed")
    ada.press(terms.get_by_role("switch", name=ada.say("ui.setup.hints")))
    check(ada, iter(["terms"]))
    ada.press(ada.button("wait.agreed.save", terms))
    ada.leaves(terms)
    expect(agreed(bela, "ui.setup.hints")).to_contain_text(bela.say("wait.hints.yes"))
    expect(bela.page.get_by_text(bela.say("wait.hints.yes"), exact=False).first).to_be_visible()

    # Who sits where, and who the host is.
    ada.press(ada.button("wait.further"))
    expect(rows(bela).nth(1)).to_contain_text("Ada")
    for _ in range(2):
        ada.press(ada.button("wait.further"))
    expect(rows(bela).nth(0)).to_contain_text("Ada")
    ada.press(ada.button("wait.up", name="Béla"))
    expect(rows(bela).nth(0)).to_contain_text("Béla")
    expect(bela.page.get_by_text(bela.say("wait.ordered"))).to_be_visible()
    ada.press(ada.button("wait.host.hand", name="Béla"))
    expect(bela.page.get_by_text(bela.say("wait.host.you"))).to_be_visible()
    expect(ada.button("wait.agreed.change")).to_have_count(0)
    bela.press(bela.button("wait.lots"))
    expect(ada.page.get_by_text(ada.say("wait.lots.drawn"))).to_be_visible()

    # Late: the bench, or a table of one's own like this one.
    eve.page.goto(link)
    expect(eve.page.get_by_text(eve.say("wait.late.full"))).to_be_visible()
    expect(eve.button("wait.late.own")).to_be_visible()
    check(eve, iter(["a full table"]))
    eve.press(eve.page.get_by_role("link", name=eve.say("wait.look"), exact=True))
    expect(eve.page.get_by_text(eve.say("wait.look.is"))).to_be_visible()
    expect(eye(ada, 1)).to_be_visible()
    bela.press(bela.button("ui.wait.start"))
    for person in (ada, bela, eve):
        person.at_table()
    expect(eve.bar).to_contain_text(eve.say("wait.look.is"))
    for person in (ada, bela):
        expect(eye(person, 1)).to_be_visible()
        expect(person.bar).not_to_contain_text(person.say("wait.look.is"))
    eve.reload()
    expect(eve.bar).to_contain_text(eve.say("wait.look.is"))
    check(eve, iter(["looking on"]))

    # A friend who plays gives the link to others while the game runs.
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    shown = ada.page.get_by_role("textbox", name=ada.say("wait.look.link")).input_value()
    assert re.search(r"#/table/\w+/[\w-]+$", shown)
    ada.close(ada.drawer("ui.settings.title"))
    tv = visitor(house, Anybody, size=(1920, 1080))
    tv.page.goto(shown.replace("/table/", "/screen/"))
    expect(tv.bar).to_be_visible()
    expect(eye(ada, 2)).to_be_visible()
    for size in TELEVISION:
        tv.page.set_viewport_size(size)
        expect(tv.bar).to_be_visible()
        high, wide = tv.page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
        assert (wide, high) == (size["width"], size["height"]), "all is in sight"
        expect(tv.button("wait.screen.full")).to_have_count(0)
        assert tv.page.evaluate(PRESSED) == []
        tv.page.mouse.move(200, 200)
        expect(tv.button("wait.screen.full")).to_be_visible()

    # A name that was typed once is there the next time.
    next_table = make(house.base, EXAMPLE, "me", "open")
    bela.page.goto(f"/#/join/{next_table.id}/{next_table.invite}")
    expect(bela.page.get_by_label(bela.say("ui.invite.name"))).to_have_value("Béla")


def test_someone_whose_seat_is_freed_is_told_and_may_sit_down_again(house: House, visitor: Invite) -> None:
    ada, bela = visitor(house, Anybody), visitor(house, Anybody, language="hu")
    ada.set_up("open", "open", name="Ada")
    link = copy_link(ada)
    sit_down(bela, link, "Béla")
    ada.press(ada.button("ui.wait.make_open"))
    expect(bela.page.get_by_text(bela.say("wait.freed"))).to_be_visible()
    bela.press(bela.button("ui.invite.join"))
    expect(rows(ada).nth(1)).to_contain_text("Béla")


@pytest.mark.parametrize("begun", [False, True])
def test_a_table_that_nobody_may_watch_says_so(house: House, visitor: Invite, begun: bool) -> None:
    ada, eve = visitor(house, Anybody), visitor(house, Anybody, language="hu")
    ada.set_up("open", name="Ada")
    link = copy_link(ada)
    ada.press(ada.button("wait.agreed.change"))
    terms = ada.drawer("wait.agreed")
    # Nobody else sits there yet, but a seat is free for them.
    ada.press(terms.locator("summary").filter(has_text=ada.say("wait.people")))
    ada.choose("wait.watch", "wait.watch.nobody")
    ada.press(ada.button("wait.agreed.save", terms))
    ada.leaves(terms)
    ada.press(ada.button("ui.wait.make_bot"))
    expect(ada.button("ui.wait.make_open")).to_be_visible()
    if begun:
        ada.press(ada.button("ui.wait.start"))
        ada.at_table()
        eve.expects("403")
    eve.page.goto(link)
    expect(eve.page.get_by_text(eve.say("ui.error.not_watched" if begun else "wait.look.no"))).to_be_visible()
    expect(eve.page.get_by_role("link", name=eve.say("wait.look"), exact=True)).to_have_count(0)
    eve.press(eve.button("wait.late.own"))
    expect(eve.button("ui.setup.create").or_(eve.button("ui.setup.start"))).to_be_visible()


def test_someone_next_to_me_sits_down_in_the_waiting_room(house: House, visitor: Invite) -> None:
    ada = visitor(house, Anybody, language="hu", phone=True)
    ada.set_up("open", "random", name="Ada")
    ada.press(ada.page.locator("summary").filter(has_text=ada.say("near.seat")))
    field = ada.page.get_by_label(ada.say("near.name_of", n=2))
    field.fill("ADA")
    ada.expects("409")
    ada.press(ada.button("near.sit"))
    expect(ada.page.get_by_role("alert")).to_be_visible()
    field.fill("Zoé")
    check(ada, iter(["someone on this device"]))
    ada.press(ada.button("near.sit"))
    expect(rows(ada).nth(1)).to_contain_text("Zoé")
    ada.press(ada.button("ui.wait.start"))
    ada.at_table()
