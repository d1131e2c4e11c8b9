"""Clocks, and what people at a table decide together, as they see it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, THEMES, look
from tests.browser.person import Person
from tests.browser.prepared import begin, make, seat_guest
from tests.games.alhambra.browser.person import Alhambra

DAYS = {"kind": "days", "reserve": 259_200, "step": 86_400, "nights": True, "vacation": 7}
LIVE = {"kind": "live", "reserve": 300, "step": 15}


def two(house: House, visitor: Invite, time: dict[str, Any], **look: Any) -> tuple[Alhambra, Alhambra]:
    """Ada and Bela, who have just begun to play by a clock."""
    table = make(house.base, "alhambra", "me", "open", time=time, zone="Europe/Budapest")
    ada = visitor(house, Alhambra, name="Ada", cookie=table.cookie, **look)
    bela = visitor(house, Alhambra, name="Bela")
    bela.page.goto(f"/#/join/{table.id}/{table.invite}")
    expect(bela.page.get_by_text(bela.say("time.set")).first).to_be_visible()  # before they sit down
    bela.become(seat_guest(house.base, table, "Bela", zone="Europe/Budapest"))
    begin(house.base, table)
    for person in (ada, bela):
        person.page.goto(table.path)
        person.at_table()
    return ada, bela


def says(person: Person, key: str, **args: Any) -> None:
    """Wait until the bar says it, whatever time it names."""
    words = re.escape(person.say(key, **{name: f"<{name}>" for name in ("who", "whom", "time", "moment")} | args))
    expect(person.bar).to_contain_text(re.compile(re.sub("<[a-z]+>", ".+", words)))


def log_tells(person: Person, key: str, **args: Any) -> None:
    told = person.say(key, **{"time": "<time>", **args}).partition("<time>")[0]
    expect(person.region("ui.table.log")).to_contain_text(told)


def in_settings(person: Person, key: str) -> None:
    """Press a button of the drawer in which the game is paused and ended."""
    person.press(person.button("ui.settings.title").filter(visible=True))
    person.press(person.button(key, person.drawer("ui.settings.title")))


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_clocks_are_seen_and_the_game_is_paused_by_agreement(
    house: House, visitor: Invite, language: str, phone: bool
) -> None:
    ada, bela = two(house, visitor, LIVE, language=language, phone=phone)
    own = ada.bar.get_by_role("button", name=ada.say("time.yours"))
    expect(own).to_be_visible()
    expect(ada.page.locator(".clock").filter(visible=True)).to_have_count(1)
    assert [*look(ada, "clocks", THEMES)] == []

    ada.press(own)  # leads to what can be done about time
    drawer = ada.drawer("ui.settings.title")
    expect(ada.button("vote.pause.ask", drawer)).to_be_visible()
    assert [*look(ada, "this game", THEMES)] == []
    ada.press(ada.button("vote.pause.ask", drawer))
    says(ada, "vote.pause.own", whom=["Bela"])
    says(bela, "vote.pause.question", who="Ada")
    log_tells(bela, "note.pause_ask", who="Ada")
    bela.press(bela.button("vote.no", bela.bar))
    expect(ada.button("vote.withdraw", ada.bar)).to_have_count(0)

    in_settings(ada, "vote.pause.ask")
    bela.press(bela.button("vote.yes", bela.bar))
    for person in (ada, bela):
        says(person, "vote.paused")
        expect(person.your_turn).to_have_count(0)
    ada.press(ada.button("vote.resume", ada.bar))
    log_tells(bela, "note.resume", who="Ada")
    expect(ada.button("vote.resume", ada.bar)).to_have_count(0)
    mover = ada if ada.your_turn.count() else bela
    expect(mover.your_turn).to_be_attached()
    mover.take_money()

    bela.reload()
    bela.at_table()
    for key, who in (("pause_ask", "Ada"), ("vote_no", "Bela"), ("resume", "Ada")):
        log_tells(bela, f"note.{key}", who=who)
    # Woven among the moves, where it happened.
    told = bela.region("ui.table.log").get_by_role("listitem").all_inner_texts()
    asked, resumed = (
        told.index(bela.say(f"note.{key}", who="Ada", time="5 minutes")) for key in ("pause_ask", "resume")
    )
    assert 0 < asked < resumed < len(told) - 1


def test_days_are_told_in_words_and_a_game_ends_by_agreement(house: House, visitor: Invite) -> None:
    ada, bela = two(house, visitor, DAYS)
    own = ada.bar.get_by_role("button", name=ada.say("time.yours"))
    expect(own).to_contain_text(re.compile(r"\dd|\dh"))

    ada.press(ada.button("ui.settings.title").filter(visible=True))
    ada.press(ada.button("vote.vacation.take"))
    says(ada, "vote.off")
    log_tells(bela, "note.vacation", who="Ada", days=1)
    ada.press(ada.button("vote.off.end", ada.bar))
    log_tells(bela, "note.holiday_over", who="Ada")

    in_settings(bela, "vote.end.begin")
    bela.press(bela.button("vote.end.ask"))
    says(ada, "vote.end.question", who="Bela")
    ada.press(ada.button("vote.yes", ada.bar))
    for person in (ada, bela):
        expect(person.end).to_contain_text(person.say("ui.status.ended"))
        expect(person.button("ui.end.replay", person.end)).to_be_visible()
    ada.close(ada.end)
    log_tells(ada, "note.end")
    ada.home()
    expect(ada.page.get_by_role("link").filter(has_text=ada.say("ui.status.ended")).first).to_be_visible()


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_the_time_is_chosen_in_words(house: House, visitor: Invite, language: str, phone: bool) -> None:
    ada = visitor(house, Alhambra, language=language, phone=phone)
    ada.page.goto("/#/new/alhambra")
    ada.choose("time.set", "time.set.days")
    ada.choose("time.set.days.how", "time.set.own")
    ada.page.get_by_label(ada.say("time.set.days.step")).fill("36")
    ada.choose("time.set.then", "time.set.then.ask")
    expect(ada.page.get_by_text(ada.say("time.set.nights.told"))).to_be_visible()
    assert [*look(ada, "set-up with time", THEMES)] == []
    with ada.page.expect_request(lambda request: request.method == "POST") as made:
        ada.press(ada.button("ui.setup.start"))
    time = (made.value.post_data_json or {})["time"]
    assert (time["kind"], time["reserve"], time["step"], time["then"]) == ("days", 259_200, 129_600, "ask")
    assert time["nights"]
    assert time["vacation"] == 7
    ada.at_table()
    expect(ada.bar.get_by_role("button", name=ada.say("time.yours"))).to_be_visible()
