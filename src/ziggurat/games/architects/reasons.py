"""The parts of a score in Architects: where points come from, so that a hint can say why a move is good."""

from __future__ import annotations

from ziggurat.core.parts import Parts
from ziggurat.games.architects import events
from ziggurat.games.architects.state import TOKENS

PARTS = Parts(events.EVENTS)
PARTS.points(events.TOOK, "blue")
PARTS.points(events.CAT, "cat")
PARTS.points(events.CAT, "cat", seat="from", sign=-1)
PARTS.points(events.BUILT, "stages")
PARTS.points(events.FOUGHT, "battle")
PARTS.points(events.FINAL, "token", of="token", values=len(TOKENS))
PARTS.count(events.CLAIMED, "claimed")
PARTS.count(events.TOOK, "cards")
