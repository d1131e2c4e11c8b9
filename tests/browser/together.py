"""What two people at one table do in any game: invite, sit down, lose the line, see the end and play again."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect
from tests.browser.house import House
from tests.browser.person import Person

Points = dict[int, list[int]]
"""What every seat got, by source, and in total."""


def sit_down(host: Person, guest: Person, *bots: str, **options: str) -> None:
    """The host wants it quick, sets up a table and invites; the guest sits down, and only the host may start."""
    host.home()
    host.press(host.button("ui.settings.title"))
    settings = host.drawer("ui.settings.title")
    host.choose("ui.settings.speed", "ui.settings.speed.0")
    host.close(settings)
    host.set_up("open", *bots, name=host.name, **options)
    guest.page.goto(copy_link(host))
    expect(guest.page.get_by_role("heading", level=1)).to_have_text(
        guest.say("ui.invite.from", host=host.name, game=guest.say("name"))
    )
    guest.page.get_by_label(guest.say("ui.invite.name")).fill(guest.name)
    guest.press(guest.button("ui.invite.join"))
    expect(guest.page.get_by_text(guest.say("ui.wait.for_host", host=host.name))).to_be_visible()
    expect(guest.button("ui.wait.start")).to_have_count(0)
    expect(host.page.get_by_text(guest.name)).to_be_visible()
    host.press(host.button("ui.wait.start"))
    host.at_table()
    guest.at_table()
    assert guest.page.url == host.page.url


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
    before = person.picture()
    person.page.reload()
    person.at_table()
    expect(person.bar).not_to_have_attribute("data-seq", "0")
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


def play_again(host: Person, guest: Person) -> None:
    """Whoever asks second comes to the table of whoever asked first."""
    table = host.page.url
    host.press(host.button("ui.end.rematch", host.end))
    expect(host.end).to_have_count(0)
    host.at_table()
    assert host.page.url != table
    guest.press(guest.button("ui.end.rematch_go", guest.end))
    guest.at_table()
    expect(guest.page).to_have_url(host.page.url)
