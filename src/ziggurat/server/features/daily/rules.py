"""The daily deal: for each game one shuffle a day, the same for everybody; the chance of its bots is the same too.

A day is that of UTC. A game follows from the deal's seed and the person's moves alone: at such a table nobody else
moves while a person has to, every bot's chance follows from the seed, its seat and how often it has moved, and its
search is bounded by iterations.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Literal, NamedTuple

import msgspec

import ziggurat
from ziggurat.server.domain.create import NewSeat, NewTable, Text, create
from ziggurat.server.domain.people import Person
from ziggurat.server.domain.policy import DAILY_DEAL_POLICY
from ziggurat.server.domain.start import Keys, start
from ziggurat.server.domain.table import Pace, Result, Table
from ziggurat.server.problems import Problem

DEAL_PLAYERS = 4
DEAL_BOT = "builder"
"""Who sits on the other seats."""
GRACE_DAYS = 1
"""Days after its own within which a try that was begun on its day may be finished."""
DEAL_KEPT_DAYS = 366
"""Days for which a deal may be played again."""
TryStatus = Literal["new", "begun", "done", "late", "given_up"]
"""A person's try: there is none; it is played; it counts; it was finished too late to count; it was not finished."""


class PlayDeal(msgspec.Struct, forbid_unknown_fields=True):
    """The request to play a deal: today's, which counts if it is the first time, or a closed one, for nothing."""

    day: Text
    pace: Pace = "calm"


class DailyOutcome(msgspec.Struct, frozen=True):
    """The outcome of a deal for its seat; `margin`: to the best of the others."""

    points: int
    place: int
    margin: int


class Try(NamedTuple):
    """A person's try of a deal."""

    day: date
    table: str
    outcome: DailyOutcome | None
    counts: bool | None


def day_of(moment: float) -> date:
    """Return the date of a moment."""
    return datetime.fromtimestamp(moment, UTC).date()


def read_day(said: str) -> date:
    """Read a day, such as 2026-11-24."""
    try:
        day = date.fromisoformat(said)
    except ValueError:
        day = None
    if day is None or day.isoformat() != said:
        raise Problem(400, "bad_day", f"A day is written as 2026-11-24, not as {said[:20]!r}.")
    return day


def must_be_there(day: date, today: date) -> None:
    """Refuse a day whose deal cannot be played yet, or no more."""
    if day > today:
        says = f"The deal of {day} is not open yet; today is {today}."
        raise Problem(409, "day_to_come", says, day=f"{day}", today=f"{today}")
    if (today - day).days > DEAL_KEPT_DAYS:
        raise Problem(409, "day_too_old", f"Deals are kept for {DEAL_KEPT_DAYS} days.", max=DEAL_KEPT_DAYS)


def opens(day: date) -> date:
    """Return the day from which on no try of a deal can count any more."""
    return day + timedelta(GRACE_DAYS + 1)


def closed(day: date, today: date) -> bool:
    """Whether no try of a deal can count any more.

    Until then nobody learns what its cards follow from, sees more of them than its player does, or plays it for
    nothing: a player could use what anybody else knows, for a guest becomes another one at will.
    """
    return (today - day).days > GRACE_DAYS


def first_open(today: date) -> date:
    """Return the first day whose deal is not closed."""
    return today - timedelta(GRACE_DAYS)


def must_be_closed(day: date, today: date) -> None:
    """Refuse to reveal the shuffle of a deal while a try of it may still count."""
    if not closed(day, today):
        says = (
            f"Somebody's try of the deal of {day} may still count. From {opens(day)} (UTC) on its moves can be looked "
            "at, its file had, and the deal played for nothing."
        )
        raise Problem(409, "deal_open", says, day=f"{day}", opens=f"{opens(day)}")


def seat_of(day: date) -> int:
    """Return the seat on which all people play a day's deal."""
    return day.toordinal() % DEAL_PLAYERS


def keys(secret: str | None, game: str, day: date) -> Keys:
    """Return seed and salt of a deal: nobody can derive them without the secret.

    Without one everybody can, from the name of the game and the date: two machines without a network have the same.
    """

    def key(what: str) -> bytes:
        said = f"ziggurat {what} {game} {day.isoformat()}".encode()
        return hashlib.sha256(said).digest() if secret is None else hmac.digest(secret.encode(), said, "sha256")

    return Keys(key("deal"), key("salt"))


def deal(game: str, day: date, keys: Keys, person: Person, pace: Pace) -> Table:
    """Return a new table of a person with a deal."""
    seats = [NewSeat("bot", DEAL_BOT) for _ in range(DEAL_PLAYERS)]
    seats[seat_of(day)] = NewSeat("me")
    table = create(NewTable(ziggurat.game(game).id, seats, pace=pace, start=False), person)
    return start(replace(table, deal=day.isoformat(), policy=DAILY_DEAL_POLICY, invite=None), keys)


def outcome(result: Result, seat: int) -> DailyOutcome:
    """Return the outcome of a game for a seat."""
    points = result.scores[seat]
    others = [score for other, score in enumerate(result.scores) if other != seat]
    ahead = sum(score > points for score in others)
    # Of equal points the rules may say more.
    place = 1 if seat in result.winners else max(2, 1 + ahead)
    return DailyOutcome(points, place, points - max(others))


def in_time(day: date, now: date) -> bool:
    """Whether a try of a deal that ends on a day counts."""
    return not closed(day, now)


def standing(tried: Try | None, today: date) -> TryStatus:
    """Return the state of a person's try."""
    if tried is None:
        return "new"
    if tried.outcome is not None:
        return "done" if tried.counts else "late"
    return "begun" if in_time(tried.day, today) else "given_up"


def may_see(stands: TryStatus, day: date, today: date) -> bool:
    """Whether a person may see the results of others: after their own try, and everybody when the deal is closed."""
    return stands in ("done", "late") or closed(day, today)


def streaks(days: list[date], today: date) -> tuple[int, int]:
    """Return the current and the longest streak of days in a row on which a deal was played; the days are in order."""
    best = row = 0
    last: date | None = None
    for day in days:
        row = row + 1 if last is not None and day - last == timedelta(1) else 1
        best, last = max(best, row), day
    now = row if last is not None and today - last <= timedelta(1) else 0
    return now, best
