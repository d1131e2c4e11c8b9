"""What may be done in Lotus, and what happens."""

from __future__ import annotations

from typing import Annotated, Literal

from tests.core.lotus import state

from ziggurat.core.actions import Choice, IntRange, Names, Space
from ziggurat.core.events import Events


class PlayCard(Choice, frozen=True, kw_only=True):
    """A card of the hand goes to the discard pile."""

    type: Literal["play"] = "play"
    card: Annotated[str, Names(state.CARDS)]


class TakeCard(Choice, frozen=True, kw_only=True):
    """A card that lies open goes into the hand."""

    type: Literal["take"] = "take"
    place: Annotated[int, IntRange(2, first=1)]


SPACE = Space("'play red 1'")
PLAY = SPACE.add(PlayCard)
TAKE = SPACE.add(TakeCard)

EVENTS = Events()
PLAYED = EVENTS.add("played", "who plays", card=lambda card: state.CARDS[card], points=int)
TOOK = EVENTS.add("took", "who takes", card=lambda card: state.CARDS[card], place=int)
TURNED = EVENTS.add("turned", "-", card=lambda card: state.CARDS[card])
DREW = EVENTS.add("drew", "who draws", private=True, card=lambda card: state.CARDS[card])
