"""A game that the first purchase ends: where a test is about what comes of an end, nobody plays two hundred moves."""

from __future__ import annotations

from tests.example import needs

from ziggurat.core.position import Position
from ziggurat.server.domain.move import play
from ziggurat.server.domain.table import Table

shown = needs("alhambra")
"""Marks what is shown by it."""
ENDING = """
game = "alhambra"
players = 2
[position]
turn = 1
slots = ["garden 9", "arcades 8", "tower 13", "pavilion 4"]
open_money = ["blue 4", "green 6", "orange 3", "yellow 7"]
hands = { 1 = ["yellow 5", "yellow 4", "yellow 1"], 2 = ["yellow 2", "yellow 8"] }
building_deck_left = 0
scored = ["A", "B"]
scores = [7, 3]
"""
"""Either can buy, and nobody has to."""


def purchase(position: Position, seat: int) -> tuple[int, ...]:
    """The last of what is legal, at each step."""
    at, steps = position.copy(), list[int]()
    while not steps or at.in_move:
        steps.append(at.legal(seat)[-1])
        at.play(seat, steps[-1])
    return tuple(steps)


def ended(table: Table) -> Table:
    """The game after a purchase of whoever is to move."""
    assert table.position is not None
    return play(table, table.actors[0], purchase(table.position, table.actors[0]))
