"""Subscriptions: who has a channel, known in memory, so that a move at a table of guests needs no query."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence

import sqlalchemy as sa

from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.rules import Notification, notices, notices_of_new, without_turns
from ziggurat.server.services.background import Failures
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.followers import Also, TableFollower
from ziggurat.server.services.table_service import TableService
from ziggurat.server.store.database import Database

SUBSCRIPTIONS_CHANNEL = "ziggurat_way"
"""Tells all workers of a new way, of a person or of a table."""
FORGET_SECONDS = 3600.0
"""Seconds after which people without a channel are forgotten."""


class Subscriptions(TableFollower):
    """The people and tables that have a channel. One too many costs a query; none is missing."""

    def __init__(
        self, database: Database, bus: Bus, others: Callable[[], Iterable[TableFollower]] = lambda: ()
    ) -> None:
        """`others`: all who follow the tables, of whom some may move for a person."""
        self.database = database
        self.bus = bus
        self._others = others
        self.on_written: Callable[[], None] = lambda: None
        """Called when a notification may have been written."""
        self._people: set[str] = set()
        self._tables: set[str] = set()
        self._unsure = True
        """Whether a channel may exist that this worker has not heard of: then everybody may have one."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._failures = Failures("subscriptions")
        bus.listen(SUBSCRIPTIONS_CHANNEL, self._heard)
        bus.on_gap.append(self._again)
        bus.on_lost.append(self._lost)

    async def open(self) -> None:
        """Read the subscribers."""
        await self.look()

    async def close(self) -> None:
        """Stop reading."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def any(self) -> bool:
        """Whether anybody may have a channel."""
        return bool(self._unsure or self._people or self._tables)

    async def look(self) -> None:
        """Read the subscribers again."""
        self._unsure = True
        self._people, self._tables = set(), set()  # of whom is heard meanwhile: they may not be among those read
        people, tables = await self.database.read(notifications.subscribers)
        self._people |= people
        self._tables |= tables
        self._unsure = False
        self._failures.round()

    def has(self, person: str) -> bool:
        """Whether a person may have a channel."""
        return self._unsure or person in self._people

    def added(self, channel: notifications.Channel) -> None:
        """Tell all workers about a new channel."""
        self._tell(channel.person if channel.table is None else "", channel.table or "")

    def _tell(self, person: str, table: str) -> None:
        self.bus.tell_here(SUBSCRIPTIONS_CHANNEL, f"{person}:{table}")
        self.bus.tell(SUBSCRIPTIONS_CHANNEL, f"{person}:{table}")

    def _heard(self, payload: str) -> None:
        person, _, table = payload.partition(":")
        if person:
            self._people.add(person)
        if table:
            self._tables.add(table)
        self.on_written()  # at every worker: the one that writes the first notification may die before it sends it

    def _lost(self) -> None:
        self._unsure = True

    def _again(self) -> None:
        task = asyncio.create_task(self._failures.attempt(self.look()))  # unsure until the next time, if it fails
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def made(self, table: Table, called: Sequence[str]) -> Also | None:
        """Return the write of the notifications of a new table."""
        return self._adding(table, self.news_of_new(table, called))

    def changed(self, old: Table, new: Table) -> Also | None:
        """Return the write of the notifications of a change."""
        news = self.news(old, new)
        if not any(notice.kind == "turn" for notice in news):
            return self._adding(new, news)

        def add(connection: sa.Connection) -> bool:
            moves = {seat for one in self._others() for seat in one.plays_for(connection, old, new)}
            notifications.add(connection, new, without_turns(news, new, moves), self.bus.settings.news_wait)
            return True

        return add

    def tell(self, connection: sa.Connection, table: Table, kind: str, people: Sequence[str]) -> bool:
        """Write notifications for those of these people who want them."""
        news = Notification(kind, table.id, table.seq, tuple(people))
        if self.any:
            notifications.add(connection, table, [news], self.bus.settings.news_wait)
        return self.any

    def write_to(self, connection: sa.Connection, kind: str, about: str, people: Sequence[str]) -> bool:
        """Write a letter to those of these people who want such."""
        if self.any:
            notifications.add_letters(connection, kind, about, people, time.time(), self.bus.settings.news_wait)
        return self.any

    def tell_hosts(self, connection: sa.Connection) -> bool:
        """Write the notification of the operators about a fault of the copies."""
        notifications.tell_hosts(connection, time.time())
        return True

    def written(self) -> None:
        """Wake the notifier, if notifications were written."""
        self.on_written()

    def _adding(self, table: Table, news: Sequence[Notification]) -> Also | None:
        if not news:
            return None

        def add(connection: sa.Connection) -> bool:
            notifications.add(connection, table, news, self.bus.settings.news_wait)
            return True

        return add

    def news(self, old: Table, new: Table) -> tuple[Notification, ...]:
        """Return the notifications of a change, for those who may have a channel."""
        if not self.any or not (self._unsure or self._concerns(new)):
            return ()
        if new.spawned is not None and new.id in self._tables:
            self._tell("", new.spawned.id)  # which takes the webhook over
        return tuple(filter(None, map(self._of_those_who_hear, notices(old, new))))

    def news_of_new(self, table: Table, called: Sequence[str]) -> tuple[Notification, ...]:
        """Return the notifications of a new table, for those who may have a channel; `called`: people of its group."""
        if not self.any:
            return ()
        return tuple(filter(None, map(self._of_those_who_hear, notices_of_new(table, called))))

    def _concerns(self, table: Table) -> bool:
        return (
            table.id in self._tables
            or table.host in self._people
            or any(self._people.intersection((seat.owner or "", seat.kept or "")) for seat in table.seats)
        )

    def _of_those_who_hear(self, notice: Notification) -> Notification | None:
        if self._unsure:
            return notice
        people = tuple(person for person in notice.people if person in self._people)
        return notice._replace(people=people) if people or notice.table in self._tables else None


def subscriptions_of(table_service: TableService) -> Subscriptions:
    """Return the subscriptions that follow the tables of a worker."""
    found = table_service.followers["notifications"]
    assert isinstance(found, Subscriptions)
    return found
