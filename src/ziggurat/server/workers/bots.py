"""The bots at the tables: a turn is a claim with a lease, so that it outlives the worker that took it up."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa

from ziggurat import Position
from ziggurat.bots import Bot, bot, decide
from ziggurat.server.problems import Problem, unexpected
from ziggurat.server.settings import Settings
from ziggurat.server.store import log as store
from ziggurat.server.verbs.move import play
from ziggurat.server.verbs.table import Table
from ziggurat.server.workers.bus import Bus
from ziggurat.server.workers.keeper import Keeper

# Searches share the cores by time and answer by the clock; fewer threads would make tables wait for each other.
THINKERS = 8
# Searches that are kept until the bot's next move, of at most 15 MB each.
REMEMBERED = 16
# Seconds after which people at a quick table are told that a bot thinks.
NOTICED = 0.3
log = logging.getLogger("ziggurat.server")


def think(position: Position, seat: int, bot: Bot) -> tuple[int, ...]:
    """Return the whole move that a bot chooses. Runs in a thread, on a position of its own."""
    return tuple(int(step) for step in decide(position, seat, bot, hurry=True))


def blunder(position: Position, seat: int) -> tuple[int, ...]:
    """Return any whole move, for a bot that is at a loss: its table wants to go on. Alters the position."""
    steps: list[int] = []
    while not steps or position.in_move:
        steps.append(secrets.choice(position.legal(seat)))
        position.play(seat, steps[-1])
    return tuple(steps)


class Bots:
    """Moves the bots of the tables whose turns this worker holds."""

    def __init__(self, settings: Settings, keeper: Keeper, bus: Bus) -> None:
        self.settings = settings
        self.keeper = keeper
        self.bus = bus
        # Thinking must not hold up the event loop.
        self._threads = ThreadPoolExecutor(THINKERS, thread_name_prefix="bot")
        self._players: dict[tuple[str, int, str], Bot] = {}
        self._turns: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()
        self._sweeper: asyncio.Task[None] | None = None
        self._closed = False
        bus.on_change.append(self._on_change)

    async def open(self) -> None:
        """Take up the turns that were left when the last worker ended."""
        if self.settings.sqlite:
            # There is one worker only, and it has just begun: whoever held a turn is gone.
            await self.keeper.database.write(lambda c: store.release(c, None))
        self._sweeper = asyncio.create_task(self._sweep(), name="sweep")

    async def close(self) -> None:
        """Stop, and leave the turns to others."""
        self._closed = True
        tasks = [*self._turns.values(), *([self._sweeper] if self._sweeper else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._threads.shutdown(wait=False, cancel_futures=True)
        await self.keeper.settle()
        await self.keeper.database.write(lambda c: store.release(c, self.settings.worker))

    def _on_change(self, id: str, seq: int, table: Table | None) -> None:
        # Whoever wrote the change holds the claim already.
        if table is not None and table.bot_due is not None:
            self._take_up(id)

    def _take_up(self, id: str) -> None:
        if self._closed:
            return
        if id in self._turns:
            self._again.add(id)  # the task may have looked already, and be about to end
            return
        task = asyncio.create_task(self._play(id), name=f"bots of {id}")
        self._turns[id] = task
        task.add_done_callback(lambda _: self._ended(id))

    def _ended(self, id: str) -> None:
        del self._turns[id]
        if id in self._again:
            self._again.discard(id)
            self._take_up(id)

    async def _sweep(self) -> None:
        while True:
            try:
                for id in await self.keeper.database.read(lambda c: store.due(c, time.time())):
                    self._take_up(id)
            except sa.exc.DBAPIError as error:
                log.warning("could not look for bots' turns (%s)", type(error).__name__)
            except Exception as error:
                unexpected(error)
            await asyncio.sleep(self.settings.lease / 3)

    async def _play(self, id: str) -> None:
        """Play the bots of a table until a person must decide."""
        try:
            while await self._turn(id):
                self._again.discard(id)
        except Problem as problem:
            log.warning("the bots of a table stopped: %s", problem.code)
        except Exception as error:
            unexpected(error)

    async def _turn(self, id: str) -> bool:
        table = await self.keeper.get(id)
        seat = table.bot_due
        if seat is None or not await self._hold(table):
            return False
        begun = time.monotonic()
        thought = asyncio.create_task(self._decide(table, seat))
        await asyncio.wait({thought}, timeout=0 if table.pace == "calm" else NOTICED)
        if not thought.done():
            self.bus.thinking(id, seat)
        steps = await thought
        if table.pace == "calm":
            await asyncio.sleep(max(0.0, self.settings.pace - (time.monotonic() - begun)))

        def verb(now: Table) -> Table:
            # If anything happened meanwhile (an undo, another worker), the thought is void.
            return play(now, seat, steps) if now.seq == table.seq else now

        await self.keeper.change(id, verb, person=False)
        return True

    async def _hold(self, table: Table) -> bool:
        """Make sure that the turn is ours for long enough to think and to write."""
        now, lease = time.time(), self.settings.lease
        worker = self.settings.worker
        if table.claim_by == worker and table.claim_until > now + lease / 2:
            return True
        return await self.keeper.database.write(
            lambda c: store.claim(c, table.id, table.seq, worker, now, now + lease), person=False
        )

    def _player(self, table: Table, seat: int) -> Bot:
        """The bot of a seat, with what it remembers of its last search."""
        assert table.position is not None
        name = table.seats[seat].bot or ""
        key = (table.id, seat, name)
        player = self._players.pop(key, None) or bot(name, table.position.game)
        self._players[key] = player  # the latest last
        if len(self._players) > REMEMBERED:
            del self._players[next(iter(self._players))]
        return player

    async def _decide(self, table: Table, seat: int) -> tuple[int, ...]:
        position = table.position
        assert position is not None
        loop = asyncio.get_running_loop()
        try:
            player = self._player(table, seat)
            return await loop.run_in_executor(self._threads, think, position.copy(), seat, player)
        except Exception as error:
            unexpected(error)
            return await loop.run_in_executor(self._threads, blunder, position.copy(), seat)
