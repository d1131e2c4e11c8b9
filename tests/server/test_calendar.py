"""The calendar of a group's evenings, by RFC 5545."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import msgspec
import pytest

from ziggurat.server.domain.calendar import calendar, escaped, folded
from ziggurat.server.domain.groups import Evening, check_evening
from ziggurat.server.problems import Problem

FRIDAY = Evening(4, "19:30", "Europe/Budapest", 180, [])
FOUNDED = datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp()
"""A Friday."""


def made(evening: Evening = FRIDAY, name: str = "Friday", says: str = "") -> str:
    return calendar("abc", name, evening, FOUNDED, FOUNDED, "https://games.example/#/group/abc", says)


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

    def after(*moment: int) -> str:
        return f"{FRIDAY.next(datetime(*moment, tzinfo=zone).timestamp()):%d %H:%M}"  # type: ignore[misc, arg-type]

    assert after(2026, 11, 27, 12) == "27 19:30"
    assert after(2026, 11, 27, 22, 29) == "27 19:30"
    assert after(2026, 11, 27, 22, 31) == "04 19:30"
    late = msgspec.structs.replace(FRIDAY, time="23:00")
    # After midnight it goes on still.
    assert f"{late.next(datetime(2026, 11, 28, 1, tzinfo=zone).timestamp()):%d %H:%M}" == "27 23:00"


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
    with pytest.raises(Problem, match="no time zone"):
        check_evening(msgspec.structs.replace(FRIDAY, zone="Europe/Nowhere"), set())
    with pytest.raises(Problem, match="no game"):
        check_evening(msgspec.structs.replace(FRIDAY, games=["chess"]), {"go"})
    assert check_evening(FRIDAY, set()) is FRIDAY
