"""Walks through what people do together and what hosts see, with everybody else played by the server's interface."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import sqlalchemy as sa
from playwright.sync_api import Locator, expect
from tests.browser.every_page import drawer
from tests.browser.house import House
from tests.browser.newcomer import Newcomer, own_pages
from tests.browser.person import Anybody, Person
from tests.browser.prepared import COMPANY, HOST, begin, in_a_thread, make, newcomer, seat_guest, send
from tests.example import EXAMPLE, SEATS
from tests.server.features.review.test_after import played
from tests.server.migrated import aside
from tests.server.player import PATIENCE, visitor

from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.store import original

BOTS = ["random"] * (SEATS - 2)
LONG = "supercalifragilisticexpialidocious" * 6
NAME = "W" * 30
TERMS = {"wait": 86_400, "bot": "random", "strength": "beginners", "language": "hu"}
LIVE = {"kind": "live", "reserve": 600, "step": 30}
SAID = ("Hello, everybody", "I have to put the children to bed: can we stop after this round and go on tomorrow?", LONG)


def asked(base: str, cookie: str, method: str, path: str, body: Any = None) -> Any:
    """Ask the server for something as somebody."""
    with httpx.Client(base_url=base, timeout=PATIENCE, verify=False) as http:
        found = http.request(method, path, json=body, headers={"cookie": f"ziggurat={cookie}"}).raise_for_status()
        return found.json() if found.content else None


def ended(base: str, hints: bool = False) -> dict[str, str]:
    """A game of Ann and Bob that is over after a few moves: the table, and who has which cookie."""
    found: dict[str, str] = {}

    async def play() -> None:
        async with played(base, 4, hints=hints) as game:
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


def a_link(house: House) -> str:
    """What `ziggurat admin token` prints, without the address."""
    token = secrets.token_urlsafe(18)

    def offer(connection: sa.Connection) -> None:
        hosting.offer(connection, token=token, first=False)

    in_a_thread(lambda: house.in_database(offer))
    return f"/#/host/{token}"


def reported(base: str, ada: str, bela: str) -> str:
    """Have Béla say something at a table with Ada, who reports it, and his name; return the table."""
    table = make(base, EXAMPLE, "me", "open", *BOTS, cookie=ada)
    asked(base, bela, "POST", f"/api/tables/{table.id}/join", {"invite": table.invite, "name": NAME})
    begin(base, table)
    found: list[int] = []

    async def talk() -> None:
        async with visitor(base) as his, visitor(base) as hers:
            his.http.cookies.set("ziggurat", bela)
            hers.http.cookies.set("ziggurat", ada)
            async with his.at(table.id) as says, hers.at(table.id) as hears:
                for text in ("Hello", "You play like a donkey", "Really"):
                    await says.reply(type="say", text=text)
                await hears.until(lambda: sum(m["type"] == "said" for m in hears.messages) == 3)
                found.append(next(m["line"]["at"] for m in hears.messages if "donkey" in str(m)))

    in_a_thread(talk)
    asked(base, ada, "POST", f"/api/tables/{table.id}/reports", {"line": found[0]})
    known = asked(base, ada, "GET", "/api/people")["played"]
    asked(base, ada, "POST", "/api/names/reports", {"person": next(one["id"] for one in known if one["name"] == NAME)})
    return table.id


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


def opens(person: Person, *, seats: int = 2, **more: object) -> str:
    """A table of somebody's that anybody may join, made without the page."""
    body = {
        "game": EXAMPLE,
        "pace": "instant",
        "seats": [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)],
        "policy": {"join": "anyone", "terms": TERMS},
        **more,
    }
    person.context.request.put("/api/me", data={"name": person.name})
    made = person.context.request.post("/api/tables", data=body)
    assert made.ok, made.text()
    return str(made.json()["id"])


def row(person: Person, host: str) -> Locator:
    """A table in the list, by whose it is."""
    person.home()
    tables = person.region("open.title")
    return tables.get_by_role("listitem").filter(has_text=host).filter(has=person.page.get_by_role("button"))


