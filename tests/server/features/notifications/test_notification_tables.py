"""What is news where people pause, vote, take moves back and leave; and what workers tell each other of it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from tests.example import EXAMPLE, SEATS
from tests.server.features.notifications.test_notifications import ANN, BOB, WAIT, House
from tests.server.features.notifications.test_notifications import believed as believed
from tests.server.features.notifications.test_notifications import house as house
from tests.server.fixtures import MOSTLY_SQLITE, NewDatabase
from tests.server.player import visitor
from tests.server.process import server
from tests.server.receivers import receiver
from tests.server.test_claims import ANN as ANYBODY
from tests.server.test_clock import DAYS
from tests.server.test_workers import until

from ziggurat.server.domain.create import NewSeat, NewTable, create
from ziggurat.server.domain.seating import Join, join, leave
from ziggurat.server.domain.start import start
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.undo import answer, undo
from ziggurat.server.domain.votes import answer_vote, ask_end, ask_pause, bot_plays, resume
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.models import outbox
from ziggurat.server.features.notifications.subscriptions import SUBSCRIPTIONS_CHANNEL, subscriptions_of
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.postgres_bus import PostgresBus
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import people
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.postgres import PostgresDatabase

DATABASES = MOSTLY_SQLITE


async def with_clock(house: House) -> Table:
    """A game of days of Ann and Bob, in which both have moved."""
    wish = NewTable(EXAMPLE, [NewSeat("me"), NewSeat("open")], time=DAYS)
    made = await house.table_service.add(create(wish, ANN), "here")
    await house.table_service.change(made.id, lambda t: join(t, Join(made.invite or "", "Bob"), BOB))
    return await house.turn_of(await house.table_service.change(made.id, start), BOB)


async def told(house: House, later: float = WAIT + 60) -> list[str]:
    """What has come by Bob's webhook meanwhile."""
    house.hooks.got.clear()
    await house.deliver(later)
    return [kind for request in house.hooks.got for line in request.json["news"] for kind in line["kinds"]]


async def test_a_pause_a_vote_and_the_end_of_a_game_are_news(house: House) -> None:
    await house.hook(BOB)
    table = await with_clock(house)
    assert await told(house) == ["turn"]
    change = partial(house.table_service.change, table.id)
    await change(lambda t: ask_pause(t, 0, "1", 3600))
    assert await told(house) == ["vote"]
    await change(lambda t: answer_vote(t, 1, "2", True))
    assert await told(house) == ["pause"]
    await change(lambda t: resume(t, 0, "3"))
    assert await told(house) == ["resume", "turn"], "it is still their turn"
    await change(lambda t: ask_end(t, 0, "4"))
    await change(lambda t: answer_vote(t, 0, "5", False))
    assert await told(house) == [], "taken back before it was told"
    await change(lambda t: bot_plays(t, 1))
    assert await told(house) == ["bot"]
    await change(lambda t: ask_end(t, 0, "6"))  # nobody else is left
    assert await told(house) == ["ended"]


async def test_a_pause_that_is_over_before_it_was_told_is_no_news(house: House) -> None:
    await house.hook(BOB, wants=["table", "turn"])
    table = await with_clock(house)
    await told(house)
    for n in range(2):
        await house.table_service.change(table.id, lambda t, n=n: ask_pause(t, 0, f"a{n}", 3600))  # type: ignore[misc]
        await house.table_service.change(table.id, lambda t, n=n: answer_vote(t, 1, f"b{n}", True))  # type: ignore[misc]
        await house.table_service.change(table.id, lambda t, n=n: resume(t, 0, f"c{n}"))  # type: ignore[misc]
    assert await told(house) == ["resume", "turn"]


async def test_whoever_left_or_wants_no_more_is_told_nothing(house: House) -> None:
    hook = await house.hook(BOB)
    table = await house.turn_of(await house.table(), BOB)
    await house.table_service.change(table.id, lambda t: leave(t, BOB.id))
    assert await told(house) == []
    await house.turn_of(await house.table(), BOB)
    await house.database.write(partial(notifications.set_topics, id=hook.id, wants=["over"]))
    assert await told(house) == []


async def test_whoever_is_asked_to_take_a_move_back_is_told(house: House) -> None:
    await house.hook(BOB, wants=["turn"])
    table = await house.turn_of(await house.table(), ANN)
    table = await house.move(table)
    while table.actors != (1,):
        table = await house.move(table)
    await told(house)
    asked = await house.table_service.change(table.id, lambda t: undo(t, 0, "undo"))
    assert await told(house) == (["undo"] if asked.undo is not None else [])
    if asked.undo is None:
        return
    assert house.hooks.got[-1].json["text"].count(ANN.name) == 2, "of whom it is, and who asks"
    # Whoever asked reads who refused.
    await house.hook(ANN, wants=["table"])
    await house.table_service.change(table.id, lambda t: answer(t, 1, "no", False))
    assert await told(house) == ["refused"]
    assert f"refused by {BOB.name}" in house.hooks.got[-1].json["text"]


