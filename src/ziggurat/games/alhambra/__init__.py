"""Alhambra: The Card Game, by Dirk Henn, for 2 to 6 players."""

from __future__ import annotations

from ziggurat.core.bind import bind
from ziggurat.core.game import Game
from ziggurat.games.alhambra.view import AlhambraView as View

__all__ = ["GAME", "View"]

GAME: Game[View] = bind(
    __package__,
    version="1",
    players=(2, 6),
    remembered=frozenset({"hands"}),
    beside=frozenset({"known", "payable", "prices", "open_values", "slot_gaps", "money_gaps", "shares", "tally"}),
    trust=0.8,
)
