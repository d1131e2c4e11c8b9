"""The start of rematches: a game to which everybody has said yes starts as soon as the last person is present.

A yes is said at one page, and the next one is connected a moment later: so both what is said at a table and who comes
to it are looked at.
"""

from __future__ import annotations

from ziggurat.server.domain.again import begun_when_here, waits_for_nobody
from ziggurat.server.domain.table import Table
from ziggurat.server.services.background import Background
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.table_service import TableService

RETRY_SECONDS = 1.0
"""Seconds after which it is tried again: while the service is maintained, and what the database has not taken."""


class Beginnings:
    """The loop that starts games as soon as everybody is present."""

    def __init__(self, table_service: TableService, bus: Bus) -> None:
        self.table_service = table_service
        self.bus = bus
        self._ids: set[str] = set()
        self._loop = Background("beginnings", self._look, standby=table_service.standby)
        bus.on_change.append(self._on_change)
        bus.on_presence.append(self._note)

    async def open(self) -> None:
        """Start the loop."""
        self._loop.open()

    async def close(self) -> None:
        """Stop; the next worker is told again who is present."""
        await self._loop.close()

    def _on_change(self, id: str, _: int, table: Table | None) -> None:
        if table is None or table.status == "waiting":
            self._note(id)

    def _note(self, id: str) -> None:
        if self.bus.is_followed_here(id):
            self._ids.add(id)
            self._loop.wake()

    async def _look(self) -> float | None:
        if self.table_service.is_closed():
            return RETRY_SECONDS
        ids, self._ids = self._ids, set()
        for id in ids:
            try:
                await self._begin(id)
            except Exception as error:
                self._loop.failures.note(error)
                self._note(id)
        return RETRY_SECONDS if self._ids else None

    async def _begin(self, id: str) -> None:
        if waits_for_nobody(await self.table_service.get(id), self.bus.present(id)):
            await self.table_service.change(id, lambda now: begun_when_here(now, self.bus.present(id)), person=False)
