"""The seeds of bots at a deal that many people play: the same for everybody, so that all meet the same opponents."""

from __future__ import annotations

import hmac

from ziggurat.server.domain.table import Table


def chance(table: Table, seat: int) -> bytes:
    """Return the seed of a bot's next move at a table."""
    assert table.seed is not None
    moves = sum(change.kind == "move" and change.seat == seat for change in table.changes)
    return chance_of(table.seed, seat, moves)


def chance_of(seed: bytes, seat: int, moves: int) -> bytes:
    """Return the seed of a bot's move from the number of moves that it has made."""
    return hmac.digest(seed, f"{seat} {moves}".encode(), "sha256")
