"""Sample: a small game that can be played, to begin with."""

from __future__ import annotations

from ziggurat.core.bind import bind
from ziggurat.testing.sample import state

GAME = bind(__package__, version="1", players=(2, state.MAX_PLAYERS), longest=lambda players: players * state.HAND)
