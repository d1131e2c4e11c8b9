"""People are told what happens at their tables: once, when it is still true, and not while they look."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, GAME, first_move
from tests.server.ending import ENDING, ended, shown
from tests.server.fixtures import MOSTLY_SQLITE, own_on_both
from tests.server.receivers import Browser, Letters, Receiver, certificate, letters, receiver

from ziggurat.server.domain.again import accept, play_again
from ziggurat.server.domain.clock import TimeControl
from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.move import play
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.seating import Join, join
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications import senders
from ziggurat.server.features.notifications.models import outbox, ways
from ziggurat.server.features.notifications.notifier import (
    APART_SECONDS,
    GLANCE_SECONDS,
    MOST_FAILURES,
    RETRY_PAUSES_SECONDS,
    STALE_SECONDS,
    TABLELESS_KINDS,
    Notifier,
)
from ziggurat.server.features.notifications.rows import Channel, QuietHours
from ziggurat.server.features.notifications.rules import quiet_until
from ziggurat.server.features.notifications.senders import new_hook_key
from ziggurat.server.features.notifications.subscriptions import subscriptions_of
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.egress import Egress
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import original, people
from ziggurat.server.store.engine import open_database
from ziggurat.server.store.migrate import migrate

DATABASES = MOSTLY_SQLITE

ANN, BOB, CID = Person("ann", "Ann", "en"), Person("bob", "Bob", "hu"), Person("cid", "Cid", "en")
WAIT = 15.0
HOUR = 3600.0
ALL = ["turn", "over", "invited", "table"]
NAME = GAME.text("en")["name"]


class House:
    """A worker at a time that is set by hand, with people at a table and everything that can be sent to."""

    def __init__(self, settings: Settings, service: Receiver, hooks: Receiver, mails: Letters, egress: Egress) -> None:
        self.settings = settings
        self.service, self.hooks, self.mails, self.egress = service, hooks, mails, egress
        self.database = open_database(settings)
        self.now = time.time()
        self.post = self.worker()

    def worker(self, lease: float = 60.0) -> Notifier:
        """Another worker."""
        settings = replace(self.settings, worker=f"w{time.monotonic_ns()}")
        table_service = TableService(settings, self.database, Bus(settings), CompiledRules(settings))
        return Notifier(settings, table_service, self.egress, lease)

    @property
    def table_service(self) -> TableService:
        return self.post.table_service

    async def open(self, post: Notifier) -> Notifier:
        await post.know_secrets()
        await subscriptions_of(post.table_service).open()
        return post

    # --- Ways ---

    async def way(self, person: Person, kind: str, address: str, **more: Any) -> Channel:
        host = "mail" if kind == "mail" else address.partition("://")[2].partition("/")[0]
        made = Channel(
            f"{person.id}-{kind}-{time.monotonic_ns()}",
            person.id,
            more.get("table"),
            kind,
            address,
            host,
            more.get("keys", ""),
            "",
            None,
            more.get("wants", ALL),
            "https://games.example",
            more.get("confirmed", True),
            self.now,
            0.0,
            0,
        )
        assert await self.database.write(partial(notifications.add_channel, channel=made, most=100))
        subscriptions_of(self.table_service).added(made)
        return made

    async def push(self, person: Person, **more: Any) -> Browser:
        browser = Browser(self.service)
        told = browser.subscription
        await self.way(person, "push", told["endpoint"], keys=json.dumps(told["keys"]), **more)
        return browser

    async def hook(self, person: Person, **more: Any) -> Channel:
        return await self.way(person, "hook", f"{self.hooks.base}/{time.monotonic_ns()}", keys=new_hook_key(), **more)

    # --- Tables ---

    async def table(self, **more: Any) -> Table:
        """A game of Ann and Bob that has just begun."""
        made = await self.table_service.add(
            create(NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], **more), ANN), "here"
        )
        wish = Join(made.invite or "", "Bob", zone="Europe/Budapest")
        await self.table_service.change(made.id, lambda t: join(t, wish, BOB))
        return await self.table_service.change(made.id, start)

    async def turn_of(self, table: Table, person: Person) -> Table:
        """Play until somebody is waited for alone, not for the first time; they have been asked just now."""
        table = await self.table_service.get(table.id)
        seat = table.seat_of(person.id)
        assert seat is not None
        while True:
            if table.status != "playing":
                table = await self.table()
            table = await self.move(table, next((s for s in table.actors if s != seat.seat), seat.seat))
            if table.actors == (seat.seat,) and any(change.seat == seat.seat for change in table.since(2)):
                return table

    async def move(self, table: Table, seat: int | None = None) -> Table:
        return await self.table_service.change(table.id, lambda t: one_move(t, t.actors[0] if seat is None else seat))

    # --- Time ---

    async def deliver(self, later: float = 0.0, post: Notifier | None = None) -> None:
        """Let time pass, and a worker look."""
        self.now += later
        post = post or self.post
        for _ in range(4):  # as it looks again when something was sent: of a person one way at a time
            await post.deliver()
            await post.settle()

    async def waiting(self) -> int:
        count = sa.select(sa.func.count()).select_from(outbox)
        return await self.database.read(lambda c: int(c.execute(count).scalar_one()))


def one_move(table: Table, seat: int) -> Table:
    """A whole move."""
    assert table.position is not None
    return play(table, seat, first_move(table.position, seat))


@pytest.fixture(scope="session")
def believed(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return certificate(tmp_path_factory.mktemp("certificate"))


@pytest.fixture
async def house(
    tmp_path: Path, own_url: str | None, monkeypatch: pytest.MonkeyPatch, believed: Any
) -> AsyncIterator[House]:
    async with AsyncExitStack() as stack:
        service = await stack.enter_async_context(receiver(believed[0]))
        hooks, mails = await stack.enter_async_context(receiver()), await stack.enter_async_context(letters())
        settings = Settings(
            data=tmp_path,
            database_url=own_url,
            prepare=False,
            news_wait=WAIT,
            smtp=mails.url,
            address="https://games.example",
            mail_from="Ziggurat <games@games.example>",
        )
        made = House(settings, service, hooks, mails, Egress(private=True, tls=believed[1]))
        monkeypatch.setattr(time, "time", lambda: made.now)
        await migrate(made.database, None)
        await made.database.open()
        for person in (ANN, BOB, Person("cid", "Cid", "en")):
            await made.database.write(partial(people.insert, person=person, token=person.id))
        await made.open(made.post)
        yield made
        await made.table_service.settle()
        await made.database.close()


async def test_whoever_is_waited_for_is_told_by_every_way(house: House) -> None:
    browser, hook = await house.push(BOB), await house.hook(BOB)
    await house.way(BOB, "mail", "bob@games.example")
    table = await house.turn_of(await house.table(), BOB)
    await house.deliver(WAIT)
    (pushed,) = browser.read()
    title = f"{GAME.text('hu')['name']} (Ann)"
    line = f"{title}: Te jössz."
    assert (pushed["title"], pushed["body"], pushed["url"]) == (title, "Te jössz.", f"#/table/{table.id}")
    (request,) = house.hooks.got
    assert request.is_signed(hook.keys)
    assert request.json["content"] == request.json["text"] == f"{line} https://games.example/#/table/{table.id}"
    told = f"Te jössz. https://games.example/#/table/{table.id}"
    assert (request.json["title"], request.json["message"]) == (title, told)
    assert request.json["news"][0]["kinds"] == ["turn"]
    assert request.json["key"] == request.headers["webhook-id"]
    (letter,) = house.mails.got
    assert letter["Subject"] == line
    assert letter["To"] == "bob@games.example"
    assert letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert f"https://games.example/#/table/{table.id}" in letter.get_content()
    assert await house.waiting() == 0
    await house.deliver(HOUR)
    assert len(house.service.got) + len(house.hooks.got) + len(house.mails.got) == 3, "one news a turn"


async def test_by_days_it_is_told_until_when(house: House) -> None:
    """By the clocks of who reads it; and nothing of that where a clock of minutes runs, or none."""
    await house.hook(BOB, wants=["turn"])
    control = TimeControl("days", reserve=2 * 86_400, step=86_400)
    table = await house.turn_of(await house.table(time=control), BOB)
    await house.deliver(WAIT)
    assert table.time is not None
    until = datetime.fromtimestamp(table.time.seats[1].until or 0, ZoneInfo("Europe/Budapest"))
    says = f"Eddig van időd: {until:%Y-%m-%d %H:%M} (Europe/Budapest)."
    assert house.hooks.got[-1].json["text"].split(" https")[0].endswith(f"Te jössz. {says}")
    await house.turn_of(await house.table(time=TimeControl("live", reserve=7200, step=600)), BOB)
    await house.deliver(HOUR)
    assert len(house.hooks.got) == 2
    assert "Eddig van" not in house.hooks.got[-1].json["text"]


async def test_a_restored_copy_tells_nobody_and_forgets_it_when_it_becomes_the_original(house: House) -> None:
    """Its original has told it: nobody is told twice."""
    await house.push(BOB)
    await house.hook(BOB)
    await house.way(BOB, "mail", "bob@games.example")
    table = await house.turn_of(await house.table(), BOB)
    await house.database.write(lambda c: original.make_standby(c, house.now, house.now))
    await house.table_service.standby.look()
    await house.deliver(WAIT)
    await house.deliver(HOUR)
    waiting = await house.waiting()
    assert waiting >= 3
    claimed = sa.select(ways.c.id).where(ways.c.claim_by.is_not(None))
    assert await house.database.read(lambda c: c.execute(claimed).all()) == []
    # A way that was claimed just before is served no more.
    for channel in await house.database.read(lambda c: notifications.channels_of(c, BOB.id)):
        await house.post.serve(channel)
    assert len(house.service.got) + len(house.hooks.got) + len(house.mails.got) == 0
    assert await house.database.write(lambda c: original.make_original(c, house.now)) == waiting
    await house.table_service.standby.look()
    await house.deliver(HOUR)
    assert len(house.service.got) + len(house.hooks.got) + len(house.mails.got) == 0
    await house.turn_of(await house.move(table), BOB)
    await house.deliver(HOUR)
    assert len(house.service.got) == len(house.hooks.got) == len(house.mails.got) == 1


async def test_whoever_answers_at_once_is_told_nothing(house: House) -> None:
    browser = await house.push(BOB)
    table = await house.turn_of(await house.table(), BOB)
    await house.deliver(WAIT - 1)
    assert browser.read() == []
    table = await house.move(table)
    await house.deliver(1)
    told = [one["body"] for one in browser.read()]
    assert len(told) == (1 if 1 in table.actors else 0), "of the next turn, if it is theirs again, and not of the last"
    await house.deliver(HOUR)


async def test_a_turn_that_has_passed_is_not_told_when_the_next_one_has_come(house: House) -> None:
    browser = await house.push(BOB)
    table = await house.turn_of(await house.table(), BOB)
    house.now += WAIT - 5
    await house.turn_of(await house.move(table), BOB)
    await house.deliver(5)
    assert browser.read() == []
    await house.deliver(WAIT - 5)
    assert len(browser.read()) == 1


async def test_an_address_that_nobody_has_confirmed_is_told_nothing(house: House) -> None:
    await house.way(BOB, "mail", "bob@games.example", confirmed=False)
    await house.turn_of(await house.table(), BOB)
    assert await house.waiting() == 0
    await house.deliver(HOUR)
    assert house.mails.got == []


async def test_whoever_sees_the_table_is_told_nothing_until_they_look_away(house: House) -> None:
    browser = await house.push(BOB)
    first, second = await house.turn_of(await house.table(), BOB), await house.turn_of(await house.table(), BOB)
    for table in (first, second):
        house.table_service.bus.announce_presence(table.id, [1], [1])
    await house.deliver(WAIT)
    assert browser.read() == []
    house.table_service.bus.announce_presence(first.id, [1], [])  # still open, in a tab behind
    await house.deliver(GLANCE_SECONDS)
    (told,) = browser.read()
    assert told["url"] == f"#/table/{first.id}"
    house.table_service.bus.announce_presence(second.id, [], [])
    await house.deliver(HOUR)
    assert len(browser.read()) == 1, "they saw it"
    assert await house.waiting() == 0


async def test_several_tables_are_told_together_and_not_too_often(house: House) -> None:
    browser = await house.push(BOB)
    tables = [await house.turn_of(await house.table(), BOB) for _ in range(3)]
    await house.deliver(WAIT)
    (told,) = browser.read()
    assert told["body"].count("Te jössz.") == 3
    assert told["url"] == "#/"
    for table in tables:
        await house.turn_of(await house.move(table), BOB)
    await house.deliver(WAIT)
    assert len(browser.read()) == 1
    await house.deliver(APART_SECONDS["push"] - WAIT)
    assert len(browser.read()) == 2


@pytest.mark.parametrize("kind", TABLELESS_KINDS)
async def test_what_asks_or_tries_makes_no_news_wait(house: House, kind: str) -> None:
    way = await house.way(BOB, "mail", "bob@games.example")
    await house.database.write(partial(notifications.add_alone, channel=way.id, kind=kind, at=house.now))
    await house.deliver()
    assert len(house.mails.got) == 1
    await house.turn_of(await house.table(), BOB)
    await house.deliver(WAIT)
    assert len(house.mails.got) == 2, "at once, and not five minutes later"


@shown
async def test_the_end_the_beginning_and_a_new_game_are_news(house: House) -> None:
    await house.hook(BOB, wants=["over", "invited"])
    table = await house.table(scenario=ENDING)
    await house.deliver(WAIT)
    assert house.hooks.got.pop().json["news"][0]["kinds"] == ["start"]
    await house.table_service.change(table.id, ended)
    await house.table_service.change(table.id, partial(play_again, person=ANN.id))
    await house.deliver(WAIT + 60)
    kinds = [line["kinds"] for line in house.hooks.got.pop().json["news"]]
    assert sorted(kinds) == [["over"], ["rematch"]]


@shown
async def test_a_tables_webhook_tells_who_is_waited_for_and_goes_on_with_its_people(house: House) -> None:
    table = await house.table(scenario=ENDING)
    hook = await house.hook(ANN, table=table.id, wants=["turn", "over"])
    table = await house.turn_of(table, BOB)
    await house.deliver(WAIT)
    request = house.hooks.got.pop()
    assert request.json["text"].startswith(f"{NAME} (Ann and Bob): Waiting for Bob.")
    assert request.is_signed(hook.keys)
    await house.table_service.change(table.id, ended)
    again = await house.table_service.change(table.id, partial(play_again, person=ANN.id))
    await house.deliver(WAIT + 60)
    (over,) = [line for line in house.hooks.got.pop().json["news"] if "over" in line["kinds"]]
    assert "won." in over["text"]
    house.hooks.got.clear()
    assert again.rematch is not None
    new = await house.table_service.change(again.rematch, partial(accept, person=BOB))
    new = await house.turn_of(new, ANN)
    await house.deliver(WAIT + 60)
    assert house.hooks.got[-1].json["news"][-1]["table"] == new.id


@own_on_both
async def test_what_fails_is_tried_again_with_growing_pauses_and_the_same_key(house: House) -> None:
    await house.hook(BOB)
    await house.turn_of(await house.table(), BOB)
    house.hooks.says(500, 503, 302, location="http://127.0.0.1:1/")
    await house.deliver(WAIT)
    for pause in RETRY_PAUSES_SECONDS[:2]:
        await house.deliver(pause - 1)
        await house.deliver(1)
    assert len(house.hooks.got) == 3, "once after each pause; nobody is followed elsewhere"
    await house.deliver(RETRY_PAUSES_SECONDS[2])
    assert len({request.headers["webhook-id"] for request in house.hooks.got}) == 1
    assert len(house.hooks.got) == 4
    assert await house.waiting() == 0


async def test_addresses_that_are_dead_are_forgotten(house: House) -> None:
    gone, browser = await house.push(BOB), await house.push(BOB)
    await house.way(BOB, "mail", "nobody@games.example")
    house.mails.refuses = {"nobody@games.example"}
    await house.turn_of(await house.table(), BOB)
    house.service.says(410)
    await house.deliver(WAIT)
    assert (len(gone.read()), len(browser.read()), house.mails.got) == (1, 1, [])
    left = await house.database.read(partial(notifications.channels_of, person=BOB.id))
    assert [way.address for way in left] == [browser.subscription["endpoint"]]
    assert await house.waiting() == 0
    hook = await house.hook(ANN)
    house.hooks.says(*[500] * MOST_FAILURES)
    table = await house.table()
    for _ in range(MOST_FAILURES):
        await house.turn_of(table, ANN)  # there is always something new
        await house.deliver(max(RETRY_PAUSES_SECONDS))
    assert await house.database.read(partial(notifications.channel, id=hook.id)) is None


async def test_a_mail_server_that_is_down_ends_no_address(house: House, caplog: pytest.LogCaptureFixture) -> None:
    """And its outage is two lines in the log, whatever is tried meanwhile."""
    way = await house.way(BOB, "mail", "bob@games.example")
    house.mails.down = True
    table = await house.table()
    for _ in range(MOST_FAILURES + 1):
        await house.turn_of(table, BOB)
        await house.deliver(max(RETRY_PAUSES_SECONDS))
    assert await house.database.read(partial(notifications.channel, id=way.id)) is not None
    house.mails.down = False
    await house.deliver(max(RETRY_PAUSES_SECONDS))
    assert len(house.mails.got) == 1
    assert await house.waiting() == 0
    begins, over = [message for message in caplog.messages if "outage" in message]
    assert begins.startswith("outage: the mail server cannot be used (")
    assert over.endswith(f"; meanwhile {MOST_FAILURES + 1} failed")
    assert "bob" not in caplog.text


async def test_the_outage_of_a_large_push_service_is_two_lines(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not that of one which a stranger has named, nor what it says of one browser."""
    await house.push(BOB)
    table = await house.table()
    house.service.says(503, 503)
    for _ in range(2):
        await house.turn_of(table, BOB)
        await house.deliver(max(RETRY_PAUSES_SECONDS))
    assert not [message for message in caplog.messages if "outage" in message]
    monkeypatch.setattr(senders, "PUSH_SERVICES", {"127.0.0.1": "the push service of the tests"})
    house.service.says(429, 503, 500)
    for _ in range(4):
        await house.turn_of(table, BOB)
        await house.deliver(max(RETRY_PAUSES_SECONDS))
    begins, over = [message for message in caplog.messages if "outage" in message]
    assert begins == "outage: the push service of the tests cannot be used (it answers 503)"
    assert over.endswith("; meanwhile 2 failed")


