"""The metrics that no request yields: the lateness of the event loop, and what is left of disk and database."""

from __future__ import annotations

import asyncio
import shutil
import time

from ziggurat.server.counters import counters
from ziggurat.server.feature import waiting
from ziggurat.server.services.background import Background
from ziggurat.server.settings import Settings
from ziggurat.server.store import housekeeping
from ziggurat.server.store.database import Database, Unseen

LOOK_SECONDS = 30.0
"""Seconds between looks at the database and the disk."""
TICK_SECONDS = 0.5
"""Seconds after which something is due whose lateness is measured."""


class Monitor:
    """The loop that samples these metrics into the counters."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings = settings
        self.database = database
        self._unseen = Unseen(database)
        self._waits = False
        self._loops = (Background("monitor", self._look, standby=None), Background("lag", self._tick, standby=None))

    async def open(self) -> None:
        """Start the loop."""
        for loop in self._loops:
            loop.open()

    async def close(self) -> None:
        """Stop."""
        for loop in self._loops:
            await loop.close()

    async def _look(self) -> float:
        await (self._see_database() if self._waits else self._unseen.look(self._see_database))
        await self._see_disk()
        return LOOK_SECONDS

    async def look(self) -> None:
        """Sample the size of the database, the backlog of notifications, and the free space of the disk."""
        await self._see_database()
        await self._see_disk()

    async def _see_database(self) -> None:
        size = await self.database.read(housekeeping.size)
        waits = await self.database.read(waiting)
        self._waits = any(waits.values())  # longer and longer
        counters.shared |= {"database": size, **waits}

    async def _see_disk(self) -> None:
        # `disk_usage` may hang where the disk is that of another machine.
        counters.shared |= await asyncio.to_thread(self._disk)

    def _disk(self) -> dict[str, float]:
        try:
            return {"disk": shutil.disk_usage(self.settings.data).free}
        except OSError:  # with PostgreSQL there need be no folder
            return {}

    async def _tick(self) -> float:
        due = time.perf_counter() + TICK_SECONDS
        await asyncio.sleep(TICK_SECONDS)
        counters.late.since(due)
        return 0.0
