"""What the people at a table do together: pausing, going on, ending a game as it is, waiting for somebody."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from msgspec.structs import replace as changed

from ziggurat.server.problems import Problem
from ziggurat.server.verbs.clock import DAY, goes_on, moment
from ziggurat.server.verbs.guards import must_be_free, must_be_short, must_play, played_by
from ziggurat.server.verbs.table import Table, Vote

PAUSE = {"live": (60, 2 * 3600), "days": (3600, 14 * DAY)}
"""Seconds, least and most."""
ANSWER = float(DAY)
"""Seconds in which others answer at a table without a clock."""


def left(table: Table) -> tuple[int, ...]:
    """The people who are left: they have not gone away, and no bot plays for them."""
    return tuple(seat.seat for seat in table.seats if seat.plays and not seat.away)


def asked(table: Table) -> tuple[int, ...]:
    """The seats that have yet to answer what is asked."""
    vote = table.vote
    if vote is None:
        return ()
    return tuple(seat for seat in left(table) if seat != vote.by and seat not in vote.said)


def _ask(table: Table, seat: int, client_id: str, vote: Vote) -> Table:
    if table.vote is not None:
        raise Problem(409, "vote_waiting", "Something is being asked already; it must be answered first.")
    must_be_short(table, played_by(seat))
    if not set(left(table)) - {seat}:
        return carried(table, vote, client_id)
    return table.after(f"{vote.kind}_ask", seat, client_id, steps=(vote.seconds,) if vote.seconds else (), vote=vote)


def until(table: Table, seats: Iterable[int], now: float) -> float:
    """Return when those who are asked at a moment have had time to answer: nobody has to at night, or on vacation."""
    if table.time is None:
        return now + ANSWER
    control, theirs = table.time.control, table.time.seats
    return max((moment(theirs[seat], control, now, control.answer) for seat in seats), default=now)


def _time_for_others(table: Table, seat: int) -> float:
    return until(table, set(left(table)) - {seat}, time.time())


def ask_pause(table: Table, seat: int, client_id: str, seconds: int) -> Table:
    """Return the table with the wish to pause for a while; with the pause, where nobody else is left."""
    if table.known(seat, client_id) is not None:
        return table
    must_play(table)
    if table.time is None:
        raise Problem(409, "no_clock", "No clock runs at this table; there is nothing to pause.")
    if table.paused:
        raise Problem(409, "paused", "The game is paused already.")
    least, most = PAUSE[table.time.control.kind]
    if not least <= seconds <= most:
        raise Problem(400, "bad_pause", f"seconds: a pause here has {least} to {most}.", min=least, max=most)
    return _ask(table, seat, client_id, Vote("pause", seat, _time_for_others(table, seat), seconds))


def ask_end(table: Table, seat: int, client_id: str) -> Table:
    """Return the table with the wish to end the game as it is; ended, where nobody else is left."""
    if table.known(seat, client_id) is not None:
        return table
    must_play(table)
    must_be_free(table)
    return _ask(table, seat, client_id, Vote("end", seat, _time_for_others(table, seat)))


def carried(table: Table, vote: Vote, client_id: str | None = None) -> Table:
    """Return the table with what everybody agreed to."""
    if vote.kind == "end":
        return table.after("end", vote.by, client_id, status="ended", vote=None, undo=None)
    assert table.time is not None
    paused = changed(table.time, paused=time.time() + vote.seconds)
    return table.after("pause", vote.by, client_id, steps=(vote.seconds,), time=paused, vote=None)


def answer_vote(table: Table, seat: int, client_id: str, agree: bool) -> Table:
    """Return the table with one answer to what is asked; the one who asked may take it back.

    One who wants to wait longer for somebody is enough; to pause and to end takes everybody.
    """
    if table.known(seat, client_id) is not None:
        return table
    must_play(table)
    vote = table.vote
    if vote is None:
        raise Problem(409, "no_vote", "Nothing is asked of you now.")
    if seat == vote.by and (agree or vote.kind == "time"):
        raise Problem(409, "own_vote", "The others must answer this.")
    if seat in vote.said:
        raise Problem(409, "agreed_already", "You have answered already; the others have to.")
    if vote.kind == "time":
        return _wait(table, vote, seat, client_id) if agree else _impatient(table, vote, seat, client_id)
    if not agree:
        return table.after("vote_no", seat, client_id, vote=None)
    return _said(table, vote, seat, client_id)


def _said(table: Table, vote: Vote, seat: int, client_id: str) -> Table:
    vote = changed(vote, said=(*vote.said, seat))
    if set(left(table)) <= {vote.by, *vote.said}:
        return carried(table, vote, client_id)
    return table.after("vote_yes", seat, client_id, vote=vote)


def _wait(table: Table, vote: Vote, seat: int, client_id: str) -> Table:
    assert table.time is not None
    clock = goes_on(table.time.seats[vote.by], table.time.control)
    return table.after("wait", seat, client_id, steps=(vote.by,), vote=None, time=table.time.with_seat(vote.by, clock))


def _impatient(table: Table, vote: Vote, seat: int, client_id: str) -> Table:
    assert table.time is not None
    vote = changed(vote, said=(*vote.said, seat))
    if not set(left(table)) <= {vote.by, *vote.said}:
        return table.after("vote_no", seat, client_id, vote=vote)
    return bot_plays(table, vote.by, seat, client_id)


def bot_plays(table: Table, gone: int, seat: int | None = None, client_id: str | None = None) -> Table:
    """Return the table with the bot that it chose for those whose time has run out."""
    assert table.time is not None
    bot = table.time.control.bot
    seats = table.with_seat(replace(table.seats[gone], bot=bot))
    vote = None if table.vote is not None and table.vote.kind == "time" and table.vote.by == gone else table.vote
    return table.after("timeout", seat, client_id, steps=(gone,), notation=bot, seats=seats, vote=vote)


def resume(table: Table, seat: int, client_id: str) -> Table:
    """Return the table after a pause, which everybody may end."""
    if table.known(seat, client_id) is not None:
        return table
    must_play(table)
    if table.time is None or not table.paused:
        raise Problem(409, "not_paused", "The game is not paused.")
    must_be_short(table, played_by(seat))
    return table.after("resume", seat, client_id, time=changed(table.time, paused=None))
