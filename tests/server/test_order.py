"""In every order of events nothing acknowledged is lost, nothing is done twice, and all see the same; and what would be
wrong is found.

What is planted here is the server's own code with one thing altered.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Collection
from functools import partial
from itertools import count, islice
from typing import Any

import pytest
import sqlalchemy as sa
from tests import runs
from tests.server import order
from tests.server.order import play

from ziggurat.server.domain import timing
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.notifier import Notifier
from ziggurat.server.features.notifications.subscriptions import subscriptions_of
from ziggurat.server.features.talk import rows as talk
from ziggurat.server.live import hub
from ziggurat.server.services import clocks
from ziggurat.server.services.background import Background
from ziggurat.server.services.bot_turns import BotTurns
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.moments import Moments
from ziggurat.server.services.postgres_bus import PostgresBus
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store import housekeeping, log
from ziggurat.server.store.postgres import PostgresDatabase

pytestmark = pytest.mark.slow

RUNS = 60
MOST = 150
"""Runs, until what is wrong is found; most often it is one."""

Patch = pytest.MonkeyPatch


@runs.whole
def test_a_seed_is_the_same_run_also_in_another_process() -> None:
    here = play(7)
    assert here.lines == play(7).lines
    told = subprocess.run(
        [sys.executable, "-m", "tests.server.order", "--seeds", "1", "--first", "7"],
        env={**os.environ, "PYTHONHASHSEED": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert told.splitlines()[: len(here.lines)] == here.lines


# --- What would be wrong: of what is durable -------------------------------------------------------------------------


def acknowledged_before_the_commit(patch: Patch) -> None:
    write = TableService._write

    async def early(this: TableService, *given: Any) -> bool:
        asyncio.ensure_future(write(this, *given)).add_done_callback(lambda done: done.exception())
        return True

    patch.setattr(TableService, "_write", early)


def told_before_the_commit(patch: Patch) -> None:
    write = TableService._write

    async def told(this: TableService, old: Table, new: Table, *given: Any) -> bool:
        this._announce(new)
        return await write(this, old, new, *given)

    patch.setattr(TableService, "_write", told)


def a_failed_write_is_taken_for_done(patch: Patch) -> None:
    write = PostgresDatabase._transact

    async def done(this: PostgresDatabase, job: Any) -> Any:
        try:
            return await write(this, job)
        except sa.exc.OperationalError:
            return True

    patch.setattr(PostgresDatabase, "_transact", done)


# --- Of what is done once --------------------------------------------------------------------------------------------


def ids_are_forgotten(patch: Patch) -> None:
    patch.setattr(Table, "known", lambda *_: None)


def bots_think_without_a_claim(patch: Patch) -> None:
    async def hold(*_: object) -> bool:
        return True

    patch.setattr(BotTurns, "_hold", hold)


def what_is_said_again_is_said_twice(patch: Patch) -> None:
    patch.setattr(talk, "repeated", lambda *_: False)


# --- Of what everybody sees ------------------------------------------------------------------------------------------


def a_newer_version_is_not_read(patch: Patch) -> None:
    patch.setattr(Bus, "newest_seq", lambda *_: 0)


def a_worker_that_lags_behind_is_believed(patch: Patch) -> None:
    async def is_behind(*_: object) -> bool:
        return False

    patch.setattr(TableService, "_is_behind", is_behind)


def what_was_missed_is_not_made_up_for(patch: Patch) -> None:
    patch.setattr(PostgresBus, "_gap", lambda _: None)


def what_cannot_be_sent_at_once_is_not_sent(patch: Patch) -> None:
    patch.setattr(hub.Connection, "mark_stale", lambda _: None)


def what_was_undone_is_told_on(patch: Patch) -> None:
    patch.setattr(hub, "_reachable", lambda _, since: since or 0)


# --- Of news ---------------------------------------------------------------------------------------------------------


def news_is_deleted_before_it_is_sent(patch: Patch) -> None:
    send = Notifier._send

    async def deleted(this: Notifier, channel: Any, key: str, told: Any, letters: Any) -> None:
        await this.database.write(partial(notifications.drop, ids=[one.id for one, _ in told]))
        await send(this, channel, key, told, letters)

    patch.setattr(Notifier, "_send", deleted)


def news_has_another_key_each_time(patch: Patch) -> None:
    due_by = notifications.due_by

    def found(*given: Any, **named: Any) -> Any:
        waiting, hours = due_by(*given, **named)
        for one in waiting:
            one.batch = None
        return waiting, hours

    patch.setattr(notifications, "due_by", found)


def news_is_not_written_with_the_change(patch: Patch) -> None:
    update = TableService._write

    async def later(this: TableService, old: Table, new: Table, *given: Any) -> bool:
        news = subscriptions_of(this).news(old, new)
        heard, subscriptions_of(this).news = subscriptions_of(this).news, lambda *_: ()  # type: ignore[method-assign]
        try:
            writing = update(this, old, new, *given)
            written = await writing
        finally:
            subscriptions_of(this).news = heard  # type: ignore[method-assign]
        if written and news:
            await this.database.write(partial(notifications.add, table=new, notices=news, wait=0.5), person=False)
        return written

    patch.setattr(TableService, "_write", later)


def channels_are_served_by_two(patch: Patch) -> None:
    patch.setattr(notifications, "DB_NOW", sa.literal(1e12))


# --- Of time ---------------------------------------------------------------------------------------------------------


def the_time_of_an_outage_counts(patch: Patch) -> None:
    patch.setattr(housekeeping, "write_heartbeat", lambda *_, **__: [])


def time_runs_out_early(patch: Patch) -> None:
    due, pass_time = Moments.due, timing.pass_time
    patch.setattr(Moments, "due", lambda this, now: due(this, now + 2))
    patch.setattr(clocks, "pass_time", lambda table, now, outages: pass_time(table, now + 2, outages))


def outages_that_others_noted_count(patch: Patch) -> None:
    beat = housekeeping.write_heartbeat

    def own(connection: sa.Connection, now: float, gap: float) -> list[tuple[float, float]]:
        return [(begun, ended) for begun, ended in beat(connection, now, gap) if ended == now]

    patch.setattr(housekeeping, "write_heartbeat", own)
    patch.setattr(order, "STRIKES", ("down", "kill"))  # among all others it takes hundreds of runs


def a_loop_ends_when_its_work_fails(patch: Patch) -> None:
    async def run(this: Background) -> None:
        await this._wait(this._first)
        while not this._closed:
            this._woken.clear()
            await this._wait(await this._work())

    patch.setattr(Background, "_run", run)


# --- Of what has to be done ------------------------------------------------------------------------------------------


def what_the_dead_have_left_is_left(patch: Patch) -> None:
    patch.setattr(log, "due", lambda _: {})
    patch.setattr(log, "release", lambda *_: None)


Planted = tuple[Callable[[Patch], None], Collection[str], int]
WRONG: list[Planted] = [
    (acknowledged_before_the_commit, {"durable"}, 1),
    (told_before_the_commit, {"durable"}, 1),
    (a_failed_write_is_taken_for_done, {"durable"}, 4),
    (ids_are_forgotten, {"twice"}, 5),
    (bots_think_without_a_claim, {"twice"}, 29),
    (what_is_said_again_is_said_twice, {"twice"}, 65),
    (a_newer_version_is_not_read, {"views"}, 1),
    (a_worker_that_lags_behind_is_believed, {"views"}, 61),
    (what_was_missed_is_not_made_up_for, {"views"}, 3),
    (what_cannot_be_sent_at_once_is_not_sent, {"views"}, 1),
    (what_was_undone_is_told_on, {"views"}, 3),
    (news_is_deleted_before_it_is_sent, {"news"}, 4),
    (news_has_another_key_each_time, {"news"}, 32),
    (news_is_not_written_with_the_change, {"news"}, 3),
    (channels_are_served_by_two, {"news"}, 23),
    (the_time_of_an_outage_counts, {"clocks"}, 13),
    (time_runs_out_early, {"clocks"}, 8),
    (outages_that_others_noted_count, {"clocks"}, 67),
    (a_loop_ends_when_its_work_fails, {"clocks", "stuck", "news"}, 2),
    (what_the_dead_have_left_is_left, {"stuck"}, 22),
]


OFTEN = {first for *_, first in WRONG}
"""Runs in which each of these would be found: for every change. That they are is for the whole."""


@pytest.mark.parametrize("seed", runs.each(sorted({*range(1, 1 + RUNS), *OFTEN}), OFTEN))
def test_nothing_is_found(seed: int) -> None:
    report = play(seed)
    told = "\n".join(report.lines[-200:])
    assert not report.found, f"python -m tests.server.order --seeds 1 --first {seed}\n{told}\n{report.found}"


def finds(seed: int, kinds: Collection[str]) -> bool:
    return bool({*kinds} & {kind for kind, _ in play(seed).found})


def named(one: Any) -> str:
    """The same in every process: a set has another order in each."""
    return "-".join(sorted(one)) if isinstance(one, set) else str(getattr(one, "__name__", one))


SOON = [one for one in WRONG if one[0] in (told_before_the_commit, a_newer_version_is_not_read)]
"""What is found in the shortest runs."""


@pytest.mark.parametrize(("wrong", "kinds", "first"), runs.each(WRONG, SOON, ids=named))
def test_what_would_be_wrong_is_found(
    monkeypatch: Patch, wrong: Callable[[Patch], None], kinds: Collection[str], first: int
) -> None:
    """`first`: the seed of a run in which it soon comes to that (`tests.server.first_seeds`); where other runs follow
    from it by now, those after it have their turn."""
    wrong(monkeypatch)
    assert any(finds(seed, kinds) for seed in islice(count(first), MOST))
