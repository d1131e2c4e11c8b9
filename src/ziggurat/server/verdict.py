"""The verdict on the copies of the last night: a file next to them, for the metrics and the operator."""

from __future__ import annotations

import tempfile
import time
from contextlib import suppress
from pathlib import Path

import msgspec

from ziggurat.core.whole_files import write_whole

VERDICT_FILE = "verdict.json"
MINUTES_FOLDER = "minutes"
"""The folder of the copies between the nights, among those."""
LATE_SECONDS = 26 * 3600.0
"""Seconds after which a verdict is of another night: then none was reached in the last one."""


class CopyVerdict(msgspec.Struct):
    """The verdict on the copies of the last night."""

    at: float
    """When, in seconds since 1970."""
    good: bool
    """Whether a copy of this night is there, and the newest one can be restored: it was, and all of it was checked."""
    says: str
    """In one sentence, for the host."""
    newest: str = ""
    """The name of the newest copy."""
    made: float = 0.0
    """When that was made."""
    bytes: int = 0
    kept: int = 0
    """How many copies there are."""
    seconds: float = 0.0
    """How long it took to make and check it."""
    damaged: list[str] = []
    """Copies that are not as they were written."""
    folder: str = ""
    """Where the copies are."""


def write_verdict(folder: Path, verdict: CopyVerdict) -> None:
    """Write a verdict next to the copies. Where that fails, such as on a full disk, the old one is deleted: it would
    say that all is well."""
    text = msgspec.json.format(msgspec.json.encode(verdict), indent=2) + b"\n"
    try:
        write_whole(folder / VERDICT_FILE, text)
    except OSError:
        with suppress(OSError):
            (folder / VERDICT_FILE).unlink()
            write_whole(folder / VERDICT_FILE, text)  # there may be room now


def unwritable(folder: Path) -> str | None:
    """Return why copies cannot be written to a folder, in one sentence; None: they can. Nothing is changed."""
    there = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return None
    except OSError as error:
        return (
            f"The folder for the copies, {folder}, cannot be written: {(error.strerror or 'no reason said').lower()}."
        )


def read_verdict(folder: Path | None, now: float | None = None) -> CopyVerdict | None:
    """Return the verdict on the copies in a folder; None: no copies are made.

    One of another night than the last is not good, whatever it says: nobody has looked since. Nor is any where the next
    copy could not be written.
    """
    if folder is None:
        return None
    now = time.time() if now is None else now
    try:
        verdict = msgspec.json.decode((folder / VERDICT_FILE).read_bytes(), type=CopyVerdict)
    except (OSError, msgspec.DecodeError):
        verdict = CopyVerdict(0.0, False, "No copy was looked at yet.")
    verdict.folder = str(folder)
    if says := unwritable(folder):
        return msgspec.structs.replace(verdict, good=False, at=now, says=says)
    if verdict.at and now - verdict.at > LATE_SECONDS:
        hours = round((now - verdict.at) / 3600)
        says = f"No copy was checked for {hours} hours. The last word was: {verdict.says}"
        return msgspec.structs.replace(verdict, good=False, says=says)
    return verdict


def latest(folder: Path) -> float | None:
    """Return the moment that the newest copy between the nights holds, in seconds since 1970; None: there is none."""
    try:
        there = [one.stat().st_mtime for one in (folder / MINUTES_FOLDER).iterdir() if not one.name.startswith(".")]
    except OSError:
        return None
    return max(there, default=None)
