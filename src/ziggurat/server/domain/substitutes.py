"""Substitutes: a bot plays for an absent person until they come back, when the others agree, or they wished it so."""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable
from dataclasses import replace

from ziggurat.server.domain import votes
from ziggurat.server.domain.guards import must_play
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.patience import patience_of
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.domain.votes import AbsentFor
from ziggurat.server.problems import Problem
from ziggurat.server.settings import LEAST_PATIENCE

SUBSTITUTE_BOT = "builder"
"""Good enough not to spoil the game, quick enough not to hold it up."""
BOT_SITS_CHANGES = ("timeout", "stand_in", "away")
"""The changes by which a bot sits down on seats of people (`steps`), if they name one (`notation`)."""
LEAVING_CHANGES, RETURNING_CHANGES = ("away", "gone"), ("back", "handed")
"""The changes by which a person leaves a seat, or is forgotten, and those by which a person has it again."""


def agreed(table: Table, gone: int) -> tuple[int, ...]:
    """Return the seats that have agreed to a substitute for a seat, the proposer first: since the absent person was
    last there, and since the last refusal."""
    return _agreed(table.changes, gone)


def _agreed(changes: Iterable[LogEntry], gone: int) -> tuple[int, ...]:
    seats: list[int] = []
    for change in changes:
        if (change.kind in RETURNING_CHANGES and change.seat == gone) or _is_refusal(change, gone):
            seats = []
        elif change.kind == "stand_in" and change.steps == (gone,) and change.seat is not None:
            seats.append(change.seat)
    return tuple(seats)


def suggested_by(table: Table, refusal: LogEntry) -> int | None:
    """Return the proposer of the substitute that a change has refused."""
    before = (change for change in table.changes if change.seq < refusal.seq)
    return next(iter(_agreed(before, refusal.steps[0])), None)


def moves_by_substitute(table: Table) -> list[tuple[int, int]]:
    """Return for each seat how many of its standing moves a bot has made for a person, or before they came, and how
    many there are."""
    bots = {change.seat for change in table.changes if change.kind == "late" and change.seat is not None}
    found = [(0, 0)] * len(table.seats)
    for change in table.changes:
        if change.kind in BOT_SITS_CHANGES and change.notation:
            bots.update(change.steps)
        elif change.kind in ("gone", "resign", "back", "handed", "late") and change.seat is not None:
            (bots.add if change.kind in ("gone", "resign") else bots.discard)(change.seat)
            bots.difference_update(change.steps)
        elif change.kind == "move" and change.seat is not None and not change.undone:
            by_bot, moves = found[change.seat]
            found[change.seat] = by_bot + (change.seat in bots), moves + 1
    return found


def played_for(table: Table, seat: int) -> int:
    """Return how many standing moves a bot has made for a person who has come back and not moved since."""
    found, by_bot = 0, False
    for change in reversed(table.changes):
        if change.kind == "back" and seat in (change.seat, *change.steps):
            by_bot = True
        elif change.kind in BOT_SITS_CHANGES and change.notation and seat in change.steps:
            by_bot = False
        elif change.kind == "move" and change.seat == seat and not change.undone:
            if change.client_id is not None:
                break
            found += by_bot
    return found if table.status == "playing" and table.seats[seat].bot is None else 0


def substitute(table: Table) -> str:
    """Return the bot that a table chose for absent people."""
    return table.time.control.bot if table.time is not None else SUBSTITUTE_BOT


def came_late(table: Table, seat: int) -> bool:
    """Whether the person of a seat took it from a bot that kept it warm."""
    return any(change.kind == "late" and change.seat == seat for change in table.changes)


def gone_for(table: Table, seat: int, absent_for: float) -> float:
    """Return for how many seconds a person has been gone: since they left, or without a connection (`absent_for`)."""
    if not table.seats[seat].away:
        return absent_for
    left = None
    for change in reversed(table.changes):
        if change.seat == seat and change.kind in RETURNING_CHANGES:
            break
        if change.seat == seat and change.kind in LEAVING_CHANGES:
            left = change.at  # who left before they were forgotten is gone since then
    return absent_for if left is None else max(0.0, time.time() - left)


