"""Levels in a worker: fitted when somebody asks and there are new games.

While a fit takes less than a second it is made anew for every new game. One that takes longer is made at most for a
thousandth of the time, and each night. Nothing is done at a server that nobody asks.
"""

from __future__ import annotations

import asyncio
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import msgspec
import sqlalchemy as sa

from ziggurat.server.features.levels import rows
from ziggurat.server.features.levels.fit import CountedGame, Curve, fit_digest
from ziggurat.server.features.levels.marks import Mark, marked
from ziggurat.server.features.levels.metre import metre_of
from ziggurat.server.features.levels.process import FitOrder, Fitted, fitted
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database

QUICK_SECONDS = 1.0
"""Seconds of a processor; a fit that takes longer is not made for every new game."""
NIGHT_SECONDS, REST_FACTOR = 20 * 3600.0, 1000.0
"""Seconds after which it is made again at the latest, and how many times as long as it took nothing is done before."""
FEW_GAMES = 20
"""Games of which the fit takes less time than a process beside takes to start."""
LIMIT_SECONDS = 900.0
"""Seconds after which the process beside hangs, and is ended."""


@dataclass(frozen=True)
class LevelStanding:
    """A fit, and what it was made of.

    Attributes:
        marks: what is shown.
        seconds: of a processor that it took.
        made: when, by `time.monotonic`.
    """

    stamp: rows.Stamp
    marks: dict[str, Mark]
    games: list[CountedGame]
    curves: dict[str, Curve]
    seconds: float
    made: float


class LevelService:
    """The fits of a worker, one for each game."""

    def __init__(self, settings: Settings, database: Database) -> None:
        self.settings = settings
        self.database = database
        self._standing: dict[str, LevelStanding] = {}
        self._one = asyncio.Lock()

    async def of(self, game: str) -> LevelStanding:
        """Return how people stand in a game."""
        if (known := await self._fresh(game)) is not None:
            return known
        async with self._one:
            if (known := await self._fresh(game)) is not None:  # who asked before has had it made
                return known
            return await self._fit(game)

    async def _fresh(self, game: str) -> LevelStanding | None:
        known = self._standing.get(game)
        if known is None:
            return None
        stamp = await self.database.read(partial(rows.stamp, game=game))
        if stamp == known.stamp:
            return known
        rests = min(NIGHT_SECONDS, REST_FACTOR * known.seconds) if known.seconds > QUICK_SECONDS else 0.0
        return known if time.monotonic() < known.made + rests else None

    async def _fit(self, game: str) -> LevelStanding:
        stamp = await self.database.read(partial(rows.stamp, game=game))
        games = await self.database.read(partial(rows.games_of, game=game))
        order = FitOrder(game, games)
        found = await self._beside(order) if games else Fitted({}, 0.0)
        marks = await self._marks(game, games, found.curves)
        self._standing[game] = LevelStanding(stamp, marks, games, found.curves, found.seconds, time.monotonic())
        return self._standing[game]

    async def _marks(self, game: str, games: list[CountedGame], curves: dict[str, Curve]) -> dict[str, Mark]:
        """Return what is shown, and store it where it is news."""
        by = fit_digest(metre_of(game))
        before, listed = await self.database.read(partial(rows.marks, game=game, fit=by))
        marks = marked(games, curves, before, listed)
        news = {
            who: mark
            for who, mark in marks.items()
            if before.get(who) != mark and not who.startswith(rows.FORGOTTEN_PREFIX)
        }
        if news:
            with suppress(sa.exc.IntegrityError):  # another worker has just written the same
                await self.database.write_own(partial(rows.set_marks, game=game, fit=by, marks=news, listed=len(games)))
        return marks

    async def _beside(self, order: FitOrder) -> Fitted:
        """Make a fit where it holds up nobody."""
        if len(order.games) <= FEW_GAMES:
            return await asyncio.to_thread(fitted, order)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ziggurat.server.features.levels.process"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(LIMIT_SECONDS):
                answer, _ = await process.communicate(msgspec.json.encode(order))
        except BaseException:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            raise
        if process.returncode:
            raise RuntimeError(f"the process that fits levels has ended with code {process.returncode}")
        return msgspec.json.decode(answer, type=Fitted)
