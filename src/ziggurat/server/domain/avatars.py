"""A person's avatar: a small picture in a colour, by which friends know each other at any table. Most have none."""

from __future__ import annotations

from typing import Literal

import msgspec

Picture = Literal[
    "bee", "bell", "boat", "cat", "fish", "key", "kite", "lantern", "leaf", "moon", "mushroom", "owl", "snail", "sun"
]
Colour = Literal["brick", "indigo", "moss", "plum", "teal", "umber"]
"""None that a seat has."""


class AvatarChoice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An avatar as a person chooses it: a picture of ours, and the colour behind it."""

    picture: Picture
    colour: Colour


def stored_avatar(mark: AvatarChoice | None) -> str:
    """Return an avatar as it is stored."""
    return f"{mark.picture} {mark.colour}" if mark is not None else ""


def parsed_avatar(text: str) -> AvatarChoice | None:
    """Return the avatar of a stored text; none where there is none, or none of today's."""
    picture, _, colour = text.partition(" ")
    try:
        return msgspec.convert({"picture": picture, "colour": colour}, AvatarChoice)
    except msgspec.ValidationError:
        return None
