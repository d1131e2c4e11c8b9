"""A position in words, as a seat sees it: for language models, logs and screen readers; the terminal's board without
its frames.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import TYPE_CHECKING

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from ziggurat.core.board import board_of
from ziggurat.core.text import Catalogue, Names, catalogue

if TYPE_CHECKING:
    from ziggurat.core.position import Position

MOST_CHARACTERS = 2000
"""Characters of what a seat sees, at most; what is beyond, in a game of somebody's own, is left out and said to be."""
CELL_GAP = " | "
"""Between the cells of a table."""
BOARD_COLUMNS = 240
"""Columns in which what is neither a table nor text is drawn."""


def observation_text(
    position: Position,
    seat: int | None,
    language: str = "en",
    names: Sequence[str] | None = None,
    most: int = MOST_CHARACTERS,
) -> str:
    """A seat's (None: a spectator's) view and decision, in words.

    Args:
        language: ``en`` or ``hu``.
        names: of the seats; by default they are counted, from 1, as people do.
        most: characters at most.

    Raises:
        NotYourTurn: when there is no such seat.
    """
    say = catalogue(language, position.game)
    name = seat_names(say, position, names)
    view = position.view(seat)
    ask = position.decision(seat).ask
    asked = [say.say(ask, name)] if ask is not None else []
    lines = [*lines_of(board_of(position.game.id).show(view, say, name)), *asked]
    if _length(lines) > most:
        lines = [line.replace(CELL_GAP, CELL_GAP.strip()) for line in lines]
    while _length(lines) > most and len(lines) > len(asked) + 1:
        lines[-len(asked) - 2 : len(lines) - len(asked)] = ["…"]
    return "\n".join(lines)


def _length(lines: Sequence[str]) -> int:
    return sum(map(len, lines)) + len(lines) - 1


def action_texts(
    position: Position, seat: int, actions: Sequence[int], language: str = "en", names: Sequence[str] | None = None
) -> list[str]:
    """Actions of a seat in words, one by one."""
    say = catalogue(language, position.game)
    name, view, board = seat_names(say, position, names), position.view(seat), board_of(position.game.id)
    return [board.choice(position.choice(seat, action), view, say, name) for action in actions]


def seat_names(say: Catalogue, position: Position, names: Sequence[str] | None = None) -> Names:
    """The names of seats: by default they are numbered, from 1, as people count."""
    known = list(names) if names is not None else [say("ui.seat", n=seat + 1) for seat in range(position.players)]
    return lambda seat: known[seat] if seat < len(known) else say("label.neutral")


def lines_of(what: RenderableType) -> Iterator[str]:
    """Yield the lines of a drawing: of a table its rows, cell by cell; plain text, as a map is, keeps its columns."""
    if isinstance(what, Group):
        for part in what.renderables:
            yield from lines_of(part)
    elif isinstance(what, Table):
        if what.title:
            yield plain(what.title)
        heads = [column.header for column in what.columns] if what.show_header else []
        for cells in [heads, *zip(*(column._cells for column in what.columns), strict=True)]:
            row = CELL_GAP.join(", ".join(plain(cell).split("\n")).strip() for cell in cells).rstrip(CELL_GAP)
            if row:
                yield row
        if what.caption:
            yield plain(what.caption)
    elif isinstance(what, Text):
        yield from (line.rstrip() for line in what.plain.splitlines() if line.strip())
    else:
        yield from (re.sub(r" {3,}", "  ", line.strip()) for line in plain(what).splitlines() if line.strip())


def plain(what: RenderableType) -> str:
    """Words without colours, in as many columns as they take."""
    if isinstance(what, Text):
        return what.plain
    if isinstance(what, str):
        return Text.from_markup(what).plain if "[" in what or ":" in what else what
    out = StringIO()
    Console(file=out, width=BOARD_COLUMNS, highlight=False, color_system=None, legacy_windows=False).print(what)
    return out.getvalue().rstrip("\n")
