"""7 Wonders: Architects, by Antoine Bauza, for 2 to 7 players."""

from __future__ import annotations

from ziggurat.core.bind import bind
from ziggurat.core.game import Game
from ziggurat.games.architects.view import ArchitectsView as View

__all__ = ["GAME", "View"]

GAME: Game[View] = bind(__package__, version="1", players=(2, 7))
