"""The parts of a score in Ginkgopolis: where points come from, so that a hint can say why a move is good."""

from __future__ import annotations

from ziggurat.core.parts import Parts
from ziggurat.games.ginkgopolis import events
from ziggurat.games.ginkgopolis.state import COLOURS

PARTS = Parts(events.EVENTS)
PARTS.points(events.GAINED, "gained")
PARTS.points(events.GOT_BACK, "returned")
PARTS.points(events.RETURNED, "tiles")
PARTS.points(events.CONSTRUCTED, "cost", "cost", sign=-1)
PARTS.points(events.CARD_SCORED, "cards")
PARTS.points(events.TOKENS_SCORED, "tokens")
PARTS.points(events.DISTRICT, "district", of="colour", values=len(COLOURS))
PARTS.count(events.CONSTRUCTED, "kept")
PARTS.count(events.GAINED, "resources", "resources")
PARTS.count(events.DREW_TILES, "drawn", "count")
