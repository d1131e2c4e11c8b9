"""The board of a game that has none of its own here: its view, field by field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import RenderableType
from rich.pretty import Pretty

from ziggurat.cli.boards import Names
from ziggurat.core.game import Choice
from ziggurat.core.text import Catalogue
from ziggurat.core.trace import Event


class PlainBoard:
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


BOARD = PlainBoard()