def open_tables_of(eve: Newcomer, host: str) -> Iterator[str]:
    """What is shown of open tables."""
    found = row(eve, host)
    expect(found).to_have_count(1)
    found.scroll_into_view_if_needed()
    yield "open tables"
    eve.press(found.get_by_role("button"))
    expect(eve.page.get_by_role("dialog")).to_be_visible()
    yield "a name is asked for"
    eve.press(eve.button("ui.common.close"))
    eve.press(eve.button("open.find"))
    expect(eve.drawer("open.find")).to_be_visible()
    yield "find a table"
    eve.close(eve.drawer("open.find"))
    eve.page.goto(f"/#/new/{EXAMPLE}")
    eve.page.get_by_role("combobox").first.select_option("open")
    eve.choose("open.who", "open.anyone")
    expect(eve.page.get_by_label(eve.say("open.bot"))).to_be_visible()
    yield "set up an open table"


def talk_button(person: Person) -> Locator:
    """What opens the talk, whatever is new there."""
    return person.page.locator("button.talking").filter(visible=True)


def opened(person: Person) -> Locator:
    """Open the talk; return where it is."""
    expect(talk_button(person)).to_be_visible()
    person.press(talk_button(person))
    shown = person.drawer("talk.title") if person.phone else person.region("talk.title")
    expect(shown).to_be_visible()
    return shown


def says(person: Person, shown: Locator, text: str) -> None:
    field = shown.get_by_role("textbox", name=person.say("talk.write"))
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_value("")


def lines(shown: Locator) -> Locator:
    return shown.locator("p.said")


def talked(ada: Person, mine: Locator) -> Iterator[str]:
    """All that one can open where people talk."""
    yield "talk"
    about, mute = ada.button("talk.about", mine, name="Béla").last, ada.button("talk.mute", mine)
    ada.press(about)
    yield "talk about a line"
    # In a smaller window it is in a drawer: what was opened is closed again.
    if not ada.sees(mute):
        ada.press(about)
    ada.press(ada.button("talk.report", mine))
    expect(mine.get_by_role("checkbox").first).to_be_visible()
    yield "talk, a report"
    mutes = mine.get_by_role("checkbox").first
    if not ada.sees(mutes):
        ada.press(about)
        ada.press(ada.button("talk.report", mine))
    mutes.uncheck()  # or the line goes
    ada.press(ada.button("talk.report.do", mine))
    expect(mine.get_by_role("status")).to_have_text(ada.say("talk.reported"))
    ada.press(ada.button("talk.more", mine))
    yield "talk with all phrases"
    if ada.sees(ada.button("talk.fewer", mine)):
        ada.press(ada.button("talk.fewer", mine))
    ada.press(about)
    ada.press(mute)
    expect(lines(mine).filter(has_text="Hello, Ada")).to_have_count(0)
    yield "talk without somebody"
    ada.press(ada.button("talk.unmute", mine).first)
    expect(lines(mine).filter(has_text="Hello, Ada")).to_have_count(1)


def open_tables(eve: Newcomer) -> Iterator[str]:
    """The list with several tables of several paces, what searches, and a table that anybody may join."""
    host = HOST + "." * (1 + eve.phone)
    for name, pace in ((host, LIVE), (COMPANY[0], None)):
        eve.name = name
        eve.become(newcomer(eve.base, name))
        opens(eve, seats=3, time=pace, hints=True)
    eve.name = HOST
    eve.context.clear_cookies()
    yield from open_tables_of(eve, host)
    eve.become(eve.cookie)