def _is_agreement(change: LogEntry, gone: int, absent_for: AbsentFor, least: int = LEAST_PATIENCE) -> bool:
    return change.kind == "stand_in" and change.steps == (gone,)


@idempotent(_is_agreement)
def agree_to_substitute(
    table: Table, seat: int, gone: int, absent_for: AbsentFor, least: int = LEAST_PATIENCE
) -> Table:
    """Return the table with one more agreement that a bot plays for `gone`; with the bot, when everybody asked agrees.

    A person who loads the page again, or whose train is in a tunnel, is not gone: only after the table's patience, and
    never in a game of days. All others are asked who are here or were a moment ago, as with a pause or an end; whoever
    says nothing has not agreed, and is asked no more when they have been gone for long. Two have to agree where more
    than two people play, but about one who came late to a bot's seat, which would else be nobody's.

    Args:
        absent_for: for how many seconds a seat has not been connected.
        least: the shortest patience of the server (`domain.patience`).
    """
    must_play(table)
    if not 0 <= gone < len(table.seats):
        raise Problem(400, "bad_seat", f"The seats of this table are 0 to {len(table.seats) - 1}.", seat=gone)
    chair = table.seats[gone]
    if chair.kind != "human" or gone == seat:
        raise Problem(409, "no_leaver", "A bot can only play for somebody else who left.", seat=gone)
    if chair.bot is not None:
        raise Problem(409, "has_stand_in", "A bot plays for this seat already.", seat=gone)
    if table.by_days:
        says = "In a game of days nobody is taken over for being gone; their clock alone decides."
        raise Problem(409, "clock_decides", says, seat=gone)
    absence = absent_for(gone)
    if not chair.away and absence == 0:
        raise Problem(409, "still_here", "Whoever sits there is still here.", seat=gone)
    left = math.ceil(patience_of(table, least) - gone_for(table, gone, absence))
    if left > 0:
        raise Problem(
            409,
            "not_gone_long",
            f"They may be back at once; a bot can play for them in {left} seconds.",
            seat=gone,
            left=left,
        )
    said = agreed(table, gone)
    yes = {*said, seat}
    heard = yes.union(*(table.companions(one) for one in yes))
    asked = {*votes.concerned(table, gone, absent_for)} - heard
    carried = not asked and (votes.enough(table, yes) or came_late(table, gone))
    if seat in said and not carried:
        raise _still_asked(table, asked, absent_for)
    bot = SUBSTITUTE_BOT if carried else None
    seats = table.with_seat(replace(chair, bot=bot)) if bot else table.seats
    return table.after("stand_in", seat, steps=(gone,), notation=bot or "", seats=seats)


def _is_refusal(change: LogEntry, gone: int) -> bool:
    return change.kind == "stand_in_no" and change.steps == (gone,)


@idempotent(_is_refusal)
def refuse_substitute(table: Table, seat: int, gone: int) -> Table:
    """Return the table without the proposal that a bot plays for `gone`: one of the people does not agree, or withdraws
    their own wish. It can be proposed again."""
    must_play(table)
    if not agreed(table, gone):
        raise Problem(409, "no_stand_in_asked", "Nobody asks for a bot for this seat now.", seat=gone)
    if seat == gone:
        raise Problem(409, "no_leaver", "Say that you are back; then no bot plays for you.", seat=gone)
    return table.after("stand_in_no", seat, steps=(gone,))


def _still_asked(table: Table, asked: Collection[int], absent_for: AbsentFor) -> Problem:
    """Return the refusal of a second proposal while others have not answered the first."""
    if not asked:
        return votes.two_agree()
    if any(absent_for(seat) == 0 for seat in asked):
        return Problem(409, "agreed_already", "You have agreed already; the others have to.", asked=sorted(asked))
    left = max(math.ceil(votes.recent(table) - absent_for(seat)) for seat in asked)
    says = f"Others were here a moment ago and are asked, too; without an answer it goes on in {left} seconds."
    return Problem(409, "others_asked", says, asked=sorted(asked), left=left)
