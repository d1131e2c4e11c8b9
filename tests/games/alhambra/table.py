"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from typing import Any

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.scenario import load


def scene(text: str) -> Position:
    """A scenario of Alhambra; only what matters is written."""
    return load('game = "alhambra"\n' + text)


def new(players: int, seed: int, **options: str) -> Position:
    return ziggurat.new("alhambra", players, seed=seed, options=options)


def slots(position: Position) -> list[str]:
    view: Any = position.view(None)
    return [f"{slot.building.kind} {slot.building.price}" if slot.building else "" for slot in view.slots]


def open_money(position: Position) -> list[str]:
    view: Any = position.view(None)
    return [f"{card.currency} {card.value}" if card else "" for card in view.money]


def buildings(position: Position, owner: int) -> int:
    view: Any = position.view(None)
    return sum(view.owners[owner].buildings.values())
