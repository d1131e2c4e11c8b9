"""Resigning: a person gives a game up for good, and a bot plays it to the end."""

from __future__ import annotations

from dataclasses import replace

from ziggurat.server.domain.guards import must_be_free, must_play
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.substitutes import substitute
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.problems import Problem


def _is_resignation(change: LogEntry) -> bool:
    return change.kind == "resign"


@idempotent(_is_resignation)
def resign(table: Table, seat: int) -> Table:
    """Return the table with a bot on the seat of a person who resigns; ended, where nobody else is left.

    What was being asked is asked no more: the others are fewer now.
    """
    must_play(table)
    must_be_free(table)
    chair = table.seats[seat]
    if chair.resigned:
        raise resigned()
    bot = chair.bot or substitute(table)
    seats = table.with_seat(replace(chair, resigned=True, away=True, bot=bot))
    others = any(other.person is not None and not other.resigned for other in seats)
    status = table.status if others else "ended"
    return table.after("resign", seat, notation=bot, seats=seats, status=status, vote=None, undo=None)


def resigned() -> Problem:
    """Return the refusal for people who have resigned from the game."""
    return Problem(409, "resigned", "You have resigned from this game; a bot plays it to the end.")
