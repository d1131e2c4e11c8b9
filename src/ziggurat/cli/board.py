"""How games look in the terminal: a game's folder may have a ``terminal`` module with a ``BOARD``; others look plain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import msgspec
from rich.console import RenderableType
from rich.pretty import Pretty

from ziggurat.core.actions import Choice
from ziggurat.core.registry import part
from ziggurat.core.text import Catalogue, Names
from ziggurat.core.trace import Event


class Board(Protocol):
    """What the terminal asks of a game. ``view`` is the game's own view struct."""

    quiet: frozenset[str]
    """Types of events that are printed faintly."""

    unsaid: frozenset[str]
    """Types of events that are not printed, because the table shows them."""

    def show(self, view: Any, say: Catalogue, names: Names) -> RenderableType:
        """The table."""

    def choice(self, choice: Choice, view: Any, say: Catalogue, names: Names) -> str:
        """A choice in words."""

    def key(self, notation: str) -> str | None:
        """What to type for a further step of a move; None: its number in the list, its notation if it is the last."""

    def scoring(self, events: Sequence[Event], view: Any, say: Catalogue, names: Names) -> RenderableType | None:
        """Where the points that these events gave come from; None when they gave none."""

    def breakdown(self, events: Sequence[Event], view: Any, say: Catalogue, names: Names) -> RenderableType | None:
        """Where all points of a game come from."""


class PlainBoard:
    """The board of a game that has none of its own: its view, field by field."""

    quiet: frozenset[str] = frozenset()
    unsaid: frozenset[str] = frozenset()

    def show(self, view: Any, say: Catalogue, names: Names) -> RenderableType:
        return Pretty(msgspec.to_builtins(view), expand_all=False, max_length=60)

    def choice(self, choice: Choice, view: Any, say: Catalogue, names: Names) -> str:
        return choice.notation

    def key(self, notation: str) -> str | None:
        return None

    def scoring(self, events: Sequence[Event], view: Any, say: Catalogue, names: Names) -> RenderableType | None:
        return None

    def breakdown(self, events: Sequence[Event], view: Any, say: Catalogue, names: Names) -> RenderableType | None:
        return None


def board_of(game: str) -> Board:
    """The board of a game."""
    terminal = part(game, "terminal")
    board: Board = terminal.BOARD if terminal else PlainBoard()
    return board
