"""The parts of a score in Alhambra: where points come from, so that a hint can say why a move is good."""

from __future__ import annotations

from ziggurat.core.parts import Parts
from ziggurat.games.alhambra import events
from ziggurat.games.alhambra.state import KINDS, ROUNDS

PARTS = Parts(events.EVENTS)
PARTS.points(events.SCORED, "majority", of="building", values=len(KINDS), when="round", times=len(ROUNDS))
PARTS.count(events.AGAIN, "again")
