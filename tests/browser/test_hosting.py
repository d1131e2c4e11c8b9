"""The page of the hosts of a server, from the link that the start prints to the maintenance."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import httpx
import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.person import Anybody
from tests.browser.prepared import newcomer
from tests.example import EXAMPLE, SEATS
from tests.server.player import PATIENCE, visitor

from ziggurat.server.store import hosting

NAME = "W" * 30
T = TypeVar("T")


def done(work: Coroutine[Any, Any, T]) -> T:
    """Do it in a thread of its own: in that of the browser a loop runs already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def a_link(house: House) -> str:
    """What `ziggurat admin token` prints, without the address."""
    token = secrets.token_urlsafe(18)
    done(house.in_database(partial(hosting.offer, token=token, first=False)))
    return f"/#/host/{token}"


def reported(base: str, ada: str, bela: str) -> str:
    """Have Béla say something at a table with Ada, who reports it, and his name; return the table."""
    bots = [{"kind": "bot", "bot": "random"}] * (SEATS - 2)
    wish = {"game": EXAMPLE, "pace": "instant", "seats": [{"kind": "me"}, {"kind": "open"}, *bots]}
    with httpx.Client(base_url=base, timeout=PATIENCE, verify=False) as http:

        def post(path: str, cookie: str, body: object) -> httpx.Response:
            return http.post(path, json=body, headers={"cookie": f"ziggurat={cookie}"}).raise_for_status()

        table = post("/api/tables", ada, wish).json()
        post(f"/api/tables/{table['id']}/join", bela, {"invite": table["invite"], "name": NAME})
        post(f"/api/tables/{table['id']}/start", ada, {})

        async def talk() -> int:
            async with visitor(base) as his, visitor(base) as hers:
                his.http.cookies.set("ziggurat", bela)
                hers.http.cookies.set("ziggurat", ada)
                async with his.at(table["id"]) as says, hers.at(table["id"]) as hears:
                    for text in ("Hello", "You play like a donkey", "Really"):
                        await says.reply(type="say", text=text)
                    await hears.until(lambda: sum(m["type"] == "said" for m in hears.messages) == 3)
                    return int(next(m for m in hears.messages if "donkey" in json.dumps(m))["line"]["at"])

        line = done(talk())
        post(f"/api/tables/{table['id']}/reports", ada, {"line": line})
        known = http.get("/api/people", headers={"cookie": f"ziggurat={ada}"}).json()["played"]
        post("/api/names/reports", ada, {"person": next(one["id"] for one in known if one["name"] == NAME)})
    return str(table["id"])


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_a_host_looks_after_the_server(own_house: House, visitor: Invite, language: str, phone: bool) -> None:
    house = own_house
    ada, bela = (newcomer(house.base, name) for name in ("Ada", NAME))
    table = reported(house.base, ada, bela)
    hanna = visitor(house, Anybody, name="Hanna", cookie=newcomer(house.base, "Hanna"), language=language, phone=phone)
    hers = visitor(house, Anybody, name="Ada", cookie=ada, language=language, phone=phone)
    hanna.company = (NAME,)
    link = a_link(house)
    hanna.page.goto(link)
    check(hanna, reports(hanna))
    check(hanna, people(hanna))
    check(hanna, tables(hanna, table))
    hers.home()
    hers.stay()
    check(hanna, the_server(hanna, hers))
    # The link is used; and for Ada there is no such page.
    hers.expects("403", "404")
    hers.page.goto(link)
    expect(hers.page.get_by_role("alert").filter(has_text="ziggurat admin token")).to_be_visible()
    hers.page.goto("/#/host")
    expect(hers.page.get_by_role("heading", name=hers.say("ui.error.page_not_found"))).to_be_visible()


def reports(hanna: Anybody) -> Iterator[str]:
    """What was reported, and what is done about it."""
    page = hanna.page
    expect(page.get_by_role("heading", level=1, name=hanna.say("host.title"))).to_be_visible()
    expect(page.get_by_text("You play like a donkey")).to_be_visible()
    yield "reports"
    line = page.get_by_role("listitem").filter(has_text=hanna.say("host.line_reported"))
    hanna.press(hanna.button("host.settle", line.first))
    shown = hanna.drawer("host.settle")
    shown.get_by_label(hanna.say("host.done")).fill("Warned.")
    shown.get_by_label(hanna.say("host.to_person", name=NAME)).select_option("warned")
    yield "a report is settled"
    hanna.press(hanna.button("host.settle", shown))
    expect(page.get_by_text(hanna.say("host.settled"))).to_be_visible()
    expect(page.get_by_text("You play like a donkey")).to_have_count(0)
    hanna.press(hanna.button("host.seen"))
    expect(page.get_by_text("Warned.")).to_be_visible()
    yield "reports that were looked at"


