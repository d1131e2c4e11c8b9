"""The alarms of a server: outages of what it depends on, such as its database or the mail server.

The log has one line when an outage begins and one when it is over, and none in between, however many requests and loops
meet it, and in however many workers.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

log = logging.getLogger("ziggurat.server")

DATABASE, MAIL_SERVER, PROVIDER = "the database", "the mail server", "the sign-in provider"
COPIES_FOLDER = "the folder of the copies"
THINKING, READING = "the search of bots and advisers", "the reader of files"
RELAPSE_SECONDS, MOST_CALM_SECONDS = 600.0, 60.0
"""An outage that comes again within so many seconds has to be calm for longer before it is over, at most so long."""
FIRST_CALM_SECONDS = 1.0


@dataclass
class _Outage:
    begun: float
    last: float
    """When it was met last."""
    calm: float
    """Seconds without it after which it is over."""
    failed: int = 0
    """What could not be done."""


class Alarms:
    """The alarms of this process, reported to the log, or by a worker to its parent."""

    def __init__(self) -> None:
        self._lasting: dict[str, _Outage] = {}
        self._over: dict[str, tuple[float, float]] = {}  # when, and how calm it had to be
        self.on_begin: Callable[[str, str], None] = log_begin
        self.on_over: Callable[[str, float, int], None] = log_over

    def lasting(self, what: str) -> bool:
        """Whether an outage lasts."""
        return what in self._lasting

    def failed(self, what: str, why: str, count: int = 1) -> None:
        """Note a failure of a dependency, and how much failed of it.

        `why` reaches the log: it names no person, and nothing that one has sent.
        """
        now = time.monotonic()
        outage = self._lasting.get(what)
        if outage is None:
            over, calm = self._over.get(what, (-math.inf, 0.0))
            calm = min(MOST_CALM_SECONDS, max(FIRST_CALM_SECONDS, 2 * calm)) if now - over < RELAPSE_SECONDS else 0.0
            outage = self._lasting[what] = _Outage(now, now, calm)
            self.on_begin(what, why)
        outage.last = now
        outage.failed += count

    def count(self, what: str) -> None:
        """Count a person who was refused because of an outage."""
        if (outage := self._lasting.get(what)) is not None:
            outage.failed += 1

    def works(self, what: str) -> float:
        """Note a success of a dependency; return the seconds after which to check again, if that does not end the
        outage."""
        outage = self._lasting.get(what)
        if outage is None:
            return 0.0
        now = time.monotonic()
        if (wait := outage.last + outage.calm - now) > 0:
            return wait
        del self._lasting[what]
        self._over[what] = now, outage.calm
        self.on_over(what, now - outage.begun, outage.failed)
        return 0.0


class SharedAlarms:
    """The alarms of several workers, merged: an outage begins with the first worker's, and ends with the last one's."""

    def __init__(self, later: Callable[[float, Callable[[], None]], object]) -> None:
        """`later` calls a function after so many seconds."""
        self._alarms = Alarms()
        self._workers: dict[str, set[str]] = {}
        self._later = later

    def failed(self, worker: str, what: str, why: str) -> None:
        """Note that an outage has begun at a worker."""
        self._workers.setdefault(what, set()).add(worker)
        self._alarms.failed(what, why, 0)

    def works(self, worker: str, what: str, failed: int) -> None:
        """Note that an outage has ended at a worker, and how much has failed there."""
        if self._alarms.lasting(what):
            self._alarms.failed(what, "", failed)
        self._workers.get(what, set()).discard(worker)
        self._look(what)

    def gone(self, worker: str) -> None:
        """Drop a worker that has ended. Its outage may still last: the next one that serves reports it."""
        for workers in self._workers.values():
            workers.discard(worker)

    def serves(self) -> None:
        """Check again, because a worker serves: an outage that none of them reports is over."""
        for what in list(self._workers):
            self._look(what)

    def _look(self, what: str) -> None:
        if self._workers.get(what):
            return
        if wait := self._alarms.works(what):
            self._later(wait, lambda: self._look(what))


def log_begin(what: str, why: str) -> None:
    """Log that an outage begins."""
    log.error("outage: %s cannot be used (%s)", what, why)


def log_over(what: str, seconds: float, failed: int) -> None:
    """Log that an outage is over."""
    lasted = f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
    log.warning("outage over: %s can be used again after %s; meanwhile %d failed", what, lasted, failed)


alarms = Alarms()
"""Those of this process."""
