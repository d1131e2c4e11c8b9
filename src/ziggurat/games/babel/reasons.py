"""The parts of a score in Tower of Babel: where points come from, so that a hint can say why a move is good."""

from __future__ import annotations

from ziggurat.core.parts import Parts
from ziggurat.games.babel import events
from ziggurat.games.babel.state import WONDERS

PARTS = Parts(events.EVENTS)
PARTS.points(events.WONDER_SCORED, "houses", of="wonder", values=len(WONDERS))
PARTS.points(events.REFUSED, "refused")
PARTS.points(events.BONUS, "bonus", of="reason", values=len(events.REASONS))
PARTS.count(events.BUILT, "discs")
PARTS.count(events.DREW, "drew", "count")
