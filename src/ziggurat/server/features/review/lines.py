"""The positions of lines that are tried on copies of finished games: the last ones are cached, so that a line goes
on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from cachetools import LRUCache

from ziggurat import Position
from ziggurat.server.domain.guards import must_be_over
from ziggurat.server.domain.table import Table
from ziggurat.server.features.review.what_if import TriedMove, first_position, try_move
from ziggurat.server.services.rate_limits import LoopShare

MOST_POSITIONS = 400
"""Positions, of 2 kB and what happened by their last move."""

Key = tuple[str, int, tuple[TriedMove, ...]]


class WhatIfs:
    """A cache of positions of lines. It saves playing them again, and nothing else is kept."""

    def __init__(self) -> None:
        self._kept: LRUCache[Key, Position] = LRUCache(MOST_POSITIONS)

    async def positions(self, table: Table, seq: int, line: Sequence[TriedMove], share: LoopShare) -> list[Position]:
        """Return the position of a moment and after each move of a line, each with the events of its own move.

        Raises Problem for a moment or a move that cannot be. What it computes is counted with the asker's share.
        """
        must_be_over(table)
        moves = tuple(line)
        keys: list[Key] = [(table.id, seq, moves[:length]) for length in range(len(moves) + 1)]
        found = [self._kept.get(key) for key in keys]
        if None not in found:
            return [position for position in found if position is not None]
        async with share.line:
            made = await share.counted(asyncio.to_thread, partial(_play, table, seq, moves, found))
        for key, position in zip(keys, made, strict=True):
            self._kept[key] = position
        return made


def _play(table: Table, seq: int, moves: Sequence[TriedMove], known: Sequence[Position | None]) -> list[Position]:
    positions = [known[0] or first_position(table, seq)]
    for number, (move, there) in enumerate(zip(moves, known[1:], strict=True), start=1):
        positions.append(there or try_move(positions[-1], number, move))
    return positions
