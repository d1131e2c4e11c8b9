"""The day's deal: one try, a result beside everybody's, a word for whoever tries twice, and the archive."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

import pytest
import sqlalchemy as sa
from playwright.sync_api import Locator, expect
from tests.browser.fixtures import Invite
from tests.browser.house import House
from tests.browser.look import BOTH, check
from tests.browser.person import Anybody
from tests.browser.prepared import Table, in_a_thread, play_on
from tests.example import EXAMPLE

from ziggurat.server.features.daily.models import rungs, tries

BEGIN = """
async ([game, body]) => {
  const asked = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } }
  return (await (await fetch(`/api/day/${game}`, asked)).json()).id
}
"""


def begin(ada: Anybody, day: str) -> Table:
    """Begin a deal whose bots move at once."""
    table = ada.page.evaluate(BEGIN, [EXAMPLE, json.dumps({"day": day, "pace": "instant"})])
    cookie = next(one["value"] for one in ada.context.cookies() if one["name"] == "ziggurat")
    return Table(table, cookie)


def bots_played(connection: sa.Connection, day: str) -> None:
    """One bot has played, another one still does."""
    for bot, points in (("mason", 31), ("master", None)):
        place = {"points": points, "place": points and 2, "margin": points and -5}
        this = rungs.c.game == EXAMPLE, rungs.c.day == day, rungs.c.bot == bot
        connection.execute(sa.delete(rungs).where(*this))
        connection.execute(sa.insert(rungs).values(game=EXAMPLE, day=day, bot=bot, **place))


def tried_before(connection: sa.Connection, table: str, day: str) -> None:
    """Somebody's try was of another day."""
    connection.execute(sa.update(tries).where(tries.c.table_id == table).values(day=day))


def waits(ada: Anybody) -> Locator:
    """What the page says of a deal that others may still finish."""
    return ada.page.get_by_text(ada.say("day.waits", time="").partition(". ")[0])


def days_pages(ada: Anybody, house: House) -> Iterator[str]:
    """Show one state after another; say which, and wait for the reader to look at it."""
    page = ada.page
    ada.home()
    ada.more("ui.home.day")
    expect(ada.button("day.play")).to_be_enabled()
    expect(page.get_by_text(ada.say("day.hidden"))).to_be_visible()
    yield "a new deal"
    today = page.evaluate(f"async () => (await (await fetch('/api/day/{EXAMPLE}')).json()).today.day")
    table = begin(ada, today)
    if ada.phone:
        ada.reload()
        going_on = page.get_by_role("link", name=ada.say("day.go_on"))
        expect(going_on).to_have_attribute("href", f"#/table/{table.id}")
        expect(page.get_by_text(ada.say("day.hidden"))).to_be_visible()
    play_on(ada.base, table)
    in_a_thread(partial(house.in_database, partial(bots_played, day=today)))
    if ada.phone:
        ada.reload()
    else:  # where it still seems to be new, in another window
        ada.expects("409")
        ada.press(ada.button("day.play"))
        expect(page.get_by_role("alert")).to_have_text(ada.say("day.error.deal_tried"))
    expect(page.get_by_role("img", name=ada.say("day.chart"))).to_be_visible()
    expect(page.get_by_text(ada.say("day.thinking"))).to_be_visible()
    expect(page.get_by_text(ada.say("day.row", n=1)).first).to_be_visible()
    expect(ada.button("day.play")).to_have_count(0)
    expect(waits(ada)).to_be_visible()
    page.get_by_text(ada.say("day.numbers")).click()
    page.get_by_role("heading", name=ada.say("day.fair")).click()
    yield "the result"
    if not ada.phone:
        ada.press(page.get_by_role("link", name=ada.say("day.look")))
        expect(page.get_by_text(ada.say("ui.end.deal_later", time="").rpartition(". ")[0])).to_be_visible()
        expect(ada.button("ui.end.replay")).to_have_count(0)
        yield "the end of a deal that others may still play"
        ada.press(page.get_by_role("link", name=ada.say("ui.end.deal")))

    archive = page.get_by_role("region", name=ada.say("day.archive"))
    earlier = archive.get_by_role("link")
    expect(earlier.first).to_be_visible()
    shown = earlier.count()
    ada.press(ada.button("day.weeks_before", archive))
    expect(earlier).to_have_count(42)
    expect(ada.button("day.weeks_before", archive)).to_be_visible()
    ada.press(ada.button("day.weeks_after", archive))
    expect(earlier).to_have_count(shown)
    ada.press(earlier.nth(-2))
    expect(page.get_by_text(ada.say("day.new_past"))).to_be_visible()
    expect(waits(ada)).to_be_visible()
    expect(page.get_by_text(ada.say("day.hidden_past"))).to_be_visible()
    expect(ada.button("day.never")).to_have_count(0)
    yield "yesterday's deal, which others may still finish"
    yesterday = f"{date.fromisoformat(today) - timedelta(1)}"
    in_a_thread(partial(house.in_database, partial(tried_before, table=table.id, day=yesterday)))
    ada.reload()
    expect(page.get_by_role("link", name=ada.say("day.look"))).to_be_visible()
    expect(waits(ada)).to_be_visible()
    for key in ("day.again", "day.never"):
        expect(ada.button(key)).to_have_count(0)
    expect(page.get_by_role("link", name=ada.say("day.file"))).to_have_count(0)
    yield "yesterday's deal, played"
    ada.press(earlier.nth(-3))
    expect(page.get_by_text(ada.say("day.new_past"))).to_be_visible()
    expect(page.get_by_text(ada.say("day.no_bots"))).to_be_visible()
    expect(waits(ada)).to_have_count(0)
    yield "an earlier deal"
    ada.press(ada.button("day.never"))
    ada.at_table()


@pytest.mark.parametrize(("language", "phone"), BOTH)
def test_a_deal_is_tried_once_and_earlier_ones_are_played_for_nothing(
    house_of_masters: House, visitor: Invite, language: str, phone: bool
) -> None:
    house_of_masters.until_advisers_are_ready(EXAMPLE)
    ada = visitor(house_of_masters, Anybody, language=language, phone=phone)
    check(ada, days_pages(ada, house_of_masters))
