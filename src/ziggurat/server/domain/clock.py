"""The clock of a table: how much time each seat has left, as data that each change carries along.

Each decision has some time of its own (`step`), as in chess with a simple delay; what it takes beyond that is drawn
from the seat's reserve. A clock says how much there was when it began to run, and when it will have run out: nothing
ticks here. Where several decide at once each has their own. The rules know nothing of it.

A decision that the rules force is answered before the reserve is drawn on, so it costs nothing; and since a decision's
own time is never less than such an answer takes, nobody can tell by the clock who had a choice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, available_timezones

import msgspec
from msgspec.structs import replace

from ziggurat.server.problems import Problem

Tempo = Literal["live", "evening", "days"]
"""The pace of people in one word: with a clock of minutes, without a clock, or with a clock of days."""
DAY_SECONDS = 86_400
NIGHT_HOURS = (22, 8)
"""Hours between which nobody has to move, by the wall where they are."""
LIVE_RESERVE, LIVE_STEP = (0, 7200), (3, 600)
DAYS_RESERVE, DAYS_STEP = (0, 30 * DAY_SECONDS), (3600, 7 * DAY_SECONDS)
"""Seconds, least and most."""
MOST_VACATION = 30
BY_HAND = (0.5, 0.95)
"""Of a decision's own time, between which a forced answer is given for those who want to give it themselves: at no time
by which others would know it from one that was chosen."""

# From when to when nobody's clock runs, in seconds since 1970: the service was down.
Outages = Sequence[tuple[float, float]]


class TimeControl(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The time control that a table chose: the reserve, the time of each decision, nights and holidays.

    `reserve`: seconds for the whole game; `step`: seconds of each decision before the reserve is drawn on; `then`:
    what happens to a seat whose time runs out: a `bot` plays until the person is back, the others are asked whether
    they wait longer, or nothing. For games of days, `nights`: between 22 and 8 o'clock no clock runs, in each one's
    time zone; `vacation`: days that each may take off.
    """

    kind: Literal["live", "days"]
    reserve: Annotated[int, msgspec.Meta(ge=0, le=DAYS_RESERVE[1])]
    step: Annotated[int, msgspec.Meta(ge=LIVE_STEP[0], le=DAYS_STEP[1])]
    then: Literal["bot", "ask", "nothing"] = "bot"
    bot: Annotated[str, msgspec.Meta(max_length=200)] = "builder"
    nights: bool = False
    vacation: Annotated[int, msgspec.Meta(ge=0, le=MOST_VACATION)] = 0

    @property
    def more(self) -> float:
        """Return the seconds of reserve that a person gets who goes on after their time has run out."""
        return self.reserve / 4

    @property
    def answer(self) -> float:
        """Return the seconds, by the wall clock, in which others answer what they are asked."""
        return float(max(60, self.step + self.more))


def tempo_of(control: TimeControl | None) -> Tempo:
    """Return the tempo of a time control."""
    if control is None:
        return "evening"
    return "live" if control.kind == "live" else "days"


# The names of fields by which clocks are stored.
STORED_FIELDS = {"delay_left": "free", "holiday_until": "off", "flagged": "out"}


class Clock(msgspec.Struct, frozen=True, rename=STORED_FIELDS):
    """One seat's clock: what was left of its reserve and of the decision's own time at `since`, from when on it runs;
    it will have run out at `until`. Without `since` it stands.

    `delay_left`: seconds of the decision's own time; `holiday_until`: no time counts before that moment; of `vacation`
    days so many are left. `flagged`: its time ran out, and it has not gone on since. `late`: as `flagged`, also while
    it stands and a bot plays on. `zone`: where its nights are. `used`: seconds that have counted in the whole game;
    `drawn`: how many of them were taken from the reserve.
    """

    reserve: float
    delay_left: float = 0.0
    since: float | None = None
    until: float | None = None
    vacation: int = 0
    holiday_until: float = 0.0
    flagged: bool = False
    late: bool = False
    zone: str = ""
    used: float = 0.0
    drawn: float = 0.0

    def left(self, bot: bool) -> Left:
        """Return the reading of a clock that stands, for taking back this move later; `bot`: a bot makes it."""
        return Left(self.delay_left, self.used, self.drawn, bot and self.late)


class Left(msgspec.Struct, frozen=True, array_like=True):
    """The reading of a clock at a move: what was left of the decision's own time, the sums of `Clock`, and whether a
    bot moved because the seat's time had run out."""

    delay_left: float
    used: float
    drawn: float
    late: bool = False


class Time(msgspec.Struct, frozen=True):
    """All clocks of a table; `paused`: until when they stand."""

    control: TimeControl
    seats: tuple[Clock, ...]
    paused: float | None = None

    def with_seat(self, seat: int, clock: Clock) -> Time:
        """Return the clocks with that of one seat changed."""
        return replace(self, seats=(*self.seats[:seat], clock, *self.seats[seat + 1 :]))


def check(control: TimeControl | None) -> TimeControl | None:
    """Return the time control that a table asks for, or refuse it."""
    if control is None:
        return None
    live = control.kind == "live"
    bounds = {
        "reserve": LIVE_RESERVE if live else DAYS_RESERVE,
        "step": LIVE_STEP if live else DAYS_STEP,
        "nights": (0, 0) if live else (0, 1),
        "vacation": (0, 0 if live else MOST_VACATION),
    }
    for name, (least, most) in bounds.items():
        if not least <= (said := int(getattr(control, name))) <= most:
            says = f"time.{name}: {least} to {most} in a game of kind {control.kind!r}, not {said}."
            raise Problem(400, "bad_time", says, name=name, min=least, max=most)
    return control