def test_the_push_services_of_browsers_are_known_by_their_names() -> None:
    assert senders.push_service("fcm.googleapis.com") == "the push service of Google"
    assert senders.push_service("updates.push.services.mozilla.com") == "the push service of Mozilla"
    assert senders.push_service("web.push.apple.com") == "the push service of Apple"
    assert senders.push_service("evil-googleapis.com") is None


async def test_what_is_two_days_old_is_told_to_nobody(house: House) -> None:
    browser = await house.push(BOB)
    await house.turn_of(await house.table(), BOB)
    await house.deliver(STALE_SECONDS + 1)
    assert (browser.read(), await house.waiting()) == ([], 0)


async def test_quiet_hours_go_over_midnight_and_a_trial_comes_all_the_same(house: House) -> None:
    browser = await house.push(BOB)
    house.now = 1_790_000_000 // 86_400 * 86_400 + 22.5 * HOUR  # half past ten in the evening, in Greenwich
    await house.database.write(
        partial(notifications.set_quiet, person=BOB.id, hours=QuietHours(22 * 60, 7 * 60, "Etc/UTC"))
    )
    await house.turn_of(await house.table(), BOB)
    await house.deliver(WAIT)
    (way,) = await house.database.read(partial(notifications.channels_of, person=BOB.id))
    await house.database.write(partial(notifications.add_alone, channel=way.id, kind="test", at=house.now))
    await house.deliver()
    assert [one["url"] for one in browser.read()] == ["#/me"]
    await house.deliver(8.4 * HOUR)
    assert len(browser.read()) == 1
    await house.deliver(0.2 * HOUR)
    assert len(browser.read()) == 2
    assert await house.waiting() == 0


