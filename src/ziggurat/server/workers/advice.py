"""What a strong player would do: asked for at one's turn, and after the game for every move."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import msgspec

from ziggurat.server.problems import Problem
from ziggurat.server.verbs import referee
from ziggurat.server.verbs.guards import must_be_over, must_decide
from ziggurat.server.verbs.table import Table
from ziggurat.server.workers.engines import Engines
from ziggurat.server.workers.thinker import Advise, Judge, Moment
from ziggurat.server.workers.thinkers import Thinkers
from ziggurat.server.workers.visitors import Asker

ITERATIONS = 40_000
"""Of the search for a hint, if there is time for so many."""
JUDGED = 200
"""Iterations of the search for a better move, and games that each of the two is played on in."""


class Advisers:
    """Those who are asked for advice; they think where the bots do."""

    def __init__(self, engines: Engines, thinkers: Thinkers) -> None:
        self._engines = engines
        self._thinkers = thinkers

    def _must_be_ready(self, table: Table) -> None:
        if not self._engines.can_search(table.game):
            raise Problem(
                503, "not_ready", "The advisers of this game are still being prepared; ask again in a minute."
            )

    async def hint(self, table: Table, seat: int, seq: int, seconds: float, who: Asker) -> msgspec.Raw:
        """Return what a Master would do for a seat that owes a decision, at a table that allows hints: an `Advice`."""
        if not table.hints:
            raise Problem(409, "no_hints", "This table was made without hints.")
        position = must_decide(table, seat, seq)
        self._must_be_ready(table)
        return await self._thinkers.think(who, Advise(Moment.of(position), seat, ITERATIONS, seconds))

    async def review(self, table: Table, seq: int, who: Asker) -> msgspec.Raw:
        """Return what the move of change `seq` of a finished game was worth, beside a better one: a `Judgement`.

        The same every time: chance follows from the table and the move.
        """
        must_be_over(table)
        change = next((change for change in table.story() if change.kind == "move" and change.seq == seq), None)
        if change is None:
            raise Problem(404, "no_such_move", f"There is no move with the number {seq} at this table.", seq=seq)
        if table.position is None or table.seed is None:
            raise Problem(409, "rules_changed", table.trouble or "This game cannot be replayed.")
        self._must_be_ready(table)
        earlier = tuple(other for other in table.changes if other.seq < seq)
        position = await asyncio.to_thread(referee.replay, replace(table, changes=earlier, position=None))
        steps = list(position.game.arrange(change.steps))
        seed = table.seed[:28] + seq.to_bytes(4, "little")
        question = Judge(Moment.of(position), change.seat or 0, steps, JUDGED, seed)
        return await self._thinkers.think(who, question)
