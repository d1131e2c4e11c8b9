"""Two people with browsers of their own and a bot play a game of Alhambra to its end, by clicking and nothing else."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.prepared import lay
from tests.browser.together import (
    Points,
    a_power_cut_loses_nothing,
    an_undo_is_asked_for,
    play_again,
    reload_goes_on_where_it_was,
    see_the_same_end,
    sit_down_at,
)
from tests.games.alhambra.browser.person import Alhambra


def test_two_browsers_and_a_bot_play_to_the_end(own_house: House, visitor: Invite) -> None:
    ada = visitor(own_house, Alhambra, language="en", name="Ada")
    bela = visitor(own_house, Alhambra, language="hu", phone=True, name="Béla")
    sit_down_at(lay(own_house.base, "alhambra", "ending", "me", "open", "mason"), ada, bela)
    seen = play_to_the_end(ada, bela, own_house)
    for what in ("impossible", "changed payment", "taken back", "exact", "reload", "power cut", "undo"):
        assert seen[what], f"{what} was never seen in {seen}"
    see_the_same_end([ada, bela], ["mason"], breakdown)
    play_again(ada, bela)


def play_to_the_end(ada: Alhambra, bela: Alhambra, house: House) -> Counter[str]:
    """Play for both; try on the way what people try. Return what was seen."""
    seen: Counter[str] = Counter()
    while person := ada.whose_turn(bela):
        assert isinstance(person, Alhambra)
        assert person.my_turn()
        seen["moves"] += 1
        if not seen["impossible"]:
            seen["impossible"] += an_impossible_building_says_why(person)
        if not seen["changed payment"] and person is bela:
            seen["changed payment"] += the_payment_can_be_changed_and_taken_back(person)
            seen["taken back"] += seen["changed payment"]
        if seen["moves"] == 2:
            seen["reload"] += reload_goes_on_where_it_was(ada)
        if seen["moves"] == 3:
            seen["power cut"] += a_power_cut_loses_nothing(house, ada, bela)
        before = bela.picture()
        # Once a payment was exact, time is dearer than money.
        seen[person.play(hurry=seen["exact"] > 0)] += 1
        for other in (ada, bela):
            other.catch_up(person.seq)
        waits = ada.state["can_undo"] == "free" and not ada.state["decision"]["legal"]
        if person is ada and not seen["undo"] and waits:
            seen["undo"] += an_undo_is_asked_for(ada, bela, before)
    return seen


def an_impossible_building_says_why(person: Alhambra) -> bool:
    """LOOK 3: what you cannot do does not answer with silence."""
    for building in person.impossible(person.yard):
        person.press(building)
        # "{price} {currency} needed, you have {total}.", with the price of this building
        pattern = re.escape(person.say("refuse.buy_money"))
        for number, placeholder in (("price", r"\d+"), ("total", r"\d+"), ("currency", r"\S+")):
            pattern = pattern.replace(re.escape(f"{{{number}}}"), placeholder)
        expect(person.bar.get_by_role("alert")).to_have_text(re.compile(pattern))
        expect(person.button("confirm.keep", person.bar)).to_have_count(0)
        return True
    return False


def the_payment_can_be_changed_and_taken_back(person: Alhambra) -> bool:
    """The cards that are suggested are a suggestion: each can be put back and chosen again."""
    for building in person.possible(person.yard):
        person.offer(building)
        said = person.bar.inner_text()
        suggested = person.chosen(person.hand)
        assert suggested
        person.press(suggested[0])
        missing = person.say("preview.short").rpartition("{missing}")[2].strip()
        expect(person.bar).to_contain_text(missing)
        expect(person.button("confirm.keep", person.bar)).to_have_count(0)
        person.press(suggested[0])
        expect(person.button("confirm.keep", person.bar)).to_be_visible()
        assert person.bar.inner_text() == said
        person.take_back()
        assert person.chosen(person.hand) == []
        return True
    return False


def breakdown(person: Person, names: dict[str, int]) -> Points:
    """The points of every seat by scoring and in total, after checking that the reasons add up to each."""
    table = person.end.get_by_role("table", name=person.say("label.breakdown"))
    expect(table).to_be_visible()  # it comes a little after the dialog
    points: Points = {}
    for row in table.get_by_role("row").all()[1:]:
        seat = names[row.get_by_role("rowheader").inner_text().strip()]
        points[seat] = [int(cell.inner_text()) for cell in row.get_by_role("cell").all()]
    rounds = [heading.inner_text() for heading in table.get_by_role("columnheader").all()[1:-1]]
    assert rounds[-1] == "C"
    for at, letter in enumerate(rounds):
        summary = person.end.get_by_text(f"{person.say(f'label.scoring.{letter}')}: {person.say('scoring.why.title')}")
        person.press(summary)
        for name, seat in names.items():
            lines = person.end.locator("details[open] p").filter(has_text=f"{name}.")
            earned = [int(re.findall(r"\d+", line)[-1]) for line in lines.all_inner_texts()]
            assert sum(earned) == points[seat][at], f"{name} in {letter}: {earned} is not {points[seat][at]}"
        person.press(summary)
    return points
