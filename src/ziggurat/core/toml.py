"""A TOML reader whose errors name the line."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

from ziggurat.core.errors import FileError

MOST_NAMES_IN_KEY = 32
"""Names in a dotted key. `tomllib` takes time with the square of their number; what we read has three at most."""
# Names longer than this are not looked at: of them there is no room for many.
_LONG = 80
_NAME = rf"""(?:[\w-]{{1,{_LONG}}}+|"(?:[^"\\\n]|\\.){{0,{_LONG}}}+"|'[^'\n]{{0,{_LONG}}}+')"""
_TOO_DEEP = re.compile(rf"(?<![\w-]){_NAME}(?:[ \t]*+\.[ \t]*+{_NAME}){{{MOST_NAMES_IN_KEY}}}")


def parse_toml(text: str) -> dict[str, Any]:
    """Parse a TOML file into its tables.

    Raises:
        FileError: with the line, when it is not TOML.
    """
    if deep := _TOO_DEEP.search(text):
        raise FileError(
            f"not TOML that can be read: a key has at most {MOST_NAMES_IN_KEY} names",
            text.count("\n", 0, deep.start()) + 1,
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).partition(" (at ")
        line = place.removeprefix("line ").partition(",")[0]
        last = text.count("\n") + 1  # "at end of document"
        raise FileError(f"not TOML: {message}", int(line) if line.isdigit() else last) from None
    except (RecursionError, ValueError):  # nested too deeply, or a number of thousands of digits
        longest = max(enumerate(text.split("\n"), start=1), key=lambda numbered: len(numbered[1]))
        raise FileError("not TOML that can be read: nested too deeply, or a number too long", longest[0]) from None


def line_of(text: str, keys: Sequence[str]) -> int | None:
    """The 1-based line of a TOML file where the innermost of ``keys`` that can be found is set, or begins to be."""
    found = begins = None
    table: list[str] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#", 1)[0].strip()
        if line.startswith("["):
            table = [part.strip() for part in line.strip("[]").split(".")]
            here = table
        elif "=" in line:
            here = [*table, *(part.strip() for part in line.split("=", 1)[0].split("."))]
        else:
            continue
        if here == list(keys[: len(here)]) and here:
            found = number
        if begins is None and keys and here[: len(keys)] == list(keys):
            begins = number
    return begins if found is None else found
