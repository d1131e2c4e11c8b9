"""The notifier: it sends the entries of the outbox to people who are away from their tables, and deletes them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.table import Seat, Table
from ziggurat.server.feature import Letter, circles, letter_writers
from ziggurat.server.features.notifications import rows as notifications
from ziggurat.server.features.notifications.rows import Channel, OutboxEntry
from ziggurat.server.features.notifications.rules import TOPIC_OF_KIND, quiet_until, still_relevant
from ziggurat.server.features.notifications.senders import DeliveryOutcome, Secrets, Senders, new_push_key
from ziggurat.server.features.notifications.subscriptions import FORGET_SECONDS, subscriptions_of
from ziggurat.server.features.notifications.text import message
from ziggurat.server.problems import Problem, unexpected
from ziggurat.server.services.background import Background
from ziggurat.server.services.egress import Egress
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import RARE_LOOK_SECONDS, Database
from ziggurat.server.store.secrets import known, secret

log = logging.getLogger("ziggurat.server")
LEASE_SECONDS = 60.0
"""Seconds for which a channel is believed to be served; longer than anything that is sent may take."""
SWEEP_SECONDS, BUSY_SECONDS = 60.0, 10.0
"""Seconds after which it is looked again: for what a worker has written that died before it was due; and for what is
due and cannot be taken up yet."""
CHANNELS_AT_ONCE, CHANNELS_PER_HOSTNAME = 48, 4
"""Channels that this worker serves at the same time, and those of one server: a slow one holds up nobody else."""
FAILED_CHANNELS_AT_ONCE = 24
"""Of these, channels that failed the last time."""
APART_SECONDS = {"push": 20.0, "mail": 300.0, "hook": 20.0}
"""Seconds from one message to the next by the same channel; what comes meanwhile is told together."""
RETRY_PAUSES_SECONDS = (30.0, 120.0, 600.0, 3600.0, 4 * 3600.0)
"""Seconds before the next try, by how many have failed; the last one from then on."""
MOST_FAILURES = 14
"""Failures in a row, in two days, after which a channel is dead. Not of e-mail: there our own server fails."""
STALE_SECONDS = 2 * 24 * 3600.0
"""Seconds after which a notification is too old to be sent."""
GLANCE_SECONDS = 60.0
"""Seconds for which a table has to be seen to be sure that it is: a connection may be dead."""
DRAIN_SECONDS = 3.0
"""Seconds in which what is being sent is sent when the server ends; the rest is sent once more by the next one."""
TABLELESS_KINDS = ("test", "confirm")
"""Kinds that belong to no table, and are sent in quiet hours too."""
MOST_UNSURE_TRIES = 2
"""How often something is begun to be sent without knowing how it ended: then workers die of it."""


class Notifier:
    """The sender of due notifications, at each of several workers."""

    def __init__(
        self,
        settings: Settings,
        table_service: TableService,
        egress: Egress | None = None,
        lease: float = LEASE_SECONDS,
    ) -> None:
        self.settings = settings
        self.table_service = table_service
        self.database: Database = table_service.database
        self.egress = egress or Egress(settings.news_private)
        self.senders = Senders(settings, self.egress)
        self.lease = lease
        self._standby = table_service.standby
        self._loop = Background("notifications", self._go_on, standby=self._standby)
        self._looked = 0.0
        self._serving: dict[asyncio.Task[None], Channel] = {}
        subscriptions_of(table_service).on_written = self._written

    async def open(self) -> None:
        """Load the server's secrets, or generate them, and start; first with what was left by dead workers."""
        for _ in range(2):
            with contextlib.suppress(sa.exc.IntegrityError):  # another worker makes them at the same moment
                await self.know_secrets()
                break
        await subscriptions_of(self.table_service).open()
        if subscriptions_of(self.table_service).any:
            # On SQLite there is one worker only, and it has just begun.
            dead = None if self.settings.sqlite else self.settings.after
            await self.database.write(partial(notifications.release_all, workers=dead), person=False)
        self._looked = time.monotonic()
        self._loop.open()

    async def know_secrets(self) -> None:
        """Load the server's secrets, or generate them."""

        def job(connection: sa.Connection) -> Secrets:
            made = {"push": new_push_key(), "links": secrets.token_urlsafe(32)}
            return Secrets(*(secret(connection, name, value) for name, value in made.items()))

        found = await self.database.read(lambda c: (known(c, "push"), known(c, "links")))
        push, links = found
        self.senders.secrets = Secrets(push, links) if push and links else await self.database.write(job)

    async def close(self) -> None:
        """Stop; messages that are being sent get a moment to finish."""
        await self._loop.close()
        if self._serving:
            await asyncio.wait(self._serving, timeout=DRAIN_SECONDS)
        for task in self._serving:
            task.cancel()
        await self.settle()
        await subscriptions_of(self.table_service).close()
        self.egress.close()

    async def settle(self) -> None:
        """Wait until the messages that are under way are sent."""
        await asyncio.gather(*self._serving, return_exceptions=True)

    def soon(self) -> None:
        """Wake the loop: an entry is due now."""
        self._loop.wake()

    def _written(self) -> None:
        # A little later than it is due, so that what was written at the same moment is told together.
        asyncio.get_running_loop().call_later(self.settings.news_wait + 0.1, self.soon)

    async def _go_on(self) -> float:
        again: float | None = None
        if subscriptions_of(self.table_service).any:
            again = await self.deliver()
            if time.monotonic() > self._looked + FORGET_SECONDS:
                self._looked = time.monotonic()
                await subscriptions_of(self.table_service).look()
        if not subscriptions_of(self.table_service).any:
            return FORGET_SECONDS
        sweep = RARE_LOOK_SECONDS if self.settings.sqlite else SWEEP_SECONDS
        return sweep if again is None else min(again, sweep)

    async def deliver(self) -> float | None:
        """Start to send due entries, as many as may be sent at once; return the seconds after which another is due, if
        that is known. The end of each wakes the loop, too."""
        free = CHANNELS_AT_ONCE - len(self._serving)
        if self._standby.on or free <= 0:
            return None
        left = await self.database.read(partial(notifications.next_due, now=time.time()))
        if left is None or left > 0:
            return left
        serving = self._serving.values()
        claim = partial(
            notifications.claim,
            now=time.time(),
            worker=self.settings.worker,
            lease=self.lease,
            most=free,
            per_host=CHANNELS_PER_HOSTNAME,
            strangers=FAILED_CHANNELS_AT_ONCE - sum(channel.failed > 0 for channel in serving),
            busy=Counter(channel.host for channel in serving),
            people_busy={channel.person for channel in serving},
        )
        for channel in await self.database.write(claim, person=False):
            task = asyncio.create_task(self._loop.failures.attempt(self.serve(channel)), name=f"tell by {channel.kind}")
            self._serving[task] = channel
            task.add_done_callback(self._served)
        return BUSY_SECONDS

    def _served(self, task: asyncio.Task[None]) -> None:
        del self._serving[task]
        self.soon()  # of a person, and of a server, so many at a time

    async def serve(self, channel: Channel) -> None:
        """Send the due entries of a channel that this worker has claimed, as far as they are still relevant."""
        if self._standby.on:
            return  # the claim lapses
        now = time.time()
        waiting, hours = await self.database.read(partial(notifications.due_by, channel=channel.id, now=now))
        lost = [one for one in waiting if one.begun >= MOST_UNSURE_TRIES or now > one.at + STALE_SECONDS]
        waiting = [one for one in waiting if one not in lost]
        if lost:
            log.warning("%d pieces of news were given up", len(lost))
        hush = quiet_until(hours.begin, hours.end, hours.zone, now) if hours is not None else None
        hushed = [one for one in waiting if hush is not None and one.kind not in TABLELESS_KINDS]
        waiting = [one for one in waiting if one not in hushed]
        letters = await self._letters(channel, waiting)
        told, past, later, tables = await self._sift(channel, waiting, now, letters)
        ids = [one.id for one, _ in told]
        key = next((one.batch for one, _ in told if one.batch is not None), None) or secrets.token_urlsafe(18)
        at = {table.id: table.seq for table in tables}

        def job(connection: sa.Connection) -> bool:
            notifications.drop(connection, [one.id for one in (*lost, *past)])
            if hushed and hush is not None:
                notifications.postpone(connection, [one.id for one in hushed], hush)
            for one in later:
                notifications.postpone(connection, [one.id], one.at + self.settings.news_wait + GLANCE_SECONDS)
            if ids and notifications.begin(connection, channel.id, ids, key, at, self.settings.worker, self.lease):
                return True
            notifications.release(connection, channel.id, self.settings.worker)
            return False

        if await self.database.write(job, person=False):
            await self._send(channel, key, told, letters)
        elif ids or past or lost:
            self.soon()  # a table has gone on just now, or there is more

    async def _sift(
        self, channel: Channel, waiting: Sequence[OutboxEntry], now: float, letters: Mapping[str, Letter]
    ) -> tuple[list[tuple[OutboxEntry, Table | None]], list[OutboxEntry], list[OutboxEntry], list[Table]]:
        """Return the relevant entries, the outdated ones, those to be postponed, and the tables that say so."""
        told, past, later = list[tuple[OutboxEntry, Table | None]](), list[OutboxEntry](), list[OutboxEntry]()
        tables: dict[str, Table | None] = {}
        for one in waiting:
            if one.table is None:
                (told.append((one, None)) if one.about is None or one.id in letters else past.append(one))
                continue
            if one.table not in tables:
                tables[one.table] = await self._table(one.table)
            table = tables[one.table]
            if table is None or not _holds(channel, one, table):
                past.append(one)
            elif channel.table is None and self._sees(channel, table):
                # A page that is still open after a while has shown it; by then a dead connection is known to be dead.
                (later if now < one.at + self.settings.news_wait + GLANCE_SECONDS else past).append(one)
            else:
                told.append((one, table))
        return told, past, later, [table for table in tables.values() if table is not None]

    async def _letters(self, channel: Channel, waiting: Sequence[OutboxEntry]) -> dict[str, Letter]:
        """Return the letters of entries, as they are to be read now."""

        def write(connection: sa.Connection) -> dict[str, Letter]:
            found = dict[str, Letter]()
            for one in waiting:
                writer = letter_writers().get(one.kind) if one.about is not None else None
                if writer is not None and one.about is not None:
                    letter = writer(connection, one.about, channel.person, channel.language)
                    found |= {one.id: letter} if letter is not None else {}
            return found

        return await self.database.read(write) if any(one.about is not None for one in waiting) else {}

    async def _table(self, id: str) -> Table | None:
        """Return a table as it is in the database now; notices of other workers come a little later."""
        try:
            table = await self.table_service.get(id)
            now = await self.database.read(partial(notifications.seqs, of=[id]))
            if now.get(id) != table.seq:
                self.table_service.evict(id)
                table = await self.table_service.get(id)
            return table
        except Problem:
            return None

    def _sees(self, channel: Channel, table: Table) -> bool:
        seat = table.seat_of(channel.person)
        return seat is not None and self.table_service.bus.is_visible(table.id, seat.seat)

    async def _send(
        self,
        channel: Channel,
        key: str,
        told: Sequence[tuple[OutboxEntry, Table | None]],
        letters: Mapping[str, Letter],
    ) -> None:
        try:
            ids = {table.group for _, table in told if table is not None and table.group is not None}
            names: dict[str, str] = {}
            for circle in circles() if ids else ():
                names |= await self.database.read(partial(circle.names, ids=ids))
            outcome = await self.senders.send(channel, message(channel, key, told, names, letters))
        except Exception as error:
            unexpected(error)
            outcome = DeliveryOutcome()
        now, sent = time.time(), [one.id for one, _ in told]
        if outcome.arrived:
            # A question whether an address is theirs, or a trial, does not make the first news wait.
            apart = 0.0 if all(one.kind in TABLELESS_KINDS for one, _ in told) else APART_SECONDS[channel.kind]
            job = partial(notifications.sent, channel=channel.id, ids=sent, now=now, again=now + apart)
        elif outcome.dead or (channel.failed + 1 >= MOST_FAILURES and channel.kind != "mail"):
            log.info("nobody is reached by a way of kind %s any more; it is forgotten", channel.kind)
            job = partial(notifications.forget_channel, id=channel.id)
        else:
            pause = max(RETRY_PAUSES_SECONDS[min(channel.failed, len(RETRY_PAUSES_SECONDS) - 1)], outcome.retry_after)
            job = partial(notifications.failed, channel=channel.id, ids=sent, again=now + pause)
        await self.database.write(job, person=False)


def _holds(channel: Channel, one: OutboxEntry, table: Table) -> bool:
    """Whether an entry is still wanted, and true of those whom it is about: of a table only these are left."""
    if TOPIC_OF_KIND[one.kind] not in channel.wants:
        return False
    if channel.table is None:
        mine: list[Seat | None] = [seat for seat in table.seats if seat.owner == channel.person]
        return any(still_relevant(table, one.kind, one.seq, seat, channel.person) for seat in mine or [None])
    seats = [table.seats[seat] for seat in one.seats]
    one.seats = [seat.seat for seat in seats if still_relevant(table, one.kind, one.seq, seat, seat.person)]
    return bool(one.seats) or (one.kind == "full" and still_relevant(table, "full", one.seq, None, table.host))
