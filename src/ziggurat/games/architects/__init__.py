"""7 Wonders: Architects, by Antoine Bauza, for 2 to 7 players."""

from __future__ import annotations

from ziggurat.core.bind import bind

GAME = bind(__package__, version="1", players=(2, 7))
