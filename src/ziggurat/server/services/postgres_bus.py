"""The bus between workers that share a PostgreSQL database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Coroutine, Sequence
from typing import Any

import msgspec
import sqlalchemy as sa

from ziggurat.server.services.background import Background
from ziggurat.server.services.bus import Bus, WorkerPresence
from ziggurat.server.settings import Settings
from ziggurat.server.store.log import CHANNEL
from ziggurat.server.store.postgres import PostgresDatabase, reachable

PRESENCE = "ziggurat_presence"
ENDED = "ziggurat_ended"
WAY = "ziggurat_way"
LISTEN_AGAIN = 1.0
"""Seconds after which it is listened again, when PostgreSQL has ended a connection."""
# A worker says again who is there before the others stop believing it.
PRESENCE_AGAIN = 20.0
PRESENCE_LASTS = 50.0
HEARD = 50_000


class PostgresBus(Bus):
    """The same across workers, by LISTEN and NOTIFY; the notice of a change is part of its transaction."""

    def __init__(self, settings: Settings, database: PostgresDatabase) -> None:
        super().__init__(settings)
        self.database = database
        self._listening = asyncio.Event()
        self._listener = Background("bus", self._listen)
        self._presence = Background("presence", self._repeat_presence, first=PRESENCE_AGAIN)
        self._notices: set[asyncio.Task[None]] = set()
        self._mine: dict[str, tuple[list[int], list[int]]] = {}

    async def open(self) -> None:
        self._listener.open()
        self._presence.open()
        await asyncio.wait_for(self._listening.wait(), 30)
        for worker in self.settings.after:
            await self._present_here(WorkerPresence("", worker, []))

    async def close(self) -> None:
        await self._listener.close()
        await self._presence.close()
        await asyncio.gather(*self._notices, return_exceptions=True)

    async def _listen(self) -> float:
        try:
            with reachable():
                await self._listen_once()
        finally:
            self._lost()
        return LISTEN_AGAIN

    async def _listen_once(self) -> None:
        ended = asyncio.Event()
        async with self.database.engine.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            raw.add_termination_listener(lambda _: ended.set())
            await raw.add_listener(CHANNEL, lambda *news: self._on_change(news[3]))
            await raw.add_listener(PRESENCE, lambda *news: self._on_presence(news[3]))
            await raw.add_listener(ENDED, lambda *news: super(PostgresBus, self).signed_out(*news[3].split(":")))
            await raw.add_listener(WAY, lambda *news: super(PostgresBus, self).channel_added(*news[3].split(":")))
            try:
                self._gap()
                self._listening.set()
                await ended.wait()
            finally:
                # Never back into the pool: it listens.
                await connection.invalidate()

    def _on_change(self, payload: str) -> None:
        id, _, seq = payload.rpartition(":")
        if len(self._heard) > HEARD:
            # This worker reads a table again that it has forgotten: an old state would show at the next change only.
            self._heard.clear()
            self._gap()
        if int(seq) > self.newest_seq(id):
            self._heard[id] = int(seq)
            self._announce(id, int(seq), None)

    def _on_presence(self, payload: str) -> None:
        presence = msgspec.json.decode(payload, type=WorkerPresence)
        if presence.worker == self.settings.worker:
            return
        if not presence.table:
            self._forget_worker(presence.worker)
            return
        news = presence.worker not in self._present.get(presence.table, {})
        self._set_presence(presence, time.monotonic() + PRESENCE_LASTS)
        if news and presence.table in self._mine and presence.seats:
            self._say(presence.table)  # a worker new to the table has not heard of ours

    def announce_presence(self, table: str, seats: list[int], seen: Sequence[int] = ()) -> None:
        super().announce_presence(table, seats, seen)
        if self._mine.get(table, ([], [])) == (seats, [*seen]):
            return
        self._mine[table] = seats, [*seen]
        self._say(table)
        if not seats:
            del self._mine[table]

    def signed_out(self, person: str, device: str = "") -> None:
        super().signed_out(person, device)
        self._begin(self._notify(ENDED, f"{person}:{device}"))

    def channel_added(self, person: str, table: str) -> None:
        super().channel_added(person, table)
        self._begin(self._notify(WAY, f"{person}:{table}"))

    def _say(self, table: str) -> None:
        self._begin(self._present_here(WorkerPresence(table, self.settings.worker, *self._mine[table])))

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._notices.add(task)
        task.add_done_callback(self._notices.discard)

    async def _present_here(self, presence: WorkerPresence) -> None:
        await self._notify(PRESENCE, msgspec.json.encode(presence).decode())

    async def _notify(self, channel: str, payload: str) -> None:
        """Tell the other workers. Who is here is said again, if it does not arrive."""
        tells = self.database.execute(sa.select(sa.func.pg_notify(channel, payload)))
        await self._presence.failures.attempt(tells)

    async def _repeat_presence(self) -> float:
        for table in list(self._mine):
            self._say(table)
        for table in list(self._present):
            for listener in self.on_presence:
                listener(table)  # a worker that died does not say who went with it
        return PRESENCE_AGAIN
