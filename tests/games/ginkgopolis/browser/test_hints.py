"""What a Master would do, where everybody decides at once: what others do meanwhile takes no answer away."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.prepared import make
from tests.browser.together import sit_down
from tests.games.ginkgopolis.browser.person import Ginkgopolis


def test_a_hint_stays_while_its_question_does(house_of_masters: House, visitor: Invite) -> None:
    house = house_of_masters
    house.until_advisers_are_ready("ginkgopolis")
    ada = visitor(house, Ginkgopolis, name="Ada")
    bela = visitor(house, Ginkgopolis, name="Béla", language="hu")
    table = make(house.base, "ginkgopolis", "me", "open", hints=True)
    ada.become(table.cookie)
    ada.page.goto(table.path)
    sit_down(ada, bela)
    asks, plays, declines = (ada.button(f"ui.hint.{key}", ada.bar) for key in ("ask", "play", "dismiss"))
    assert ada.my_turn()

    ada.press(asks)
    expect(plays).to_be_visible()
    said = ada.bar.get_by_role("status")
    answer = said.inner_text()
    bela.play()
    ada.catch_up(bela.seq)
    expect(said).to_have_text(answer)
    expect(plays).to_be_visible()

    # Asked again, it is the same one; another thought would deal the hidden cards anew and find other chances.
    ada.press(declines)
    expect(said).to_have_count(0)
    ada.press(asks)
    expect(said).to_have_text(answer)
    hints = [message["advice"] for message in ada.heard if message["type"] == "hint"]
    assert len(hints) == 2
    assert hints[0] == hints[1]
    before = ada.seq
    ada.press(plays)
    ada.catch_up(before + 1)
    expect(plays).to_have_count(0)
