"""The heuristic: what a card with or without a tile is worth, in hundredths of a point.

Not rules: nothing here decides what is legal. The weights are in weights.toml, found by ``ziggurat tune``.
"""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below
from ziggurat.games.ginkgopolis import choices, state
from ziggurat.games.ginkgopolis.cards import building_of, colour_of, good_of, lower_by, spare, suits
from ziggurat.games.ginkgopolis.city import building_beside, step_x, step_y
from ziggurat.games.ginkgopolis.rules import legal
from ziggurat.games.ginkgopolis.scoring import card_points
from ziggurat.games.ginkgopolis.supply import supply_of_tiles

# By these names in weights.toml; a constant is the place of its weight in ``out.weights``.
WEIGHTS = (
    "placed",
    "district",
    "end_card",
    "resource_last",
    "resource_later",
    "tile_last",
    "tile_later",
    "kept_gain",
    "evicted",
    "high_tile",
    "no_return",
)
PLACED = 0  # a resource on a building of one's own, beside what districts give
DISTRICT = 1  # more, when a neighbour has the same colour
END_CARD = 2  # per round to come, a card that scores at the end and may still grow
RESOURCE_LAST = 3  # a resource at the end
RESOURCE_LATER = 4  # and per round to come
TILE_LAST = 5  # a tile at the end
TILE_LATER = 6  # and per round to come
KEPT_GAIN = 7  # per cent of a third of a kept card's gain, per round to come
EVICTED = 8  # what it does for others that a resource leaves a building of theirs
HIGH_TILE = 9  # laying a tile, per hundred of its number
NO_RETURN = 10  # giving no tile back

# Places of ``out.values`` behind the legal actions, while a decision is looked at.
GOODS = 1000
BONUS = GOODS + 3
# Of the card that was looked at last: the building it names, or -1; the resources that are left there.
BUILDING = BONUS + 3
REST = BUILDING + 1
# What it does alone and with any tile; LEAST until somebody asks. The last is the colours beside, as a bit mask.
ALONE_WORTH = 997
PLACE_WORTH = 998
BESIDE = 999

LEAST = -1 << 40  # less than anything is worth


