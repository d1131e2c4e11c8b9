"""A time of day that goes on only when it is told to."""

from __future__ import annotations

from datetime import UTC, datetime

from tests.server.shown import Shown

NOON = datetime(2026, 6, 1, 12, tzinfo=UTC).timestamp()


class Watch:
    """Stands for `time.time`; `now`: seconds since 1970. `shown`: says what moves show."""

    shown: Shown

    def __init__(self, now: float = NOON) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now
