"""Tower of Babel, by Reiner Knizia, for 3 to 5 players."""

from __future__ import annotations

from ziggurat.core.bind import bind
from ziggurat.core.game import Game
from ziggurat.games.babel.view import BabelView as View

__all__ = ["GAME", "View"]

GAME: Game[View] = bind(__package__, version="1", players=(3, 5), beside=frozenset({"asking"}))
