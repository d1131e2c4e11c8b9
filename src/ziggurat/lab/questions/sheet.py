"""What a seat is shown, cell by cell: the tables of its board, and the lines that begin with a label.

Text and picture of a position are both drawn from this board, so what is read here stands in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from rich.console import Group, RenderableType
from rich.table import Table

from ziggurat.core.in_words import lines_of, plain

LONGEST_LABEL = 40
_NUMBER = re.compile(r"-?[0-9]+\*?")
_MARKS = re.compile(r"^[^\w(]+|[^\w)'’]+$")
"""What stands around a label: a mark of whose turn it is, a sign of its colour."""


class SheetPlace(NamedTuple):
    """The place of a cell: its table by title, its row and its column by their labels; the row is empty in a table of
    one row."""

    table: str
    row: str
    column: str


class Cell(NamedTuple):
    """A cell: what stands there, and the number that it is, if it is one."""

    text: str
    number: int | None


class Sheet(NamedTuple):
    """What a board shows.

    Attributes:
        cells: of its tables, in their order; those whose labels stand there twice are left out.
        lines: what stands behind a label that ends with a colon, in pieces.
        text: all lines, by which two drawings are compared.
    """

    cells: dict[SheetPlace, Cell]
    lines: dict[str, tuple[str, ...]]
    text: str

    def column(self, place: SheetPlace) -> dict[str, Cell]:
        """Return the cells of the same column by row."""
        return {
            other.row: cell
            for other, cell in self.cells.items()
            if (other.table, other.column) == (place.table, place.column)
        }


def label(text: str) -> str:
    """Return a label without its marks: ``Seat 2`` for ``> Seat 2``."""
    return _MARKS.sub("", text.split("\n")[0].strip())


def number_in(text: str) -> int | None:
    return int(text.rstrip("*")) if _NUMBER.fullmatch(text) else None


def sheet(board: RenderableType) -> Sheet:
    """Read a board."""
    found: dict[SheetPlace, Cell] = {}
    twice: set[SheetPlace] = set()
    for table in _tables(board):
        for place, cell in _cells(table):
            if place in found:
                twice.add(place)
            found[place] = cell
    text = "\n".join(lines_of(board))
    lines: dict[str, tuple[str, ...]] = {}
    for line in text.split("\n"):
        head, colon, rest = line.partition(": ")
        head = re.split(r"\s{2,}", head)[-1]
        if colon and len(head) <= LONGEST_LABEL and "|" not in line:
            pieces = tuple(piece for piece in re.split(r"\s{2,}", rest.strip()) if piece)
            lines[label(head)] = () if label(head) in lines else pieces
    return Sheet(
        {place: cell for place, cell in found.items() if place not in twice},
        {head: pieces for head, pieces in lines.items() if pieces},
        text,
    )


def _tables(board: RenderableType) -> Iterator[Table]:
    if isinstance(board, Group):
        for part in board.renderables:
            yield from _tables(part)
    elif isinstance(board, Table) and board.show_header:
        yield board


def _cells(table: Table) -> Iterator[tuple[SheetPlace, Cell]]:
    heads = [label(plain(column.header)) for column in table.columns]
    columns: Sequence[list[Any]] = [[*column.cells] for column in table.columns]
    rows = max(map(len, columns), default=0)
    title = label(plain(table.title)) if table.title else heads[0] if heads else ""
    first = 0 if rows == 1 else 1
    for number in range(rows):
        row = "" if rows == 1 else label(plain(columns[0][number]))
        for head, column in list(zip(heads, columns, strict=True))[first:]:
            text = ", ".join(part.strip() for part in plain(column[number]).split("\n")).strip()
            if head and text and (row or rows == 1) and any(map(str.isalnum, text)):
                yield SheetPlace(title, row, head), Cell(text, number_in(text))
