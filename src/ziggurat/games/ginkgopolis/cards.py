"""The meaning of a card: colour, number and good of a building, the place that it names, and what it costs to build
there (sections 1.1, 4.2, 5.2 and 5.3)."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel
from ziggurat.games.ginkgopolis import state


@kernel
def colour_of(card: int) -> int:
    # Not less than 0, and seen to be so: that is divided with less ado.
    return ((card & 127) + state.NUMBERS - 1) // state.NUMBERS - 1


@kernel
def number_of(card: int) -> int:
    return card - state.NUMBERS * colour_of(card)


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


# --- The tiles behind a screen, as bits -------------------------------------------------------------------------------


@kernel
def take_tile(s: Record, seat: int, tile: int) -> None:
    """Put a tile behind the screen of a seat."""
    s.holder[tile] = seat + 1
    s.held[seat] |= 1 << tile


@kernel
def give_tile(s: Record, seat: int, tile: int, holder: int) -> None:
    """Take a tile from a seat, or name it to be returned."""
    s.holder[tile] = holder
    s.held[seat] &= ~(1 << tile)


@kernel
def which(items: Record, wanted: int) -> int:
    """Bit mask of the tiles, or of the building cards, at whose places so much stands."""
    found = 0
    for tile in range(1, state.TILES + 1):
        found |= (1 if items[tile] == wanted else 0) << tile
    return found


@kernel
def find_held(s: Record) -> None:
    """Compute ``held``: the tiles of which a seat is the ``holder``."""
    for seat in range(state.MAX_PLAYERS):
        s.held[seat] = which(s.holder, seat + 1)
