"""Files that people name on the command line, and the errors when they cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

import click

from ziggurat.core.errors import ZigguratError
from ziggurat.core.whole_files import check_writable, replacing

T = TypeVar("T")


class CommandProblem(click.ClickException):
    """An error in a command line, in one sentence."""

    exit_code = 2


def source_tree() -> Path | None:
    """Return the source tree in which this runs; None for an installed package."""
    import ziggurat

    root = Path(ziggurat.__file__).resolve().parents[2]
    return root if (root / "pyproject.toml").is_file() and (root / "tests").is_dir() else None


def read(name: str) -> str:
    """Return the text of a file; ``-`` is standard input."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise CommandProblem(f"cannot read {name}: {reason(error)}") from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise CommandProblem(f"cannot read {name}: line {line} is not text in UTF-8") from None


def parsed(name: str, parse: Callable[[str], T]) -> T:
    """Parse a file with ``parse``; its errors get the file's name in front."""
    text = read(name)
    try:
        return parse(text)
    except ZigguratError as error:
        raise CommandProblem(f"{name}: {error}") from None


@contextmanager
def writing(name: str) -> Iterator[TextIO]:
    """Open a file to write text to; ``-`` is standard output. The file before stays until all is written."""
    if name == "-":
        yield sys.stdout
        return
    with written(name), replacing(Path(name)) as fresh, fresh.open("w", encoding="utf-8", newline="\n") as stream:
        yield stream


@contextmanager
def written(name: str | Path | None) -> Iterator[None]:
    """Turn a failure to write a file, or to a folder, into one sentence; `name` None: nothing is written."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if name is None:
            raise
        raise CommandProblem(f"cannot write {name}: {reason(error)}") from None


def must_be_writable(name: str) -> None:
    """Refuse a file that cannot be written now, and not after a long run; nothing changes."""
    if name != "-":
        with written(name):
            check_writable(Path(name))


def reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
