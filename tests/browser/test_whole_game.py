"""Two people with browsers of their own and a bot play a whole game of Alhambra, by clicking and nothing else."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import expect
from tests.browser.conftest import Invite
from tests.browser.house import House
from tests.browser.person import Person


def test_two_browsers_and_a_bot_play_a_whole_game(own_house: House, visitor: Invite) -> None:
    ada: Person = visitor(own_house, language="en", speed=None, name="Ada")
    bela: Person = visitor(own_house, language="hu", phone=True, name="Béla")

    # Ada wants it quick, sets up a table and invites.
    ada.home()
    ada.press(ada.button("ui.settings.title"))
    settings = ada.drawer("ui.settings.title")
    ada.choose("ui.settings.speed", "ui.settings.speed.0")
    ada.close(settings)
    ada.set_up("open", "greedy", name="Ada")
    link = copy_link(ada)

    # Béla sits down on the free seat; only Ada may start.
    bela.page.goto(link)
    expect(bela.page.get_by_role("heading", level=1)).to_have_text(
        bela.say("ui.invite.from", host="Ada", game=bela.say("name"))
    )
    bela.page.get_by_label(bela.say("ui.invite.name")).fill("Béla")
    bela.press(bela.button("ui.invite.join"))
    expect(bela.page.get_by_text(bela.say("ui.wait.for_host", host="Ada"))).to_be_visible()
    expect(bela.button("ui.wait.start")).to_have_count(0)
    expect(ada.page.get_by_text("Béla")).to_be_visible()
    ada.press(ada.button("ui.wait.start"))
    ada.at_table()
    bela.at_table()
    table = ada.page.url
    assert bela.page.url == table

    seen = play_to_the_end(ada, bela, own_house)
    for what in ("impossible", "changed payment", "taken back", "exact", "reload", "power cut"):
        assert seen[what], f"{what} was never seen in {seen}"

    # Both see the same end, each in their own words.
    names = {"Ada": 0, "Béla": 1, ada.say("ui.bot.greedy"): 2}
    theirs = {"Ada": 0, "Béla": 1, bela.say("ui.bot.greedy"): 2}
    points = breakdown(ada, names)
    assert breakdown(bela, theirs) == points
    winners = [seat for seat, won in points.items() if won[-1] == max(total[-1] for total in points.values())]
    expect(ada.end).to_contain_text(headline(ada, 0, winners, names))
    expect(bela.end).to_contain_text(headline(bela, 1, winners, theirs))

    # Once more: whoever asks second comes to the table of whoever asked first.
    ada.press(ada.button("ui.end.rematch", ada.end))
    expect(ada.end).to_have_count(0)
    ada.at_table()
    assert ada.page.url != table
    bela.press(bela.button("ui.end.rematch_go", bela.end))
    bela.at_table()
    expect(bela.page).to_have_url(ada.page.url)


def copy_link(host: Person) -> str:
    """The invitation, by the button that copies it."""
    link = host.page.get_by_role("textbox", name=host.say("ui.wait.invite"))
    expect(link).to_have_value(re.compile(r"#/join/\w+/[\w-]+$"))
    host.press(host.button("ui.wait.copy"))
    expect(host.button("ui.common.copied")).to_be_visible()
    copied = host.page.evaluate("navigator.clipboard.readText()")
    assert copied == link.input_value()
    return str(copied)


def play_to_the_end(ada: Person, bela: Person, house: House) -> Counter[str]:
    """Play for both; try on the way what people try. Return what was seen."""
    seen: Counter[str] = Counter()
    waiting_for_bela = ada.say("ui.table.waiting_for", seats=["Béla"])
    over = ada.say("ask.finished")
    while (said := ada.until(*ada.asks, waiting_for_bela, over)) != over:
        person = bela if said == waiting_for_bela else ada
        assert person.my_turn()
        seen["moves"] += 1
        if not seen["impossible"]:
            seen["impossible"] += an_impossible_building_says_why(person)
        if not seen["changed payment"] and person is bela:
            seen["changed payment"] += the_payment_can_be_changed_and_taken_back(person)
            seen["taken back"] += seen["changed payment"]
        if seen["moves"] == 6:
            seen["reload"] += reload_goes_on_where_it_was(ada)
        if seen["moves"] == 9:
            seen["power cut"] += a_power_cut_loses_nothing(house, ada, bela)
        # Once a payment was exact, time is dearer than money.
        seen[person.play(hurry=seen["exact"] > 0)] += 1
        ada.catch_up(bela.seq)
    expect(ada.end).to_be_visible()
    expect(bela.end).to_be_visible()
    return seen


def an_impossible_building_says_why(person: Person) -> bool:
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


def the_payment_can_be_changed_and_taken_back(person: Person) -> bool:
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


def reload_goes_on_where_it_was(person: Person) -> bool:
    before = picture(person)
    person.page.reload()
    person.at_table()
    expect(person.bar).not_to_have_attribute("data-seq", "0")
    assert picture(person) == before
    return True


def a_power_cut_loses_nothing(house: House, *people: Person) -> bool:
    """`kill -9`, and the same data folder and port again: the pages notice, say so and mend themselves."""
    before = [picture(person) for person in people]
    for person in people:
        person.patient = True
    house.power_cut()
    for person in people:
        expect(person.bar).to_contain_text(person.say("ui.live.lost"))
    house.open()
    for person in people:
        expect(person.bar).not_to_contain_text(person.say("ui.live.lost"))
        person.patient = False
    assert [picture(person) for person in people] == before
    return True


def picture(person: Person) -> list[str]:
    """What lies on the table, as it is read aloud."""
    regions = ("label.market", "label.open_money", "label.hand", "label.your_buildings")
    return [person.region(region).aria_snapshot() for region in regions]


def breakdown(person: Person, names: dict[str, int]) -> dict[int, list[int]]:
    """The points of every seat by scoring and in total, after checking that every sum is right."""
    table = person.end.get_by_role("table", name=person.say("label.breakdown"))
    points: dict[int, list[int]] = {}
    for row in table.get_by_role("row").all()[1:]:
        seat = names[row.get_by_role("rowheader").inner_text().strip()]
        points[seat] = [int(cell.inner_text()) for cell in row.get_by_role("cell").all()]
        assert sum(points[seat][:-1]) == points[seat][-1], f"{points[seat]} do not add up"
    assert sorted(points) == sorted(names.values())
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


def headline(person: Person, you: int, winners: list[int], names: dict[str, int]) -> str:
    called = {seat: name for name, seat in names.items()}
    if you not in winners:
        return person.say("ui.end.won", called.__getitem__, winners=winners)
    if winners == [you]:
        return person.say("ui.end.you_won")
    return person.say("ui.end.you_shared", seats=[called[seat] for seat in winners if seat != you])
