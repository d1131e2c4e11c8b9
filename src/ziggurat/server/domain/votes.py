"""Votes of the people at a table: to pause, to go on, to end a game as it is, to wait for an absent person."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal

from msgspec.structs import replace as changed

from ziggurat.server.domain.bounds import must_not_press
from ziggurat.server.domain.clock import DAY_SECONDS, moment, with_extra_time
from ziggurat.server.domain.guards import must_be_asked, must_be_free, must_play
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.locking import must_not_be_locked
from ziggurat.server.domain.policy import WATCHING_KINDS, Watching
from ziggurat.server.domain.table import LogEntry, Table, Vote
from ziggurat.server.problems import Problem

PAUSE_SECONDS = {"live": (60, 2 * 3600), "days": (3600, 14 * DAY_SECONDS)}
"""Seconds, least and most."""
ANSWER_SECONDS = float(DAY_SECONDS)
"""Seconds in which others answer at a table without a clock."""
RECENTLY_LOST_SECONDS = {"live": 300.0, "days": float(DAY_SECONDS)}
"""Seconds for which a person who has lost their connection is still asked."""
AbsentFor = Callable[[int], float]
"""For how many seconds a seat has not been connected; 0: it is."""


def nobody(_seat: int) -> float:
    """Treat nobody as present but those who play for themselves."""
    return float("inf")


def left(table: Table) -> tuple[int, ...]:
    """Return the seats of the remaining people: no bot plays for them, and they have not gone away; by days that is no
    absence."""
    return tuple(seat.seat for seat in table.seats if seat.plays and (table.by_days or not seat.away))


def recent(table: Table) -> float:
    """Return the seconds for which a table still asks a person who has lost their connection."""
    return RECENTLY_LOST_SECONDS["days" if table.by_days else "live"]


def concerned(table: Table, seat: int, absent_for: AbsentFor) -> tuple[int, ...]:
    """The other people whose game it is, and who are here or were a moment ago, whether a bot plays for them or not.

    To have lost one's time does not mean to agree to whatever the others want.
    """
    most = recent(table)
    chairs = (table.seats[other] for other in table.others(seat))
    return tuple(chair.seat for chair in chairs if chair.person is not None and absent_for(chair.seat) <= most)


def enough(table: Table, seats: Iterable[int]) -> bool:
    """Whether enough people agree to what happens to somebody else's game: where more than one other person sits,
    nobody decides that alone, whoever is present. People on one device have one voice."""
    people = {seat.owner for seat in table.seats if seat.person is not None and not seat.resigned}
    return len({table.seats[seat].owner for seat in seats}) >= min(2, len(people) - 1)


def two_agree() -> Problem:
    """Return the refusal of what one person asks for and two have to agree on."""
    says = "Where three people or more play, at least two of them have to agree to this; nobody else is here."
    return Problem(409, "two_agree", says)


def asked(table: Table) -> tuple[int, ...]:
    """The seats that have yet to answer a vote."""
    vote = table.vote
    if vote is None:
        return ()
    return tuple(seat for seat in _whom(table, vote) if seat not in (vote.by, *vote.said, *vote.again))


def _whom(table: Table, vote: Vote) -> tuple[int, ...]:
    """The seats that a vote asks: those present then, and those who have come back since."""
    mine = () if vote.kind == "time" else table.companions(vote.by)
    return tuple(sorted({*vote.whom, *left(table)}.difference(mine)))


def _ask(
    table: Table, seat: int, kind: Literal["pause", "end", "watch"], absent_for: AbsentFor, seconds: int = 0
) -> Table:
    if table.vote is not None:
        raise Problem(409, "vote_waiting", "Something is being asked already; it must be answered first.")
    now = time.time()
    must_not_press(f"{kind}_ask", seat, table.changes, now)
    here = {*left(table), *concerned(table, seat, absent_for)}
    whom = tuple(sorted(here - {seat, *table.companions(seat)}))
    vote = Vote(kind, seat, until(table, whom, now), seconds, whom=whom)
    if not whom:
        if kind == "end" and not enough(table, [seat]):
            raise two_agree()
        return carried(table, vote, seat)
    return table.after(f"{kind}_ask", seat, steps=(seconds,) if seconds else (), vote=vote)


def until(table: Table, seats: Iterable[int], now: float) -> float:
    """Return the deadline of a vote that begins at a moment: nobody has to answer at night, or on holiday."""
    if table.time is None:
        return now + ANSWER_SECONDS
    control, theirs = table.time.control, table.time.seats
    return max((moment(theirs[seat], control, now, control.answer) for seat in seats), default=now)


def _is_pause(change: LogEntry, seconds: int, absent_for: AbsentFor = nobody) -> bool:
    return (change.kind, change.steps) in (("pause_ask", (seconds,)), ("pause", (seconds, change.seat)))


@idempotent(_is_pause)
def ask_pause(table: Table, seat: int, seconds: int, absent_for: AbsentFor = nobody) -> Table:
    """Return the table with a vote to pause for a while; paused, where nobody else is left."""
    must_play(table)
    if table.time is None:
        raise Problem(409, "no_clock", "No clock runs at this table; there is nothing to pause.")
    if table.paused:
        raise Problem(409, "paused", "The game is paused already.")
    least, most = PAUSE_SECONDS[table.time.control.kind]
    if not least <= seconds <= most:
        raise Problem(400, "bad_pause", f"seconds: a pause here has {least} to {most}.", min=least, max=most)
    return _ask(table, seat, "pause", absent_for, seconds)


def _is_end(change: LogEntry, absent_for: AbsentFor = nobody) -> bool:
    return change.kind == "end_ask" or (change.kind == "end" and change.steps == (change.seat,))


@idempotent(_is_end)
def ask_end(table: Table, seat: int, absent_for: AbsentFor = nobody) -> Table:
    """Return the table with a vote to end the game as it is; ended, where nobody else is left."""
    must_play(table)
    must_be_free(table)
    return _ask(table, seat, "end", absent_for)


def _is_watch(change: LogEntry, watch: Watching, absent_for: AbsentFor = nobody) -> bool:
    if change.kind == "watch_ask":
        return change.steps == (WATCHING_KINDS.index(watch),)
    return change.kind == "watch" and change.steps == (WATCHING_KINDS.index(watch), change.seat)


@idempotent(_is_watch)
def ask_watch(table: Table, seat: int, watch: Watching, absent_for: AbsentFor = nobody) -> Table:
    """Return the table with fewer people who may look on, as anybody who plays may decide; or with a vote to let more
    people look on, which needs everybody."""
    must_play(table)
    must_be_free(table)
    must_not_be_locked(table)
    now, then = WATCHING_KINDS.index(table.policy.watch), WATCHING_KINDS.index(watch)
    if then > now:
        return _ask(table, seat, "watch", absent_for, then)
    return table if then == now else _watched(table, then, seat, seat)


def _watched(table: Table, watch: int, by: int, seat: int) -> Table:
    policy = changed(table.policy, watch=WATCHING_KINDS[watch])
    vote = None if table.vote is not None and table.vote.kind == "watch" else table.vote
    return table.after("watch", seat, steps=(watch, by), policy=policy, vote=vote)


def carried(table: Table, vote: Vote, seat: int) -> Table:
    """Return the table after a vote that everybody agreed to; `seat` was the last."""
    if vote.kind == "watch":
        return _watched(table, vote.seconds, vote.by, seat)
    if vote.kind == "end":
        return table.after("end", seat, steps=(vote.by,), status="ended", vote=None, undo=None)
    assert table.time is not None
    paused = changed(table.time, paused=time.time() + vote.seconds)
    return table.after("pause", seat, steps=(vote.seconds, vote.by), time=paused, vote=None)


def _is_vote(change: LogEntry, agree: bool) -> bool:
    if not agree:
        return change.kind in ("vote_no", "timeout")
    # A pause or an end says at last who asked for it; who did so did not answer.
    return change.kind in ("vote_yes", "wait") or (
        change.kind in ("pause", "end", "watch") and change.steps[-1:] != (change.seat,)
    )


@idempotent(_is_vote)
def answer_vote(table: Table, seat: int, agree: bool) -> Table:
    """Return the table with one answer to a vote; the person who asked may withdraw it.

    To wait longer for a player, one voice is enough, once: whoever has waited for the same decision before does not
    speak for the others any more. To pause and to end, everybody has to agree.
    """
    must_play(table)
    vote = table.vote
    if vote is None:
        raise Problem(409, "no_vote", "Nothing is asked of you now.")
    if seat == vote.by and (agree or vote.kind == "time"):
        raise Problem(409, "own_vote", "The others must answer this.")
    if seat != vote.by:
        must_be_asked(seat, _whom(table, vote), (*vote.said, *vote.again))
    if vote.kind == "time":
        return _of_time(table, vote, seat, agree)
    if not agree:
        return table.after("vote_no", seat, vote=None)
    return _said(table, vote, seat)


def _said(table: Table, vote: Vote, seat: int) -> Table:
    vote = changed(vote, said=(*vote.said, seat, *table.companions(seat)))
    if set(_whom(table, vote)) <= {vote.by, *vote.said}:
        return carried(table, vote, seat)
    return table.after("vote_yes", seat, vote=vote)


def _of_time(table: Table, vote: Vote, seat: int, wait: bool) -> Table:
    if wait and seat not in _waited(table, vote.by):
        return _wait(table, vote, seat)
    mine = (seat, *table.companions(seat))
    vote = changed(vote, again=(*vote.again, *mine)) if wait else changed(vote, said=(*vote.said, *mine))
    kept = table.after("vote_yes" if wait else "vote_no", seat, vote=vote)
    if asked(kept) or not enough(table, [*vote.said, *vote.again]):
        return kept
    return bot_plays(table, vote.by, seat) if vote.said else _wait(table, vote, seat)


def _waited(table: Table, gone: int) -> set[int]:
    """The seats that have waited longer already for a decision that a seat owes, with those on their devices."""
    found: set[int] = set()
    for change in reversed(table.changes):
        if change.kind == "start" or (change.kind == "move" and change.seat == gone):
            break
        if change.kind == "wait" and change.steps == (gone,) and change.seat is not None:
            found |= {change.seat, *table.companions(change.seat)}
    return found


def _wait(table: Table, vote: Vote, seat: int | None) -> Table:
    assert table.time is not None
    clock = with_extra_time(table.time.seats[vote.by], table.time.control)
    return table.after("wait", seat, steps=(vote.by,), vote=None, time=table.time.with_seat(vote.by, clock))


def lapsed(table: Table, vote: Vote) -> Table:
    """Return the table after the deadline of a vote: silence is no agreement, and no longer wait. Where somebody would
    wait once more, and nobody is against it, they wait."""
    if vote.kind != "time":
        return table.after("vote_no", vote=None)
    return _wait(table, vote, vote.again[0]) if vote.again and not vote.said else bot_plays(table, vote.by)


def bot_plays(table: Table, gone: int, seat: int | None = None) -> Table:
    """Return the table with its chosen bot on the seats whose time has run out."""
    assert table.time is not None
    bot = table.time.control.bot
    seats = table.with_seat(replace(table.seats[gone], bot=bot))
    vote = None if table.vote is not None and table.vote.kind == "time" and table.vote.by == gone else table.vote
    return table.after("timeout", seat, steps=(gone,), notation=bot, seats=seats, vote=vote)


def _is_resume(change: LogEntry) -> bool:
    return change.kind == "resume"


@idempotent(_is_resume)
def resume(table: Table, seat: int) -> Table:
    """Return the table after a pause, which everybody may end."""
    must_play(table)
    if table.time is None or not table.paused:
        raise Problem(409, "not_paused", "The game is not paused.")
    return table.after("resume", seat, time=changed(table.time, paused=None))
