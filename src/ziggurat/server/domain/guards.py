"""Guards: the preconditions of commands. Each refusal is written in one place."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ziggurat import Position
from ziggurat.server.domain.people import alike
from ziggurat.server.domain.table import PLAY_CHANGES, LogEntry, Seat, Table
from ziggurat.server.problems import Problem


def must_be_asked(seat: int, whom: Collection[int], said: Collection[int]) -> None:
    """Refuse the answer of a person who was not asked, or has answered already."""
    if seat not in whom:
        raise Problem(
            409, "not_asked", "You were not asked this; those who were have to answer it.", asked=sorted(whom)
        )
    if seat in said:
        raise Problem(409, "agreed_already", "You have answered already; the others have to.")


def must_wait(table: Table) -> None:
    """Refuse a command of the waiting room once the game has started."""
    _must_be_there(table)
    if table.status != "waiting":
        raise Problem(409, "already_started", "This game has started already; nobody can join it or change it now.")


def _must_be_there(table: Table) -> None:
    if table.status == "expired":
        raise Problem(409, "expired", "Nobody began this game for a long time, and the table was cleared away.")


def must_play(table: Table) -> Position:
    """Return the position of a running game; refuse when no game is running."""
    _must_be_there(table)
    if table.status == "waiting":
        raise Problem(409, "not_started", "This game has not started yet.")
    if table.over:
        raise Problem(409, "game_over", "This game is over.")
    if table.position is None:
        raise Problem(409, "rules_changed", table.trouble or "This game cannot go on.")
    return table.position


def must_be_over(table: Table) -> None:
    """Refuse during a game what could spoil it."""
    if not table.over:
        raise Problem(409, "not_over", "This is shown when the game is over.")


def must_be_free(table: Table) -> None:
    """Refuse at a table of the day's deal what would make it another game than everybody else's."""
    if table.deal is not None:
        says = "In the day's deal every move stands, everybody plays for themselves, and it is played to the end."
        raise Problem(409, "deal_stands", says)


def must_decide(table: Table, seat: int, seq: int | None = None) -> Position:
    """Return the position in which a seat owes a decision; refuse when it does not, or not the one that it means.

    Args:
        seq: the state of the table that the seat saw when it chose; None for who cannot see an older one.
    """
    position = must_play(table)
    if table.paused:
        raise Problem(409, "paused", "The game is paused; whoever sits at the table can go on with it.")
    if seq is not None and seq > table.seq:
        raise Problem(
            409, "bad_seq", f"seq {seq} is not there yet; the table is at {table.seq}.", seq=seq, now=table.seq
        )
    if seq is not None and not same_question(table, seat, seq):
        raise Problem(
            409,
            "stale",
            f"The table has moved on since {seq}; it is at {table.seq}. Choose again.",
            seq=seq,
            now=table.seq,
        )
    if seat not in position.actors:
        raise Problem(409, "not_your_turn", "It is not your turn.", seat=seat, actors=list(position.actors))
    return position


def asked_since(table: Table, seat: int) -> int:
    """Return the seq since which a seat's question is the same: every change after it left the question alone.

    It stays the same while only others move who had to decide at the same time. Everybody at the table could say so:
    who moved and who has to decide is open to all.
    """
    later: LogEntry | None = None
    for change in reversed(table.changes):
        if change.kind not in PLAY_CHANGES:
            continue
        if later is not None and seat not in change.actors:
            return later.seq
        if change.kind != "move" or change.seat == seat:
            return change.seq
        later = change
    return later.seq if later is not None else 0


def same_question(table: Table, seat: int, seq: int) -> bool:
    """Whether a choice made at `seq` still answers the seat's question."""
    return seq >= asked_since(table, seat)


def must_be_told_apart(seats: Sequence[Seat], name: str, seat: int | None = None) -> None:
    """Refuse a name by which a seat (None: an onlooker) could be mistaken for another person at the table, or for a
    person who is invited there."""
    taken = next((other.name for other in seats if other.name and other.seat != seat and alike(other.name, name)), None)
    if taken is not None:
        raise Problem(409, "name_taken", f"Somebody at this table is called {taken}; choose another name.", name=taken)


def must_all_be_told_apart(seats: Sequence[Seat]) -> None:
    """Refuse a new table at which two people could be mistaken for one another."""
    for seat in seats:
        if seat.name:
            must_be_told_apart(seats, seat.name, seat.seat)


def table_full() -> Problem:
    """Return the refusal for people who find no free seat."""
    return Problem(409, "table_full", "No seat is free at this table.")


def seat_gone() -> Problem:
    """Return the refusal for people whose kept seat is gone."""
    return Problem(409, "seat_gone", "No seat is kept for you at this table any more.")


def lets_programs(table: Table) -> bool:
    """Whether the people of a table have agreed to programs; in the day's deal nobody can."""
    return table.deal is None and table.policy.programs


def must_let_programs(table: Table) -> None:
    """Refuse programs at a table whose people have not agreed to them, and in the day's deal in any case."""
    if not lets_programs(table):
        says = "Programs do not sit down at this table; its host can let them in while people are waited for."
        raise Problem(403, "no_programs", says)