@kernel
def rounds_left(s: Record) -> int:
    """An estimate of the rounds to come."""
    left = supply_of_tiles(s)
    if s.depleted == 0 and s.players > 1:
        left += 8
    return max(left // (s.owners + 1), 1) if not s.ending else 0


@kernel
def look_around(s: Record, seat: int, out: Record) -> None:
    """Compute what goods and bonuses are worth, once for a decision."""
    rounds = min(rounds_left(s), 8)
    out.values[GOODS + state.POINT] = 100
    out.values[GOODS + state.RESOURCE] = out.weights[RESOURCE_LAST] + out.weights[RESOURCE_LATER] * rounds
    out.values[GOODS + state.TILE] = out.weights[TILE_LAST] + out.weights[TILE_LATER] * rounds
    for trigger in range(3):
        worth = 0
        for good in range(3):
            worth += s.bonus[seat][trigger][good] * out.values[GOODS + good]
        out.values[BONUS + trigger] = worth
    if s.phase == state.CHOOSE and s.choosing[seat]:
        look_at(s, seat, s.chosen[seat] + 0, out)


@kernel
def good_worth(good: int, out: Record) -> int:
    """The worth of goods: resources and tiles are worth less the fewer rounds there are to use them."""
    return int(out.values[GOODS + good])


@kernel
def yield_worth(s: Record, building: int, out: Record) -> int:
    return s.height[building] * good_worth(good_of(colour_of(s.top[building])), out)


@kernel
def kept_worth(s: Record, seat: int, card: int, out: Record) -> int:
    """The worth of a card that construction adds to the tableau."""
    out_of_line()
    if s.trigger[card] >= 0:
        worth = 0
        for good in range(3):
            worth += s.gain[card][good] * good_worth(good, out)
        return worth * rounds_left(s) * out.weights[KEPT_GAIN] // 300
    s.kept[card] = seat + 1
    worth = 100 * card_points(s, seat, card)
    s.kept[card] = 0
    return worth + out.weights[END_CARD] * min(rounds_left(s), 6)


@kernel
def look_at(s: Record, seat: int, card: int, out: Record) -> None:
    """Compute what a card does without a tile, and the resources that are left with one, for ``use_worth``."""
    building = -1
    worth: int = out.values[BONUS + state.EXPLOIT] + 0
    if card > state.URBAN:
        worth += max(good_worth(state.RESOURCE, out), good_worth(state.TILE, out))
    else:
        building = building_of(s, card)
        worth += yield_worth(s, building, out)
    out.values[BUILDING] = building
    out.values[REST] = spare(s, seat, building)
    out.values[ALONE_WORTH] = worth
    out.values[PLACE_WORTH] = LEAST


@kernel
def place_worth(s: Record, seat: int, card: int, out: Record) -> int:
    """The worth of a card with any tile, whatever tile that is; the colours beside go to ``out.values[BESIDE]``."""
    out_of_line()
    building = out.values[BUILDING] + 0
    urban = card > state.URBAN
    marker = card - state.URBAN - 1
    x = s.marker_x[marker] if urban else s.x[building]
    y = s.marker_y[marker] if urban else s.y[building]
    beside, around = 0, 0
    for direction in range(4):
        other = building_beside(s, x, y, direction)
        if other >= 0:
            beside |= 1 << colour_of(s.top[other])
            around += yield_worth(s, other, out)
    out.values[BESIDE] = beside
    placed = out.weights[PLACED]
    if urban:
        worth = out.values[BONUS + state.URBANIZE] + placed
        return int(worth - good_worth(state.TILE, out) - good_worth(state.RESOURCE, out) + around)
    height = s.height[building] + 0
    owner = s.owner[building] + 0
    worth = out.values[BONUS + state.CONSTRUCT] + kept_worth(s, seat, card, out) - good_worth(state.TILE, out)
    worth += (placed - good_worth(state.RESOURCE, out)) * (height + 1)
    if owner == seat:
        worth += height * good_worth(state.RESOURCE, out) - height * placed
    elif owner != state.NOBODY:
        # They lose the place and get points and resources.
        worth += height * (placed - out.weights[EVICTED] - good_worth(state.RESOURCE, out)) // max(s.owners - 1, 1)
    return int(worth)


@kernel
def tile_worth(s: Record, card: int, tile: int, out: Record) -> int:
    """The worth that this tile adds to ``place_worth``."""
    colour = colour_of(tile)
    worth = 0
    beside = out.values[BESIDE] >> colour & 1
    if card > state.URBAN:
        if beside:
            worth += out.weights[DISTRICT]
        return worth
    if beside:
        worth += out.weights[DISTRICT] * (s.height[out.values[BUILDING]] + 1)
    if colour_of(card) != colour:
        worth -= good_worth(state.RESOURCE, out)
    return worth - 100 * lower_by(card, tile) + out.weights[HIGH_TILE] * ((tile - 1) % state.NUMBERS) // 100


@kernel
def use_worth(s: Record, seat: int, card: int, tile: int, out: Record) -> int:
    """The worth of the card that was looked at with a tile, or alone (0)."""
    if tile == 0 or not suits(s, seat, card, tile, out.values[REST]):
        return int(out.values[ALONE_WORTH])
    if out.values[PLACE_WORTH] == LEAST:
        out.values[PLACE_WORTH] = place_worth(s, seat, card, out)
    return int(out.values[PLACE_WORTH] + tile_worth(s, card, tile, out))


@kernel
def best_use(s: Record, seat: int, card: int, out: Record) -> int:
    """The worth of a card's best use."""
    look_at(s, seat, card, out)
    best = out.values[ALONE_WORTH] + 0
    if out.values[REST] >= 0:
        tiles = s.held[seat] + 0
        while tiles:
            best = max(best, use_worth(s, seat, card, lowest_bit(tiles), out))
            tiles &= tiles - 1
    return int(best)


@kernel
def action_worth(s: Record, seat: int, action: int, out: Record) -> int:
    """The worth of a legal action, after ``look_around``; only actions of the same moment are compared."""
    if action <= choices.CARD:
        character = action - choices.PICK
        return s.start[character][state.RESOURCE] + s.start[character][state.TILE] + (3 if character // 3 == 1 else 0)
    if action < choices.ALONE:
        return best_use(s, seat, action - choices.CARD, out)
    if action <= choices.TILE + state.TILES:
        return use_worth(s, seat, s.chosen[seat], action - choices.TILE, out)
    if action == choices.NEW_HAND:
        return -100000
    if action < choices.MOVE:
        return good_worth(action - choices.TAKE, out)
    if action < choices.MOVE_TO and s.phase == state.MARKER:
        return marker_worth(s, action)
    if choices.RETURN < action < choices.DONE:
        return 100 * s.returned_points - (good_worth(state.TILE, out) if s.count[seat] < 5 else 0)
    return out.weights[NO_RETURN] if action == choices.DONE else 0


@kernel
def marker_worth(s: Record, action: int) -> int:
    """The worth of a marker's cell: where most buildings are near, to let others wait for it."""
    x = s.x[s.built] + step_x(action - choices.MOVE)
    y = s.y[s.built] + step_y(action - choices.MOVE)
    worth = 0
    for direction in range(4):
        other = building_beside(s, x, y, direction)
        if other >= 0:
            worth -= s.height[other]
    return worth


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    """The heuristic's action: the one of highest worth; ties are broken at random."""
    out_of_line()
    n = legal(s, seat, out)
    look_around(s, seat, out)
    best, best_worth, ties = out.values[0], LEAST, 0
    for i in range(n):
        action = out.values[i]
        worth = action_worth(s, seat, action, out)
        if worth > best_worth:
            best, best_worth, ties = action, worth, 1
        elif worth == best_worth:
            ties += 1
            if below(rng, ties) == 0:
                best = action
    return best
