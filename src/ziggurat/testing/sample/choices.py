"""What may be done in Sample, and what happens."""

from __future__ import annotations

from typing import Annotated, Literal

from ziggurat.core.actions import Choice, IntRange, Space
from ziggurat.core.events import Events
from ziggurat.testing.sample.state import CARDS


class LayCard(Choice, frozen=True, kw_only=True):
    """A card is laid open."""

    type: Literal["lay"] = "lay"
    card: Annotated[int, IntRange(CARDS, first=1)]


SPACE = Space("'lay 7'")
LAY = SPACE.add(LayCard)  # + card

EVENTS = Events()
DREW = EVENTS.add("drew", "who draws", private=True, card=int)
LAID = EVENTS.add("laid", "who lays it", card=int)
WON = EVENTS.add("won", "whose card was the highest", points=int)
FINISHED = EVENTS.add("finished", "-")
