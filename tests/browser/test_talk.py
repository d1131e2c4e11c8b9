"""People talk at a table: two who play and one who watches, on a desktop and on a phone."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.person import Anybody, Person
from tests.browser.prepared import Table, begin, make, newcomer, seat_guest, send
from tests.example import EXAMPLE, SEATS

BOTS = ["random"] * (SEATS - 2)
LONG = "supercalifragilisticexpialidocious" * 6
MARKUP = "<img src=x onerror=alert(1)> **Hi** https://evil.example שלום"


def laid(house: House, **policy: str) -> tuple[Table, str]:
    """A table at which Ada and Béla play; and Béla's cookie."""
    ada = newcomer(house.base, "Ada")
    table = make(house.base, EXAMPLE, "me", "open", *BOTS, cookie=ada, policy={"watch": "anyone", **policy})
    bela = seat_guest(house.base, table, "Béla")
    return table, bela


def button(person: Person) -> Locator:
    """What opens the talk, whatever is new there."""
    return person.page.locator("button.talking").filter(visible=True)


def opened(person: Person) -> Locator:
    """Open the talk; return where it is."""
    expect(button(person)).to_be_visible()
    person.press(button(person))
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


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_two_play_and_one_watches(house: House, visitor: Invite, language: str, phone: bool) -> None:
    table, cookie = laid(house)
    ada = visitor(house, Anybody, name="Ada", cookie=table.cookie, language=language, phone=phone)
    ada.page.goto(table.path)
    # In the waiting room it stands on the page.
    room = ada.region("talk.title")
    expect(room).to_contain_text(ada.say("talk.empty"))
    send(house.base, table, cookie, type="say", phrase="good_luck")
    expect(lines(room)).to_have_text([ada.say("talk.phrase.good_luck")])
    check(ada, iter(["talk in the waiting room"]))
    begin(house.base, table)
    ada.at_table()
    bela = visitor(house, Anybody, name="Béla", cookie=cookie, language="en")
    eve = visitor(house, Anybody, name="Eve", cookie=newcomer(house.base, "Eve"), language="hu")
    for one in (bela, eve):
        one.page.goto(table.path)
        one.at_table()
    # What somebody else said before is new.
    expect(button(eve)).to_have_accessible_name(eve.say("talk.open_new", n=1))
    hers, his = opened(eve), opened(bela)
    expect(lines(hers)).to_have_text([eve.say("talk.phrase.good_luck")])
    expect(button(bela)).to_have_accessible_name(bela.say("talk.open"))
    # A new line is seen for a moment, and the board is not covered by it.
    says(bela, his, "Hello, Ada")
    bubble = ada.page.locator(".bubble").filter(visible=True)
    expect(bubble).to_have_text("Béla Hello, Ada")
    expect(button(ada)).to_have_accessible_name(ada.say("talk.open_new", n=1))
    box, middle = bubble.bounding_box(), ada.page.locator("main .middle").bounding_box()
    assert box
    assert middle
    outside = box["y"] + box["height"] <= middle["y"] or box["x"] >= middle["x"] + middle["width"]
    assert outside, (box, middle)
    mine = opened(ada)
    expect(bubble).to_have_count(0)
    expect(lines(mine)).to_have_text([ada.say("talk.phrase.good_luck"), "Hello, Ada"])
    # A text is a text.
    says(ada, mine, MARKUP)
    says(ada, mine, LONG)
    expect(lines(his).nth(2)).to_have_text(MARKUP)
    expect(his.locator("a, img")).to_have_count(0)
    expect(lines(mine)).to_have_count(4)
    # Onlookers are not heard by those who play.
    expect(hers).to_contain_text(eve.say("talk.bench"))
    says(eve, hers, "Ada has bad cards")
    expect(lines(hers)).to_have_count(5)
    expect(hers.locator("li").filter(has_text="Ada has bad cards")).to_contain_text(eve.say("talk.onlooker"))
    ada.press(ada.button("talk.phrase.thanks", mine))
    expect(lines(his)).to_have_count(5)
    expect(lines(mine)).to_have_count(5)
    expect(mine).not_to_contain_text("bad cards")
    assert "bad cards" not in json.dumps([*ada.heard, *bela.heard])
    check(ada, talked(ada, mine))
    # When it is over, they are.
    send(house.base, table, table.cookie, type="ask_end")
    send(house.base, table, cookie, type="vote", agree=True)
    if ada.end.is_visible():
        ada.close(ada.end)
    expect(mine if mine.is_visible() else (mine := opened(ada))).to_contain_text("Ada has bad cards")


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


