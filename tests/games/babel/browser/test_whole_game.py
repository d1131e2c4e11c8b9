"""Three people with browsers of their own play a whole game of Tower of Babel, by clicking and nothing else."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import Theme, look
from tests.browser.person import Person
from tests.browser.sofa import hand_to_and_fro, on_one_device
from tests.browser.together import (
    Points,
    play_again,
    reload_goes_on_where_it_was,
    see_the_same_end,
    sit_down,
    the_shuffle_can_be_checked,
)
from tests.games.babel.browser.person import Babel

WANTED = ("pass", "choose", "offer", "trade", "accept", "reload", "face down")


def test_three_browsers_play_a_whole_game(house: House, visitor: Invite) -> None:
    ada = visitor(house, Babel, language="en", name="Ada")
    bela = visitor(house, Babel, language="hu", phone=True, name="Béla")
    cili = visitor(house, Babel, language="de", theme="dark", name="Cili")
    people = [ada, bela, cili]
    ada.set_up("open", "open", name="Ada")
    sit_down(ada, bela, cili)

    seen = play_to_the_end(people)
    for what in WANTED:
        assert seen[what], f"{what} was never seen in {seen}"
    see_the_same_end(list(people), [], breakdown)
    for seat, person in enumerate(people):
        nothing_secret_was_heard(person, seat)
    # All other tables that tests look at were laid out, and have no seed to be shown.
    looks: list[tuple[Babel, Theme]] = [(ada, "light"), (bela, "dark")]
    for person, theme in looks:
        the_shuffle_can_be_checked(person)
        assert list(look(person, "end of a game that was dealt", (theme,))) == []
    play_again(ada, bela, cili)


def test_two_on_a_sofa_hide_their_hands_from_each_other(house: House, visitor: Invite) -> None:
    ada = visitor(house, Babel, language="hu", phone=True)
    on_one_device(ada, "mason")
    curtains, movers = hand_to_and_fro(ada, ada.play, 6)
    assert movers == 2
    assert curtains >= 3


def play_to_the_end(people: list[Babel]) -> Counter[str]:
    """Play for all; try on the way what people try. Return what was seen."""
    seen: Counter[str] = Counter()
    while person := asked(people):
        # When everything has been seen, six turns in which nobody builds are the quickest end.
        person.idles = all(seen[what] for what in WANTED if what != "pass")
        assert person.my_turn()
        seen["moves"] += 1
        if person.state["view"]["phase"] == "offer":
            if seen["moves"] % 5 == 0:
                seen["reload"] += reload_goes_on_where_it_was(person) if not seen["reload"] else 0
            person.trades = seen["moves"] % 3 == 0
            seen["face down"] += any(builder["offer"] for builder in person.state["view"]["builders"])
        seen[person.play()] += 1
        for other in people:
            other.catch_up(person.seq)
    return seen


def asked(people: list[Babel]) -> Babel | None:
    """Who has to decide, None at the end. What the rules force is answered by the server: until then nobody has to."""
    while True:
        newest = max((person.state for person in people), key=lambda state: int(state["seq"]))
        if newest["view"]["finished"]:
            return None
        for person in people:
            person.catch_up(newest["seq"])
            decision = person.state["decision"]
            if decision["legal"] and not decision["forced"]:
                return person
        people[0].catch_up(newest["seq"] + 1)


def nothing_secret_was_heard(person: Babel, seat: int) -> None:
    """In all that came over the socket: no card of another hand, no offer before the last one was in."""
    for message in person.heard:
        if message["type"] != "update" or not message["view"]:
            continue
        for event in message["events"]:
            assert not event.get("private") or event["seat"] == seat, event
        for builder in message["view"]["builders"]:
            if builder["seat"] == seat:
                continue
            assert builder["hand"] is None
            assert builder["actions"] is None
            if message["view"]["phase"] == "offer" and builder["offer"]:
                assert builder["offer"]["cards"] is None
                assert builder["offer"]["trade"] is None


def breakdown(person: Person, names: dict[str, int]) -> Points:
    """The points of every seat by where they come from, and in total."""
    table = person.end.get_by_role("table").first
    expect(table).to_be_visible()  # it comes a little after the dialog
    points: Points = {}
    for row in table.get_by_role("row").all()[1:]:
        called = row.get_by_role("rowheader").inner_text().split("\n")[0].strip()
        if called in names:
            points[names[called]] = [int(cell) for cell in row.get_by_role("cell").all_inner_texts()]
    return points
