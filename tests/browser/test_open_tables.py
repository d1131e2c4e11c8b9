"""Strangers find each other: an open table is seen live, one touch sits down, a search finds it, and a page that nobody
sees asks for nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.newcomer import Newcomer
from tests.browser.person import Person
from tests.example import EXAMPLE
from tests.runs import often

import ziggurat

AWAY = """(away) => {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => away })
  document.dispatchEvent(new Event('visibilitychange'))
}"""
TERMS = {"wait": 86_400, "bot": "random", "strength": "beginners", "language": "hu"}


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


def test_a_stranger_sits_down_at_a_table_that_came_up_while_they_looked(house: House, visitor: Invite) -> None:
    eve, ada = visitor(house, Newcomer), visitor(house, Newcomer, name="Ada of the list")
    found = row(eve, ada.name)
    expect(eve.region("open.title")).to_be_visible()
    expect(found).to_have_count(0)

    table = opens(ada, time={"kind": "live", "reserve": 600, "step": 30})
    expect(found).to_have_count(1)
    for said in ("open.tempo.live", "open.strength.beginners", "open.language.hu"):
        expect(found).to_contain_text(eve.say(said))
    expect(found).to_contain_text(eve.say("open.free", n=1))

    game = ziggurat.game(EXAMPLE).text(eve.language)["name"]
    # Who does not see the list hears of it.
    spoken = eve.region("open.title").get_by_role("status")
    expect(spoken).to_have_text(eve.say("open.news.came", n=1, what=f"{game}, {ada.name}"))
    eve.press(eve.button("open.join.at", found, game=game, names=[ada.name]))
    asks = eve.page.get_by_role("dialog", name=eve.say("open.name.title"))
    asks.get_by_label(eve.say("open.name")).fill("Eve")
    eve.press(eve.button("open.name.go", asks))
    eve.at_table()  # it is full, and begins by itself
    assert eve.page.url.endswith(f"#/table/{table}")
    assert eve.page.request.get("/api/me").json()["name"] == "Eve", "a name typed once is kept"


def test_a_search_sits_two_strangers_down_at_one_table(house: House, visitor: Invite) -> None:
    people = [visitor(house, Newcomer, name=name) for name in ("Kai", "Lea")]
    for person in people:
        person.home()
        person.press(person.button("open.find"))
        asks = person.drawer("open.find")
        games = asks.get_by_role("group", name=person.say("open.games")).get_by_role("checkbox")
        for other in games.all()[1:]:
            other.uncheck()
        person.choose("open.tempo", "open.tempo.days")
        person.choose("open.company", "open.company.people")
        asks.get_by_label(person.say("open.name")).fill(person.name)
        person.press(person.button("open.find.go", asks))
        person.page.wait_for_url("**/#/table/*")
    kai, lea = people
    assert kai.page.url == lea.page.url
    expect(kai.page.get_by_text("Lea", exact=True)).to_be_visible()
    expect(kai.page.get_by_text(kai.say("open.room.closes", time="").rstrip(" ."))).to_be_visible()


def test_somebody_wants_to_be_told_and_no_more(house: House, visitor: Invite) -> None:
    eve = visitor(house, Newcomer)
    eve.home()
    eve.press(eve.button("open.find"))
    asks = eve.drawer("open.find")
    eve.press(eve.button("open.wish", asks))
    expect(asks.get_by_role("status")).to_contain_text(eve.say("open.wish.nowhere"))
    expect(asks.get_by_role("heading", name=eve.say("open.wish.mine"))).to_be_visible()
    eve.press(asks.get_by_role("listitem").get_by_role("button"))
    expect(asks.get_by_role("heading", name=eve.say("open.wish.mine"))).to_have_count(0)


def test_a_page_that_nobody_sees_listens_no_more(house: House, visitor: Invite) -> None:
    eve, ada = visitor(house, Newcomer), visitor(house, Newcomer, name="Ada of the dark")
    with eve.page.expect_websocket() as coming:
        found = row(eve, ada.name)
    socket = coming.value
    assert socket.url.endswith("/api/open-tables/live")
    eve.page.evaluate(AWAY, True)
    while not socket.is_closed():
        eve.page.wait_for_timeout(50)
    opens(ada)
    eve.page.evaluate(AWAY, False)
    expect(found).to_have_count(1)
    expect(eve.region("open.title").get_by_role("status")).to_have_text("")


@often
def test_the_first_move_waits_for_no_list(house: House, visitor: Invite) -> None:
    """A newcomer who plays at once asks for nothing of open tables."""
    eve = visitor(house, Newcomer)
    asked: list[str] = []
    eve.page.on("request", lambda request: asked.append(request.url))
    eve.page.on("websocket", lambda socket: asked.append(socket.url))
    eve.page.goto("/#/")
    eve.press(eve.button("ui.home.play_now").first)
    eve.at_table()
    assert not [one for one in asked if "open" in one.lower()], asked


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_the_list_the_search_and_the_terms_can_be_read(
    house: House, visitor: Invite, language: str, phone: bool
) -> None:
    ada = visitor(house, Newcomer, name=f"Ada {language}")
    eve = visitor(house, Newcomer, language=language, phone=phone)
    opens(ada, hints=True)
    check(eve, walk(eve, ada.name))


def walk(eve: Newcomer, host: str) -> Iterator[str]:
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
