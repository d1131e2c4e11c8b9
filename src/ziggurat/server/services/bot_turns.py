"""The turns that a worker plays: bots' moves, and answers that the rules force on people.

Each is a claim with a lease, so that it outlives the worker that took it up.
"""

from __future__ import annotations

import asyncio
import math
import time
from contextlib import suppress
from random import SystemRandom

import sqlalchemy as sa

from ziggurat.server.domain.move import bot_failed, play_bot, play_forced
from ziggurat.server.domain.table import Table
from ziggurat.server.services.background import Background
from ziggurat.server.services.bots import Bots
from ziggurat.server.services.bus import Bus
from ziggurat.server.services.moments import Moments
from ziggurat.server.services.rate_limits import ClientKey, RateLimits, TokenBucket
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import log as store
from ziggurat.server.store.database import RARE_LOOK_SECONDS, unbounded
from ziggurat.server.store.log import Notice

# Seconds after which people at a quick table are told that a bot thinks.
THINKING_SHOWN_SECONDS = 0.3
_chance = SystemRandom()

# A table's bots, who move one after the other (no seat), or one seat that is forced.
Turn = tuple[str, int | None]


class BotTurns:
    """The moves due at the tables whose claims this worker holds."""

    def __init__(
        self, settings: Settings, table_service: TableService, bus: Bus, bots: Bots, rate_limits: RateLimits
    ) -> None:
        self.settings = settings
        self.table_service = table_service
        self.bus = bus
        self.rate_limits = rate_limits
        self._bots = bots
        self._standby = table_service.standby
        self._tasks: dict[Turn, asyncio.Task[None]] = {}
        self._again: set[Turn] = set()
        # Tables of bots alone that another worker plays, for as long as it lives.
        self._elsewhere = Moments()
        self._due = Moments()  # when nobody may hold what is due at a table any more, by `monotonic`
        self._swept = -math.inf
        self._until = -math.inf  # when it is looked again
        self._sweeper = Background("bots", self._look_after, standby=self._standby)
        self._closed = False
        person, address = (settings.quota * rate for rate in settings.bot_moves_per_second)
        self._alone = TokenBucket(2 * person, 2), TokenBucket(2 * address, 2)
        self._looks: set[asyncio.Task[None]] = set()
        bus.on_change.append(self._on_change)
        bus.on_due.append(self._on_due)
        bus.on_gap.append(self._on_gap)
        bus.on_followed.append(self._on_followed)

    async def open(self) -> None:
        """Claim the moves that were left due when the last worker ended."""
        if self.settings.sqlite:
            # There is one worker only, and it has just begun: the holder of every claim is gone.
            await self.table_service.database.write(lambda c: store.release(c, None))
        self._sweeper.open()

    async def close(self) -> None:
        """Stop, and release the claims to other workers."""
        self._closed = True
        await self._sweeper.close()
        tasks = [*self._tasks.values(), *self._looks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.table_service.settle()
        with suppress(sa.exc.DBAPIError):  # then they are others' when the claims lapse
            await self.table_service.database.write(lambda c: store.release(c, self.settings.worker))

    def _on_change(self, id: str, seq: int, table: Table | None) -> None:
        # The worker that wrote the change holds the claim already.
        if table is not None:
            if table.changes[-1].kind == "start":
                self._bots.expect(table)
            self._note(id, self.settings.lease if table.due else None)
            self._take_up(table)

    def _on_due(self, notice: Notice) -> None:
        # A worker that ends gives back what it holds, and nobody tells of that.
        self._note(notice.table, notice.held / 3 if notice.held is not None else None)

    def _on_gap(self) -> None:
        self._swept = -math.inf
        self._sweeper.wake()

    def _note(self, id: str, seconds: float | None) -> None:
        """Schedule a check, after so many seconds, whether a claim on a table's due moves still holds: its holder may
        die."""
        self._due.set(id, self._soon(seconds) if seconds is not None else None)

    def _soon(self, seconds: float) -> float:
        """Return the moment of the next check, after so many seconds."""
        at = time.monotonic() + seconds
        if at < self._until:
            self._sweeper.wake()
        return at

    def _on_followed(self, id: str) -> None:
        """Play the bots of a table without people when a page opens it."""
        task = asyncio.create_task(
            self._sweeper.failures.attempt(self._look(id)), name=f"look at {id}", context=unbounded()
        )
        self._looks.add(task)
        task.add_done_callback(self._looks.discard)

    async def _look_after(self) -> float:
        """Sweep when there may be unclaimed moves; return when to look again."""
        now = time.monotonic()
        self._until = -math.inf  # whatever is noted meanwhile is seen below
        if self._due.due(now) or now >= self._swept + RARE_LOOK_SECONDS:
            await self._sweep()
        for id in self._elsewhere.due(now):
            self._elsewhere.set(id, None)
            await self._sweeper.failures.attempt(self._look(id))
        now = time.monotonic()
        firsts = (now + RARE_LOOK_SECONDS, self._due.first(), self._elsewhere.first())
        self._until = min(first for first in firsts if first is not None)
        return max(0.0, self._until - now)

    async def _sweep(self) -> None:
        """Claim due moves that nobody holds, here or at a worker that has died."""
        self._swept = time.monotonic()
        known = self._due.all()
        try:
            due = await self.table_service.database.read(lambda c: store.due(c))
        except BaseException:
            self._swept = -math.inf
            raise
        for id in known.keys() | due.keys():
            if self._due.at(id) == known.get(id):  # nothing was heard of it meanwhile
                self._note(id, self.settings.lease / 3 if id in due else None)
        for id in [id for id, held in due.items() if held <= 0]:
            await self._sweeper.failures.attempt(self._find(id))

    async def _look(self, id: str) -> Table:
        table = await self.table_service.get(id)
        self._take_up(table)
        return table

    async def _find(self, id: str) -> None:
        table = await self._look(id)
        if not table.due:
            self._due.set(id, None)
        if not table.due and table.trouble is None:
            # The row was written by older rules, or by a migration that could not know.
            await self.table_service.database.write(lambda c: store.nothing_due(c, id, table.seq), person=False)

    # --- Turns ---

    def _take_up(self, table: Table) -> None:
        if table.bot_due is not None and (not table.bots_alone or self.bus.is_followed(table.id)):
            self._begin((table.id, None))
        for seat in table.forced:
            self._begin((table.id, seat))

    def _begin(self, turn: Turn) -> None:
        if self._closed or self._standby.on or self.table_service.is_closed():
            return  # the sweeper finds it later
        if turn in self._tasks:
            self._again.add(turn)  # the task may have looked already, and be about to end
            return
        id, seat = turn
        work = self._play_bots(id) if seat is None else self._answer(id, seat)
        task = asyncio.create_task(self._sweeper.failures.attempt(work), name=f"turn at {id}", context=unbounded())
        self._tasks[turn] = task
        task.add_done_callback(lambda _: self._ended(turn))

    def _ended(self, turn: Turn) -> None:
        del self._tasks[turn]
        if turn in self._again:
            self._again.discard(turn)
            self._begin(turn)

    async def _hold(self, table: Table) -> bool:
        """Extend the lease of our claim so that it lasts for thinking and writing."""
        worker, lease = self.settings.worker, self.settings.lease
        if table.claim_by == worker and time.monotonic() < table.claimed + lease / 2:
            return True
        return await self.table_service.database.write(
            lambda c: store.claim(c, table.id, table.seq, worker, lease), person=False
        )

    async def _play_bots(self, id: str) -> None:
        """Play the bots of a table until a person must decide."""
        while await self._play_bot(id):
            self._again.discard((id, None))

    async def _play_bot(self, id: str) -> bool:
        table = await self.table_service.get(id)
        seat = table.bot_due
        if seat is None or self.table_service.is_closed():
            return False
        who = self.rate_limits.client(table.host)
        if table.bots_alone:
            await self._may_play_alone(who)
            table = await self.table_service.get(id)
            seat = table.bot_due
            if seat is None or not self.bus.is_followed(id):
                return False
        if not await self._hold(table):
            if table.bots_alone:
                self._elsewhere.set(id, self._soon(self.settings.lease / 3))
            return False
        if self._standby.on:
            return False
        begun = time.monotonic()
        thought = asyncio.create_task(self._bots.decide(table, seat, who))
        await asyncio.wait({thought}, timeout=0 if table.pace == "calm" else THINKING_SHOWN_SECONDS)
        if not thought.done():
            self.bus.thinking(id, seat)
        steps, fails = await thought
        together = table.deal is not None and len(table.actors) > 1  # they would have answered while a person thought
        if table.pace == "calm" and not together:
            await asyncio.sleep(max(0.0, self.settings.pace - (time.monotonic() - begun)))
        bot = table.seats[seat].bot
        if self._standby.on:
            return False
        share = self.rate_limits.share(who.address)
        if fails:
            await self.table_service.change(id, lambda now: bot_failed(now, seat, bot), person=False, share=share)
        await self.table_service.change(
            id, lambda now: play_bot(now, seat, bot, table.seq, steps), person=False, share=share
        )
        return True

    async def _may_play_alone(self, who: ClientKey) -> None:
        """Wait for the rate limit of tables where only bots wait for a move."""
        for allowance, whose in zip(self._alone, (who.person, who.address or who.person), strict=True):
            while wait := allowance.use(whose):
                await asyncio.sleep(wait)

    async def _answer(self, id: str, seat: int) -> None:
        """Play a forced answer of a seat, after a delay in which its owner might have thought.

        If the worker ends meanwhile, the next one draws another time.
        """
        table = await self.table_service.get(id)
        if seat not in table.forced or not await self._hold(table):
            return
        await asyncio.sleep(_chance.uniform(*self.settings.forced))
        if self._standby.on:
            return
        await self.table_service.change(id, lambda now: play_forced(now, seat, table.seq), person=False)
