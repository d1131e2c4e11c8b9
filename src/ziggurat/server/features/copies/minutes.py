"""The frequent copies of SQLite's file between the nights, which the server itself makes while it serves."""

from __future__ import annotations

import os
import time

from ziggurat.server.features.copies import archive as copies
from ziggurat.server.features.copies.originals import must_be_latest
from ziggurat.server.problems import StartError
from ziggurat.server.settings import Settings
from ziggurat.server.store.sqlite import written
from ziggurat.server.verdict import MINUTES_FOLDER

COPIES_KEPT = 3
"""How many of them stay."""
ABANDONED_SECONDS = 3600.0
"""Seconds after which a copy is nobody's that was begun and is not whole."""


class MinuteCopier:
    """The maker of frequent copies, in any thread: SQLite copies, and waits for no Python."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._copied: tuple[tuple[int, int], ...] = ()
        """What the files were like before the newest copy was begun."""

    def copy(self) -> str | None:
        """Make a copy, unless nothing was written since the newest one; return why it cannot be made."""
        try:
            self._copy()
        except StartError as error:
            return str(error).rstrip(".")
        except OSError as error:
            return (error.strerror or type(error).__name__).lower()
        return None

    def _copy(self) -> None:
        assert self.settings.copies is not None
        folder = self.settings.copies / MINUTES_FOLDER
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        seen, now = time.time(), written(self.settings.data / copies.DATABASE_FILES["sqlite"])
        if now == self._copied and (there := copies.all_in(folder)):
            newest = there[0]  # nobody plays at night
        else:
            copies.tidy(folder, ABANDONED_SECONDS)
            must_be_latest(self.settings, self.settings.copies)
            must_be_latest(self.settings, folder)
            newest = copies.backup(self.settings, folder)
            copies.keep_newest(folder, COPIES_KEPT)
            self._copied = now
        os.utime(newest, (seen, seen))  # of when it tells, for the metrics
