"""The board of a game in the terminal: its module ``terminal`` may have a ``BOARD``; other games have a plain one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.box import SIMPLE_HEAD
from rich.console import RenderableType
from rich.pretty import Pretty
from rich.table import Column, Table
from rich.text import Text

from ziggurat.core.actions import Choice
from ziggurat.core.registry import part
from ziggurat.core.text import Catalogue, Names
from ziggurat.core.trace import Event


class Board:
    """The board of a game in the terminal, which overrides only what is its own. ``view`` is the game's own view
    struct."""

    quiet: frozenset[str] = frozenset()
    """Types of events that are printed faintly."""

    unsaid: frozenset[str] = frozenset()
    """Types of events that are not printed, because the table shows them."""

    def show(self, view: Any, say: Catalogue, names: Names) -> RenderableType:
        """Draw the table; here field by field, without empty fields, and with names for seats."""
        return Pretty(_shown(view, names), expand_all=False, max_length=60)

    def choice(self, choice: Choice, view: Any, say: Catalogue, names: Names) -> str:
        """A choice in words."""
        return say.say(choice.words, names)

    def key(self, notation: str) -> str | None:
        """The key to type for a further step of a move; None: its number in the list, its notation if it is the
        last."""
        return None

    def scoring(self, events: Sequence[Event], view: Any, say: Catalogue, names: Names) -> RenderableType | None:
        """The sources of the points that these events gave; None when they gave none, or the end tells it all."""
        return None

    def breakdown(self, events: Sequence[Event], view: Any, say: Catalogue, names: Names) -> RenderableType | None:
        """The sources of all points of a game."""
        return None


_SEATS = re.compile(r"(.*_)?seats?|actors|turn|winners")
"""What fields are called in which the number of a seat stands; nobody but a program counts seats from 0."""


def _shown(value: Any, names: Names, name: str = "") -> Any:
    """The view without entries of 0: they may be most of a hand.

    Args:
        name: of the field in which it stands.
    """
    if isinstance(value, msgspec.Struct):
        value = {field: getattr(value, field) for field in value.__struct_fields__}
    elif isinstance(value, dict) and all(type(one) is int for one in value.values()):
        value = {of: count for of, count in value.items() if count != 0}
    if isinstance(value, dict):
        return {of: _shown(one, names, of) for of, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shown(one, names, name) for one in value]
    return names(value) if type(value) is int and value >= 0 and _SEATS.fullmatch(name) else value


def board_of(game: str) -> Board:
    """The board of a game."""
    terminal = part(game, "terminal")
    board: Board = terminal.BOARD if terminal else Board()
    return board


# --- For the boards of games ---


def table_of(title: str | None, *columns: Column | str | Text, pad_edge: bool = False, **more: Any) -> Table:
    """A table without a frame, its title on the left; plain headings will do for ordinary columns.

    Args:
        more: further arguments of ``rich.table.Table``.
    """
    heads = (column if isinstance(column, Column) else Column(column) for column in columns)
    return Table(*heads, box=SIMPLE_HEAD, title=title, title_justify="left", pad_edge=pad_edge, **more)


def right(head: str | Text, **more: Any) -> Column:
    """A column of numbers."""
    return Column(head, justify="right", **more)


def player(seat: int, view: Any, names: Names) -> Text:
    """The name of a seat, with a mark while it is its turn; the viewer's own in bold."""
    mark = "> " if seat == view.turn and not view.finished else ""
    return Text(mark + names(seat), "bold" if seat == view.seat else "")


def starred(counts: Sequence[int]) -> list[str]:
    """The cells of a row that shows who has how many: a star marks the most."""
    return [f"{count}*" if count and count == max(counts) else f"{count} " if count else "· " for count in counts]
