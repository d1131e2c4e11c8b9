"""The trace: rows of small integers written by the rules, from which everybody else reads events.

The buffers that the rules write to are records too: compiled code passes a record by its address, but counts the users
of an array, at every call and with a locked instruction, which cost more than the rules themselves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import msgspec
import numpy as np
from msgspec import UNSET, UnsetType

from ziggurat.core import limits
from ziggurat.core.kernel import Record, compiles_to, kernel, out_of_line
from ziggurat.core.record import ListRecord

WIDTH = 2 + limits.COLUMNS
ROWS = limits.ROWS

# Row n is ``code, seat, a, b, ... h``; what an event does not use is 0. The rules write rows only while ``on``.
TRACE = np.dtype([("on", np.int64), ("used", np.int64), ("rows", np.int16, (ROWS, WIDTH))])

# Where the rules put lists of numbers: legal actions, scores, features; in ``inputs`` what a network is told, so that
# what the heuristic works out among ``values`` may be a part of it. ``suggest`` finds there what it goes by.
OUT = np.dtype(
    [
        ("values", np.int64, (limits.LEGAL,)),
        ("weights", np.int64, (limits.WEIGHTS,)),
        ("inputs", np.int64, (limits.INPUTS,)),
    ]
)


def workspace(record: np.dtype[Any]) -> np.dtype[Any]:
    """The type of a workspace: a position with the buffers that its rules write to."""
    return np.dtype([("state", record), ("trace", TRACE), ("out", OUT)])


NO_SEAT = -1
# Who may read a row, by its code; what goes on with the row before is read by whoever may read that one.
FOR_ALL, FOR_ITS_SEAT, GOES_ON = range(3)


def _compiled_traced() -> Any:
    from ziggurat.core.codegen import is_traced

    return is_traced()


@compiles_to(_compiled_traced)
@kernel
def traced() -> bool:
    """Whether the program has a trace at all: in compiled code that is silent, no row is written or asked for."""
    return True


@kernel
def note(
    trace: Record,
    code: int,
    seat: int = NO_SEAT,
    a: int = 0,
    b: int = 0,
    c: int = 0,
    d: int = 0,
    e: int = 0,
    f: int = 0,
    g: int = 0,
    h: int = 0,
) -> None:
    """Write a row to the trace; a row that finds no room is counted, and missed when the trace is read.

    ``code`` is what ``Events.add`` returned; ``a``, ``b``, ... are the event's arguments in the order declared.
    """
    if traced() and trace.on:
        write_row(trace, code, seat, a, b, c, d, e, f, g, h)


@kernel
def write_row(
    trace: Record, code: int, seat: int, a: int, b: int, c: int, d: int, e: int, f: int, g: int, h: int
) -> None:
    out_of_line()
    if trace.used < ROWS:
        row = trace.rows[trace.used]
        row[0] = code
        row[1] = seat
        row[2] = a
        row[3] = b
        row[4] = c
        row[5] = d
        row[6] = e
        row[7] = f
        row[8] = g
        row[9] = h
    trace.used += 1


@kernel
def offer(out: Record, n: int, action: int, allowed: bool) -> int:
    """Write a legal action to ``out`` if it is allowed, without a branch that the processor would have to guess.
    Returns how many there are now."""
    out.values[n] = action
    return n + (1 if allowed else 0)


def new_trace(on: bool = True) -> np.ndarray:
    """Return an empty trace of shape (1,)."""
    trace = np.zeros(1, dtype=TRACE)
    trace["on"] = on
    return trace


class ListTrace:
    """The interpreted backing of a trace: rows are made as they are written."""

    def __init__(self, on: bool) -> None:
        self.on = on
        self.used = 0
        self.rows = _Growing()


class _Growing(list[list[int]]):
    def __getitem__(self, index: Any) -> Any:
        if index == len(self):
            self.append([0] * WIDTH)
        return super().__getitem__(index)


def new_out(weights: Sequence[int] = ()) -> np.ndarray:
    """Return an output buffer of shape (1,).

    Args:
        weights: what ``suggest`` goes by, if it is to be called; a game's own are ``game.weights.values()``.
    """
    out = np.zeros(1, dtype=OUT)
    out["weights"][0, : len(weights)] = weights
    return out


def new_outs(weights: Sequence[Sequence[int]]) -> np.ndarray:
    """Return output buffers for the kernel ``games``: one for the rules, and one for every player with its weights."""
    return np.concatenate([new_out(), *(new_out(own) for own in weights)])


def list_out(weights: Sequence[int]) -> ListRecord:
    """The interpreted backing of ``new_out``."""
    out = ListRecord(OUT)
    out.weights[: len(weights)] = weights
    return out


def check_rows(used: int) -> None:
    if used > ROWS:
        raise RuntimeError(f"one action wrote {used} trace rows, more than the {ROWS} there is room for")


class Event(msgspec.Struct, frozen=True):
    """An event of the game, in its words.

    ``type`` names the catalogue key ``log.<type>``; ``args`` holds numbers, tokens such as ``"blue 5"``, lists of them.
    A ``private`` event is for its seat alone; the field is absent from all others.
    """

    type: str
    seat: int | None = None
    args: dict[str, Any] = {}
    private: bool | UnsetType = UNSET

    def may_read(self, seat: int | None) -> bool:
        """Whether a seat (None: a spectator) may read it."""
        return self.private is not True or self.seat == seat


Arg: TypeAlias = "int | str | bool | Phrase | Sequence[int | str | Phrase] | None"
"""What stands in a phrase for a placeholder."""


class Phrase(msgspec.Struct, frozen=True):
    """A phrase: a catalogue key, with the values of its placeholders; phrases may be among these."""

    key: str
    args: Mapping[str, Arg] = {}
