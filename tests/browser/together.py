"""What two people at one table do in any game: invite, sit down, lose the line, see the end and play again."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable

from playwright.sync_api import expect
from tests.browser.house import House
from tests.browser.person import Person
from tests.browser.prepared import Table

Points = dict[int, list[int]]
"""What every seat got, by source, and in total."""


def sit_down(host: Person, *guests: Person, laid: bool = False) -> None:
    """The host is in the waiting room and invites; the guests sit down, and only the host may start."""
    link = copy_link(host)
    for guest in guests:
        guest.page.goto(link)
        expect(guest.page.get_by_role("heading", level=1)).to_have_text(
            guest.say("ui.invite.from", host=host.name, game=guest.say("name"))
        )
        expect(guest.page.get_by_text(guest.say("ui.laid.title"))).to_have_count(int(laid))
        guest.page.get_by_label(guest.say("ui.invite.name")).fill(guest.name)
        guest.press(guest.button("ui.invite.join"))
        expect(host.page.get_by_text(guest.name, exact=True).first).to_be_visible()
        expect(guest.button("ui.wait.start")).to_have_count(0)
    expect(guests[-1].page.get_by_text(guests[-1].say("ui.wait.for_host", host=host.name))).to_be_visible()
    host.press(host.button("ui.wait.start"))
    for person in (host, *guests):
        person.at_table()
        assert person.page.url == host.page.url
        sign = person.page.get_by_role("img", name=person.say("ui.laid.title"), exact=True)
        expect(sign.filter(visible=True)).to_have_count(int(laid))


def sit_down_at(table: Table, host: Person, *guests: Person) -> None:
    """At a table that was laid out, which everybody is told."""
    host.become(table.cookie)
    host.page.goto(table.path)
    sit_down(host, *guests, laid=True)


def copy_link(host: Person) -> str:
    """The invitation, by the button that copies it."""
    link = host.page.get_by_role("textbox", name=host.say("ui.wait.invite"))
    expect(link).to_have_value(re.compile(r"#/join/\w+/[\w-]+$"))
    host.press(host.button("ui.wait.copy"))
    expect(host.button("ui.common.copied")).to_be_visible()
    copied = host.page.evaluate("navigator.clipboard.readText()")
    assert copied == link.input_value()
    return str(copied)


def reload_goes_on_where_it_was(person: Person) -> bool:
    for _ in range(3):  # others may move meanwhile
        before = person.picture()
        person.reload()
        person.at_table()
        expect(person.bar).not_to_have_attribute("data-seq", "0")
        for _ in range(40):  # what few tables need comes a moment after the board
            if person.picture() == before:
                return True
            person.page.wait_for_timeout(50)
    assert person.picture() == before
    return True


def a_power_cut_loses_nothing(house: House, *people: Person) -> bool:
    """`kill -9`, and the same data folder and port again: the pages notice, say so and mend themselves."""
    before = [person.picture() for person in people]
    for person in people:
        person.patient = True
    house.power_cut()
    for person in people:
        expect(person.bar).to_contain_text(person.say("ui.live.lost"))
    house.open()
    for person in people:
        expect(person.bar).not_to_contain_text(person.say("ui.live.lost"))
        person.patient = False
    assert [person.picture() for person in people] == before
    return True


def an_undo_is_asked_for(asker: Person, other: Person, before: list[str]) -> bool:
    """After a move that showed something: refused, it stands; agreed to, the other sees the table as before it."""
    after = other.picture()
    assert after != before
    # Against bots alone it would be said that nobody has to be asked.
    expect(asker.button("ui.undo.free", asker.bar)).to_have_accessible_description("")
    asker.press(asker.button("ui.undo.free", asker.bar))
    expect(asker.bar).to_contain_text(asker.say("ui.error.undo_asks"))
    assert other.picture() == after, "nobody is told before they are asked"
    for answer, then in (("undo.no", after), ("vote.yes", before)):
        asker.press(asker.button("ui.undo.ask", asker.bar))
        for person, key in ((asker, "undo.own"), (other, "undo.question")):
            says = person.say(key, who=asker.name, whom=[other.name], move="|").partition("|")[0]
            expect(person.bar).to_contain_text(says)
        asked = other.seq
        other.press(other.button(answer, other.bar))
        for person in (asker, other):
            person.catch_up(asked + 1)
        assert other.picture() == then
        if then is after:
            expect(asker.bar).to_contain_text(asker.say("note.undo_no", who=other.name))
    return True


def see_the_same_end(people: list[Person], bots: list[str], read: Callable[[Person, dict[str, int]], Points]) -> None:
    """Everybody sees the same points, each in their own words, and who won."""
    ends = []
    for you, person in enumerate(people):
        expect(person.end).to_be_visible()
        called = [*(somebody.name for somebody in people), *(person.say(f"ui.bot.{bot}") for bot in bots)]
        points = read(person, {name: seat for seat, name in enumerate(called)})
        assert sorted(points) == list(range(len(called)))
        for seat, earned in points.items():
            assert sum(earned[:-1]) == earned[-1], f"{called[seat]}: {earned} do not add up"
        best = max(earned[-1] for earned in points.values())
        winners = [seat for seat, earned in sorted(points.items()) if earned[-1] == best]
        if len(winners) == 1:  # with equal points each game has its own way to tell
            expect(person.end).to_contain_text(_headline(person, you, winners[0], called))
        ends.append(points)
    assert all(points == ends[0] for points in ends)


def _headline(person: Person, you: int, winner: int, called: list[str]) -> str:
    if winner == you:
        return person.say("ui.end.you_won")
    return person.say("ui.end.won", called.__getitem__, winners=[winner])


def play_again(host: Person, *guests: Person) -> None:
    """Whoever asks first waits at the new table for the others; with the last of them the game begins."""
    table = host.page.url
    host.press(host.button("ui.end.rematch", host.end))
    expect(host.end).to_have_count(0)
    if guests:
        expect(host.page.get_by_text(host.say("again.asked"))).to_have_count(len(guests))
    for guest in guests:
        guest.press(guest.button("ui.end.rematch_go", guest.end))
    for person in (host, *guests):
        person.at_table()
        expect(person.page).to_have_url(host.page.url)
    assert host.page.url != table


def the_shuffle_can_be_checked(person: Person) -> None:
    """What was fixed before the first move is what the seed and the salt make, and the replay tells the rest."""
    person.press(person.end.locator("summary").filter(has_text=person.say("ui.end.seed")))
    seed, salt, fingerprint = person.end.get_by_role("definition").all_inner_texts()
    assert hashlib.sha256(bytes.fromhex(salt) + bytes.fromhex(seed)).hexdigest() == fingerprint
    with person.page.expect_download() as download:
        person.press(person.page.get_by_role("link", name=person.say("ui.end.download")))
    assert seed in download.value.path().read_text()
