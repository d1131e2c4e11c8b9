"""Every state and drawer of a table of Alhambra."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import expect
from tests.browser.every_page import drawer, log, opponents, stepping
from tests.browser.prepared import begin, lay, make, move, play_on, seat_guest, send
from tests.games.alhambra.browser.person import Alhambra

PLAYER = Alhambra


def at_the_table(ada: Alhambra) -> Iterator[str]:
    ada.sit("late")
    yield "table"
    ada.press(ada.impossible(ada.yard)[0])
    expect(ada.bar.get_by_role("alert")).to_be_visible()
    yield "refused"
    ada.offer(ada.possible(ada.yard)[0])
    yield "payment chosen"
    ada.take_back()
    ada.press(ada.possible(ada.open_money)[0])
    expect(ada.button("confirm.take", ada.bar)).to_be_visible()
    yield "money chosen"
    ada.take_back()
    ada.press(ada.page.get_by_role("button", name=ada.say("label.discard")))
    yield from drawer(ada, "label.discard", "discard pile")
    yield from opponents(ada)
    yield from log(ada)
    if ada.sees(ada.button("ui.table.log")):  # in which the scorings are
        ada.press(ada.button("ui.table.log"))
    why = f"{ada.say('label.scoring.A')}: {ada.say('scoring.why.title')}"
    ada.press(ada.page.get_by_role("button", name=why))
    yield from drawer(ada, "label.scoring.A", "why these points")


def with_a_neutral_player(ada: Alhambra) -> Iterator[str]:
    ada.sit("neutral")
    yield "neutral player"
    ada.offer(ada.possible(ada.yard)[0])
    yield "building for whom"


def at_the_end(ada: Alhambra) -> Iterator[str]:
    ada.come_to(play_on(ada.base, lay(ada.base, "alhambra", "ending", cookie=ada.cookie)))
    expect(ada.end).to_be_visible()
    for letter in "ABC":
        label = f"{ada.say(f'label.scoring.{letter}')}: {ada.say('scoring.why.title')}"
        ada.press(ada.end.get_by_text(label))
    expect(ada.end).to_contain_text(ada.say("ui.laid.title"))
    yield "end"
    yield from stepping(ada)


def by_the_clock(ada: Alhambra) -> Iterator[str]:
    """Clocks, and what people ask each other."""
    table = make(
        ada.base, "alhambra", "me", "open", cookie=ada.cookie, time={"kind": "live", "reserve": 3600, "step": 15}
    )
    guest = seat_guest(ada.base, table, ada.company[0])
    begin(ada.base, table)
    ada.come_to(table)
    yield "clocks"
    ada.press(ada.bar.get_by_role("button", name=ada.say("time.yours")))
    yield from drawer(ada, "time.yours", "what can be asked")
    for kind, more in (("end", {}), ("pause", {"seconds": 300})):
        send(ada.base, table, guest, type=f"ask_{kind}", **more)
        yes, no = (ada.button(f"vote.{answer}", ada.bar) for answer in ("yes", "no"))
        expect(yes).to_be_visible()
        yield f"{kind} asked for"
        ada.press(no if kind == "end" else yes)
        expect(yes).to_have_count(0)
    expect(ada.button("vote.resume", ada.bar)).to_be_visible()
    yield "paused"


def by_days(ada: Alhambra) -> Iterator[str]:
    """Days to think, days off, and the question whether one wants to be told."""
    ada.page.goto("/#/new/alhambra")
    ada.choose("time.set", "time.set.days")
    ada.choose("time.set.days.how", "time.set.own")
    ada.choose("time.set.then", "time.set.then.ask")
    yield "set-up with time"
    days = {"kind": "days", "reserve": 259_200, "step": 86_400, "nights": True, "vacation": 7}
    table = make(ada.base, "alhambra", "me", "open", cookie=ada.cookie, time=days)
    guest = seat_guest(ada.base, table, ada.company[0])
    begin(ada.base, table)
    ada.page.add_init_script(UNDECIDED)
    ada.page.goto("about:blank")
    ada.come_to(table)
    yield "days"
    ada.press(ada.button("ui.settings.title").filter(visible=True))
    ada.press(ada.button("vote.vacation.take"))
    expect(ada.button("vote.off.end", ada.bar)).to_be_visible()
    yield "days off"
    ada.press(ada.button("vote.off.end", ada.bar))
    while ada.state["table"]["actors"] != [0]:  # nobody knows who begins, and may move twice
        ada.catch_up(move(ada.base, table, guest))
    while ada.state["table"]["actors"] == [0]:
        ada.play()
    question = ada.page.get_by_text(ada.say("news.ask.question"))
    expect(question).to_be_visible()
    yield "asked whether to be told"
    if not ada.sees(ada.button("news.ask.no")):
        ada.press(ada.button("ui.strip.whole"))
    ada.press(ada.button("news.ask.no"))


IN_DOCS = "payment chosen"
"""What the pictures of README show."""
WALKS = (at_the_table, with_a_neutral_player, at_the_end, by_the_clock, by_days)
UNDECIDED = """
  Object.defineProperty(Notification, 'permission', { get: () => 'default' })
  Notification.requestPermission = async () => (globalThis.questions = (globalThis.questions ?? 0) + 1, 'denied')
"""
"""Somebody whom this browser would ask whether they want notifications, who would not."""
