"""What a strong player would do: asked for at one's turn, and after the game for every move."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import ziggurat
from ziggurat import Position
from ziggurat.bots import SEARCHING, Advice, Budget, Judgement, advise, judge
from ziggurat.core.position import generator
from ziggurat.core.runtime import runtime
from ziggurat.server.problems import Problem
from ziggurat.server.verbs import referee
from ziggurat.server.verbs.guards import must_be_over, must_decide
from ziggurat.server.verbs.table import Table

T = TypeVar("T")

ITERATIONS = 40_000
"""Of the search for a hint, if there is time for so many."""
JUDGED = 200
"""Iterations of the search for a better move, and games that each of the two is played on in."""
AT_ONCE = 2
_gate = asyncio.Semaphore(AT_ONCE)


async def _think(job: Callable[[], T]) -> T:
    async with _gate:
        return await asyncio.to_thread(job)


def _must_be_ready(table: Table) -> None:
    if not runtime(ziggurat.game(table.game), SEARCHING).ready:
        raise Problem(503, "not_ready", "The advisers of this game are still being prepared; ask again in a minute.")


async def hint(table: Table, seat: int, seq: int, seconds: float) -> Advice:
    """Return what a Master would do for a seat that owes a decision, at a table that allows hints."""
    if not table.hints:
        raise Problem(409, "no_hints", "This table was made without hints.")
    position = must_decide(table, seat, seq)
    _must_be_ready(table)
    copy = position.copy()
    return await _think(lambda: advise(copy, seat, Budget(ITERATIONS, seconds), generator()))


async def review(table: Table, seq: int) -> Judgement:
    """Return what the move of change `seq` of a finished game was worth, beside a better one.

    The same every time: chance follows from the table and the move.
    """
    must_be_over(table)
    change = next((change for change in table.story() if change.kind == "move" and change.seq == seq), None)
    if change is None:
        raise Problem(404, "no_such_move", f"There is no move with the number {seq} at this table.", seq=seq)
    if table.position is None or table.seed is None:
        raise Problem(409, "rules_changed", table.trouble or "This game cannot be replayed.")
    _must_be_ready(table)
    seat, steps, seed = change.seat or 0, change.steps, table.seed

    def work() -> Judgement:
        before = replace(table, changes=tuple(other for other in table.changes if other.seq < seq), position=None)
        position: Position = referee.replay(before)
        return judge(
            position, seat, position.game.arrange(steps), JUDGED, generator(seed[:28] + seq.to_bytes(4, "little"))
        )

    return await _think(work)
