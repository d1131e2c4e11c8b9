"""Workers are killed in the middle of sending: every news arrives, none more than twice, and then with the same key."""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests import runs
from tests.server.features.notifications.test_notifications import BOB, WAIT, House
from tests.server.features.notifications.test_notifications import believed as believed
from tests.server.features.notifications.test_notifications import house as house
from tests.server.fixtures import MOSTLY_SQLITE
from tests.server.player import visitor
from tests.server.process import Server, server
from tests.server.receivers import receiver

from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.rules import still_relevant

pytestmark = pytest.mark.slow

DATABASES = MOSTLY_SQLITE

READS, WRITES, POSTS = "read", "write", "post"


class Killed(BaseException):
    """As if the process had ended."""


class Mortal:
    """Stands between a worker and what it waits for, and kills it before or after so many steps."""

    def __init__(self, steps: int, after: bool) -> None:
        self.left = steps
        self.after = after
        self.died: str | None = None
        self.taken: list[str] = []

    async def step(self, what: str, work: Callable[[], Awaitable[Any]]) -> Any:
        if self.died is not None:
            raise Killed
        self.left -= 1
        self.taken.append(what)
        if self.left == 0 and not self.after:
            self.died = f"before {what}"
            raise Killed
        found = await work()
        if self.left == 0:
            self.died = f"after {what}"
            raise Killed
        return found


class Through:
    """Does the same as something else, in steps."""

    def __init__(self, inner: Any, mortal: Mortal) -> None:
        self.inner = inner
        self.mortal = mortal

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if name not in (READS, WRITES, POSTS):
            return found

        async def stepping(*args: Any, **more: Any) -> Any:
            return await self.mortal.step(name, lambda: found(*args, **more))

        return stepping


async def killed(house: House, mortal: Mortal) -> str | None:
    """Let a worker begin to send, and die; return where, if it came so far."""
    worker = house.worker(lease=-1.0)
    await house.open(worker)
    database: Any = Through(worker.database, mortal)
    egress: Any = Through(worker.egress, mortal)
    worker.database, worker.table_service.database = database, database
    worker.egress, worker.senders.egress = egress, egress
    with contextlib.suppress(Killed):
        await worker.deliver()
    await asyncio.gather(*worker._serving, return_exceptions=True)
    return mortal.died


@pytest.mark.parametrize("passes", runs.each([False, True], [True]))
async def test_every_news_arrives_and_none_more_than_twice(house: House, passes: bool) -> None:
    """A worker dies at each point where it can, at one after the other; `passes`: by the time that the next one looks,
    there is nothing to tell any more."""
    browser = await house.push(BOB, wants=["turn"])
    await house.hook(BOB, wants=["turn"])
    table, where = await house.table(), Counter[str]()
    for steps, after in ((steps, after) for steps in count(1) for after in (False, True)):
        table = await house.turn_of(table, BOB)
        house.now += WAIT + 60
        house.service.got.clear()
        house.hooks.got.clear()
        died = await killed(house, Mortal(steps, after))
        begun = [len(house.service.got), len(house.hooks.got)]
        if passes:
            table = await house.move(table)
            table = await _until_others(house, table)
        await house.deliver(60, await house.open(house.worker(lease=-1.0)))
        keys = [told["key"] for told in browser.read()], [one.headers["webhook-id"] for one in house.hooks.got]
        for known, before in zip(keys, begun, strict=True):
            assert len(known) <= 2, died
            assert len({*known}) <= 1, "sent again, it carries the same key"
            assert len(known) == before if passes else known, died
        assert await house.waiting() == 0
        if died is None:  # there is no point so late
            break
        where[died] += 1
    assert {f"{when} {what}" for when in ("before", "after") for what in (READS, WRITES, POSTS)} <= where.keys()


async def _until_others(house: House, table: Table) -> Table:
    while 1 in table.actors:
        table = await house.move(table, 1)
    assert not still_relevant(table, "turn", table.seq - 1, table.seats[1], BOB.id)
    return table


async def test_what_kills_every_worker_is_given_up_after_the_second(house: House) -> None:
    browser = await house.push(BOB, wants=["turn"])
    await house.turn_of(await house.table(), BOB)
    house.now += WAIT
    counted = Mortal(0, False)  # which lives for ever
    await killed(house, counted)
    steps = counted.taken.index(POSTS) + 1
    await house.turn_of(await house.table(), BOB)
    house.now += WAIT + 60
    for sent in (2, 3):
        assert await killed(house, Mortal(steps, True)) == "after post"
        assert len(browser.read()) == sent
    await house.deliver(60, await house.open(house.worker(lease=-1.0)))
    assert len(browser.read()) == 3
    assert len({told["key"] for told in browser.read()}) == 2
    assert await house.waiting() == 0


@runs.whole
async def test_a_server_that_is_killed_tells_it_after_its_restart(data: Path, own_url: str | None) -> None:
    settings: dict[str, Any] = {"ZIGGURAT_NEWS_PRIVATE": "1", "ZIGGURAT_NEWS_WAIT": "0"}
    async with receiver() as hooks:
        arrived = asyncio.Event()

        async def die() -> None:
            arrived.set()
            await asyncio.Event().wait()

        hooks.before = die
        with server(data, own_url, **settings) as running:
            async with visitor(running.base, "Ann") as ann:
                way = await ann.post("/api/me/news/hooks", {"url": hooks.base})
                await ann.post(f"/api/me/news/ways/{way['id']}/test", status=202)
                await killed_when(arrived, running)
        with server(data, own_url, **settings) as running:
            await killed_when(arrived, running)
        assert len(hooks.got) == 2
        assert len({request.headers["webhook-id"] for request in hooks.got}) == 1


async def killed_when(arrived: asyncio.Event, running: Server) -> None:
    """Kill a server in the middle of sending; as if its claims were over by now."""
    await asyncio.wait_for(arrived.wait(), 60)
    arrived.clear()
    await asyncio.to_thread(running.kill)
    await running.in_database(partial(notifications.release_all, workers=None))
