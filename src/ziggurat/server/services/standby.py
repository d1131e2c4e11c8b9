"""Standby: the service serves a restored copy that nobody has declared the original, so nothing happens by itself.

Then nothing happens by itself: no bot moves, no clock runs, nobody is sent anything, nothing is cleared away. Every
loop of `Background` says whether it asks (a test knows all of them).
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from ziggurat.server.services.background import Background
from ziggurat.server.store import original
from ziggurat.server.store.database import Database, Unseen

log = logging.getLogger("ziggurat.server")
LOOK_SECONDS = 30.0
"""Seconds between looks whether that has changed."""


class Standby:
    """The loop that reads whether the service is on standby, because the operator changes it by a command."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.on = False
        self.on_begin: list[Callable[[], Awaitable[None]]] = []
        """Called when it is quiet from now on."""
        self.on_end: list[Callable[[], None]] = []
        """Called when it is quiet no more."""
        self._told: bool | None = None
        self._unseen = Unseen(database)
        self._loop = Background("original", self._look, standby=None, first=LOOK_SECONDS)

    async def open(self) -> None:
        """Read whether the service is on standby, and start the loop."""
        await self.look()
        self._loop.open()

    async def close(self) -> None:
        """Stop the loop."""
        await self._loop.close()

    async def _look(self) -> float:
        await self._unseen.look(self.look)
        return LOOK_SECONDS

    async def look(self) -> None:
        """Read whether the service is on standby, and announce a change."""
        self.on = await self.database.read(original.is_standby)
        if self.on == self._told:
            return
        first, self._told = self._told is None, self.on
        if self.on:
            log.warning(
                "this database is a restored copy: no bot moves, no clock runs, and nobody is sent anything, until "
                "its host says: ziggurat restore --original"
            )
            for begin in self.on_begin:
                await begin()
            return
        if not first:
            log.warning("this database is the original from now on")
        for end in self.on_end:
            end()
