"""What a table waits for from a person: a decision, an answer to what others ask, or whether they sit down."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import msgspec

from ziggurat.server.domain.clock import Time
from ziggurat.server.domain.table import Table, Undo, Vote
from ziggurat.server.domain.undo import asks
from ziggurat.server.domain.votes import left

TableWish = Literal["turn", "answer", "seat"]
"""It is their turn, an answer is asked of them, or a seat is kept for them."""


class Awaited(msgspec.Struct, frozen=True):
    """What a table waits for from a person: nothing, one thing, or several; and in a game of days until when the first
    of them can be done, in seconds since 1970 (None: nobody says until when)."""

    wishes: tuple[TableWish, ...] = ()
    until: float | None = None


NOTHING_AWAITED = Awaited()


def awaited(table: Table, person: str | None) -> Awaited:
    """Return what a table waits for from a person, and from the companions on their device."""
    if table.status == "waiting":
        return Awaited(("seat",)) if table.kept_seat(person) is not None else NOTHING_AWAITED
    if table.status != "playing":
        return NOTHING_AWAITED
    device, here = table.on_device(person), left(table)
    seats = [seat for seat in device if seat in here]
    return awaited_from(seats, device, table.actors, table.undo, table.vote, table.time)


def awaited_seats(table: Table) -> list[int]:
    """Return the seats whom a running table waits for: of whom an undo is asked, else those that owe a decision."""
    if table.undo is not None:
        return [seat.seat for seat in table.seats if asks(table, seat.seat)]
    return [] if table.paused else list(table.actors)


def awaited_from(
    seats: Collection[int],
    device: Collection[int],
    actors: Collection[int],
    undo: Undo | None,
    vote: Vote | None,
    time: Time | None,
) -> Awaited:
    """Return what a running table waits for from some seats.

    Args:
        seats: those of a device whose people play for themselves and have not gone away (`votes.left`).
        device: all seats of it; what one of them asks is asked of nobody there.
        actors: the seats that owe a decision.
        undo: the wish to take a move back: while it is asked, nobody is asked for a move.
        vote: what else is asked.
        time: the clock of the table.
    """
    found: list[tuple[TableWish, float | None]] = []
    if undo is not None:
        if undo.by not in device and not set(seats) <= set(undo.agreed):
            found.append(("answer", undo.until))
        return _awaited(found, time)
    for seat in seats:
        if vote is not None and _asks(vote, seat, device):
            found.append(("answer", vote.until))
        # Whatever is played there by itself: who could learn of it would know whom the rules leave no choice.
        if seat in actors and (time is None or time.paused is None):
            found.append(("turn", time.seats[seat].until if time is not None else None))
    return _awaited(found, time)


def _asks(vote: Vote, seat: int, device: Collection[int]) -> bool:
    return seat not in (vote.by, *vote.said, *vote.again) and (vote.kind == "time" or vote.by not in device)


def _awaited(found: list[tuple[TableWish, float | None]], time: Time | None) -> Awaited:
    # It is their own turn first, whatever else is asked.
    wishes = tuple(sorted({wish for wish, _ in found}, reverse=True))
    ends = [until for _, until in found if until is not None]
    return Awaited(wishes, min(ends, default=None) if time is not None and time.control.kind == "days" else None)
