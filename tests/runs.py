"""The two runs: `./test` is what every change runs, `./test --all` is the whole.

A test stands in the first unless it is marked `whole`; so does each of its parameters. In Chromium, where all is
dear, only what is marked `often` does; what is longest is named in `later.txt`. The rest is run by `--all`, and by
`--share K/N`, the K-th of N parts of it: `.ci/run` takes another one with every commit, so that all of it comes round.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

whole = pytest.mark.whole
"""Marks what only `./test --all` runs: other windows, languages and deals; what takes long and seldom finds a fault."""

often = pytest.mark.often
"""Marks what every change runs in Chromium: what only a browser can say, where most can go wrong."""


def each(values: Iterable[Any], often: Collection[Any], ids: Callable[[Any], str] = str) -> list[Any]:
    """Parameters of a test: those named in ``often`` for every change, the others for the whole. A tuple is several."""
    values = list(values)
    missing = [value for value in often if value not in values]
    assert not missing, f"{missing} are none of {values}"
    several = [value if isinstance(value, tuple) else (value,) for value in values]
    return [
        pytest.param(*one, id="-".join(map(ids, one)), marks=() if value in often else whole)
        for one, value in zip(several, values, strict=True)
    ]


LATER = tuple(
    line
    for line in (Path(__file__).parent / "later.txt").read_text(encoding="utf-8").splitlines()
    if line and line[0] != "#"
)
"""How the names of tests begin that are left to the whole run for the time being."""

everything = False
"""Whether this is the whole run; set before any test is read."""


def number(often: int, whole: int) -> int:
    """How many games or the like a test plays: so many for every change, and so many in the whole run."""
    return whole if everything else often


def share_of(text: str) -> tuple[int, int]:
    """Read ``K/N``, K from 1 to N; ValueError otherwise."""
    number, slash, parts = text.partition("/")
    if not (slash and number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise ValueError(f"--share takes K/N, K from 1 to N, such as 3/40, and not {text!r}")
    return int(number), int(parts)


def in_share(nodeid: str, share: tuple[int, int]) -> bool:
    """Whether a test belongs to a share; tests of one module and function go together, since they prepare the same."""
    number, parts = share
    return crc32(nodeid.partition("[")[0].encode()) % parts == number - 1
