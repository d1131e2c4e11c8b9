"""A card is played."""

from __future__ import annotations

from typing import Annotated, Literal

from tests.core.lotus import state

from ziggurat.core.actions import Choice, Names, Space


class Play(Choice, frozen=True, kw_only=True):
    """A card of the hand goes to the discard pile."""

    type: Literal["play"] = "play"
    card: Annotated[str, Names(state.CARDS)]


SPACE = Space("'play red 1'")
PLAY = SPACE.add(Play)
