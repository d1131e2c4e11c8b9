"""Housekeeping, once an hour by one worker: delete what is out of date, and store what later rules could not show."""

from __future__ import annotations

import asyncio
import gc
import sys
import time
from functools import partial

import ziggurat
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.expiry import expire
from ziggurat.server.domain.table import Table
from ziggurat.server.domain.upgrade import upgraded
from ziggurat.server.feature import Clean, features
from ziggurat.server.heap import trim
from ziggurat.server.services.background import Background
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import accounts, files, housekeeping, log, quotas

FIRST_SECONDS = 60.0
"""Seconds after the start."""
EVERY_SECONDS = 3600.0
LOOK_SECONDS, GARBAGE_LOOK_SECONDS = EVERY_SECONDS / 4, 60.0
"""Seconds between looks whether an hour is over, and whether memory holds garbage, or tables that nobody asks for."""
GROWTH_FACTOR, GROWTH_BLOCKS = 1.25, 500_000
"""So many times as much memory in use, and so many pieces of it more (some 50 MB), than after the last collection of
garbage may hold much of it."""
DAY_SECONDS = 24 * 3600.0
EXPIRED_KEPT_SECONDS = 30 * DAY_SECONDS
"""How long visitors of an expired table are told that it has expired."""
ROWS_PER_TRANSACTION, GAMES_PER_TRANSACTION = 200, 10
"""Rows, and finished games, that are deleted in one transaction: moves are written between them."""


class Housekeeping:
    """The housekeeping loop."""

    def __init__(self, settings: Settings, table_service: TableService) -> None:
        self.settings = settings
        self.table_service = table_service
        self._most = _most()
        self._begun = False
        self._loop = Background("housekeeping", self._look, standby=table_service.standby, first=FIRST_SECONDS)
        self._upgrades = Background("upgrades", self.tell_upgrades, standby=table_service.standby, first=FIRST_SECONDS)
        self._garbage = Background("garbage", self._collect, standby=None, first=FIRST_SECONDS + GARBAGE_LOOK_SECONDS)

    async def open(self) -> None:
        """Start the loop."""
        self._loop.open()
        self._upgrades.open()
        self._garbage.open()

    async def close(self) -> None:
        """Stop; what is left is done the next time."""
        await self._loop.close()
        await self._upgrades.close()
        await self._garbage.close()

    async def _look(self) -> float:
        take = partial(housekeeping.claim_chore, chore="expire", every=EVERY_SECONDS)
        if self._begun or await self.table_service.database.write(take, person=False):
            self._begun = True  # what fails in the middle is tried again soon, and not in an hour
            await self.clear_away()
            await self.keep_views()
            self._begun = False
        return LOOK_SECONDS

    async def _collect(self) -> float:
        self.table_service.evict_idle()
        self.collect()
        trim()
        return GARBAGE_LOOK_SECONDS

    def collect(self) -> None:
        """Collect garbage of the old generation when there may be much: nothing else does
        (`compiled_rules.GARBAGE_THRESHOLDS`), for everybody waits until all of it has been scanned."""
        if sys.getallocatedblocks() > self._most:
            gc.collect()
            self._most = _most()

    async def clear_away(self) -> None:
        """Expire tables that nobody started, and delete what nobody will ask for."""
        now, database = time.time(), self.table_service.database
        if self.settings.expiry_days:
            before = now - self.settings.expiry_days * DAY_SECONDS
            for id in await database.read(partial(housekeeping.unbegun, before=before)):
                # One that cannot be read must not keep the others.
                expired = self.table_service.change(id, partial(expire, before=before), person=False)
                await self._loop.failures.attempt(expired)
        await self._delete(
            partial(housekeeping.delete_expired, before=now - EXPIRED_KEPT_SECONDS, limit=ROWS_PER_TRANSACTION)
        )
        await self._delete(
            partial(
                housekeeping.delete_strangers,
                before=now - self.settings.guest_days * DAY_SECONDS,
                limit=ROWS_PER_TRANSACTION,
            )
        )
        for feature in features():
            for clean in feature.clean(self.settings, now):
                await self._delete(clean)
        if self.settings.game_days:
            before = now - self.settings.game_days * DAY_SECONDS
            await self._delete(partial(housekeeping.delete_finished, before=before, limit=GAMES_PER_TRANSACTION))
        await database.write(partial(files.forget_unneeded, before=now - DAY_SECONDS), person=False)
        await database.write(quotas.forget, person=False)
        await database.write(accounts.forget_tickets, person=False)

    async def tell_upgrades(self) -> None:
        """Note in the log of each running game that began by other rules what the new rules mean for it, once after a
        start."""
        for game in ziggurat.registered_games():
            other = partial(log.of_other_rules, game=game, rules=rules_gateway.version(game))
            for id in await self.table_service.database.read(other):
                await self._upgrades.failures.attempt(self.table_service.change(id, upgraded, person=False))

    async def keep_views(self) -> None:
        """Store the views of finished games, before rules come that cannot read them."""
        database = self.table_service.database
        for game in ziggurat.registered_games():
            for id in await database.read(partial(log.without_views, game=game, rules=rules_gateway.version(game))):
                await self._loop.failures.attempt(self._keep(id))

    async def _keep(self, id: str) -> None:
        database = self.table_service.database
        found = await database.read(partial(log.load, id=id))
        views = await asyncio.to_thread(_views, *found) if found is not None else {}
        if views:
            await database.write(partial(log.keep_views, table=id, views=views), person=False)

    async def _delete(self, some: Clean) -> None:
        while await self.table_service.database.write(some, person=False):
            pass


def _most() -> int:
    """Return the number of memory blocks that triggers the next garbage collection."""
    return round(GROWTH_FACTOR * sys.getallocatedblocks()) + GROWTH_BLOCKS


def _views(table: Table, snapshot: bytes | None) -> dict[int, bytes]:
    return rules_gateway.views(rules_gateway.restore(table, snapshot))
