"""What a card says: colour, number and good of a building, the place that it names, and what it costs to build there
(sections 1.1, 4.2, 5.2 and 5.3)."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel
from ziggurat.games.ginkgopolis import state


@kernel
def colour_of(card: int) -> int:
    return (card - 1) // state.NUMBERS


@kernel
def number_of(card: int) -> int:
    return (card - 1) % state.NUMBERS + 1


@kernel
def good_of(colour: int) -> int:
    """Section 1: red gives resources, blue tiles, yellow points."""
    return state.RESOURCE if colour == state.RED else state.TILE if colour == state.BLUE else state.POINT


@kernel
def lower_by(card: int, tile: int) -> int:
    """By how much a tile is lower than what it covers."""
    return max(number_of(card) - number_of(tile), 0)


@kernel
def building_of(s: Record, card: int) -> int:
    """The building whose top tile a card names; the theorems of section 4.4 say that it exists."""
    building = 0
    while s.top[building] != card:
        building += 1
    return building


@kernel
def can_pay(s: Record, owner: int, card: int, tile: int) -> bool:
    """Sections 5.2 and 5.3; Hal pays from the supply, and no points (D36)."""
    purse = s.supply[owner] if owner >= s.players else s.stock[owner]
    if card > state.URBAN:
        return purse >= 1
    building = building_of(s, card)
    height = s.height[building] + 0
    returned = height if s.owner[building] == owner else 0
    if owner >= s.players:
        return purse + returned >= height + 1
    changed = 1 if colour_of(card) != colour_of(tile) else 0
    return purse + returned >= height + 1 + changed and s.points[owner] >= lower_by(card, tile)