def waiting_together(ada: Anybody) -> Iterator[str]:
    """A table that fills, as its host, its guests and those who come late see it."""
    table = make(ada.base, EXAMPLE, "me", "open", "open", "mason", cookie=ada.cookie, hints=True, time=LIVE)
    guest = seat_guest(ada.base, table, COMPANY[0])
    ada.become(ada.cookie)
    ada.page.goto(table.path)
    expect(ada.button("wait.host.hand", name=COMPANY[0])).to_be_visible()
    send(ada.base, table, guest, type="say", phrase="good_luck")
    ada.press(ada.page.locator("summary").filter(has_text=ada.say("wait.qr")))
    expect(ada.page.get_by_role("img", name=ada.say("wait.qr.label"))).to_be_visible()
    yield "waiting room of a host"
    ada.press(ada.page.locator("summary").filter(has_text=ada.say("near.seat")))
    yield "waiting room, someone next to me"
    ada.press(ada.button("wait.agreed.change"))
    terms = ada.drawer("wait.agreed")
    expect(ada.button("wait.agreed.save", terms)).to_be_visible()
    for summary in terms.locator("summary").all():
        ada.press(summary)
    yield from drawer(ada, "wait.agreed", "terms of a table")
    ada.become(guest)
    ada.reload()
    expect(ada.button("ui.wait.leave")).to_be_visible()
    yield "waiting room of a guest"
    seat_guest(ada.base, table, COMPANY[1])
    ada.become(newcomer(ada.base, "Late"))
    ada.page.goto(f"/#/join/{table.id}/{table.invite}")
    expect(ada.page.get_by_text(ada.say("wait.late.full"))).to_be_visible()
    yield "a full table"
    ada.press(ada.page.get_by_role("link", name=ada.say("wait.look"), exact=True))
    expect(ada.page.get_by_text(ada.say("wait.look.is"))).to_be_visible()
    yield "waiting room of an onlooker"
    ada.page.goto(f"/#/screen/{table.id}/{table.invite}")
    expect(ada.page.get_by_role("heading", level=1)).to_be_visible()
    yield "big screen before the game"
    begin(ada.base, table)
    expect(ada.bar).to_be_visible()
    expect(ada.button("wait.screen.full")).to_have_count(0)  # it is there while a mouse moves
    if not ada.phone:
        yield "big screen"
    ada.page.goto(f"/#/table/{table.id}/{table.invite}")
    ada.at_table()
    expect(ada.bar).to_contain_text(ada.say("wait.look.is"))
    yield "looking on"
    ada.become(ada.cookie)
    ada.page.goto("/#/nowhere")
    ada.bar.wait_for(state="detached")
    ada.page.goto(table.path)
    ada.at_table()
    ada.stay()
    yield "table with a clock and people"
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    yield from drawer(ada, "ui.settings.title", "settings of a table with people")


def talking(ada: Anybody) -> Iterator[str]:
    """What is said at a table, with a long word and an onlooker."""
    table = make(ada.base, EXAMPLE, "me", "open", *BOTS, cookie=ada.cookie, policy={"watch": "anyone"})
    guest = seat_guest(ada.base, table, "Béla")
    begin(ada.base, table)
    ada.come_to(table)
    # A new line is seen for a moment, and the board is not covered by it.
    expect(talk_button(ada)).to_be_visible()
    for text in ("Hello, Ada", *SAID):
        send(ada.base, table, guest, type="say", text=text)
    bubble = ada.page.locator(".bubble").filter(visible=True)
    expect(bubble).to_be_visible()
    over, board = bubble.bounding_box(), ada.page.locator("main .middle").bounding_box()
    assert over
    assert board
    assert over["y"] + over["height"] <= board["y"] or over["x"] >= board["x"] + board["width"], (over, board)
    ada.stay()
    mine = opened(ada)
    expect(lines(mine)).to_have_count(1 + len(SAID))
    says(ada, mine, "שלום <b>Hi</b>")
    yield from talked(ada, mine)


