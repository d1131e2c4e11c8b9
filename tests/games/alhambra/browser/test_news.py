"""Whoever has moved and waits for somebody is asked, once and quietly, whether this browser shall tell them."""

from __future__ import annotations

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import THEMES, look
from tests.browser.together import sit_down
from tests.games.alhambra.browser.every_page import UNDECIDED
from tests.games.alhambra.browser.person import Alhambra


def play_until_it_is_the_others_turn(mover: Alhambra, other: Alhambra) -> None:
    """Somebody may be next again."""
    while mover.whose_turn(other) is mover:
        mover.play()
        other.catch_up(mover.seq)


def test_whoever_waits_for_somebody_after_a_move_is_asked_once(house: House, visitor: Invite) -> None:
    ada, ben = visitor(house, Alhambra, name="Ada"), visitor(house, Alhambra, name="Ben")
    asked: list[str] = []
    for person in (ada, ben):
        person.page.add_init_script(UNDECIDED)
        person.page.goto("about:blank")
        person.page.on("request", lambda request: asked.append(request.url) if "/me/news" in request.url else None)
    ada.home()
    ada.set_up("open", name="Ada")
    sit_down(ada, ben)
    first = ada.whose_turn(ben)
    assert isinstance(first, Alhambra)
    question = first.page.get_by_text(first.say("news.ask.question"))
    expect(question).to_have_count(0)
    second = ben if first is ada else ada
    play_until_it_is_the_others_turn(first, second)
    expect(question).to_be_visible()
    assert (asked, first.page.evaluate("globalThis.questions ?? 0")) == ([], 0), (
        "nothing is asked for before somebody says so"
    )
    assert [*look(first, "asked", THEMES)] == []
    first.press(first.button("news.ask.yes"))
    expect(first.page.get_by_text(first.say("news.set.push_refused"))).to_be_visible()
    first.press(first.button("news.ask.close"))
    expect(question).to_have_count(0)
    play_until_it_is_the_others_turn(second, first)
    play_until_it_is_the_others_turn(first, second)
    expect(second.your_turn).to_be_attached()
    expect(second.page.get_by_text(second.say("news.ask.question"))).to_be_visible()
    second.press(second.button("news.ask.no"))
    expect(question).to_have_count(0)
