"""Ginkgopolis to the end, by clicking and nothing else: two browsers and a bot, and one person against Hal."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.prepared import lay
from tests.browser.together import Points, play_again, reload_goes_on_where_it_was, see_the_same_end, sit_down_at
from tests.games.ginkgopolis.browser.person import Ginkgopolis


def test_two_browsers_and_a_bot_play_to_the_end(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, language="en", name="Ada")
    bela = visitor(house, Ginkgopolis, language="hu", phone=True, name="Béla")
    sit_down_at(lay(house.base, "ginkgopolis", "together", "me", "open", "mason"), ada, bela)
    seen = play_to_the_end(ada, bela)
    for what in ("exploit", "urbanize", "construct", "move", "reload"):
        assert seen[what], f"{what} was never seen in {seen}"
    see_the_same_end([ada, bela], ["mason"], breakdown)
    play_again(ada, bela)


def play_to_the_end(*people: Ginkgopolis) -> Counter[str]:
    """Play for all; return what was seen."""
    seen: Counter[str] = Counter()
    first = people[0]
    while not (state := first.state)["view"]["finished"]:
        awaited = [seat for seat in state["view"]["actors"] if seat < len(people)]
        if not awaited:  # a bot is thinking, or has just moved
            first.catch_up(state["seq"] + 1)
            continue
        person = people[awaited[-1] if seen["moves"] % 2 else awaited[0]]
        person.catch_up(first.seq)
        assert person.my_turn()
        seen["moves"] += 1
        if seen["moves"] == 3:
            seen["reload"] += sum(reload_goes_on_where_it_was(one) for one in people)
        person.rather = [kind for kind in ("urbanize", "construct", "exploit") if not seen[kind]]
        seen[person.play()] += 1
        first.catch_up(person.seq)
    for person in people:
        person.catch_up(first.seq)
    return seen


def test_one_person_and_expert_hal_play_to_the_end(house: House, visitor: Invite) -> None:
    ada = visitor(house, Ginkgopolis, language="hu", phone=True, name="Ada")
    ada.come_to(lay(house.base, "ginkgopolis", "solo"))
    assert ada.state["table"]["options"]["hal"] == "expert"
    hal = ada.page.get_by_role("button", name=re.compile(re.escape(ada.say("ui.table.opponents"))))
    expect(hal).to_contain_text(ada.say("label.neutral"))
    seen = play_to_the_end(ada)
    for what in ("exploit", "urbanize", "construct", "move"):
        assert seen[what], f"{what} was never seen in {seen}"
    hal_and_ada_are_counted(ada)


def hal_and_ada_are_counted(ada: Ginkgopolis) -> None:
    """Who has won is said, and where all points come from: in the table, district by district and card by card."""
    expect(ada.end).to_be_visible()
    points = breakdown(ada, {"Ada": 0, ada.say("label.neutral"): 1})
    state = ada.state
    assert [points[seat][-1] for seat in (0, 1)] == [builder["points"] for builder in state["view"]["builders"]]
    for earned in points.values():
        assert sum(earned[:-1]) == earned[-1]
    verdict = "hal.beaten" if points[0][-1] > points[1][-1] else "hal.won"
    expect(ada.end).to_contain_text(ada.say(verdict))
    expect(ada.end).to_contain_text(ada.say("hal.tie"))
    for source in ("cards", "districts"):
        column = sources_of(ada).index(source)
        listed = ada.end.get_by_role("region", name=ada.say(f"tally.{source}"), exact=True)
        lines = listed.get_by_role("paragraph").all_inner_texts() if listed.count() else []
        for seat, called in ((0, "Ada"), (1, ada.say("label.neutral"))):
            gained = [int(line.rpartition("+")[2]) for line in lines if "+" in line and called in line]
            assert sum(gained) == points[seat][column], (source, called, lines)


def sources_of(person: Person) -> list[str]:
    """Where points come from; who plays alone has no new-hand tokens."""
    alone = person.state["view"]["players"] == 1
    return ["stock", "cards", "districts"] if alone else ["stock", "cards", "tokens", "districts"]


def breakdown(person: Person, names: dict[str, int]) -> Points:
    """The points of every seat by where they come from, and in total."""
    table = person.end.get_by_role("table", name=person.say("label.breakdown"))
    expect(table).to_be_visible()  # it comes a little after the dialog
    points: Points = {}
    for row in table.get_by_role("row").all()[1:]:
        called = row.get_by_role("rowheader").inner_text().strip()
        points[names[called]] = [int(cell) for cell in row.get_by_role("cell").all_inner_texts()]
    for source in sources_of(person):
        heading = re.compile(f"(^| ){re.escape(person.say(f'tally.{source}'))}$")
        expect(table.get_by_role("columnheader", name=heading)).to_have_count(1)
    expect(table.get_by_role("columnheader")).to_have_count(len(sources_of(person)) + 2)
    return points