def with_people(ada: Anybody) -> Iterator[str]:
    """Those one has played with, a group from its founding to a stranger at its link, and somebody who is blocked."""
    mine, his, name = newcomer(ada.base, HOST), newcomer(ada.base, COMPANY[0]), COMPANY[0]
    for _ in range(2):
        table = make(ada.base, EXAMPLE, "me", "open", *BOTS, cookie=mine)
        asked(ada.base, his, "POST", f"/api/tables/{table.id}/join", {"invite": table.invite, "name": name})
        begin(ada.base, table)
    ada.become(mine)
    ada.page.goto("/#/people")
    expect(ada.button("folk.invite_of", name=name)).to_be_visible()
    yield "people"
    ada.press(ada.button("folk.invite_of", name=name))
    shown = ada.drawer("folk.invite_of", name=name)
    yield "whom to invite where"
    ada.press(shown.get_by_role("link", name=ada.say("name"), exact=True))
    expect(ada.page.get_by_text(ada.say("folk.asked", name=name))).to_be_visible()
    yield "set-up for a person"
    ada.press(ada.button("ui.setup.create"))
    expect(ada.page.get_by_text(ada.say("again.asked"))).to_be_visible()
    yield "waiting room with a person who is asked"
    ada.page.goto("/#/people")
    ada.press(ada.button("folk.found"))
    shown = ada.drawer("folk.found")
    shown.get_by_label(ada.say("folk.group_name")).fill("The people of Friday's long evenings")
    yield "a group is founded"
    ada.press(ada.button("folk.found", shown))
    ada.press(ada.button("folk.evening_set"))
    shown = ada.drawer("folk.evening_set")
    shown.get_by_label(ada.say("folk.time"), exact=False).fill("19:30")
    yield "the evening of a group"
    ada.press(ada.button("folk.save", shown))
    ada.leaves(shown)
    link = ada.page.get_by_label(ada.say("folk.link")).get_by_role("textbox").input_value()
    group, secret = link.split("/")[-2:]
    asked(ada.base, his, "POST", f"/api/groups/{group}/join", {"invite": secret, "name": name})
    body = {"game": EXAMPLE, "pace": "instant", "seats": [{"kind": "me"}, {"kind": "open"}], "group": group}
    asked(ada.base, his, "POST", "/api/tables", body)
    for person, answer in ((mine, True), (his, False)):
        next_one = asked(ada.base, person, "GET", f"/api/groups/{group}")["evening"]["next"]
        asked(ada.base, person, "PUT", f"/api/groups/{group}/evening", {"evening": next_one, "comes": answer})
    ada.reload()
    expect(ada.region("folk.tables").get_by_role("link").first).to_be_visible()
    yield "a group"
    ada.press(ada.button("folk.tonight"))
    yield from drawer(ada, "folk.tonight", "a table for whoever comes")
    ada.become(newcomer(ada.base, "Eve"))
    ada.page.goto("/#/nowhere")
    ada.page.goto(link)
    expect(ada.button("folk.join")).to_be_visible()
    yield "a group's link"
    ada.become(mine)
    ada.page.goto("/#/people")
    ada.press(ada.button("folk.block_of", name=name))
    shown = ada.drawer("folk.block_of", name=name)
    expect(ada.button("folk.block", shown)).to_be_visible()
    yield "blocking"
    ada.press(ada.button("folk.block", shown))
    expect(ada.button("folk.unblock_of", name=name)).to_be_visible()
    yield "people with one who is blocked"
    ada.become(ada.cookie)


def on_one_device(ada: Anybody) -> Iterator[str]:
    """Two people with one device: the seats, and the curtain between them."""
    ada.page.goto(f"/#/new/{EXAMPLE}")
    chairs = ada.page.get_by_role("combobox")
    chairs.first.select_option("companion")
    yield "set-up for two on one device"
    while chairs.count() > 1:
        fewer = f"{ada.say('ui.setup.fewer')}: {ada.say('ui.setup.seat', n=chairs.count() + 1)}"
        ada.press(ada.page.get_by_role("button", name=fewer))
    ada.page.get_by_label(ada.say("ui.setup.name")).fill(HOST)
    ada.press(ada.button("ui.setup.start"))
    takes = ada.page.get_by_role("button", name=re.compile(ada.say("near.take", who="#").replace("#", ".*")))
    expect(takes.or_(ada.your_turn).first).to_be_attached()
    if ada.sees(takes):
        yield "curtain"
        ada.press(takes)
    ada.at_table()
    ada.stay()
    yield "table of two on one device"


