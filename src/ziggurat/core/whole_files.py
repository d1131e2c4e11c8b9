"""Atomic writes: a file is written to a temporary name, then takes the place of the file before."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars


@contextmanager
def replacing(file: Path) -> Iterator[Path]:
    """Yield a temporary name to write to; when all is written, it replaces ``file``.

    Whatever is raised, or stops the process, leaves the file as it was. What a link leads to is replaced, and not the
    link. What is no file, as a terminal, is written to itself.

    Raises:
        OSError: when it cannot be written.
    """
    target = file.resolve()
    if target.exists() and not target.is_file():
        yield target
        return
    fresh = _beside(target)
    try:
        yield fresh
        with fresh.open("rb+") as stream:
            os.fsync(stream.fileno())
        if target.exists():
            shutil.copymode(target, fresh)
        fresh.replace(target)
    finally:
        fresh.unlink(missing_ok=True)


def write_whole(file: Path, data: bytes | str) -> None:
    """Write a file atomically; text is UTF-8, and its lines end as they do.

    Raises:
        OSError: when it cannot be written; then it is as it was.
    """
    with replacing(file) as fresh:
        fresh.write_bytes(data.encode() if isinstance(data, str) else data)


def write_parquet(file: Path, frame: polars.DataFrame, metadata: dict[str, str] | None = None) -> None:
    """Write a table to a Parquet file atomically.

    Raises:
        OSError: when it cannot be written; then the file is as it was.
    """
    stream = io.BytesIO()  # polars does not say what the system said of a disk that is full
    frame.write_parquet(stream, metadata=metadata)
    write_whole(file, stream.getvalue())


def check_writable(file: Path) -> None:
    """Find out before a long run whether a file can be written; nothing changes.

    Raises:
        OSError: when it cannot.
    """
    target = file.resolve()
    if target.exists():
        with target.open("ab"):
            pass
        if not target.is_file():
            return
    fresh = _beside(target)
    try:
        fresh.touch()
    finally:
        fresh.unlink(missing_ok=True)


def _beside(target: Path) -> Path:
    """Return a temporary name in the same folder, unique to this process."""
    return target.with_name(f".{target.name[:100]}.{os.getpid()}.new")
