"""Substitutes: a bot plays for an absent person until they come back, when everybody who is here agrees."""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from dataclasses import replace

from ziggurat.server.domain import votes
from ziggurat.server.domain.guards import must_play
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.problems import Problem

SUBSTITUTE = "builder"
"""Good enough not to spoil the game, quick enough not to hold it up."""
LEAVING, TAKING = ("away", "gone"), ("back", "handed")
"""The changes by which a person leaves a seat, or is forgotten, and those by which a person has it again."""


def agreed(table: Table, gone: int) -> tuple[int, ...]:
    """Return the seats that have agreed to a substitute for a seat since it was last there."""
    seats: list[int] = []
    for change in table.changes:
        if change.kind in TAKING and change.seat == gone:
            seats = []
        elif change.kind == "stand_in" and change.steps == (gone,) and change.seat is not None:
            seats.append(change.seat)
    return tuple(seats)


def moves_by_substitute(table: Table) -> list[tuple[int, int]]:
    """Return for each seat how many of its moves that stand a bot has made for a person, or before they came, and how
    many there are."""
    bots = {change.seat for change in table.changes if change.kind == "late" and change.seat is not None}
    found = [(0, 0)] * len(table.seats)
    for change in table.changes:
        if change.kind in ("timeout", "stand_in") and change.notation:
            bots.update(change.steps[:1])
        elif change.kind in ("gone", "resign", "back", "handed", "late") and change.seat is not None:
            (bots.add if change.kind in ("gone", "resign") else bots.discard)(change.seat)
        elif change.kind == "move" and change.seat is not None and not change.undone:
            by_bot, moves = found[change.seat]
            found[change.seat] = by_bot + (change.seat in bots), moves + 1
    return found


def gone_for(table: Table, seat: int, absent_for: float) -> float:
    """Return for how many seconds a person has been gone: since they left, or without a connection (`absent_for`)."""
    if not table.seats[seat].away:
        return absent_for
    left = None
    for change in reversed(table.changes):
        if change.seat == seat and change.kind in TAKING:
            break
        if change.seat == seat and change.kind in LEAVING:
            left = change.at  # who left before they were forgotten is gone since then
    return absent_for if left is None else max(0.0, time.time() - left)


def _is_agreement(change: LogEntry, gone: int, present: Collection[int], absent_for: float) -> bool:
    return change.kind == "stand_in" and change.steps == (gone,)


@idempotent(_is_agreement)
def agree_to_substitute(table: Table, seat: int, gone: int, present: Collection[int], absent_for: float) -> Table:
    """Return the table with one more who agrees that a bot plays for `gone`; with the bot, when all who are here do.

    A person who loads the page again, or whose train is in a tunnel, is not gone: only after the table's patience.

    Args:
        present: the seats of the people who are connected now; only they are asked.
        absent_for: seconds since `gone` was connected.
    """
    must_play(table)
    if not 0 <= gone < len(table.seats):
        raise Problem(400, "bad_seat", f"The seats of this table are 0 to {len(table.seats) - 1}.", seat=gone)
    chair = table.seats[gone]
    if chair.kind != "human" or gone == seat:
        raise Problem(409, "no_leaver", "A bot can only play for somebody else who left.", seat=gone)
    if chair.bot is not None:
        raise Problem(409, "has_stand_in", "A bot plays for this seat already.", seat=gone)
    if not chair.away and gone in present:
        raise Problem(409, "still_here", "Whoever sits there is still here.", seat=gone)
    left = math.ceil(table.patience - gone_for(table, gone, absent_for))
    if left > 0:
        raise Problem(
            409,
            "not_gone_long",
            f"They may be back at once; a bot can play for them in {left} seconds.",
            seat=gone,
            left=left,
        )
    if seat in agreed(table, gone):
        raise Problem(409, "agreed_already", "You have agreed already; the others have to.", seat=gone)
    yes = {*agreed(table, gone), seat}
    asked = {*votes.left(table)}.intersection(present) - {gone, *table.companions(seat)}
    bot = SUBSTITUTE if asked <= yes else None
    seats = table.with_seat(replace(chair, bot=bot)) if bot else table.seats
    return table.after("stand_in", seat, steps=(gone,), notation=bot or "", seats=seats)
