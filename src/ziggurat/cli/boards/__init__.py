"""How games look in the terminal: one module per game, by its id, with a ``BOARD``; a plain one for all others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ziggurat.core.game import Choice
    from ziggurat.core.text import Catalogue
    from ziggurat.core.trace import Event

Names = Callable[[int], str]


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


def find(game: str) -> Board:
    """The board of a game."""
    name = f"ziggurat.cli.boards.{game}"
    module = import_module(name if find_spec(name) else "ziggurat.cli.boards.plain")
    board: Board = module.BOARD
    return board
