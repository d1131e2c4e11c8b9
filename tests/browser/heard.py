"""What a browser has been told, to be read field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

SECRET = {"scenario", "seed", "salt", "deck", "money_cards", "building_cards", "invite_hash", "record", "state"}
"""Fields that nobody may be sent."""


def parts(thing: Any, path: str = "") -> Iterator[tuple[str, str, Any]]:
    """Every field of a message: its path, its name, its value."""
    if isinstance(thing, dict):
        for name, value in thing.items():
            yield f"{path}.{name}", name, value
            yield from parts(value, f"{path}.{name}")
    elif isinstance(thing, list):
        for at, value in enumerate(thing):
            yield from parts(value, f"{path}[{at}]")
