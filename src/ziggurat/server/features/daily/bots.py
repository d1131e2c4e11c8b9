"""The bots' results in the daily deals: each plays on the seat where people sit, when no other search runs."""

from __future__ import annotations

import asyncio
import time
from datetime import date
from functools import partial

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.chance import chance_of
from ziggurat.server.domain.people import HOUSE_PERSON
from ziggurat.server.domain.table import Table
from ziggurat.server.features.daily import rows as daily
from ziggurat.server.features.daily.rules import DEAL_BOT, DEAL_PLAYERS, deal, outcome, seat_of
from ziggurat.server.services.background import Background
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.search_pool import BACKGROUND_CLIENT, SearchPool
from ziggurat.server.services.table_service import TableService

LEASE_SECONDS = 180.0
"""Seconds for which a game is believed to be played by the worker that has begun it; it says so again in between."""
RETRY_SECONDS = 30.0
"""Seconds after which it is looked again for games that could not be played."""
FREE_PROCESS_LOOK_SECONDS = 0.5
"""Seconds between looks for a free search process."""


class DailyBotRuns:
    """The queue of a worker's bot games, one after the other. Of an interrupted game nothing is kept: it is the same
    when it is played again."""

    def __init__(
        self, table_service: TableService, bus: Bus, compiled_rules: CompiledRules, search_pool: SearchPool, bots: Bots
    ) -> None:
        self.table_service = table_service
        self._compiled_rules = compiled_rules
        self._search_pool = search_pool
        self._bots = bots
        self._loop = Background("daily bots", self._go_on, standby=table_service.standby)
        bus.on_change.append(self._on_change)

    async def open(self) -> None:
        """Start with the games that were left."""
        if self.table_service.settings.prepare and self.table_service.settings.deal_bots:
            self._loop.open()

    async def close(self) -> None:
        """Stop; an unfinished game is for another worker, or for the next time."""
        await self._loop.close()

    def _on_change(self, id: str, seq: int, table: Table | None) -> None:
        if table is not None and table.deal is not None and table.changes[-1].kind == "start":
            self._loop.wake()

    async def _go_on(self) -> float | None:
        return RETRY_SECONDS if await self._play_all() else None

    async def _play_all(self) -> bool:
        """Play the games that can be played now; return whether any is left: nobody can play it yet, or another worker
        plays it and may die."""
        database = self.table_service.database
        while found := await database.read(daily.unplayed):
            for game, day, bot in found:
                if not self._compiled_rules.can_search(game):
                    continue
                if await database.write(
                    partial(daily.claim, game=game, day=day, bot=bot, lease=LEASE_SECONDS), person=False
                ):
                    await self._play(game, day, bot)
                    break
            else:
                return True
        return False

    async def _play(self, game: str, day: date, bot: str) -> None:
        database = self.table_service.database
        found = await database.read(partial(daily.seeds, game=game, days=[day]))
        keys, mine = found[day].keys, seat_of(day)
        table = await asyncio.to_thread(deal, game, day, keys, HOUSE_PERSON, "instant")
        assert table.position is not None
        self._compiled_rules.use(game)
        position, moves, held = table.position, [0] * DEAL_PLAYERS, time.monotonic()
        while not position.finished:
            seat = mine if mine in position.actors else position.actors[0]
            chance = chance_of(keys.seed, seat, moves[seat])
            while not self._search_pool.spare:
                await asyncio.sleep(FREE_PROCESS_LOOK_SECONDS)
            steps = await self._bots.fixed(position, seat, bot if seat == mine else DEAL_BOT, chance, BACKGROUND_CLIENT)
            position = await asyncio.to_thread(position.after_move, seat, steps)
            moves[seat] += 1
            if time.monotonic() > held + LEASE_SECONDS / 3:
                held = time.monotonic()
                hold = partial(daily.extend_lease, game=game, day=day, bot=bot, lease=LEASE_SECONDS)
                await database.write(hold, person=False)
        result = rules_gateway.result(position)
        assert result is not None
        keep = partial(daily.store_result, game=game, day=day, bot=bot, ended=outcome(result, mine))
        await database.write(keep, person=False)
