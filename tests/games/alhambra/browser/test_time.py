"""The time that a table has is chosen in words."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, THEMES, look
from tests.games.alhambra.browser.person import Alhambra


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
