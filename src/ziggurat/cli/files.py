"""Files that people name on the command line, and what to say when they cannot be used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO, TypeVar

import click

from ziggurat.core.errors import ZigguratError

T = TypeVar("T")


class CommandProblem(click.ClickException):
    """Something wrong with what was asked for, in one sentence."""

    exit_code = 2


def read(name: str) -> str:
    """The text of a file; ``-`` is standard input."""
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
    """What ``parse`` makes of a file; its complaints get the file's name in front."""
    text = read(name)
    try:
        return parse(text)
    except ZigguratError as error:
        raise CommandProblem(f"{name}: {error}") from None


@contextmanager
def writing(name: str) -> Iterator[TextIO]:
    """A file to write text to; ``-`` is standard output."""
    if name == "-":
        yield sys.stdout
        return
    try:
        with Path(name).open("w", encoding="utf-8", newline="\n") as stream:
            yield stream
    except BrokenPipeError:
        raise
    except OSError as error:
        raise CommandProblem(f"cannot write {name}: {reason(error)}") from None


def reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