async def test_what_happens_while_nobody_can_be_told_does_not_pile_up(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "MOST_WAITING_TURNS", 12)
    table = await house.table()
    await house.push(BOB, wants=["turn"])
    for _ in range(10):
        await house.turn_of(table, BOB)
    assert await house.waiting() == 1
    await house.database.write(lambda c: notifications.forget(c, BOB.id))
    await house.hook(ANN, table=table.id, wants=["turn"])
    for _ in range(2 * notifications.MOST_WAITING_TURNS):
        table = await house.move(table)
        assert await house.waiting() <= notifications.MOST_WAITING_TURNS
    assert await house.waiting() == notifications.MOST_WAITING_TURNS


async def test_hidden_things_are_in_no_news(house: House) -> None:
    """What is sent names the game, the people and what everybody at the table sees."""
    await house.hook(BOB)
    await house.turn_of(await house.table(), BOB)
    await told(house)
    (request,) = house.hooks.got
    assert request.json.keys() == {"content", "allowed_mentions", "text", "title", "message", "key", "end", "news"}
    assert request.json["news"][0].keys() == {"table", "kinds", "text", "url"}


# --- Between workers ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def worker(name: str, url: str) -> AsyncIterator[TableService]:
    settings = Settings(database_url=url, worker=name, prepare=False)
    database = PostgresDatabase(settings)
    await migrate(database, None)
    bus = PostgresBus(settings, database)
    table_service = TableService(settings, database, bus, CompiledRules(settings))
    await bus.open()
    await subscriptions_of(table_service).open()
    try:
        yield table_service
    finally:
        await subscriptions_of(table_service).close()
        await bus.close()
        await database.close()


def a_way(person: str) -> notifications.Channel:
    where = ("hook", "https://hook.example/", "hook.example", "", "", None, ["turn"], "https://games.example", True)
    return notifications.Channel(f"way-of-{person}", person, None, *where, 0.0, 0.0, 0)


async def test_workers_know_of_each_others_ways_and_of_who_sees_what(new_database: NewDatabase) -> None:
    url = new_database()
    async with worker("one", url) as one, worker("two", url) as two:
        await one.database.write(lambda c: people.insert(c, ANYBODY, "secret"))
        assert not subscriptions_of(one).any
        assert not subscriptions_of(two).any
        await one.database.write(partial(notifications.add_channel, channel=a_way(ANYBODY.id), most=1))
        subscriptions_of(one).added(a_way(ANYBODY.id))
        await until(lambda: subscriptions_of(two).has(ANYBODY.id))
        one.bus.announce_presence("table", [0, 1], [1])
        await until(lambda: two.bus.is_visible("table", 1))
        assert not two.bus.is_visible("table", 0)
        one.bus.announce_presence("table", [0, 1], [])
        await until(lambda: not two.bus.is_visible("table", 1))
        assert two.bus.present("table") == [0, 1]
    async with worker("three", url) as three:
        assert subscriptions_of(three).has(ANYBODY.id)
        assert not subscriptions_of(three).has("somebody else")


async def test_a_worker_that_may_have_missed_somebody_looks_in_the_database(house: House) -> None:
    ways, bus = subscriptions_of(house.table_service), house.table_service.bus
    await house.database.write(partial(notifications.add_channel, channel=a_way(BOB.id), most=9))  # by another worker
    table = await house.table()
    assert await house.waiting() == 0
    bus._lost()
    table = await house.turn_of(table, BOB)
    assert await house.waiting() > 0
    bus._gap()
    await until(lambda: not ways._unsure)
    assert ways.has(BOB.id)
    assert not ways.has(ANN.id)


async def test_who_is_heard_of_while_it_is_read_who_has_a_way_is_kept(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reading may have begun before they were written; the next one is in an hour."""
    ways = subscriptions_of(house.table_service)
    read = house.database.read

    async def slow(job: Any) -> Any:
        found = await read(job)
        ways.added(a_way(BOB.id))
        ways.bus.tell_here(SUBSCRIPTIONS_CHANNEL, ":a table")
        return found

    with monkeypatch.context() as slowly:
        slowly.setattr(house.database, "read", slow)
        await ways.look()
    assert ways.has(BOB.id)
    assert "a table" in ways._tables
    await ways.look()
    assert not ways.any, "who has none is forgotten"


# --- A page that is seen -----------------------------------------------------------------------------------------


async def test_a_page_says_whether_it_is_seen(data: Any, own_url: str | None) -> None:
    settings: dict[str, Any] = {"ZIGGURAT_NEWS_PRIVATE": "1", "ZIGGURAT_NEWS_WAIT": "0"}
    async with receiver() as hooks:
        with server(data, own_url, **settings) as running:
            async with visitor(running.base, "Ann") as ann:
                await ann.post("/api/me/news/hooks", {"url": hooks.base, "wants": ["turn"]})
                for seen in (True, False):
                    made = await ann.table("me", *["random"] * (SEATS - 1))
                    async with ann.at(made["id"]) as live:
                        if not seen:
                            await live.send(type="seen", seen=False)
                            await live.reply(type="hint", seq=0)  # so it has been heard
                        await live.turn()
                        await live.move()
                        await live.turn()
                        if not seen:
                            await until(lambda: bool(hooks.got))
                            assert hooks.got[0].json["news"][0]["table"] == made["id"]
                            continue

                        async def later() -> bool:
                            waiting = sa.select(outbox.c.due - outbox.c.at)
                            return [*await running.in_database(lambda c: c.execute(waiting).scalars().all())] == [60.0]

                        while not await later():  # it is looked again whether they still see it
                            pass
                        assert hooks.got == []