def begun(control: TimeControl, zones: Sequence[str]) -> Time:
    """Return the clocks of a new table, with a time zone for each seat."""
    return Time(
        control, tuple(Clock(control.reserve, vacation=control.vacation, zone=known_zone(zone)) for zone in zones)
    )


def known_zone(zone: str) -> str:
    """Return a time zone if this machine knows it, otherwise none: UTC is better than no game."""
    return zone if zone in _zones() else ""


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


@cache
def _place(zone: str) -> ZoneInfo:
    return ZoneInfo(known_zone(zone) or "UTC")


# --- Time that counts ----------------------------------------------------------------------------------------------


def _stands(clock: Clock, control: TimeControl, outages: Outages, begin: float) -> Iterator[tuple[float, float]]:
    """Yield the spans in which a clock stands, from a moment on; they may overlap, and come in order of their
    beginnings."""
    still = sorted((start, end) for start, end in [(0.0, clock.holiday_until), *outages] if end > begin)
    if not (control.nights and control.kind == "days"):
        yield from still
        return
    for night in _nights(clock.zone, begin):
        while still and still[0][0] <= night[0]:
            yield still.pop(0)
        yield night


def _nights(zone: str, begin: float) -> Iterator[tuple[float, float]]:
    """Yield the nights in a time zone, from that of a moment on."""
    place = _place(zone)
    date = datetime.fromtimestamp(begin, UTC).astimezone(place).date() - timedelta(days=1)
    while True:
        start, end = (
            datetime(day.year, day.month, day.day, hour, tzinfo=place).timestamp()
            for day, hour in ((date, NIGHT_HOURS[0]), (date + timedelta(days=1), NIGHT_HOURS[1]))
        )
        if end > begin:
            yield start, end
        date += timedelta(days=1)


def counted(clock: Clock, control: TimeControl, begin: float, end: float, outages: Outages = ()) -> float:
    """Return how many seconds between two moments count against a seat."""
    seconds, at = 0.0, begin
    for start, stop in _stands(clock, control, outages, begin):
        if start >= end:
            break
        seconds += max(0.0, min(start, end) - at)
        at = max(at, min(stop, end))
    return seconds + max(0.0, end - at)


def moment(clock: Clock, control: TimeControl, begin: float, seconds: float, outages: Outages = ()) -> float:
    """Return when so many seconds will have counted against a seat."""
    at = begin
    for start, stop in _stands(clock, control, outages, begin):
        if start - at >= seconds:
            break
        seconds -= max(0.0, start - at)
        at = max(at, stop)
    return at + seconds


# --- A clock that runs and stands ----------------------------------------------------------------------------------


def charged(clock: Clock, control: TimeControl, now: float, outages: Outages = ()) -> Clock:
    """Return a clock stopped, less the seconds that have counted since it began to run."""
    if clock.since is None:
        return clock
    used = counted(clock, control, clock.since, now, outages)
    free = max(0.0, clock.delay_left - used)
    drawn = min(clock.reserve, max(0.0, used - clock.delay_left))
    sums = {"used": clock.used + used, "drawn": clock.drawn + drawn}
    return replace(clock, delay_left=free, reserve=clock.reserve - drawn, since=None, until=None, **sums)


def answered(clock: Clock, control: TimeControl, now: float, outages: Outages = ()) -> Clock:
    """Return a clock stopped after an answer without a choice: however late it is given, it costs no reserve."""
    stands = charged(clock, control, now, outages)
    return replace(
        stands, reserve=clock.reserve, used=clock.used + clock.delay_left - stands.delay_left, drawn=clock.drawn
    )


def running(clock: Clock, control: TimeControl, now: float, outages: Outages = ()) -> Clock:
    """Return a clock started now."""
    clock = charged(clock, control, now, outages)
    until = moment(clock, control, now, clock.delay_left + clock.reserve, outages)
    return replace(clock, since=now, until=until)


def asked(clock: Clock, control: TimeControl) -> Clock:
    """Return a stopped clock with the time of a new decision."""
    return replace(clock, delay_left=float(control.step), flagged=False)


def restored(clock: Clock, then: Left, passed: float) -> Clock:
    """Return a stopped clock as if the decision before a move that is taken back had gone on.

    Args:
        then: what it said at the move.
        passed: seconds since then that count for the seat to decide; what it has used itself counts in any case.
    """
    used = max(then.used + passed, clock.used)
    owed = max(0.0, used - then.used - then.delay_left) - (clock.drawn - then.drawn)
    drawn = min(clock.reserve, max(0.0, owed))
    free = max(0.0, then.delay_left - (used - then.used))
    return replace(
        clock, delay_left=free, reserve=clock.reserve - drawn, used=used, drawn=clock.drawn + drawn, flagged=False
    )


def with_extra_time(clock: Clock, control: TimeControl) -> Clock:
    """Return the clock of a person who goes on after their time has run out."""
    return replace(asked(clock, control), reserve=max(clock.reserve, control.more), late=False)
