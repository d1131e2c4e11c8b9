"""What may be done in Burrow."""

from __future__ import annotations

from typing import Annotated, Literal

from ziggurat.core.actions import Choice, Names, Space

ANIMALS = ("rabbit", "fox", "mole")


class Roll(Choice, frozen=True, kw_only=True):
    type: Literal["roll"] = "roll"


class Peek(Choice, frozen=True, kw_only=True):
    type: Literal["peek"] = "peek"


class Keep(Choice, frozen=True, kw_only=True):
    type: Literal["keep"] = "keep"


class Show(Choice, frozen=True, kw_only=True):
    type: Literal["show"] = "show"
    animal: Annotated[str, Names(ANIMALS)]


class Bury(Choice, frozen=True, kw_only=True):
    type: Literal["bury"] = "bury"
    animal: Annotated[str, Names(ANIMALS)]


SPACE = Space("'roll' or 'show fox'")
ROLL = SPACE.add(Roll)
PEEK = SPACE.add(Peek)
KEEP = SPACE.add(Keep)
SHOW = SPACE.add(Show)
BURY = SPACE.add(Bury)
