"""A whole move of one seat: all of its steps or none."""

from __future__ import annotations

from ziggurat.core.decision import About, Preview
from ziggurat.core.errors import IllegalAction
from ziggurat.server.domain import rules_gateway
from ziggurat.server.domain.guards import must_decide, must_play, same_question
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.table import LogEntry, Table
from ziggurat.server.problems import Problem


def preview(table: Table, seat: int, seq: int, steps: list[int]) -> Preview:
    """Return the preview of an unfinished move. Raises IllegalAction."""
    return must_decide(table, seat, seq).preview(seat, steps)


def about(table: Table, seat: int | None, pieces: list[str]) -> list[About]:
    """Return descriptions of pieces, and what each is worth to a seat now; the game may be over. Raises
    UnknownPiece."""
    if table.position is None:
        must_play(table)
    assert table.position is not None
    return table.position.about(seat, pieces)


def _is_move(change: LogEntry, seq: int, steps: tuple[int, ...]) -> bool:
    return change.kind == "move" and change.steps == steps


@idempotent(_is_move)
def move(table: Table, seat: int, seq: int, steps: tuple[int, ...]) -> Table:
    """Return the table after a move. `seq` is the state of the table for which the move was chosen."""
    return _by_person(table, seat, seq, steps)


def _is_written(change: LogEntry, seq: int, text: str) -> bool:
    return change.kind == "move" and change.notation == " ".join(text.split())


@idempotent(_is_written)
def written_move(table: Table, seat: int, seq: int, text: str) -> Table:
    """Return the table after a move in notation, chosen at `seq`. Raises NotationError."""
    steps = must_decide(table, seat, seq).read_move(text, seat)
    return _by_person(table, seat, seq, tuple(steps))


def _by_person(table: Table, seat: int, seq: int, steps: tuple[int, ...]) -> Table:
    must_decide(table, seat, seq)
    if table.seats[seat].bot is not None:
        raise Problem(409, "bot_plays", "A bot plays for you; take your seat back first.")
    return play(table, seat, steps)


def bot_failed(table: Table, seat: int, bot: str | None) -> Table:
    """Return the table with the news that a house bot does not answer, and that the heuristic moves for it."""
    if table.status != "playing" or table.seats[seat].bot != bot:
        return table
    return table.after("bot_failed", seat)


def play_bot(table: Table, seat: int, bot: str | None, seq: int, steps: tuple[int, ...]) -> Table:
    """Return the table after the move that a bot chose at `seq`; unchanged if the move has become void meanwhile."""
    # Whatever keeps bots waiting may have come while it thought.
    due = table.bot_due is not None and seat in table.actors and table.seats[seat].bot == bot
    if not due or not same_question(table, seat, seq):
        return table
    try:
        return play(table, seat, steps)
    except IllegalAction:
        if table.seq == seq:
            raise
        return table  # another seat that decided at the same time took what it needed


def play_forced(table: Table, seat: int, seq: int) -> Table:
    """Return the table after the forced answer that a seat owed at `seq`; unchanged if it owes it no more."""
    answer = table.answers.get(seat)
    if answer is None or not same_question(table, seat, seq):
        return table
    return play(table, seat, answer.steps)


def play(table: Table, seat: int, steps: tuple[int, ...]) -> Table:
    """Return the table after a move whose message is new.

    A move made while an undo is asked for refuses the undo; an answer such as the rules force leaves it alone, whether
    they did or not.
    """
    must_decide(table, seat)
    position, notation, events = rules_gateway.play(table, seat, steps)
    result, forced = rules_gateway.result(position), rules_gateway.passes_for_forced(table, seat, steps)
    return table.after(
        "move",
        seat,
        steps=steps,
        notation=notation,
        events=events,
        forced=forced,
        position=position,
        status="finished" if result else "playing",
        result=result,
        undo=table.undo if forced and result is None else None,
    )
