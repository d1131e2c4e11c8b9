"""Lotus: a small game with every kind of field, and as little more as a game needs."""

from __future__ import annotations

from pathlib import Path

from tests.core.lotus import state

from ziggurat.core.bind import bind

GAME = bind(__package__, version="1", players=(2, state.MAX_PLAYERS), longest=2 * state.COPIES * len(state.CARDS))
vars(GAME)["folder"] = Path(__file__).parent  # not among those of the package
