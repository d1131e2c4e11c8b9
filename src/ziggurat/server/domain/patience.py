"""Patience: for how long a person may be gone before others act in their place. It follows from the pace of a table.

By days nobody is taken over for being gone, since a day without a page is how such a game is played: the clock alone
decides. Over an evening a person comes back within minutes; at a live table a telephone that locked itself is no
absence. One function says the number that counts, so that no door, and no table of before, has a shorter one.
"""

from __future__ import annotations

from ziggurat.server.domain.clock import DAY_SECONDS, Tempo, TimeControl, tempo_of
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem
from ziggurat.server.settings import LEAST_PATIENCE

PATIENCE_SECONDS: dict[Tempo, int] = {"live": 60, "evening": 300, "days": DAY_SECONDS}
"""Seconds where nobody has chosen. By days, those after which others may host a table that waits."""
EVENING_FACTOR = 4
"""The factor of the least patience where no clock runs."""


def fitting(seconds: int | None, control: TimeControl | None) -> int:
    """Return the patience that a table keeps: the chosen one, otherwise the usual one."""
    return PATIENCE_SECONDS[tempo_of(control)] if seconds is None else seconds


def least(control: TimeControl | None, seconds: int = LEAST_PATIENCE) -> int:
    """Return the shortest patience that a clock allows; `seconds`: at a live table."""
    return {"live": seconds, "evening": EVENING_FACTOR * seconds, "days": DAY_SECONDS}[tempo_of(control)]


def patience_of(table: Table, seconds: int = LEAST_PATIENCE) -> int:
    """Return for how many seconds a table waits for an absent person."""
    control = table.time.control if table.time is not None else None
    return max(table.patience, least(control, seconds))


def must_be_patient(chosen: int | None, control: TimeControl | None, seconds: int = LEAST_PATIENCE) -> None:
    """Refuse a patience out of bounds, or so short that present people would be taken for absent."""
    if chosen is None:
        return
    if tempo_of(control) == "days":
        says = "patience: none by days; nobody is taken over there for being gone, their clock alone decides."
        raise Problem(400, "bad_request", says)
    shortest = least(control, seconds)
    if chosen < shortest:
        where = "with a live clock" if control is not None else "without a clock"
        says = f"patience: at least {shortest} seconds {where}; a telephone that was locked is not gone."
        raise Problem(400, "bad_request", says)
