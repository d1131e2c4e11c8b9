"""The effects of operators' deeds at this worker: it reads on in the log of deeds, whether another worker or the
command line has written it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection
from functools import partial

from ziggurat.server.features.moderation import rows as hosting
from ziggurat.server.features.moderation.rows import Deed
from ziggurat.server.features.moderation.rules import Announcement, Maintenance
from ziggurat.server.services.background import Background
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import accounts
from ziggurat.server.store.database import Unseen
from ziggurat.server.store.log import newest_of
from ziggurat.server.store.trouble import is_away

log = logging.getLogger("ziggurat.server")
SQLITE_LOOK_SECONDS, POSTGRES_LOOK_SECONDS = 2.0, 30.0
"""Seconds between looks: on SQLite, whose files alone tell that another process has written, and on PostgreSQL, which
tells it."""
SIGNED_OUT = ("person_sign_out", "person_bar", "person_delete")


class House:
    """The message to everybody, the maintenance, and the effects of operators' deeds."""

    def __init__(self, settings: Settings, table_service: TableService, bus: Bus) -> None:
        self.table_service = table_service
        self.bus = bus
        self.message: Announcement | None = None
        self.maintenance: Maintenance | None = None
        self.on_change: list[Callable[[], None]] = []
        """Called when the message or the maintenance is another one, and when the maintenance begins."""
        self._every = SQLITE_LOOK_SECONDS if settings.sqlite else POSTGRES_LOOK_SECONDS
        self._read = 0
        self._was_on = False
        self._unseen = Unseen(table_service.database)
        self._loop = Background("house", self._look, standby=None, first=self._every)
        bus.listen(hosting.HOST_CHANNEL, lambda _: self._loop.wake())
        table_service.is_closing = self.is_closing
        table_service.is_closed = self.is_on

    def is_closing(self) -> bool:
        """Whether maintenance is announced, or has begun."""
        return self.maintenance is not None

    def is_on(self) -> bool:
        """Whether maintenance has begun."""
        return self.maintenance is not None and self.maintenance.is_on()

    def said(self) -> Announcement | None:
        """Return the present message to everybody."""
        return self.message if self.message is not None and self.message.until > time.time() else None

    async def open(self) -> None:
        """Read the present state, and follow the log of deeds."""
        database = self.table_service.database
        self._read = await database.read(hosting.newest)
        self.message, self.maintenance = await database.read(hosting.state)
        self._was_on = self.is_on()
        if self.is_closing():
            log.warning("the service is maintained until a host ends that (ziggurat admin maintenance off)")
        self._loop.open()

    async def close(self) -> None:
        """Stop following."""
        await self._loop.close()

    async def _look(self) -> float:
        if self._was_on == self.is_on():
            await self._unseen.look(self.follow)
        else:
            await self.follow()
        if self.maintenance is not None and not self._was_on:
            return max(0.05, min(self._every, self.maintenance.begins - time.time()))
        return self._every

    async def follow(self) -> None:
        """Apply the deeds since the last look."""
        database = self.table_service.database
        deeds = await database.read(partial(hosting.deeds_after, number=self._read))
        # What concerns everybody comes first, and nothing counts as heard before it was done: else an outage, or one
        # table that cannot be read, would hide a maintenance from this worker for good.
        if any(deed.kind in ("message", "maintenance") for deed in deeds):
            self.message, self.maintenance = await database.read(hosting.state)
            self._announce()
        elif self.is_on() and not self._was_on:
            self._announce()
        for deed in deeds:
            try:
                await self._do(deed)
            except Exception as error:
                if is_away(error):
                    raise
                self._loop.failures.note(error)
            self._read = deed.number

    def _announce(self) -> None:
        self._was_on = self.is_on()
        for listener in self.on_change:
            listener()
        if self._was_on:
            for listener in self.table_service.on_closed:
                listener()

    async def _do(self, deed: Deed) -> None:
        if deed.person is not None and deed.kind in SIGNED_OUT:
            self.bus.signed_out_here(deed.person)
        if deed.kind == "table_delete" and deed.table is not None:
            self.table_service.evict(deed.table)
            for listener in self.table_service.on_deleted:
                listener(deed.table)
        elif deed.table is not None:
            await self._heard_of([deed.table])
        elif deed.kind == "person_rename" and deed.person is not None:
            theirs = partial(accounts.tables_of, person=deed.person)
            await self._heard_of(await self.table_service.database.read(theirs))
        elif deed.kind == "person_delete":  # where they sat stands nowhere any more
            await self._heard_of(self.table_service.known())

    async def _heard_of(self, tables: Collection[str]) -> None:
        """Tell this worker of changes that another process has made."""
        newest = await self.table_service.database.read(partial(newest_of, ids=tables))
        known = self.table_service.known()
        for id, seq in newest.items():
            if seq > known.get(id, -1):
                self.bus.heard_of(id, seq)