def in_one_room(ann: Newcomer, hints: bool = True) -> Iterator[str]:
    """After the last move: who leads and follows, other moves, playing on, links and files."""
    game = ended(ann.base, hints=hints)
    at_the_end(ann, game["table"], game["ann"])
    ann.press(ann.button("ui.end.replay"))
    expect(ann.button("room.lead")).to_be_visible()
    yield "the room, free"
    ann.press(ann.button("room.lead"))
    expect(ann.button("room.let_go")).to_be_visible()
    ann.press(ann.button("ui.replay.next"))
    ann.press(ann.button("room.point"))
    piece = ann.page.locator("main.table [data-place^='seat:']").filter(visible=True).first
    piece.click(position={"x": 6, "y": 6})
    yield "the room, leading and pointing"
    ann.press(ann.button("room.point"))
    ann.press(ann.button("room.what_if"))
    expect(ann.region("room.what_if")).to_be_visible()
    expect(ann.page.get_by_test_id("ring")).to_have_count(0)
    yield "what if"
    if hints:
        ann.press(ann.button("ui.hint.ask", ann.bar))
        ann.press(ann.button("ui.hint.play", ann.bar))
        expect(ann.page.locator("section.beside ol > li")).to_have_count(1)
        yield "what if, after a move"
    ann.press(ann.button("room.play_on"))
    laying = ann.drawer("room.play_on")
    expect(ann.button("room.lay", laying)).to_be_visible()
    yield "play on"
    ann.press(ann.button("room.lay", laying))
    expect(ann.page.get_by_text(re.compile(re.escape(ann.say("room.from_same"))))).to_be_visible()
    yield "a table that plays on"
    ann.become(game["bob"])
    ann.page.goto(f"/#/table/{game['table']}")
    expect(ann.button("ui.end.replay")).to_be_visible()
    ann.stay()
    yield "the end, with an invitation to play on"
    ann.press(ann.button("ui.end.replay"))
    yield "the room, led by another"
    told = ann.page.locator("section .sentence").filter(visible=True).first
    told.evaluate("(element, words) => { element.textContent = words }", 3 * ann.say("ui.replay.start"))
    yield "the room, a long sentence"
    asked(ann.base, game["ann"], "PUT", f"/api/tables/{game['table']}/showing", {"agree": True})
    ann.reload()
    expect(ann.button("room.show_yes")).to_be_visible()
    yield "the end, where somebody shows the game"
    shown = asked(ann.base, game["bob"], "PUT", f"/api/tables/{game['table']}/showing", {"agree": True})
    ann.reload()
    expect(ann.page.get_by_role("textbox", name=ann.say("room.show_link"))).to_be_visible()
    yield "the end, with a link"
    rest = asked(ann.base, game["ann"], "POST", f"/api/tables/{game['table']}/rematch", {})
    ann.page.goto(f"/#/table/{rest['id']}")
    expect(ann.button("again.no")).to_be_visible()
    yield "asked for a rematch"
    ann.become(game["ann"])
    ann.reload()
    expect(ann.page.get_by_text(ann.say("again.asked"))).to_be_visible()
    yield "who said yes to a rematch"
    ann.become(newcomer(ann.base, "Eve"))
    ann.page.goto(f"/#/game/{shown['secret']}")
    expect(ann.page.get_by_text(ann.say("room.shown"))).to_be_visible()
    yield "a game by its link"
    ann.page.goto("/#/replay")
    expect(ann.page.locator("input[type=file]")).to_be_attached()
    yield "open a file"
    chooser = ann.page.locator("input[type=file]")
    ann.expects("400")
    chooser.set_input_files({"name": "y.replay", "mimeType": "text/plain", "buffer": b"no replay"})
    expect(ann.page.get_by_role("alert")).to_contain_text(ann.say("room.file_bad"))
    yield "a file that is none"
    chooser.set_input_files({"name": "x.replay", "mimeType": "text/plain", "buffer": game["replay"].encode()})
    expect(ann.page.get_by_role("slider", name=ann.say("ui.replay.title"))).to_be_visible()
    yield "a game from a file"
    ann.become(ann.cookie)