def people(hanna: Anybody) -> Iterator[str]:
    """One is found, renamed, and shut out."""
    page = hanna.page
    hanna.press(page.get_by_role("navigation").get_by_role("button", name=hanna.say("host.part.people")))
    page.get_by_label(hanna.say("host.find_person")).fill("WWW")
    hanna.press(hanna.button("host.find"))
    one = page.get_by_role("button", name=NAME)
    expect(one).to_be_visible()
    yield "people"
    hanna.press(one)
    shown = hanna.drawer("host.person")
    expect(shown.get_by_text(NAME, exact=True)).to_be_visible()
    expect(shown.get_by_text(hanna.say("host.network_help"))).to_be_visible()
    yield "a person"
    shown.get_by_label(hanna.say("host.new_name")).fill("Walter")
    hanna.press(hanna.button("host.rename", shown))
    expect(page.get_by_text(hanna.say("host.renamed", name=NAME))).to_be_visible()
    page.get_by_label(hanna.say("host.find_person")).fill("Walter")
    hanna.press(hanna.button("host.find"))
    hanna.press(page.get_by_role("button", name="Walter"))
    shown = hanna.drawer("host.person")
    hanna.press(hanna.button("host.shut_out", shown))
    expect(page.get_by_text(hanna.say("host.shut_out_now", name="Walter"))).to_be_visible()
    yield "a person who is shut out"


def tables(hanna: Anybody, table: str) -> Iterator[str]:
    """One is looked at and ended."""
    page = hanna.page
    hanna.press(page.get_by_role("navigation").get_by_role("button", name=hanna.say("host.part.tables")))
    page.get_by_label(hanna.say("host.find_table")).fill(table)
    hanna.press(hanna.button("host.find"))
    one = page.get_by_role("listitem").get_by_role("button").filter(has_text="Walter")
    expect(one).to_have_count(1)
    yield "tables"
    hanna.press(one)
    shown = page.get_by_role("dialog")
    expect(hanna.button("host.look", shown)).to_be_visible()
    yield "a table of others"
    hanna.press(hanna.button("host.end", shown))
    hanna.press(hanna.button("host.end_for_good", shown))
    expect(page.get_by_text(hanna.say("host.ended"))).to_be_visible()


def the_server(hanna: Anybody, ada: Anybody) -> Iterator[str]:
    """The numbers, a message, the maintenance, and what was done."""
    page = hanna.page
    hanna.press(page.get_by_role("navigation").get_by_role("button", name=hanna.say("host.part.server")))
    expect(page.get_by_text(hanna.say("host.number.version"))).to_be_visible()
    yield "the server"
    section = page.get_by_role("region", name=hanna.say("host.message"), exact=True)
    section.get_by_label(hanna.say("host.in_english")).fill("Tea at five!")
    section.get_by_label(hanna.say("host.in_hungarian")).fill("Ötkor tea!")
    hanna.press(hanna.button("host.tell", section))
    expect(page.get_by_text(hanna.say("host.told"))).to_be_visible()
    said = "Ötkor tea!" if ada.language == "hu" else "Tea at five!"
    ada.page.evaluate("dispatchEvent(new Event('house'))")  # as a table's socket does
    expect(ada.page.get_by_role("status").filter(has_text=said)).to_be_visible()
    expect(ada.page.get_by_role("alert").filter(has_text=ada.say("host.word.thanks"))).to_be_visible()
    yield "a message"
    ada.press(ada.button("host.understood"))
    expect(ada.page.get_by_text(ada.say("host.word.thanks"))).to_have_count(0)
    section = page.get_by_role("region", name=hanna.say("host.maintenance"), exact=True)
    section.get_by_label(hanna.say("host.minutes")).fill("0")
    hanna.press(hanna.button("host.maintenance_begin", section))
    expect(page.get_by_role("region", name=hanna.say("host.maintenance"), exact=True)).to_contain_text(
        hanna.say("host.maintained")
    )
    yield "the maintenance"
    ada.patient = True
    ada.page.evaluate("dispatchEvent(new Event('house'))")
    expect(ada.page.get_by_text(ada.say("host.now"))).to_be_visible()
    ada.page.goto("/#/people")
    expect(ada.page.get_by_text(ada.say("host.now"))).to_be_visible()
    expect(ada.page.get_by_text(ada.say("ui.live.unreachable"))).not_to_be_visible()
    hanna.press(hanna.button("host.maintenance_end"))
    expect(ada.page.get_by_text(ada.say("host.now"))).to_have_count(0, timeout=30_000)
    expect(ada.button("folk.found")).to_be_visible(timeout=30_000)
    ada.patient = False
    hanna.press(page.get_by_role("navigation").get_by_role("button", name=hanna.say("host.part.deeds")))
    expect(page.get_by_text(hanna.say("host.deed.person_bar"))).to_be_visible()
    yield "what hosts did"
