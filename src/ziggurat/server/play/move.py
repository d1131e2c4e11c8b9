"""A whole move of one seat: all of its steps or none."""

from __future__ import annotations

from ziggurat.server.play import rules
from ziggurat.server.play.table import PLAY, Change, Table
from ziggurat.server.problems import Problem


def must_play(table: Table) -> None:
    """Refuse when no game is being played here."""
    if table.status == "waiting":
        raise Problem(409, "not_started", "This game has not started yet.")
    if table.status == "finished":
        raise Problem(409, "game_over", "This game is over.")
    if table.position is None:
        raise Problem(409, "rules_changed", table.trouble or "This game cannot go on.")


def still_meant(table: Table, seat: int, seq: int) -> bool:
    """Whether a move chosen at `seq` is still the answer to the same question.

    It is when the position is the same, or when only others moved who had to decide at the same time.
    """
    actors = next((change.actors for change in reversed(table.changes) if change.seq <= seq), ())
    for change in table.changes:
        if change.seq > seq and change.kind in PLAY:
            if change.kind != "move" or change.seat == seat or seat not in actors:
                return False
            actors = change.actors
    return True


def move(table: Table, seat: int, client_id: str, seq: int, steps: tuple[int, ...]) -> Table:
    """Return the table after a move; a move that is known already changes nothing.

    `seq` is the state of the table for which the move was chosen.
    """
    known = table.known(seat, client_id)
    if known is not None:
        if known.kind != "move" or known.steps != steps:
            raise Problem(
                409, "id_reused", "This message id was used for something else; every new message needs a new id."
            )
        return table
    must_play(table)
    if seq > table.seq:
        raise Problem(
            409, "bad_seq", f"seq {seq} is not there yet; the table is at {table.seq}.", seq=seq, now=table.seq
        )
    if not still_meant(table, seat, seq):
        raise Problem(
            409,
            "stale",
            f"The table has moved on since {seq}; it is at {table.seq}. Choose again.",
            seq=seq,
            now=table.seq,
        )
    return play(table, seat, steps, client_id)


def play(table: Table, seat: int, steps: tuple[int, ...], client_id: str | None = None) -> Table:
    """Return the table after a move that is new. A move made while an undo is asked for refuses the undo."""
    must_play(table)
    position, notation, events, quiet = rules.play(table, seat, steps)
    change = Change(0, 0, "move", seat, client_id, steps, notation, events, quiet=quiet)
    result = rules.result(position)
    status = "finished" if result else "playing"
    return table.after("move", change=change, position=position, status=status, result=result, undo=None)
