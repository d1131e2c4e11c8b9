"""Those one has played with, invited by name; a person who is blocked; a group, from its founding to its old link."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.person import Anybody
from tests.browser.prepared import newcomer
from tests.example import EXAMPLE, SEATS
from tests.server.player import PATIENCE


def played(base: str, host: str, guest: str) -> None:
    """Have two people, by their cookies, begin a game with each other."""
    with httpx.Client(base_url=base, timeout=PATIENCE, verify=False) as http:

        def post(path: str, cookie: str, body: object) -> httpx.Response:
            return http.post(path, json=body, headers={"cookie": f"ziggurat={cookie}"}).raise_for_status()

        bots = [{"kind": "bot", "bot": "random"}] * (SEATS - 2)
        wish = {"game": EXAMPLE, "pace": "instant", "seats": [{"kind": "me"}, {"kind": "open"}, *bots]}
        table = post("/api/tables", host, wish).json()
        post(f"/api/tables/{table['id']}/join", guest, {"invite": table["invite"], "name": "Béla"})
        post(f"/api/tables/{table['id']}/start", host, {})


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_people_meet_again(house: House, visitor: Invite, language: str, phone: bool) -> None:
    cookies = [newcomer(house.base, name) for name in ("Ada", "Béla")]
    played(house.base, *cookies)
    ada, bela = (
        visitor(house, Anybody, language=language, phone=phone, cookie=cookie, name=name)
        for cookie, name in zip(cookies, ("Ada", "Béla"), strict=True)
    )
    check(ada, invited_by_name(ada, bela))
    check(ada, a_group(ada, bela))
    check(ada, blocked(ada))
    eve = visitor(house, Anybody, language=language, phone=phone)
    a_withdrawn_link(ada, eve)


def titled(ada: Anybody, title: str) -> None:
    expect(ada.page.get_by_role("heading", level=1, name=title, exact=True)).to_be_visible()


def invited_by_name(ada: Anybody, bela: Anybody) -> Iterator[str]:
    """From the first page to a table that begins with a yes."""
    ada.home()
    ada.press(ada.page.get_by_role("link", name=ada.say("list.people")))
    titled(ada, ada.say("folk.title"))
    ask = ada.button("folk.invite_of", name="Béla")
    expect(ask).to_be_visible()
    yield "people"
    ada.press(ask)
    shown = ada.drawer("folk.invite_of", name="Béla")
    expect(shown.get_by_role("link").first).to_be_visible()
    yield "whom to invite where"
    ada.press(shown.get_by_role("link", name=ada.say("name"), exact=True))
    expect(ada.page.get_by_text(ada.say("folk.asked", name="Béla"))).to_be_visible()
    yield "set-up for a person"
    ada.press(ada.button("ui.setup.create"))
    expect(ada.page.get_by_text(ada.say("again.asked"))).to_be_visible()
    bela.home()
    bela.press(bela.page.get_by_role("link").filter(has_text=bela.say("ui.status.asked")).first)
    expect(bela.page.get_by_text(bela.say("again.invited", who="Ada"))).to_be_visible()
    bela.press(bela.button("again.sit"))
    for person in (ada, bela):
        person.at_table()
    assert ada.page.url == bela.page.url


def a_group(ada: Anybody, bela: Anybody) -> Iterator[str]:
    """It is founded, meets on Fridays, has people, and a table for whoever comes."""
    ada.page.goto("/#/people")
    ada.press(ada.button("folk.found"))
    shown = ada.drawer("folk.found")
    shown.get_by_label(ada.say("folk.group_name")).fill("Friday")
    expect(shown.get_by_label(ada.say("folk.called"))).to_have_value("Ada")
    ada.press(ada.button("folk.found", shown))
    titled(ada, "Friday")
    ada.press(ada.button("folk.evening_set"))
    shown = ada.drawer("folk.evening")
    shown.get_by_label(ada.say("folk.time"), exact=False).fill("19:30")
    yield "the evening of a group"
    ada.press(ada.button("folk.save", shown))
    ada.leaves(shown)
    calendar = ada.page.get_by_role("link", name=ada.say("folk.calendar"))
    text = ada.page.request.get(f"{ada.base}{calendar.get_attribute('href')}").text()
    assert "RRULE:FREQ=WEEKLY;BYDAY=FR" in text
    link = ada.page.get_by_label(ada.say("folk.link")).get_by_role("textbox").input_value()
    bela.page.goto(link)
    expect(bela.page.get_by_label(bela.say("folk.called"))).to_have_value("Béla")
    bela.press(bela.button("folk.join"))
    expect(bela.button("folk.tonight")).to_be_visible()
    ada.press(ada.button("folk.tonight"))
    shown = ada.drawer("folk.tonight")
    ada.press(shown.get_by_role("button", name=ada.say("name"), exact=True))
    expect(ada.button("ui.wait.start")).to_be_visible()
    bela.reload()
    bela.press(bela.region("folk.tables").get_by_role("link").first)
    bela.page.get_by_label(bela.say("ui.invite.name")).fill("Béla")
    bela.press(bela.button("ui.invite.join"))
    expect(bela.page.get_by_text(bela.say("ui.seat.you"), exact=True)).to_be_visible()
    ada.page.goto(link)
    titled(ada, "Friday")
    comes(ada, bela, link)
    ada.press(ada.button("folk.keep"))
    expect(ada.button("folk.remove_of", name="Béla")).to_be_visible()
    yield "a group"


def comes(ada: Anybody, bela: Anybody, link: str) -> None:
    """Both see who comes to the next evening."""
    expect(ada.page.get_by_text(ada.say("folk.comes.nobody"))).to_be_visible()
    ada.press(ada.button("folk.comes.yes"))
    expect(ada.button("folk.comes.yes")).to_have_attribute("aria-pressed", "true")
    bela.page.goto(link)
    expect(bela.page.get_by_text(bela.say("folk.comes.they", n=1, names="Ada"), exact=True)).to_be_visible()
    bela.press(bela.button("folk.comes.no"))
    expect(bela.page.get_by_text(bela.say("folk.comes.they_not", n=1, names="Béla"), exact=True)).to_be_visible()
    ada.reload()
    expect(ada.page.get_by_text(ada.say("folk.comes.they_not", n=1, names="Béla"), exact=True)).to_be_visible()
    # To press what was said takes it back.
    bela.press(bela.button("folk.comes.no"))
    expect(bela.page.get_by_text(bela.say("folk.comes.they_not", n=1, names="Béla"), exact=True)).to_have_count(0)
    expect(bela.button("folk.comes.no")).to_have_attribute("aria-pressed", "false")


def blocked(ada: Anybody) -> Iterator[str]:
    """Somebody is blocked, and no more."""
    ada.page.goto("/#/people")
    ada.press(ada.button("folk.block_of", name="Béla"))
    shown = ada.drawer("folk.block_of", name="Béla")
    expect(shown).to_be_visible()
    yield "blocking"
    ada.close(shown)
    ada.press(ada.button("folk.block_of", name="Béla"))
    ada.press(ada.button("folk.block", ada.drawer("folk.block_of", name="Béla")))
    expect(ada.button("folk.unblock_of", name="Béla")).to_be_visible()
    expect(ada.button("folk.invite_of", name="Béla")).to_have_count(0)
    yield "blocked"
    ada.press(ada.button("folk.unblock_of", name="Béla"))
    expect(ada.button("folk.invite_of", name="Béla")).to_be_visible()


def a_withdrawn_link(ada: Anybody, eve: Anybody) -> None:
    """It says so."""
    ada.press(ada.page.get_by_role("link", name="Friday"))
    link = ada.page.get_by_label(ada.say("folk.link")).get_by_role("textbox").input_value()
    ada.press(ada.button("folk.link_withdraw"))
    expect(ada.page.get_by_text(ada.say("folk.link_none"))).to_be_visible()
    eve.expects("403")
    eve.page.goto(link)
    expect(eve.page.get_by_role("alert")).to_have_text(eve.say("folk.error.group_link"))