def test_what_a_table_does_not_want_is_not_there(house: House, visitor: Invite) -> None:
    table, _ = laid(house, talk="phrases")
    begin(house.base, table)
    ada = visitor(house, Anybody, cookie=table.cookie)
    ada.page.goto(table.path)
    ada.at_table()
    shown = opened(ada)
    expect(shown.get_by_role("textbox")).to_have_count(0)
    ada.press(ada.button("talk.phrase.ouch", shown))
    expect(lines(shown)).to_have_text([ada.say("talk.phrase.ouch")])
    silent, _ = laid(house, talk="off")
    begin(house.base, silent)
    ada.become(silent.cookie)
    ada.come_to(silent)
    ada.stay()
    expect(button(ada)).to_have_count(0)


def test_nobody_has_to_talk_and_who_listens_can_be_told(house: House, visitor: Invite) -> None:
    table, cookie = laid(house)
    begin(house.base, table)
    ada = visitor(house, Anybody, cookie=table.cookie)
    ada.page.goto(table.path)
    ada.at_table()
    expect(button(ada)).to_be_visible()
    spoken = ada.page.locator("[aria-live=polite]").filter(has_text="Béla: Can you hear me?")
    ada.press(ada.button("ui.settings.title"))
    ada.choose("talk.aloud", "talk.aloud.on")
    ada.page.keyboard.press("Escape")
    send(house.base, table, cookie, type="say", text="Can you hear me?")
    expect(spoken).to_have_count(1)
    ada.press(ada.button("ui.settings.title"))
    ada.choose("talk.settings", "talk.settings.off")
    ada.page.keyboard.press("Escape")
    expect(button(ada)).to_have_count(0)
    ada.reload()
    ada.at_table()
    ada.stay()
    expect(button(ada)).to_have_count(0)


def test_who_is_nobody_yet_says_their_name_first(house: House, visitor: Invite) -> None:
    table, _ = laid(house)
    begin(house.base, table)
    eve = visitor(house, Anybody)
    eve.page.goto(table.path)
    eve.at_table()
    shown = opened(eve)
    field = shown.get_by_role("textbox", name=eve.say("talk.write"))
    field.fill("Hello")
    field.press("Enter")
    named = shown.get_by_role("textbox", name=eve.say("talk.name"))
    named.fill("Eve")
    named.press("Enter")
    expect(named).to_have_count(0)
    eve.at_table()
    # What she was about to say is still there.
    field = shown.get_by_role("textbox", name=eve.say("talk.write"))
    expect(field).to_have_value("Hello")
    field.press("Enter")
    expect(lines(shown)).to_have_text(["Hello"])


def test_what_is_too_much_is_said(house: House, visitor: Invite) -> None:
    table, _ = laid(house)
    begin(house.base, table)
    ada = visitor(house, Anybody, cookie=table.cookie)
    ada.page.goto(table.path)
    ada.at_table()
    shown = opened(ada)
    for n in range(9):
        ada.press(ada.button("talk.phrase.oops", shown))
        expect(lines(shown)).to_have_count(min(n + 1, 8))
    expect(shown.get_by_role("alert")).to_be_visible()
    expect(lines(shown)).to_have_count(8)