@pytest.mark.parametrize(
    ("now", "until"),
    [
        # Summer time begins at 01:00 UTC on 2026-03-29 in Budapest, and ends at 01:00 UTC on 2026-10-25.
        ("2026-03-28T20:59:00Z", None),
        ("2026-03-28T21:00:00Z", "2026-03-29T05:00:00Z"),
        ("2026-03-29T04:59:00Z", "2026-03-29T05:00:00Z"),
        ("2026-03-29T05:00:00Z", None),
        ("2026-10-24T20:00:00Z", "2026-10-25T06:00:00Z"),
        ("2026-10-25T00:30:00Z", "2026-10-25T06:00:00Z"),
        ("2026-10-25T06:00:00Z", None),
    ],
)
def test_quiet_hours_are_those_of_the_wall(now: str, until: str | None) -> None:
    from datetime import datetime

    moment = datetime.fromisoformat(now).timestamp()
    ends = datetime.fromisoformat(until).timestamp() if until else None
    assert quiet_until(22 * 60, 7 * 60, "Europe/Budapest", moment) == ends


def test_hours_that_come_twice_or_never_end_all_the_same() -> None:
    from datetime import datetime

    twice = datetime.fromisoformat("2026-10-25T01:10:00Z").timestamp()  # ten past two, for the second time
    assert quiet_until(0, 150, "Europe/Budapest", twice) == twice + 20 * 60
    never = datetime.fromisoformat("2026-03-29T00:30:00Z").timestamp()  # half past one; half past two does not come
    assert quiet_until(0, 150, "Europe/Budapest", never) == never + HOUR
    assert quiet_until(60, 60, "Europe/Budapest", never) is None


