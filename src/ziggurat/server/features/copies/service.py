"""The nightly copy of the database, and the check of the newest copy, in a process of its own. Between the nights
SQLite's file is copied every few minutes, if that is configured.

What was found lies in a file beside the copies: the service reads it, and so does anybody who looks there.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import msgspec

from ziggurat.server.alarms import COPIES_FOLDER, alarms
from ziggurat.server.services.background import Background
from ziggurat.server.services.standby import Standby
from ziggurat.server.services.table_service import TableService
from ziggurat.server.settings import Settings
from ziggurat.server.store import housekeeping
from ziggurat.server.verdict import CopyVerdict, read_verdict, unwritable, write_verdict

log = logging.getLogger(__name__)
FIRST_LOOK_SECONDS = 30.0
"""Seconds after the start before the first look."""
LOOK_SECONDS = 600.0
"""Seconds between looks at the clock, which may be set, or stand while a machine sleeps."""
COPY_LIMIT_SECONDS = 6 * 3600.0
"""Seconds after which the process beside hangs, and is ended."""
SLOWDOWN_FACTOR = 3.0
"""By how much a copy may take longer than the one before and still be in time."""
RETRY_SECONDS = 10.0
"""Seconds after which a copy that failed is tried again."""


def last_due(now: float, hour: int) -> float:
    """Return when the last nightly copy was due, by the clock of this machine."""
    local = datetime.fromtimestamp(now)
    due = local.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (due if due <= local else due - timedelta(days=1)).timestamp()


class NightlyCopies:
    """The schedule of the nightly copy, at one of the workers."""

    def __init__(self, settings: Settings, table_service: TableService) -> None:
        self.settings = settings
        self.table_service = table_service
        self._under_way = False
        self._loop = Background("copies", self._look, standby=table_service.standby, first=FIRST_LOOK_SECONDS)

    async def open(self) -> None:
        """Start the loop, unless the operator wants no copies."""
        if self.settings.copies is not None:
            self._loop.open()

    async def close(self) -> None:
        """Stop; an unfinished copy is begun again by the next worker that serves."""
        await self._loop.close()
        if self._under_way:
            await self.table_service.database.write(partial(housekeeping.release_chore, chore="copies"), person=False)

    async def _look(self) -> float:
        now = time.time()
        # Of a night in which nobody was there it is made up for as soon as someone is.
        due = last_due(now, self.settings.copy_hour)
        take = partial(housekeeping.claim_chore, chore="copies", every=max(now - due, 1.0))
        if await self.table_service.database.write(take, person=False):
            self._under_way = True
            await self.night()
            self._under_way = False
        return LOOK_SECONDS

    async def night(self) -> None:
        """Make and check the copy, and log the verdict; the operators are told of faults too."""
        folder = self.settings.copies
        assert folder is not None
        begun = time.time()
        if why := await asyncio.to_thread(unwritable, folder):
            verdict = CopyVerdict(time.time(), False, f"No copy was made: {why}")
        else:
            code = await self._beside(folder)
            found = await asyncio.to_thread(read_verdict, folder)
            assert found is not None
            verdict = found
            if verdict.at < begun - 1:
                says = f"The process that checks the copies has ended without a word, with code {code}."
                verdict = CopyVerdict(time.time(), False, says)
                await asyncio.to_thread(_keep, folder, verdict)
        await self.table_service.standby.look()  # it may have found a later original
        if verdict.good:
            log.info("copies: %s", verdict.says)
            return
        log.error("copies: %s", verdict.says)
        for follower in self.table_service.followers.values():
            if await self.table_service.database.write(follower.tell_hosts, person=False):
                follower.written()

    async def _beside(self, folder: Path) -> int | None:
        """Run the night's process; return its exit code."""
        # What it is told goes by its standard input: a password stands in no list of processes.
        orders = msgspec.json.encode(
            {
                "data": str(self.settings.data),
                "database_url": self.settings.database_url,
                "copies": str(folder),
                "kept": self.settings.copies_kept,
            }
        )
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "ziggurat.server.features.copies.night"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            async with asyncio.timeout(COPY_LIMIT_SECONDS):
                await process.communicate(orders)
        except TimeoutError:
            process.kill()
            await process.wait()
        except BaseException:
            with suppress(ProcessLookupError):
                process.kill()
            raise
        return process.returncode


def _keep(folder: Path, verdict: CopyVerdict) -> None:
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_verdict(folder, verdict)


class FrequentCopies:
    """The schedule of the frequent copies: with SQLite's file no more than a few minutes are lost."""

    def __init__(self, settings: Settings, standby: Standby, copy: Callable[[], str | None]) -> None:
        """`copy` makes one, in any thread, and returns why it could not be made."""
        self.settings = settings
        self.standby = standby
        self._make = copy
        self._loop = Background("frequent copies", self._copy, standby=standby)

    async def open(self) -> None:
        """Start the loop, if it is configured."""
        if self.settings.copy_minutes:
            self._loop.open()

    async def close(self) -> None:
        """Stop; a copy that is being made is finished."""
        await self._loop.close()

    async def _copy(self) -> float:
        begun = time.monotonic()
        if (why := await asyncio.to_thread(self._make)) is not None:
            alarms.failed(COPIES_FOLDER, why)
            await self.standby.look()  # it may be that a later original was found
            return RETRY_SECONDS
        alarms.works(COPIES_FOLDER)
        took = time.monotonic() - begun
        # What a copy is too early to see must not be older than that when the next one is whole.
        return max(took, self.settings.copy_minutes * 60 - (1 + SLOWDOWN_FACTOR) * took)
