"""Short ways to say what lies on the table, for the tests of this game."""

from __future__ import annotations

from typing import Any

import numpy as np

import ziggurat
from ziggurat.core.position import Position
from ziggurat.core.record import ListRecord, to_lists
from ziggurat.core.scenario import load
from ziggurat.core.trace import Event


def scene(text: str) -> Position:
    """A scenario of Alhambra; only what matters is written."""
    return load('game = "alhambra"\n' + text)


def play(position: Position, *moves: str) -> list[Event]:
    """Play moves such as ``1 take blue 3``; return what happened."""
    happened: list[Event] = []
    for move in moves:
        seat, _, text = move.partition(" ")
        happened += position.play_all(int(seat) - 1, position.read_move(text, int(seat) - 1))
    return happened


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


def record(position: Position) -> ListRecord:
    """The whole position, hidden facts included."""
    return to_lists(np.frombuffer(position.to_bytes(), dtype=position.game.record))


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
