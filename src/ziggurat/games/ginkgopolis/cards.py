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
def spare(s: Record, owner: int, building: int) -> int:
    """Sections 5.2 and 5.3: the resources that are left when a building has got a floor, or (-1) there is a new one,
    before another colour is paid for; below 0 if there are too few. Hal pays from the supply."""
    purse = s.supply[owner] if owner >= s.players else s.stock[owner]
    if building < 0:
        return purse - 1
    height = s.height[building] + 0
    return purse + (height if s.owner[building] == owner else 0) - height - 1


@kernel
def suits(s: Record, owner: int, card: int, tile: int, rest: int) -> bool:
    """Whether so many resources, and the points, are enough for this tile; Hal pays nothing more (D36)."""
    if rest < 0 or card > state.URBAN or owner >= s.players:
        return rest >= 0
    changed = 1 if colour_of(card) != colour_of(tile) else 0
    return rest >= changed and s.points[owner] >= lower_by(card, tile)


@kernel
def can_pay(s: Record, owner: int, card: int, tile: int) -> bool:
    """Sections 5.2 and 5.3."""
    return suits(s, owner, card, tile, spare(s, owner, -1 if card > state.URBAN else building_of(s, card)))


# The tiles of a seat are listed among ``out.values`` from here on, eight to a place, of eight bits each.
HELD = 1008


@kernel
def list_held(s: Record, seat: int, out: Record) -> None:
    """List the tiles of a seat, in their order, for ``held``."""
    tile = 0
    for i in range(s.count[seat]):
        tile += 1
        while s.holder[tile] != seat + 1:
            tile += 1
        listed = out.values[HELD + (i >> 3)] if i & 7 else 0
        out.values[HELD + (i >> 3)] = listed | tile << 8 * (i & 7)


@kernel
def held(i: int, out: Record) -> int:
    """One of the tiles that were listed."""
    return int(out.values[HELD + (i >> 3)] >> 8 * (i & 7) & 0xFF)
