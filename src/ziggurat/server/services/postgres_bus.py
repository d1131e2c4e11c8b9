"""The bus between workers that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.services.background import Background
from ziggurat.server.services.bus import Bus, WorkerPresence
from ziggurat.server.settings import Settings
from ziggurat.server.store.log import TABLE_CHANNEL, Notice
from ziggurat.server.store.postgres import PostgresDatabase, reachable

PRESENCE_CHANNEL = "ziggurat_presence"
ENDED_CHANNEL = "ziggurat_ended"
LISTEN_AGAIN_SECONDS = 1.0
"""Seconds after which it is listened again, when PostgreSQL has ended a connection."""
LISTEN_SECONDS = 30.0
"""Within which it is listened for the first time."""
# A worker says again who is there before the others stop believing it.
PRESENCE_AGAIN_SECONDS = 20.0
PRESENCE_LASTS_SECONDS = 50.0
MOST_HEARD = 50_000


class PostgresBus(Bus):
    """A bus across workers, by LISTEN and NOTIFY; the notice of a change is part of its transaction."""

    shared = True

    def __init__(self, settings: Settings, database: PostgresDatabase) -> None:
        super().__init__(settings)
        self.database = database
        self._listening = asyncio.Event()
        self._listener = Background("bus", self._listen, standby=None)
        self._presence = Background("presence", self._repeat_presence, standby=None, first=PRESENCE_AGAIN_SECONDS)
        self._notices: set[asyncio.Task[object]] = set()
        self._mine: dict[str, WorkerPresence] = {}
        self._own_ends = Counter[str]()
        self._raw: Any = None  # the connection that listens

    async def open(self) -> None:
        self._listener.open()
        self._presence.open()
        try:
            await asyncio.wait_for(self._listening.wait(), LISTEN_SECONDS)
        except TimeoutError as error:
            raise sa.exc.OperationalError("listen", None, error) from error
        for worker in self.settings.after:
            await self._present_here(WorkerPresence("", worker, []))

    async def close(self) -> None:
        await self._listener.close()
        await self._presence.close()
        await asyncio.gather(*self._notices, return_exceptions=True)

    async def _listen(self) -> float:
        try:
            with self.database.watched(), reachable():
                await self._listen_once()
        finally:
            self._lost()
        return LISTEN_AGAIN_SECONDS

    async def _listen_once(self) -> None:
        ended = asyncio.Event()
        async with self.database.engine.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            raw.add_termination_listener(lambda _: ended.set())
            await raw.add_listener(TABLE_CHANNEL, lambda *news: self._on_change(news[3]))
            await raw.add_listener(PRESENCE_CHANNEL, lambda *news: self._on_presence(news[3]))
            await raw.add_listener(ENDED_CHANNEL, lambda *news: self._on_ended(news[3]))
            self._raw = raw
            try:
                for channel in list(self.channels):
                    await self._hear(channel)
                self._own_ends.clear()  # those of the gap do not come back
                self._gap()
                self._listening.set()
                await ended.wait()
            finally:
                self._raw = None
                # Never back into the pool: it listens.
                await connection.invalidate()

    def listen(self, channel: str, heard: Callable[[str], None]) -> None:
        if channel not in self.channels and self._raw is not None:
            self._begin(self._hear(channel))
        super().listen(channel, heard)

    async def _hear(self, channel: str) -> None:
        await self._raw.add_listener(channel, lambda *news: self.tell_here(channel, news[3]))

    def _on_change(self, payload: str) -> None:
        notice = msgspec.json.decode(payload, type=Notice)
        if len(self._heard) > MOST_HEARD:
            # This worker reads a table again that it has forgotten: an old state would show at the next change only.
            self._heard.clear()
            self._gap()
        if notice.seq > self.newest_seq(notice.table):
            for listener in self.on_due:
                listener(notice)
        self.heard_of(notice.table, notice.seq)

    def _on_presence(self, payload: str) -> None:
        presence = msgspec.json.decode(payload, type=WorkerPresence)
        if presence.worker == self.settings.worker:
            return
        if not presence.table:
            self._forget_worker(presence.worker)
            return
        news = presence.worker not in self._present.get(presence.table, {})
        self._set_presence(presence, time.monotonic() + PRESENCE_LASTS_SECONDS)
        if news and presence.table in self._mine and presence.seats:
            self._say(presence.table)  # a worker new to the table has not heard of ours

    def _spread(self, there: WorkerPresence) -> None:
        if self._mine.get(there.table, WorkerPresence(there.table, there.worker, [])) == there:
            return
        self._mine[there.table] = there
        self._say(there.table)
        if not there.seats:
            del self._mine[there.table]

    def signed_out(self, person: str, device: str = "") -> None:
        super().signed_out(person, device)
        payload = f"{person}:{device}"
        self._own_ends[payload] += 1
        self._begin(self._tell_end(payload))

    async def _tell_end(self, payload: str) -> None:
        if not await self._notify(ENDED_CHANNEL, payload):
            self._is_own_end(payload)  # it does not come back

    def _is_own_end(self, payload: str) -> bool:
        """Whether a notice of a sign-out is our own that comes back: the person may have signed in again by now."""
        pending = self._own_ends.pop(payload, 0)
        if pending > 1:
            self._own_ends[payload] = pending - 1
        return pending > 0

    def _on_ended(self, payload: str) -> None:
        if self._is_own_end(payload):
            return
        person, _, device = payload.partition(":")  # a program's device has one itself
        self._heard_sign_out(person, device)

    def tell(self, channel: str, payload: str) -> None:
        self._begin(self._notify(channel, payload))

    def _say(self, table: str) -> None:
        self._begin(self._present_here(self._mine[table]))

    def _begin(self, work: Coroutine[Any, Any, object]) -> None:
        task = asyncio.create_task(work)
        self._notices.add(task)
        task.add_done_callback(self._notices.discard)

    async def _present_here(self, presence: WorkerPresence) -> None:
        await self._notify(PRESENCE_CHANNEL, msgspec.json.encode(presence).decode())

    async def _notify(self, channel: str, payload: str) -> bool:
        """Notify the other workers, and return whether that went well. Presence that does not arrive is sent again."""
        try:
            await self.database.execute(sa.select(sa.func.pg_notify(channel, payload)))
        except Exception as error:
            self._presence.failures.note(error)
            return False
        return True

    async def _repeat_presence(self) -> float:
        for table in list(self._mine):
            self._say(table)
        for table in list(self._present):
            for listener in self.on_presence:
                listener(table)  # a worker that died does not say who went with it
        return PRESENCE_AGAIN_SECONDS
