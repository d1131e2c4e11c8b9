"""Undo: at once when the move revealed nothing to anybody, otherwise when the other people agree.

Whether anything was learnt is looked at when somebody wants to take a move back: it takes longer than the move.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile
from typing import Literal

from msgspec.structs import replace as changed

from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.bounds import must_not_press
from ziggurat.server.domain.guards import must_be_asked, must_be_free, must_play
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.table import LogEntry, Table, Undo
from ziggurat.server.domain.votes import AbsentFor, concerned, left, nobody, until
from ziggurat.server.problems import Problem


def _asked(table: Table, seat: int) -> tuple[int, ...]:
    """The people whose consent an undo needs: those who are not away and play themselves, and everybody else who was
    here when it was requested."""
    here = {*left(table)} - {seat, *table.companions(seat)}
    return tuple(sorted({*here, *(table.undo.whom if table.undo is not None else ())}))


def can_undo(table: Table, seat: int | None) -> Literal["free", "ask"] | None:
    """Return whether a seat can undo its last move now: at once, by asking, or not at all.

    Where others sit, at once means: unless the move showed something, which is looked at when it is wanted.
    """
    if seat is None or table.status != "playing" or table.position is None or table.undo is not None:
        return None
    if table.deal is not None or table.seats[seat].bot is not None:
        return None  # the bot that plays for them would only play again
    mine = _chosen(table, seat)
    if mine is None or _committed(table, mine):
        return None
    if not table.others(seat) or (_nobody_moved_since(table, mine) and not _was_asked(table, mine)):
        return "free"
    # The absent have not agreed: with nobody to ask, what was learnt stays learnt.
    return "ask" if _asked(table, seat) else None


def _nobody_moved_since(table: Table, change: LogEntry) -> bool:
    """Whether a move and all later ones are of one seat."""
    after = takewhile(lambda later: later is not change, _latest(table))
    return all(later.seat == change.seat for later in after)


def _was_asked(table: Table, change: LogEntry) -> bool:
    """Whether the others were already asked to undo a move: then it revealed something."""
    return any(later.kind == "undo_ask" and later.seat == change.seat for later in table.since(change.seq))


def _latest(table: Table) -> Iterator[LogEntry]:
    """Yield the log entries of the standing moves, the newest first."""
    return (c for c in reversed(table.changes) if c.kind in ("start", "move") and not c.undone)


def _chosen(table: Table, seat: int) -> LogEntry | None:
    """Return the last move of a seat that everybody knows to be a decision; forced answers since go with it.

    If a chosen answer could be taken back alone and a forced one could not, the others would see which it was.
    Of moves that a bot made for a person it is the first: all that was played in their name goes at once.
    """
    first = None
    for change in _latest(table):
        if change.kind != "move" or change.seat != seat or change.forced:
            continue
        if change.client_id is not None:
            return first or change
        first = change
    return first


def _committed(table: Table, change: LogEntry) -> bool:
    """Whether a move was one of several made at once, and some of those seats have not decided yet."""
    latest = _latest(table)
    after = [*takewhile(lambda later: later is not change, latest), change]
    before = next(latest, None)
    if before is None or len(before.actors) < 2:
        return False
    asked = set(before.actors)
    return bool(table.actors) and all(set(later.actors) < asked for later in after)


def _take_back(table: Table, seat: int, by: int, to: int) -> Table:
    """Return the table before change `to`, which `by` takes back; `seat` has requested the undo, or agreed as the last.
    The log keeps what was undone, and marks it."""
    seq = table.seq + 1
    marked = tuple(
        replace(change, undone=seq) if change.kind == "move" and change.seq >= to and not change.undone else change
        for change in table.changes
    )
    before = replace(table, changes=marked)
    position = rules_gateway.replay(before)
    return before.after("undo", seat, steps=(by,), position=position, undo=None)


def _is_undo(change: LogEntry, absent_for: AbsentFor = nobody, ask: bool = True) -> bool:
    return change.kind == "undo_ask" or (change.kind == "undo" and change.steps == (change.seat,))


@idempotent(_is_undo)
def undo(table: Table, seat: int, absent_for: AbsentFor = nobody, ask: bool = True) -> Table:
    """Return the table with a seat's last move undone, or with the request for it.

    `absent_for`: for how many seconds a seat has not been connected. `ask`: if the others have to agree, ask them.
    """
    must_play(table)
    must_be_free(table)
    if table.undo is not None:
        raise Problem(409, "undo_waiting", "An undo is being asked for already; it must be answered first.")
    how = can_undo(table, seat)
    if how is None:
        raise Problem(409, "nothing_to_undo", "There is no move of yours to take back.")
    chosen = _chosen(table, seat)
    assert chosen is not None
    if how == "free" and (not table.others(seat) or rules_gateway.showed_nothing(table, chosen.seq)):
        return _take_back(table, seat, seat, chosen.seq)
    if not _asked(table, seat):
        raise Problem(409, "undo_stands", "Your move showed you something, and nobody is here who could agree.")
    if not ask:
        raise Problem(409, "undo_asks", "Your move showed you something: the others have to agree that it is undone.")
    now, whom = time.time(), tuple(sorted({*_asked(table, seat), *concerned(table, seat, absent_for)}))
    must_not_press("undo_ask", seat, table.changes, now)
    late = until(table, whom, now) if table.time is not None else None
    return table.after("undo_ask", seat, undo=Undo(seat, chosen.seq, until=late, whom=whom))


def _is_answer(change: LogEntry, agree: bool) -> bool:
    if not agree:
        return change.kind == "undo_no"
    return change.kind == "undo_yes" or (change.kind == "undo" and change.steps != (change.seat,))


@idempotent(_is_answer)
def answer(table: Table, seat: int, agree: bool) -> Table:
    """Return the table with one answer to the request for an undo. The seat that asked may withdraw it."""
    must_play(table)
    wish = table.undo
    if wish is None:
        raise Problem(409, "no_undo", "Nobody asks for an undo now.")
    if agree and seat == wish.by:
        raise Problem(409, "own_undo", "The others must agree to this undo; you may only withdraw it.")
    if seat != wish.by:
        must_be_asked(seat, _asked(table, wish.by), wish.agreed)
    if not agree:
        return table.after("undo_no", seat, undo=None)
    wish = changed(wish, agreed=(*wish.agreed, seat))
    if set(_asked(table, wish.by)) <= set(wish.agreed):
        return _take_back(table, seat, wish.by, wish.to)
    return table.after("undo_yes", seat, undo=wish)


def asks(table: Table, seat: int | None) -> bool:
    """Whether a seat has yet to answer the request for an undo."""
    wish = table.undo
    return wish is not None and seat is not None and seat in _asked(table, wish.by) and seat not in wish.agreed
