"""The inputs of a network: columns, declared by name, and the rules that write them.

Three rules of a game, ``table_inputs``, ``seat_inputs`` and ``action_inputs``, write small integers to ``out.inputs``,
column by column, for tables of any size; the code that reads a column cuts it to its bounds. The rules are made of
kernels of the game, which write fields (``ziggurat.core.columns``). A column means the same whichever seat it is asked
for: whose turn it is is given as a distance, never as a number of a seat. The kernels may use ``out.values`` and what
the heuristic works out there. The table is told first, then seats, then actions of one of them, and nobody else writes
to ``out.values`` meanwhile: so what the kernel of the table leaves there, others find, if they do not overwrite it.

They read a position as it was dealt for a search, whose hidden cards are made up. Columns of the table and the open
ones of a seat tell what everybody at the table sees, so that they are the same however it is redealt; the closed ones
of a seat, and those of its actions, tell what only that seat sees in addition. So a network values a deal by
everybody's closed columns, but what an action is worth to a seat it judges by those of that seat alone.
"""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from ziggurat.core import limits
from ziggurat.core.features import Feature
from ziggurat.core.kernel import Record, kernel


class Inputs(msgspec.Struct, frozen=True):
    """The columns of a game: of the table as a whole, of every seat, and of an action of the seat that decides.

    Attributes:
        table: written by ``table_inputs(s, out)``.
        open, closed: written by ``seat_inputs(s, seat, out)``, the open ones first.
        action: written by ``action_inputs(s, seat, action, out)``. The first is ``suggested``, whether the heuristic
            would play it, which the caller writes.
        records: classes of the fields of the table, of a seat and of an action; see ``ziggurat.core.columns``.
    """

    table: tuple[Feature, ...]
    open: tuple[Feature, ...]
    closed: tuple[Feature, ...]
    action: tuple[Feature, ...]
    records: tuple[type[Any], ...] = ()

    def __post_init__(self) -> None:
        for name, columns in (("table", self.table), ("seat", self.seat), ("action", self.action)):
            if len(columns) > limits.INPUTS:
                raise TypeError(f"a network is told at most {limits.INPUTS} columns of {name}, not {len(columns)}")
            places = sum(column.width for column in columns)
            if places > limits.PLACES:
                raise TypeError(f"columns of {name} are spread over at most {limits.PLACES} places, not {places}")
            names = [column.name for column in columns]
            if len(set(names)) < len(names):
                raise TypeError(f"two columns of {name} have the same name")
        if self.action[0].name != "suggested":
            raise TypeError("the first column of an action is 'suggested'")

    @property
    def seat(self) -> tuple[Feature, ...]:
        return self.open + self.closed

    @property
    def digest(self) -> str:
        """A short hash of all columns: a network trained on some fits only the same ones."""
        told: list[Any] = [
            [(one.name, one.low, one.high, one.kind, one.labels) for one in columns]
            for columns in (self.table, self.open, self.closed, self.action)
        ]
        return hashlib.sha256(msgspec.json.encode(told)).hexdigest()[:12]


# A game that tells a network nothing has these.


@kernel
def table_inputs(s: Record, out: Record) -> int:
    """Write the columns of the table; return how many."""
    return 0


@kernel
def seat_inputs(s: Record, seat: int, out: Record) -> int:
    """Write the columns of a seat, the open ones first, after those of the table; return how many."""
    return 0


@kernel
def action_inputs(s: Record, seat: int, action: int, out: Record) -> int:
    """Write the columns of a legal action of a seat, after those of the table and of the seats; return how many."""
    return 0


@kernel
def clipped(value: int, low: int, high: int) -> int:
    """A value clipped to a range."""
    return min(max(value, low), high)
