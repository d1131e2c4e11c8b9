"""The calendar of a group's evenings, by RFC 5545."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest

from ziggurat.server.features.groups.calendar import CalendarEvent, calendar, escaped, folded
from ziggurat.server.features.groups.rules import Evening, check_evening, next_evening, to_come
from ziggurat.server.problems import Problem

FRIDAY = Evening(4, "19:30", "Europe/Budapest", 180, [])
FOUNDED = datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp()
"""A Friday."""


def made(*evenings: Evening, name: str = "Friday", says: str = "") -> str:
    events = [CalendarEvent(one, says) for one in evenings or [FRIDAY]]
    return calendar("abc", name, events, FOUNDED, FOUNDED, "https://games.example/#/group/abc")


def unfolded(text: str) -> list[str]:
    return text.replace("\r\n ", "").split("\r\n")


def test_an_event_of_every_week_in_its_zone() -> None:
    lines = unfolded(made())
    assert lines[0] == "BEGIN:VCALENDAR"
    assert lines[-2:] == ["END:VCALENDAR", ""]
    for line in (
        "DTSTART;TZID=Europe/Budapest:20261127T193000",
        "DURATION:PT180M",
        "RRULE:FREQ=WEEKLY;BYDAY=FR",
        "SUMMARY:Friday",
        "UID:abc@ziggurat",
        "URL:https://games.example/#/group/abc",
    ):
        assert line in lines
    assert not any(line.startswith("DESCRIPTION") for line in lines)


def test_the_zone_says_when_clocks_change() -> None:
    """Read back, it gives the same offset as the zone itself at any hour of the years that it tells of."""
    for name in ("Europe/Budapest", "America/New_York", "Australia/Sydney", "Asia/Kolkata", "UTC"):
        text = made(msgspec.structs.replace(FRIDAY, zone=name))
        parts = re.findall(r"BEGIN:(?:STANDARD|DAYLIGHT)\r\n(.*?)END:", text, re.DOTALL)
        found = []
        for part in parts:
            fields = dict(line.split(":", 1) for line in part.split("\r\n") if line)
            before, after = (minutes(fields[key]) for key in ("TZOFFSETFROM", "TZOFFSETTO"))
            at = datetime.strptime(fields["DTSTART"], "%Y%m%dT%H%M%S").replace(tzinfo=UTC) - before
            found.append((at, after))
        assert found == sorted(found)
        moment = datetime.fromtimestamp(FOUNDED, UTC)
        for _ in range(4 * 365):
            moment += timedelta(hours=23.5)
            told = [offset for at, offset in found if at <= moment][-1]
            assert told == moment.astimezone(ZoneInfo(name)).utcoffset(), (name, moment)


def minutes(offset: str) -> timedelta:
    sign = -1 if offset[0] == "-" else 1
    return sign * timedelta(hours=int(offset[1:3]), minutes=int(offset[3:5]))


def test_text_is_escaped_and_lines_are_folded() -> None:
    assert escaped("a;b,c\\d\ne\r\nf") == "a\\;b\\,c\\\\d\\ne\\nf"
    name = "Őrült nagy társasjátékos baráti kör; pénteken, 🎲 mindig" * 3
    text = made(name=name, says="One game, another")
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert f"SUMMARY:{escaped(name)}" in unfolded(text)
    assert "DESCRIPTION:One game\\, another" in unfolded(text)
    assert folded("x" * 75) == "x" * 75
    assert folded("x" * 76) == "x" * 75 + "\r\n x"
    # Nothing that is typed begins a line of its own.
    assert "\nBEGIN:VALARM" not in made(name="x\r\nBEGIN:VALARM")


def test_the_next_evening_is_the_one_that_goes_on() -> None:
    zone = ZoneInfo("Europe/Budapest")

    def at(*moment: int) -> float:
        return datetime(*moment, tzinfo=zone).timestamp()  # type: ignore[misc, arg-type]

    def after(*moment: int) -> str:
        return f"{FRIDAY.next(at(*moment)):%d %H:%M}"

    assert after(2026, 11, 27, 12) == "27 19:30"
    assert after(2026, 11, 27, 22, 29) == "27 19:30"
    assert after(2026, 11, 27, 22, 31) == "04 19:30"
    late = msgspec.structs.replace(FRIDAY, time="23:00")
    # After midnight it goes on still.
    assert f"{late.next(at(2026, 11, 28, 1)):%d %H:%M}" == "27 23:00"
    # A single one comes in its turn, and is no more when it is over.
    once = msgspec.structs.replace(FRIDAY, weekday=None, on=date(2026, 12, 1))
    for moment, found in (((2026, 11, 27, 12), FRIDAY), ((2026, 11, 28, 12), once), ((2026, 12, 1, 22, 31), FRIDAY)):
        next = next_evening([FRIDAY, once], at(*moment))
        assert next is not None
        assert next.evening == found
        assert to_come([FRIDAY, once], at(*moment))[0] == found
    assert to_come([once], at(2026, 12, 2)) == []
    assert next_evening([once], at(2026, 12, 2)) is None


def test_what_is_no_evening_is_refused() -> None:
    for wrong in (
        {"weekday": 7},
        {"time": "24:00"},
        {"time": "19:30\n"},
        {"minutes": 0},
        {"games": ["x"] * 9},
    ):
        fields = {**msgspec.to_builtins(FRIDAY), **wrong}
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert(fields, Evening)
    for change, says in (
        ({"zone": "Europe/Nowhere"}, "no time zone"),
        ({"games": ["chess"]}, "no game"),
        ({"on": date(2026, 12, 24)}, "give a weekday, or the day"),
        ({"weekday": None}, "give a weekday, or the day"),
        ({"weekday": None, "on": date(2026, 11, 25)}, "within the next 732 days"),
        ({"weekday": None, "on": date(9999, 12, 31)}, "within the next 732 days"),
    ):
        with pytest.raises(Problem, match=says):
            check_evening(msgspec.structs.replace(FRIDAY, **change), {"go"}, FOUNDED)
    assert check_evening(FRIDAY, set(), FOUNDED) is FRIDAY
    once = msgspec.structs.replace(FRIDAY, weekday=None, on=date(2026, 12, 24))
    assert check_evening(once, set(), FOUNDED) is once


def test_single_evenings_are_events_of_their_own() -> None:
    day = date(2026, 12, 24)
    once = msgspec.structs.replace(FRIDAY, weekday=None, on=day, time="18:00", zone="America/New_York")
    monday = msgspec.structs.replace(FRIDAY, weekday=0)
    lines = unfolded(made(FRIDAY, once, monday, msgspec.structs.replace(once, time="21:00")))
    assert [line for line in lines if line.startswith("UID")] == [
        *("UID:abc@ziggurat", "UID:abc-2026-12-24@ziggurat"),
        *("UID:abc-2@ziggurat", "UID:abc-2026-12-24-2@ziggurat"),
    ]
    assert "DTSTART;TZID=America/New_York:20261224T180000" in lines
    assert sum(line.startswith("RRULE") for line in lines) == 2
    assert sum(line.startswith("TZID:") for line in lines) == 2
