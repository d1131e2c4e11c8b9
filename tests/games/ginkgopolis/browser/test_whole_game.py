"""Ginkgopolis to the end, by clicking and nothing else: two browsers and a bot."""

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

SOURCES = ("stock", "cards", "tokens", "districts")


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


def breakdown(person: Person, names: dict[str, int]) -> Points:
    """The points of every seat by where they come from, and in total."""
    table = person.end.get_by_role("table", name=person.say("label.breakdown"))
    expect(table).to_be_visible()  # it comes a little after the dialog
    points: Points = {}
    for row in table.get_by_role("row").all()[1:]:
        called = row.get_by_role("rowheader").inner_text().strip()
        points[names[called]] = [int(cell) for cell in row.get_by_role("cell").all_inner_texts()]
    for source in SOURCES:
        heading = re.compile(f"(^| ){re.escape(person.say(f'tally.{source}'))}$")
        expect(table.get_by_role("columnheader", name=heading)).to_have_count(1)
    expect(table.get_by_role("columnheader")).to_have_count(len(SOURCES) + 2)
    return points