@own_on_both
async def test_a_move_at_a_table_of_guests_costs_no_statement_more(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.table()
    said: list[str] = []
    engine: Any = house.database.engine  # type: ignore[attr-defined]
    engine = getattr(engine, "sync_engine", engine)
    sa.event.listen(engine, "before_cursor_execute", lambda *told: said.append(" ".join(told[2].split()[:3])))
    monkeypatch.setattr(
        "ziggurat.server.features.notifications.subscriptions.notices",
        lambda old, new: pytest.fail("nobody hears of it"),
    )
    await house.push(CID)  # somebody else
    said.clear()
    table = await house.move(table)
    swaps = ["UPDATE tables SET", "INSERT INTO changes"]
    told = ["SELECT pg_notify($1::VARCHAR, $2::VARCHAR)"] if not house.settings.sqlite else []
    assert [one for one in said if "BEGIN" not in one][:2] == swaps
    assert len(said) == len(swaps) + len(told)


async def test_what_another_worker_has_played_is_known_before_anything_is_sent(house: House) -> None:
    browser = await house.push(BOB)
    table = await house.turn_of(await house.table(), BOB)
    other = await house.open(house.worker())
    await other.table_service.get(table.id)  # and hears of nothing after that
    table = await house.move(table)
    while 1 in table.actors:
        table = await house.move(table, 1)
    await house.deliver(WAIT, other)
    assert browser.read() == []


async def test_a_slow_receiver_does_not_hold_up_the_end_of_a_server(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ziggurat.server.features.notifications.notifier.DRAIN_SECONDS", 0.05)
    await house.hook(BOB)
    await house.turn_of(await house.table(), BOB)
    arrived = asyncio.Event()

    async def never() -> None:
        arrived.set()
        await asyncio.Event().wait()

    house.hooks.before = never
    house.now += WAIT
    worker = await house.open(house.worker(lease=-1.0))
    await worker.deliver()
    await arrived.wait()
    async with asyncio.timeout(5):
        await worker.close()
    house.hooks.before = None
    await house.deliver()
    assert len({request.headers["webhook-id"] for request in house.hooks.got}) == 1
    assert len(house.hooks.got) == 2


async def test_a_slow_receiver_holds_up_nobody(house: House) -> None:
    slow = asyncio.Event()

    async def wait() -> None:
        await slow.wait()

    for _ in range(6):
        await house.hook(ANN)
    browser = await house.push(BOB)
    table = await house.table()
    await house.turn_of(table, ANN)
    house.hooks.before = wait
    await house.turn_of(await house.table(), BOB)
    house.now += WAIT
    await house.post.deliver()
    while not browser.read():
        await asyncio.sleep(0.01)
    slow.set()
    await house.post.settle()
    assert len(house.hooks.got) == 1, "of one person one at a time"
