"""Bazaar, a small game that proves the checker: an open row, a die and a secret hand.

Everybody hides two of sixteen wares. Whoever has the turn takes an open ware into their hand, which all have seen, or
draws one unseen, or sells one for points. Then the place in the row is filled, and a die is thrown, which says what the
next sale brings. Who has four wares must sell. The game ends after so many turns.
"""

from __future__ import annotations

from tests.testing.bazaar import state
from tests.testing.laid import kept

from ziggurat.core.bind import bind

GAME = kept(
    bind(__package__, version="1", players=(2, state.MAX_PLAYERS), longest=lambda players: players * state.TURNS),
    __package__,
)
