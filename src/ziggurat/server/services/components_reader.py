"""Component files and replays, read in a process of their own, so that a slow file delays nobody's move."""

from __future__ import annotations

import msgspec

import ziggurat
from ziggurat import Components
from ziggurat.core.errors import ComponentsError, ReplayError
from ziggurat.server.domain import rules_gateway
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.rate_limits import ClientKey
from ziggurat.server.services.search_pool import SearchPool, SearchProcessLost
from ziggurat.server.services.search_process import (
    ComponentsRead,
    ComponentsRefused,
    ReadFile,
    ReadReplay,
    ReplayHead,
    ReplayRefused,
)

READ_SECONDS = 10.0
"""Seconds for one file. The worst takes a hundredth of one."""
MOST_WAITING_FILES = 50
"""Files that may wait."""


class Reader:
    """A process that reads one file after the other; it starts with the first one."""

    def __init__(self) -> None:
        self._process = SearchPool(1, READ_SECONDS)

    async def close(self) -> None:
        """Stop reading."""
        await self._process.close()

    async def read(self, who: ClientKey, game: str, text: str) -> None:
        """Parse a components file and hand it to the rules gateway.

        Raises:
            UnknownGame, ComponentsError: as `Game.load_components`.
            Problem: when too many wait, or the process was lost.
        """
        chosen = ziggurat.game(game)
        if rules_gateway.has_components(game, text):
            return
        if self._process.waiting >= MOST_WAITING_FILES:
            raise _busy()
        try:
            raw = await self._process.think(who, ReadFile(game, text))
        except SearchProcessLost as error:
            raise _busy() from error
        found = msgspec.json.decode(raw, type=ComponentsRead | ComponentsRefused)
        if isinstance(found, ComponentsRefused):
            raise ComponentsError(found.detail, found.line, **found.context)
        values = msgspec.json.decode(found.values, type=chosen.components_type)
        rules_gateway.remember_components(game, text, Components(text, values, found.digest, found.is_default))

    async def replay(self, who: ClientKey, text: str) -> ReadGame:
        """Return the game of a replay file.

        Raises:
            ReplayError: as `Replay.verify`.
            Problem: when too many wait, or the process was lost.
        """
        if self._process.waiting >= MOST_WAITING_FILES:
            raise _busy()
        try:
            raw = await self._process.think(who, ReadReplay(text))
        except SearchProcessLost as error:
            raise _busy() from error
        found = msgspec.json.decode(raw, type=ReadGame | ReplayRefused)
        if isinstance(found, ReplayRefused):
            raise ReplayError(found.detail, found.line)
        return found


class ReadGame(ReplayHead, tag="read"):
    """A game read from a replay: a `ReplayRead` whose moments stay encoded."""

    frames: msgspec.Raw


def _busy() -> Problem:
    return Problem(503, "busy", "Too many files are waiting to be read; try again.", **{RETRY_KEY: 5})
