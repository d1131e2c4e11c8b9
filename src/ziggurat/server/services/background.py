"""Background loops: the one way to run work that does not belong to a request.

What fails is tried again, and never ends the loop: the first time after a second, then after twice as long as before.
Each kind of failure is logged once until it has gone. A database that cannot be used is no mistake of ours, and was
logged for all (`alarms`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Protocol

from ziggurat.server.logs import places
from ziggurat.server.problems import Problem, unexpected
from ziggurat.server.store.trouble import is_away

log = logging.getLogger("ziggurat.server")
FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS = 1.0, 2.0
"""Seconds after the first failure, and at most after later ones: nobody waits longer when the database is back."""


class StandbySwitch(Protocol):
    """The switch that stops all background work: the service is on standby (`services.standby`)."""

    @property
    def on(self) -> bool: ...

    on_end: list[Callable[[], None]]


class Failures:
    """The failures of one kind of background work, each logged once."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._logged: set[str] = set()
        self._failed: set[str] = set()  # since the last round

    def note(self, error: BaseException) -> None:
        """Log a failure, unless one of its kind was logged and still lasts."""
        if is_away(error):
            return
        kind = error.code if isinstance(error, Problem) else places(error)
        self._failed.add(kind)
        if kind in self._logged:
            return
        self._logged.add(kind)
        if isinstance(error, Problem):
            log.warning("%s: a table was left as it is (%s)", self.name, kind)
        else:
            unexpected(error)

    def round(self, *, well: bool = True) -> None:
        """End a round: after one that went `well`, each kind of failure that did not recur is logged again when it
        comes back.

        What always fails at one table must not hide for good that something else fails, is mended, and fails again.
        """
        if well:
            self._logged &= self._failed
        self._failed = set()

    async def attempt(self, work: Awaitable[object]) -> None:
        """Await one thing whose failure concerns nothing else."""
        try:
            await work
        except Exception as error:
            self.note(error)


class Background:
    """A background loop: it repeats its work from `open` to `close`."""

    def __init__(
        self,
        name: str,
        work: Callable[[], Awaitable[float | None]],
        *,
        standby: StandbySwitch | None = None,
        first: float = 0.0,
    ) -> None:
        """Prepare the loop; nothing runs yet.

        Args:
            name: of the work, in the log.
            work: returns the seconds after which it is done again if nobody wakes it before; None: only when woken.
            standby: while it is on, the work rests; None: it may always be done, for it changes nothing at a table,
                tells nobody outside and clears nothing away.
            first: seconds before it is done for the first time.
        """
        self.failures = Failures(name)
        self._work = work
        self._first = first
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self._standby = standby
        if standby is not None:
            standby.on_end.append(self.wake)

    def open(self) -> None:
        """Start the loop."""
        self._task = asyncio.create_task(self._run(), name=self.failures.name)

    async def close(self) -> None:
        """Cancel the loop at once, also in the middle of its work; return when it has stopped."""
        self._closed = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        """Run the work soon; after a failure no sooner than its backoff allows."""
        self._woken.set()

    async def _run(self) -> None:
        await self._wait(self._first)
        pause = FIRST_PAUSE_SECONDS
        while not self._closed:
            self._woken.clear()
            if self._standby is not None and self._standby.on:
                await self._wait(None)
                continue
            failure: BaseException | None = None
            again: float | None = None
            try:
                again = await self._work()
            except Exception as error:
                failure = error
            except asyncio.CancelledError as error:
                if _cancelled():
                    raise
                failure = error  # what the work waited for was cancelled, not the loop
            if failure is not None:
                self.failures.note(failure)
            self.failures.round(well=failure is None)
            if self._closed:
                return  # the work has swallowed that it was cancelled, or has failed of it
            if failure is not None:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            else:
                pause = FIRST_PAUSE_SECONDS
                await self._wait(again)

    async def _wait(self, seconds: float | None) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._woken.wait()


def _cancelled() -> bool:
    """Whether the current task was cancelled."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
