"""What was found of the copies in the last night: a file beside them, for the metrics and the host."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from ziggurat.core.whole_files import write_whole

VERDICT = "verdict.json"
MINUTES = "minutes"
"""The folder of the copies between the nights, among those."""
LATE = 26 * 3600.0
"""Seconds after which a verdict is of another night: then none was reached in the last one."""


class CopyVerdict(msgspec.Struct):
    """What was found in the last night."""

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


def write_verdict(folder: Path, verdict: CopyVerdict) -> None:
    """Keep a verdict beside the copies; the file is whole, or the one of before."""
    write_whole(folder / VERDICT, msgspec.json.format(msgspec.json.encode(verdict), indent=2) + b"\n")


def read_verdict(folder: Path | None, now: float | None = None) -> CopyVerdict | None:
    """Return what is known of the copies in a folder; None: no copies are made, or none was yet.

    One of another night than the last is not good, whatever it says: nobody has looked since.
    """
    if folder is None:
        return None
    try:
        verdict = msgspec.json.decode((folder / VERDICT).read_bytes(), type=CopyVerdict)
    except (OSError, msgspec.DecodeError):
        return None
    if (time.time() if now is None else now) - verdict.at > LATE:
        hours = round(((time.time() if now is None else now) - verdict.at) / 3600)
        says = f"No copy was checked for {hours} hours. The last word was: {verdict.says}"
        return msgspec.structs.replace(verdict, good=False, says=says)
    return verdict


def latest(folder: Path) -> float | None:
    """Return of which moment the newest copy between the nights tells, in seconds since 1970; None: there is none."""
    try:
        there = [one.stat().st_mtime for one in (folder / MINUTES).iterdir() if not one.name.startswith(".")]
    except OSError:
        return None
    return max(there, default=None)
