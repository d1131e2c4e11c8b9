"""The bots at the tables: this module chooses their moves, and `bot_turns` plays them."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import msgspec
from cachetools import LRUCache

import ziggurat
from ziggurat import Position
from ziggurat.bots import Bot, GreedyBot, bot, decide, meanwhile, searches
from ziggurat.server.alarms import alarms
from ziggurat.server.domain.chance import chance
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem, unexpected
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import ClientKey, RateLimits
from ziggurat.server.services.search_pool import SearchPool, SearchProcessError, SearchProcessLost
from ziggurat.server.services.search_process import BotFailure, Choose, SentPosition
from ziggurat.server.settings import HOUSE_BOT_PREFIX

LOOK_SECONDS = 1.0
"""Seconds after which a bot whose chance is fixed looks again whether it can think."""


MOST_SILENT_SEATS = 10_000
"""Seats of which is known that their bot does not answer; a table is told once."""


class Decided(NamedTuple):
    """A bot's decision. `fails`: a house bot has just ceased to answer; the heuristic moves."""

    steps: tuple[int, ...]
    fails: bool = False


def blunder(position: Position, seat: int) -> tuple[int, ...]:
    """Return any whole move, for a bot that fails: its table wants to go on. Alters the position."""
    steps: list[int] = []
    while not steps or position.in_move:
        steps.append(secrets.choice(position.legal(seat)))
        position.play(seat, steps[-1])
    return tuple(steps)


class Bots:
    """The bots of this worker.

    Bots that search or ask a network run in a process of their own, the others in a thread.
    """

    def __init__(self, compiled_rules: CompiledRules, search_pool: SearchPool, rate_limits: RateLimits) -> None:
        self._failing: LRUCache[tuple[str, int, str], None] = LRUCache(MOST_SILENT_SEATS)
        self._compiled_rules = compiled_rules
        self._search_pool = search_pool
        self._rate_limits = rate_limits
        # However quick: interpreted rules must not hold up the event loop.
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="bot")

    def close(self) -> None:
        """Let searches that have begun end unheard."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def expect(self, table: Table) -> None:
        """Preload what the bots and advisers of a table will need soon."""
        if not self._compiled_rules.can_search(table.game):
            return
        game = ziggurat.game(table.game)
        if table.hints or any(seat.bot is not None and searches(seat.bot, game) for seat in table.seats):
            self._search_pool.preload(table.game)

    async def decide(self, table: Table, seat: int, who: ClientKey) -> Decided:
        """Return the whole move of a bot; any legal one, if the bot fails."""
        position, name = table.position, table.seats[seat].bot
        assert position is not None
        assert name is not None
        if table.deal is not None:
            return Decided(await self.fixed(position, seat, name, chance(table, seat), who))
        if name.startswith(HOUSE_BOT_PREFIX):
            found = await self._hosted(table, position, seat, name, who)
            key = (table.id, seat, name)
            fails = found is None and key not in self._failing
            if found is not None:
                self._failing.pop(key, None)
                return Decided(found)
            self._failing[key] = None
            return Decided(await self._here(position, seat, GreedyBot(), who), fails)
        try:
            if searches(name, position.game) and self._compiled_rules.can_search(table.game):
                question = Choose(SentPosition.of(position), seat, name, f"{table.id} {seat} {name}")
                return Decided(tuple(msgspec.json.decode(await self._search_pool.think(who, question), type=list[int])))
        except SearchProcessLost:
            pass  # the pool has said so
        except Exception as error:
            unexpected(error)
        # Until its search is compiled a bot plays by the heuristic.
        player = meanwhile(name) if searches(name, position.game) else bot(name, position.game)
        return Decided(await self._here(position, seat, player, who))

    async def _hosted(
        self, table: Table, position: Position, seat: int, name: str, who: ClientKey
    ) -> tuple[int, ...] | None:
        """Return the move of a house bot, if it makes one."""
        known = self._compiled_rules.settings.house_bots(table.game).get(name)
        if known is None:
            return None
        try:
            question = Choose(SentPosition.of(position), seat, name, f"{table.id} {seat} {name}", text=known.text)
            raw = await self._search_pool.think(who, question)
        except Problem:  # too many of their questions wait
            return None
        except SearchProcessLost:  # a class may end the process that it is in, or never come to an end
            alarms.failed(f"bot {known.name}", "it was lost with the process that asked it")
            return None
        except Exception as error:
            unexpected(error)
            return None
        found = msgspec.json.decode(raw, type=list[int] | BotFailure)
        if isinstance(found, BotFailure):
            alarms.failed(f"bot {known.name}", f"it {found.why.partition(';')[0] if found.secret else found.why}")
            return None
        alarms.works(f"bot {known.name}")
        return tuple(found)

    async def _here(self, position: Position, seat: int, player: Bot, who: ClientKey) -> tuple[int, ...]:
        """Return the move of a bot that needs no search process."""
        loop = asyncio.get_running_loop()
        copy = position.copy()
        try:
            async with self._rate_limits.share(who.address).line:
                return tuple(await loop.run_in_executor(self._thread, decide, copy, seat, player))
        except Exception as error:
            unexpected(error)
            return await loop.run_in_executor(self._thread, blunder, copy, seat)

    async def fixed(self, position: Position, seat: int, name: str, chance: bytes, who: ClientKey) -> tuple[int, ...]:
        """Return the whole move of a bot with a fixed seed, `chance`: the same wherever and whenever it thinks.

        It waits for its search and for a free process: nothing else plays in its place.
        """
        moment = SentPosition.of(position)
        moment.history = []  # how much of it is known depends on when the server was started
        told = False
        while True:
            try:
                while searches(name, position.game) and not self._compiled_rules.can_search(position.game.id):
                    await asyncio.sleep(LOOK_SECONDS)
                answer = await self._search_pool.think(who, Choose(moment, seat, name, "", chance=chance))
                return tuple(msgspec.json.decode(answer, type=list[int]))
            except SearchProcessLost:
                pass  # the pool has said so
            except (SearchProcessError, Problem) as error:
                if not told:
                    unexpected(error)
                told = True
            await asyncio.sleep(LOOK_SECONDS)
