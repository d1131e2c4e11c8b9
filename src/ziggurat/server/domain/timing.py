"""The effect of time on a table: a change starts and stops clocks, and some changes happen because time has passed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from msgspec.structs import replace as changed

from ziggurat.server.domain import clock as clocks
from ziggurat.server.domain.clock import DAY_SECONDS, Clock, Outages, Time, TimeControl
from ziggurat.server.domain.guards import must_play
from ziggurat.server.domain.idempotency import idempotent
from ziggurat.server.domain.move import play_forced
from ziggurat.server.domain.open_table import pass_open
from ziggurat.server.domain.table import LogEntry, Table, Vote
from ziggurat.server.domain.votes import bot_plays, lapsed, left, until
from ziggurat.server.problems import Problem

EARLY_ALARM_SECONDS = 0.5
"""Seconds by which a moment may have been foreseen too early: what is left is then given."""


def ran(old: Table | None, new: Table, outages: Outages = ()) -> Table:
    """Return a table with its clocks set after its last change: those of the seats that have to decide run, the others
    stand.

    `old`: as it was before; None of one that is new.
    """
    if new.time is None:
        return new
    control, now = new.time.control, new.updated
    if (seat := _answered(old, new.changes[-1])) is not None:
        clock = clocks.answered(new.time.seats[seat], control, now, outages)
        new = replace(new, time=new.time.with_seat(seat, clock))
    new = _noted(old, new, control, outages)
    assert new.time is not None
    seats = tuple(_ran(old, new, seat, clock, control, now, outages) for seat, clock in enumerate(new.time.seats))
    vote = new.vote
    if vote is not None and vote.kind == "time" and not (vote.by in new.people_due and seats[vote.by].flagged):
        vote = None  # they have moved after all, a bot does, or a friend to whom they handed the seat
    if seats == new.time.seats and vote is new.vote:
        return new
    return replace(new, time=changed(new.time, seats=seats), vote=vote)


def _answered(old: Table | None, change: LogEntry) -> int | None:
    """Return the seat whose forced answer the last change gave, by the person or by the service, if it gave one."""
    if old is None or change.kind != "move" or change.seat is None or not old.seats[change.seat].plays:
        return None
    return change.seat if change.client_id is None or change.seat in old.answers else None


def _noted(old: Table | None, new: Table, control: TimeControl, outages: Outages) -> Table:
    """Return a table whose last change, if it is a move, notes the reading of the mover's clock."""
    change = new.changes[-1]
    if old is None or old.time is None or change.kind != "move" or change.seat is None:
        return new
    stands = clocks.charged if _answered(old, change) is None else clocks.answered
    clock = stands(old.time.seats[change.seat], control, change.at, outages)
    left = clock.left(bot=old.seats[change.seat].bot is not None)
    return replace(new, changes=(*new.changes[:-1], replace(change, left=left)))


def _taken_back(table: Table, seat: int) -> LogEntry | None:
    """Return the first of a seat's moves that the last change has taken back, if the clock goes on from there.

    It does not where a bot moved because the seat's time had run out: it has been given some since.
    """
    change = table.changes[-1]
    if change.kind != "undo":
        return None
    first = next((one for one in table.changes if one.undone == change.seq and one.seat == seat), None)
    return first if first is not None and first.left is not None and not first.left.late else None


def _pauses(table: Table) -> list[tuple[float, float]]:
    """Return the pauses of a table, up to now."""
    found: list[tuple[float, float]] = []
    begun: float | None = None
    for change in table.changes:
        if change.kind == "pause":
            begun = change.at
        elif change.kind == "resume" and begun is not None:
            found.append((begun, change.at))
            begun = None
    return found if begun is None else [*found, (begun, table.updated)]


def _ran(
    old: Table | None, new: Table, seat: int, clock: Clock, control: TimeControl, now: float, outages: Outages
) -> Clock:
    if old is not None and old.time is not None and (zone := old.time.seats[seat].zone) != clock.zone:
        # A friend's nights: until now those of the giver have counted.
        clock = changed(clocks.charged(changed(clock, zone=zone), control, now, outages), zone=clock.zone)
    due = seat in new.people_due and not new.paused
    fresh = seat in new.actors and _newly_asked(old, new.changes[-1], seat)
    if not due or fresh:
        clock = clocks.charged(clock, control, now, outages)
    if fresh:
        clock = changed(clocks.asked(clock, control), late=clock.late and not new.seats[seat].plays)
    if seat in new.people_due and (back := _taken_back(new, seat)) is not None:
        clock = clocks.charged(clock, control, now, outages)
        # At once: what others have thought about meanwhile was never done. By consent: only what was one's own.
        free = old is not None and old.undo is None and bool(new.others(seat))
        passed = clocks.counted(clock, control, back.at, now, (*outages, *_pauses(new))) if free else 0.0
        assert back.left is not None
        clock = clocks.restored(clock, back.left, passed)
    if new.changes[-1].kind == "undo" and seat not in new.actors:
        clock = changed(clock, delay_left=0.0)  # of a decision that nobody has to make any more
    if old is not None and new.seats[seat].plays and _comes(old, new.changes[-1], seat, clock):
        clock = clocks.with_extra_time(clock, control)
    if due and not clock.flagged and clock.since is None:
        clock = clocks.running(clock, control, now, outages)
    return clock


