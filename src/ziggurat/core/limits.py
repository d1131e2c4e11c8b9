"""The limits of a game's size. Buffers and masks are made for these; a game is measured when it is bound (`Game`)."""

from __future__ import annotations

SEATS = 7
ACTIONS = 4096
"""Numbers of actions, from 0 on."""
LEGAL = 1024
"""Actions that are legal at once, and features that `observe` writes: the places in ``out.values``."""
WEIGHTS = 32
"""What a heuristic goes by: the places in ``out.weights``."""
INPUTS = 160
"""Columns of one kind that a network is told: the places in ``out.inputs``."""
PLACES = 480
"""What they are spread over: a place for a number, for each value of a category, and for each bit."""
COLUMNS = 8
"""What one row of the trace says of an event, after its code and its seat."""
ROWS = 1023
"""Rows that one action may write; an action that wrote more is found when its events are read."""
RECORD = 2047
"""Bytes of a position."""
