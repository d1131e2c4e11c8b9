"""Groups: people who play with each other again and again, and the evenings on which they meet."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from typing import Annotated, Literal, NamedTuple
from zoneinfo import ZoneInfo

import msgspec

from ziggurat.server.domain.clock import known_zone
from ziggurat.server.domain.people import alike, clean_name
from ziggurat.server.problems import Problem

Role = Literal["founder", "keeper", "member"]
KEEPER_ROLES: tuple[Role, ...] = ("founder", "keeper")
"""Who may change a group, its link and its people."""
MOST_PEOPLE, MOST_GROUPS = 200, 20
"""Of a group; of a person."""
MOST_EVENING_GAMES = 8
"""That a group can say it plays on its evening."""
MOST_EVENINGS = 10
"""Of a group: those of every week, and single ones."""
EVENING_DAYS_AHEAD = 2 * 366
"""Days within which a single evening is planned."""


class Evening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The date of a group's meetings: `time` such as 19:30 by the clocks of `zone`, every week on `weekday` (0 is
    Monday), or once, `on` a day such as 2026-12-24.
    """

    weekday: Annotated[int, msgspec.Meta(ge=0, le=6)] | None
    time: Annotated[str, msgspec.Meta(pattern=r"^([01][0-9]|2[0-3]):[0-5][0-9]$(?!\n)")]
    zone: Annotated[str, msgspec.Meta(max_length=60)]
    minutes: Annotated[int, msgspec.Meta(ge=15, le=24 * 60)] = 180
    games: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=60)]], msgspec.Meta(max_length=MOST_EVENING_GAMES)
    ] = []
    on: date | None = None

    def first(self, day: date) -> datetime:
        """Return the beginning of the first evening on a day or after it; a single one has its own day."""
        hour, minute = map(int, self.time.split(":"))
        begins = self.on or day + timedelta(((self.weekday or 0) - day.weekday()) % 7)
        return datetime(begins.year, begins.month, begins.day, hour, minute, tzinfo=ZoneInfo(self.zone))

    def next(self, now: float) -> datetime | None:
        """Return the beginning of the present or next evening; None: it was a single one, and is over."""
        here = datetime.fromtimestamp(now, ZoneInfo(self.zone))
        found = self.first(here.date() - timedelta(1))
        # Counted by what passes, not by clocks that are put forward or back meanwhile.
        while found.astimezone(UTC) + timedelta(minutes=self.minutes) <= here.astimezone(UTC):
            if self.on is not None:
                return None
            found = self.first(found.date() + timedelta(1))
        return found


class NextEvening(NamedTuple):
    """The present or next evening of a group; `begins`: in seconds since 1970."""

    begins: float
    evening: Evening


def next_evening(evenings: Iterable[Evening], now: float) -> NextEvening | None:
    """Return the present or next evening of a group."""
    found = [NextEvening(begins.timestamp(), one) for one in evenings if (begins := one.next(now)) is not None]
    return min(found, key=lambda one: one.begins, default=None)


def to_come(evenings: Iterable[Evening], now: float) -> list[Evening]:
    """Return the evenings of a group that are not over, the next one first."""
    found = [(begins.timestamp(), one) for one in evenings if (begins := one.next(now)) is not None]
    return [one for _, one in sorted(found, key=lambda pair: pair[0])]


def check_evening(evening: Evening, known: set[str], now: float) -> Evening:
    """Refuse an evening with no day or two, in an unknown time zone, or of an unknown game."""
    if (evening.weekday is None) == (evening.on is None):
        raise Problem(400, "bad_request", "evening: give a weekday, or the day of a single evening.")
    if (
        evening.on is not None
        and not -1 <= (evening.on - datetime.fromtimestamp(now, UTC).date()).days <= EVENING_DAYS_AHEAD
    ):
        raise Problem(400, "bad_request", f"evening: a single one is within the next {EVENING_DAYS_AHEAD} days.")
    if not known_zone(evening.zone):
        raise Problem(400, "bad_request", f"evening: there is no time zone {evening.zone!r}.")
    if missing := set(evening.games) - known:
        raise Problem(400, "bad_request", f"evening: there is no game {min(missing)!r}.")
    return evening


def group_name(name: str) -> str:
    """Return the name of a group fit to be shown, or refuse it, as those of people are."""
    return clean_name(name)


def must_be_told_apart(name: str, names: Iterable[str]) -> None:
    """Refuse a name by which a member could be mistaken for another one."""
    taken = next((other for other in names if alike(other, name)), None)
    if taken is not None:
        raise Problem(409, "name_taken", f"Somebody in this group is called {taken}; choose another name.", name=taken)


def must_keep(role: Role) -> None:
    """Refuse to others what the founder and keepers of a group may do."""
    if role not in KEEPER_ROLES:
        raise Problem(403, "not_keeper", "Only the person who founded the group and its keepers can do that.")


def must_be_next(begins: str, next: str | None) -> None:
    """Refuse an answer to an evening that is not the group's next one."""
    if begins != next:
        raise Problem(409, "other_evening", "The group does not meet then; read the group again for its next evening.")


def unknown_group() -> Problem:
    """Return the refusal to people who are no members."""
    return Problem(404, "unknown_group", "There is no such group, or you do not belong to it.")


def withdrawn() -> Problem:
    """Return the refusal for a link that does not open the group."""
    says = "This link to the group was withdrawn; ask someone of the group for the new one."
    return Problem(403, "group_link", says)