def _comes(old: Table, change: LogEntry, seat: int, clock: Clock) -> bool:
    """Whether a person whose time had run out takes over from a bot, or a friend takes their place. Where a bot played
    for an absent person, their clock goes on as it stood."""
    friend = clock.flagged and change.kind == "handed" and change.seat == seat
    return clock.late and (old.seats[seat].bot is not None or friend)


def _newly_asked(old: Table | None, change: LogEntry, seat: int) -> bool:
    """Whether a seat that has to decide gets the time of a new decision: a move that is taken back comes with what was
    left of its own."""
    if change.kind == "undo":
        return False
    return old is None or seat not in old.actors or (change.kind == "move" and change.seat == seat)


def pass_time(table: Table, now: float, outages: Outages = ()) -> Table:
    """Return the table after the next thing that is due because time has passed; unchanged if nothing is."""
    if table.tick is None or table.tick > now:
        return table
    if table.status == "waiting":
        return pass_open(table, now)
    if table.time is not None and table.time.paused is not None and table.time.paused <= now:
        return table.after("resume", time=changed(table.time, paused=None))
    if table.vote is not None and table.vote.until <= now:
        return lapsed(table, table.vote)
    if table.undo is not None and table.undo.until is not None and table.undo.until <= now:
        return table.after("undo_no", undo=None)
    for seat in table.people_due:
        assert table.time is not None
        clock = table.time.seats[seat]
        if clock.since is not None and clock.until is not None:
            if (given := table.given_at(seat)) is not None and given <= now:
                return play_forced(table, seat, table.seq)
            if clock.until <= now:
                # An answer without a choice costs nobody anything, also where the service comes too late to give it.
                if seat in table.forced:
                    return play_forced(table, seat, table.seq)
                return _used_up(table, table.time, seat, now, outages)
        elif clock.flagged and table.vote is None and table.time.control.then == "ask":
            return _run_out(table, table.time, seat, now)
    return table


def _used_up(table: Table, time: Time, seat: int, now: float, outages: Outages) -> Table:
    clock = clocks.charged(time.seats[seat], time.control, now, outages)
    if clock.delay_left + clock.reserve > EARLY_ALARM_SECONDS:
        # The service was down meanwhile; or it is known only now when it is night somewhere.
        excused = excuse(table, now, outages)
        again = time.with_seat(seat, clocks.running(clock, time.control, now, outages))
        return excused if excused is not table else table.after("clock", time=again)
    gone = changed(clock, delay_left=0.0, reserve=0.0, flagged=True, late=True)
    return _run_out(table, time.with_seat(seat, gone), seat, now)


def _run_out(table: Table, time: Time, seat: int, now: float) -> Table:
    """Return the table after a seat has run out of time, as the table chose."""
    control, gone = time.control, (seat,)
    if control.then == "bot" or (control.then == "ask" and not set(left(table)) - {seat}):
        return bot_plays(replace(table, time=time), seat)
    if control.then == "nothing" or table.vote is not None:  # they are asked one thing after the other
        return table.after("timeout", steps=gone, time=time)
    vote = Vote("time", seat, until(table, set(left(table)) - {seat}, now))
    return table.after("time_ask" if table.time is time else "timeout", steps=gone, time=time, vote=vote)


def excuse(table: Table, now: float, outages: Outages) -> Table:
    """Return the table with the time of an outage given back; unchanged if that cost nobody any."""
    if table.time is None or table.status != "playing":
        return table
    control = table.time.control
    seats = tuple(
        clocks.running(clock, control, now, outages)
        if clock.since is not None and _overlaps(clock.since, now, outages)
        else clock
        for clock in table.time.seats
    )
    if seats == table.time.seats:
        return table
    return table.after("outage", time=changed(table.time, seats=seats))


def _overlaps(begin: float, end: float, outages: Sequence[tuple[float, float]]) -> bool:
    return any(start < end and stop > begin for start, stop in outages)


def _is_vacation(change: LogEntry, days: int, now: float, outages: Outages = ()) -> bool:
    return (change.kind, change.steps) == (("vacation", (days,)) if days else ("holiday_over", ()))


@idempotent(_is_vacation)
def vacation(table: Table, seat: int, days: int, now: float, outages: Outages = ()) -> Table:
    """Return the table with so many days of holiday for a seat from now on; 0 ends the holiday, and keeps whole
    days."""
    must_play(table)
    time = table.time
    if time is None or time.control.kind != "days":
        raise Problem(409, "no_vacation", "Only a game of days knows vacation.")
    clock = time.seats[seat]
    unused = math.floor(max(0.0, clock.holiday_until - now) / DAY_SECONDS)
    if days == 0 and clock.holiday_until <= now:
        raise Problem(409, "no_vacation", "You are not on vacation at this table.")
    if days > clock.vacation:
        says = f"You have {clock.vacation} days of vacation left at this table, not {days}."
        raise Problem(409, "no_vacation", says, left=clock.vacation)
    clock = clocks.charged(clock, time.control, now, outages)
    if days:
        clock = changed(
            clock, holiday_until=max(now, clock.holiday_until) + days * DAY_SECONDS, vacation=clock.vacation - days
        )
        return table.after("vacation", seat, steps=(days,), time=time.with_seat(seat, clock))
    clock = changed(clock, holiday_until=now, vacation=clock.vacation + unused)
    return table.after("holiday_over", seat, time=time.with_seat(seat, clock))