def as_host(hanna: Anybody) -> Iterator[str]:
    """The page of a server's hosts, and what others see of what they do there: on a server of their own."""
    with TemporaryDirectory() as data, House(Path(data)) as house:
        yield from _hosting(hanna, house)


def _hosting(hanna: Anybody, house: House) -> Iterator[str]:
    hanna.base, base = house.base, hanna.base
    ada, bela = (newcomer(house.base, name) for name in ("Ada", NAME))
    table = reported(house.base, ada, bela)
    hanna.become(newcomer(house.base, "Hanna"))
    hanna.company = (NAME,)
    hanna.page.goto(f"{house.base}{a_link(house)}")
    yield from reports(hanna)
    yield from people(hanna)
    yield from tables(hanna, table)
    for part, shown, state in (("server", "numbers", "the server"), ("deeds", "deed.person_bar", "what hosts did")):
        hanna.press(hanna.page.get_by_role("navigation").get_by_role("button", name=hanna.say(f"host.part.{part}")))
        expect(hanna.page.get_by_text(hanna.say(f"host.{shown}")).first).to_be_visible()
        yield state
    # To become a host is to get another cookie.
    host = next(one["value"] for one in hanna.context.cookies() if one["name"] == "ziggurat")
    words = {"en": "Tea at five!", "hu": "Ötkor tea!", "de": "Um fünf gibt es Tee!"}
    asked(house.base, host, "PUT", "/api/host/message", {"text": words, "hours": 1})
    hanna.become(ada)
    hanna.page.goto(f"{house.base}/#/")
    hanna.reload()
    hanna.stay()
    hanna.page.evaluate("dispatchEvent(new Event('house'))")  # as a table's socket does
    expect(hanna.page.get_by_role("status").filter(has_text=words[hanna.language])).to_be_visible()
    yield "a message to everybody"
    asked(house.base, host, "PUT", "/api/host/message", {"text": None})
    asked(house.base, host, "PUT", "/api/host/maintenance", {"minutes": 30})
    hanna.page.goto(f"{house.base}/#/people")
    hanna.reload()
    hanna.stay()
    hanna.page.evaluate("dispatchEvent(new Event('house'))")
    expect(
        hanna.page.get_by_text(re.compile(re.escape(hanna.say("host.soon", when="#").split("#")[0])))
    ).to_be_visible()
    yield "a maintenance is announced"
    asked(house.base, host, "PUT", "/api/host/maintenance", {"minutes": 0})
    hanna.patient = True
    for place, state in (("", ""), ("people", ", people"), (f"table/{table}", ", a table")):
        hanna.page.goto(f"{house.base}/#/nowhere")
        hanna.page.goto(f"{house.base}/#/{place}")
        hanna.reload()
        expect(hanna.page.get_by_text(hanna.say("host.now"))).to_be_visible()
        yield f"the server is maintained{state}"
    asked(house.base, host, "PUT", "/api/host/maintenance", {"minutes": None})
    hanna.page.goto("about:blank")
    hanna.patient, hanna.company, hanna.base = False, COMPANY, base
    hanna.become(hanna.cookie)


def on_a_copy(ada: Anybody) -> Iterator[str]:
    """What says that a server is a restored copy."""
    with TemporaryDirectory() as data, House(Path(data)) as house:
        now = time.time()
        in_a_thread(lambda: house.in_database(lambda connection: original.make_standby(connection, now, now)))
        house.power_cut()
        house.open()
        table = make(house.base, EXAMPLE, "me", *["mason"] * (SEATS - 1))
        ada.base, base = house.base, ada.base
        ada.become(table.cookie)
        ada.page.goto(f"{house.base}/#/")
        expect(ada.page.get_by_text(ada.say("quiet.copy_short"))).to_be_visible()
        yield "home of a restored copy"
        ada.page.goto(f"{house.base}{table.path}")
        ada.at_table()
        yield "table of a restored copy"
        ada.page.goto("about:blank")
        ada.base = base
        ada.become(ada.cookie)


WALKS = (open_tables, waiting_together, talking, with_people, as_host, in_one_room, own_pages)
