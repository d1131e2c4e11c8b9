"""Advice: hints at a person's turn, and a review of every move after the game, by a strong search."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace
from typing import NamedTuple

import msgspec
from cachetools import LRUCache

from ziggurat import Position
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.guards import asked_since, must_be_over, must_decide
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import RETRY_KEY, Problem
from ziggurat.server.services.compiled_rules import CompiledRules
from ziggurat.server.services.rate_limits import ClientKey
from ziggurat.server.services.search_pool import SearchPool
from ziggurat.server.services.search_process import Advise, Compare, Judge, SentPosition

HINT_ITERATIONS = 40_000
"""Of the search for a hint, if there is time for so many."""
JUDGEMENT_ITERATIONS = 100
"""Iterations of the search for a better move, and of what each of the two is worth."""

COMPARED_PAIRS = 400
"""Pairs of games in which the best move of a puzzle is compared with another one."""

MOST_HINTS_KEPT = 1000
"""Hints that are kept, for the same question asked again."""


class _Hint(NamedTuple):
    """A cached hint: the decision that it was asked for, and the answer, pending or done."""

    question: tuple[int, ...]
    answer: asyncio.Task[msgspec.Raw]


class AdviceService:
    """Advice by searches, which run in the search pool of the bots."""

    def __init__(self, compiled_rules: CompiledRules, search_pool: SearchPool) -> None:
        self._compiled_rules = compiled_rules
        self._search_pool = search_pool
        # The last one of every seat, of those who asked last.
        self._hints: LRUCache[tuple[str, int], _Hint] = LRUCache(MOST_HINTS_KEPT)

    def ready(self, game: str) -> bool:
        """Whether a game has advice: its search is compiled."""
        return self._compiled_rules.can_search(game)

    def _must_be_ready(self, game: str) -> None:
        if not self.ready(game):
            raise Problem(
                503,
                "not_ready",
                "The advisers of this game are still being prepared; ask again in a minute.",
                **{RETRY_KEY: 60},
            )

    async def hint(self, table: Table, seat: int, seq: int, seconds: float, who: ClientKey) -> msgspec.Raw:
        """Return a Master's `Advice` for a seat that owes a decision, at a table that allows hints.

        The same question is thought about once, however often it is asked and whatever others do meanwhile.
        """
        if not table.hints:
            raise Problem(409, "no_hints", "This table was made without hints.")
        position = must_decide(table, seat, seq)
        self._must_be_ready(table.game)
        # What the seat knows by itself: since when it is asked, and what it may do.
        question = (asked_since(table, seat), *position.legal(seat))
        hint = self._hints.get((table.id, seat))
        if hint is None or hint.question != question:
            if hint is not None:
                hint.answer.cancel()  # nobody can use it any more
            hint = self._begin(
                (table.id, seat), question, Advise(SentPosition.of(position), seat, HINT_ITERATIONS, seconds), who
            )
        # A client that stops waiting leaves the others their answer.
        await asyncio.wait([hint.answer])
        if hint.answer.cancelled():
            raise Problem(409, "stale", "The table has moved on meanwhile. Ask again.", seq=seq)
        return hint.answer.result()

    def _begin(self, key: tuple[str, int], question: tuple[int, ...], advise: Advise, who: ClientKey) -> _Hint:
        hint = _Hint(question, asyncio.create_task(self._search_pool.think(who, advise), name="hint"))

        def ended(answer: asyncio.Task[msgspec.Raw]) -> None:
            # What went wrong once is tried again.
            if (answer.cancelled() or answer.exception()) and self._hints.get(key) is hint:
                del self._hints[key]

        hint.answer.add_done_callback(ended)
        self._hints[key] = hint
        return hint

    async def opinion(self, table: Table, position: Position, seat: int, seconds: float, who: ClientKey) -> msgspec.Raw:
        """Return a Master's `Advice` in a position that was tried on a copy of a finished game."""
        if not table.hints:
            raise Problem(409, "no_hints", "This table was made without hints.")
        self._must_be_ready(table.game)
        return await self._search_pool.think(who, Advise(SentPosition.of(position), seat, HINT_ITERATIONS, seconds))

    async def compare(
        self, position: Position, seat: int, best: list[int], made: list[int], who: ClientKey
    ) -> msgspec.Raw:
        """Return the reasons why the best move of a puzzle is better than the one made: phrases, the same every
        time."""
        self._must_be_ready(position.game.id)
        seed = hashlib.sha256(position.to_bytes() + repr(made).encode()).digest()
        question = Compare(SentPosition.of(position), seat, list(best), list(made), COMPARED_PAIRS, seed)
        return await self._search_pool.think(who, question)

    async def review(self, table: Table, seq: int, who: ClientKey) -> msgspec.Raw:
        """Return the `Judgement` of the move of change `seq` of a finished game: its value compared with the best
        move's.

        The same every time: chance follows from the table and the move.
        """
        must_be_over(table)
        change = next((change for change in table.story() if change.kind == "move" and change.seq == seq), None)
        if change is None:
            raise Problem(404, "no_such_move", f"There is no move with the number {seq} at this table.", seq=seq)
        if table.position is None or table.seed is None:
            raise Problem(409, "rules_changed", table.trouble or "This game cannot be replayed.")
        self._must_be_ready(table.game)
        earlier = tuple(other for other in table.changes if other.seq < seq)
        position = await asyncio.to_thread(rules_gateway.replay, replace(table, changes=earlier, position=None))
        steps = list(position.game.arrange(change.steps))
        seed = table.seed[:28] + seq.to_bytes(4, "little")
        question = Judge(SentPosition.of(position), change.seat or 0, steps, JUDGEMENT_ITERATIONS, seed)
        return await self._search_pool.think(who, question)
