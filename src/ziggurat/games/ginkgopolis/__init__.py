"""Ginkgopolis, by Xavier Georges, for 1 to 5 players."""

from __future__ import annotations

from ziggurat.core.bind import bind
from ziggurat.core.game import Game
from ziggurat.games.ginkgopolis.state import AT_HAND
from ziggurat.games.ginkgopolis.view import GinkgopolisView as View

__all__ = ["GAME", "View"]

# Cards stand in a hand in the order in which they came; their owner sees them sorted.
GAME: Game[View] = bind(__package__, version="2", players=(1, 5), listed=sorted, beside=frozenset(AT_HAND))
