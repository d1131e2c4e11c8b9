"""What happened: rows of small integers written by the rules, events read by everybody else.

A trace is an int16 array of shape (rows, WIDTH). Row 0 holds the number of rows used; row n is ``code, seat, a, b, c, d``.
An array of no rows switches it off.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from ziggurat.core.kernel import Record, kernel, out_of_line

WIDTH = 6
ROWS = 1024  # more than any single action of any game writes; checked when events are read

NO_SEAT = -1

Row = Sequence[int]


@kernel
def note(trace: Record, code: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    """Add a row; a row that finds no room is counted, and missed when the trace is read."""
    if len(trace) > 0:
        write_row(trace, code, seat, a, b, c, d)


@kernel
def write_row(trace: Record, code: int, seat: int, a: int, b: int, c: int, d: int) -> None:
    out_of_line()
    n = trace[0][0] + 1
    trace[0][0] = n
    if n < len(trace):
        row = trace[n]
        row[0] = code
        row[1] = seat
        row[2] = a
        row[3] = b
        row[4] = c
        row[5] = d


def new_trace() -> np.ndarray:
    return np.zeros((ROWS, WIDTH), dtype=np.int16)


NO_TRACE = np.zeros((0, WIDTH), dtype=np.int16)


def rows_of(trace: np.ndarray, n: int) -> np.ndarray:
    """A copy of the ``n`` rows written since the trace was last emptied."""
    if n >= len(trace):
        raise RuntimeError(f"one action wrote {n} trace rows, more than the {len(trace) - 1} there is room for")
    return trace[1 : n + 1].copy()


class Event(msgspec.Struct, frozen=True):
    """One thing that happened, in the words of the game.

    ``type`` names the catalogue key ``log.<type>``; ``args`` holds numbers, tokens such as ``"blue 5"``, or lists of them.
    """

    type: str
    seat: int | None = None
    args: dict[str, Any] = {}


class Phrase(msgspec.Struct, frozen=True):
    """A sentence by its key in a catalogue, with the values for its placeholders."""

    key: str
    args: dict[str, Any] = {}
