"""The evenings of a group as a calendar file (RFC 5545)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from ziggurat.server.features.groups.rules import Evening

WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
ZONE_DAYS_AHEAD = 5 * 366
"""Days of which the file says when clocks are put forward and back; calendars know the zone by its name as well."""
LINE_OCTETS = 75
"""Of a line; a longer one goes on behind a space."""


class CalendarEvent(NamedTuple):
    """An evening as a calendar event; `says`: who invites, who comes and what is played; may be empty."""

    evening: Evening
    says: str = ""

    def first(self, founded: float) -> datetime:
        """Return when the event first begins after a moment."""
        return self.evening.first(datetime.fromtimestamp(founded, ZoneInfo(self.evening.zone)).date())


def calendar(id: str, name: str, events: Sequence[CalendarEvent], founded: float, now: float, page: str) -> str:
    """Return the calendar file: an event for each evening, which repeats every week unless it is a single one.

    Args:
        id: of the group; an event keeps its own from one reading to the next.
        now: since when the file is as it is, in seconds since 1970.
        page: the address of the group's page.
    """
    zones = dict[str, datetime]()
    for event in events:
        begin = event.first(founded)
        zones[event.evening.zone] = min(begin, zones.get(event.evening.zone, begin))
    known = Counter[str]()
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Ziggurat//Evenings//EN",
        "CALSCALE:GREGORIAN",
        f"X-WR-CALNAME:{escaped(name)}",
    ]
    for zone, begin in zones.items():
        lines += _zone(zone, begin)
    for event in events:
        evening = event.evening
        day = f"-{evening.on}" if evening.on else ""
        known[day] += 1
        uid = f"{id}{day}{f'-{known[day]}' if known[day] > 1 else ''}"
        lines += [
            "BEGIN:VEVENT",
            f"UID:{uid}@ziggurat",
            f"DTSTAMP:{datetime.fromtimestamp(now, UTC):%Y%m%dT%H%M%SZ}",
            f"DTSTART;TZID={evening.zone}:{event.first(founded):%Y%m%dT%H%M%S}",
            f"DURATION:PT{evening.minutes}M",
            *([] if evening.weekday is None else [f"RRULE:FREQ=WEEKLY;BYDAY={WEEKDAYS[evening.weekday]}"]),
            f"SUMMARY:{escaped(name)}",
            *([f"DESCRIPTION:{escaped(event.says)}"] if event.says else []),
            f"URL:{page}",
            "END:VEVENT",
        ]
    return "".join(f"{folded(line)}\r\n" for line in [*lines, "END:VCALENDAR"])


def escaped(text: str) -> str:
    """Return a text escaped as the value of a property."""
    for letter in ("\\", ";", ","):
        text = text.replace(letter, f"\\{letter}")
    return text.replace("\r\n", "\n").replace("\n", "\\n").replace("\r", "")


def folded(line: str) -> str:
    """Return a line folded into pieces of so many octets at most, none of which cuts a character in two."""
    pieces, here, octets = list[str](), "", 0
    for letter in line:
        length = len(letter.encode())
        if octets + length > LINE_OCTETS:
            pieces.append(here)
            here, octets = " ", 1
        here += letter
        octets += length
    return "\r\n".join([*pieces, here])


def _zone(name: str, begin: datetime) -> Iterator[str]:
    """Yield the lines of the time zone: its offset at the beginning, and the changes of it."""
    yield "BEGIN:VTIMEZONE"
    yield f"TZID:{name}"
    zone = ZoneInfo(name)
    since = begin.astimezone(UTC) - timedelta(1)
    yield from _observed(since.astimezone(zone), since.astimezone(zone).utcoffset())
    for _ in range(ZONE_DAYS_AHEAD):
        until = since + timedelta(1)
        if since.astimezone(zone).utcoffset() != until.astimezone(zone).utcoffset():
            yield from _observed(_change(since, until, zone), since.astimezone(zone).utcoffset())
        since = until
    yield "END:VTIMEZONE"


def _change(since: datetime, until: datetime, zone: ZoneInfo) -> datetime:
    """Return when the offset of a time zone changed between two moments, to the minute."""
    before = since.astimezone(zone).utcoffset()
    while until - since > timedelta(minutes=1):
        middle = since + (until - since) / 2
        if middle.astimezone(zone).utcoffset() == before:
            since = middle
        else:
            until = middle
    return (until.replace(second=0, microsecond=0)).astimezone(zone)


def _observed(moment: datetime, before: timedelta | None) -> Iterator[str]:
    kind = "DAYLIGHT" if moment.dst() else "STANDARD"
    # It begins by the clock as it was before.
    at = moment.astimezone(UTC).replace(tzinfo=None) + (before or timedelta())
    yield f"BEGIN:{kind}"
    yield f"DTSTART:{at:%Y%m%dT%H%M%S}"
    yield f"TZOFFSETFROM:{_offset(before)}"
    yield f"TZOFFSETTO:{_offset(moment.utcoffset())}"
    yield f"TZNAME:{moment.tzname()}"
    yield f"END:{kind}"


def _offset(offset: timedelta | None) -> str:
    minutes = round((offset or timedelta()).total_seconds() / 60)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"
