"""The network's inputs of a card, alone or with a tile on it: what it would do now, and to whom."""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import building_of, can_pay, colour_of, good_of, lower_by, spare, suits
from ziggurat.games.ginkgopolis.city import building_beside
from ziggurat.games.ginkgopolis.network.survey import (
    BEHIND_SURVEY,
    DISTRICT_POINTS,
    GIVEN,
    GROUP,
    PER_TINT,
    PER_TRIGGER,
    TRIED,
    building_points,
    final_of,
    find_groups,
    find_neighbours,
    of,
    share_districts,
)
from ziggurat.games.ginkgopolis.scoring import card_points
from ziggurat.games.ginkgopolis.supply import supply_of_tiles

CARD_COLOURS = ("none", *state.COLOURS, "urban")
TILE_COLOURS = ("none", *state.COLOURS)
ENDS = ("no", "returns", "tiles", "last_resource")
BEFORE = ("none", "nobody", "self", "rival", "best_rival")
NEUTRAL, SELF, RIVAL, BEST_RIVAL = range(1, 5)
# The largest that is told: of goods, points, heights, resources in stock, changes of a part, of the total, and leads.
GOODS, POINTS, FLOORS, STOCK, SHIFT, TOTALS, LEADS = 8, 10, 6, 15, 20, 30, 40

# What a use changes for every owner, behind what ``survey`` leaves among ``out.values``.
CHANGED = BEHIND_SURVEY
BROUGHT = CHANGED + state.MAX_PLAYERS  # goods
PAYABLE = BROUGHT + 3


@kernel
def tiles_end(s: Record, drawn: int) -> int:
    """The consequence of drawing so many tiles (section 6.1), as one of ENDS."""
    left = supply_of_tiles(s)
    if left <= 0 or drawn < left:
        return 0
    return 1 if s.depleted == 0 and s.players > 1 else 2


@kernel
def best_other(s: Record, seat: int, out: Record) -> int:
    """The other owner who has most points if the game ended now; -1 if there is none."""
    best, most = -1, 0
    for owner in range(s.owners):
        if owner != seat:
            points = final_of(s, owner, out)
            if best < 0 or points > most:
                best, most = owner, points
    return best


@kernel
def lead_of(s: Record, seat: int, out: Record) -> int:
    """The lead of a seat over the best other, if the game ended now."""
    other = best_other(s, seat, out)
    return final_of(s, seat, out) - (final_of(s, other, out) if other >= 0 else 0)


@kernel
def tell_alone(s: Record, seat: int, card: int, alone: Record, out: Record) -> None:
    """Write ``AloneColumns`` (section 5.1); ``survey`` has been called."""
    if card <= state.URBAN:
        tell_yield(s, seat, 1 + good_of(colour_of(card)), s.height[building_of(s, card)] + 0, alone, out)
    elif s.supply[seat] > 0 and supply_of_tiles(s) > 0:
        tell_yield(s, seat, 0, 0, alone, out)
        alone.either = 1
    else:
        tell_yield(s, seat, 1 + (state.RESOURCE if s.supply[seat] > 0 else state.TILE), 1, alone, out)  # D08


@kernel
def tell_yield(s: Record, seat: int, kind: int, count: int, alone: Record, out: Record) -> None:
    """Write the columns of so many goods of a kind (0: none, then as in ``state.GOODS``), and of what the cards of the
    seat add."""
    for good in range(3):
        out.values[BROUGHT + good] = s.bonus[seat][state.EXPLOIT][good]
    if kind > 0:
        out.values[BROUGHT + kind - 1] += count
    resources, tiles, points = out.values[BROUGHT] + 0, out.values[BROUGHT + 1] + 0, out.values[BROUGHT + 2] + 0
    got, drawn = min(resources, s.supply[seat]), min(tiles, max(supply_of_tiles(s), 0))
    alone.resources = got
    alone.tiles = drawn
    alone.points = points
    alone.good = kind
    alone.lost = resources - got + tiles - drawn
    alone.lead = lead_of(s, seat, out) + points
    alone.ends = tiles_end(s, drawn)


@kernel
def tell_use(s: Record, seat: int, card: int, tile: int, use: Record, out: Record) -> None:
    """Write ``UseColumns`` (sections 5.2 and 5.3); ``survey`` has been called."""
    out_of_line()
    if tile == 0:
        return
    if not can_pay(s, seat, card, tile):
        use.unpaid = 1
        return
    urban = card > state.URBAN
    trigger = state.URBANIZE if urban else state.CONSTRUCT
    for good in range(3):
        out.values[BROUGHT + good] = s.bonus[seat][trigger][good]
    marker = card - state.URBAN - 1
    building = s.buildings + 0 if urban else building_of(s, card)
    x, y = (s.marker_x[marker] + 0, s.marker_y[marker] + 0) if urban else (s.x[building] + 0, s.y[building] + 0)
    alike = 0
    for direction in range(4):
        other = building_beside(s, x, y, direction)
        if other >= 0:
            colour = colour_of(s.top[other])
            alike += 1 if colour == colour_of(tile) else 0
            if urban:
                out.values[BROUGHT + good_of(colour)] += s.height[other]
    before = state.NOBODY if urban else s.owner[building] + 0
    height = 0 if urban else s.height[building] + 0
    back = height if before == seat else 0
    evicted = height if before >= 0 and before != seat else 0
    changed, lower = 0, 0
    if not urban:
        changed, lower = 1 if colour_of(card) != colour_of(tile) else 0, lower_by(card, tile)
    rest = s.stock[seat] + back - changed - height - 1
    got = min(out.values[BROUGHT + state.RESOURCE], s.supply[seat] + changed)
    drawn = min(out.values[BROUGHT + state.TILE], max(supply_of_tiles(s), 0))
    points = out.values[BROUGHT + state.POINT] + 0
    ends = tiles_end(s, drawn)
    if rest == 0 and s.supply[seat] + changed == 0:  # D13
        ends = 3
    use.does = 1 if urban else 2
    use.resources = got
    use.tiles = drawn
    use.points = points
    use.placed = height + 1
    use.back = back
    use.changed = changed
    use.lower = lower
    use.stock = rest + got
    use.net = rest + got - s.stock[seat]
    use.height = height + 1
    if not urban:
        rival = BEST_RIVAL if before == best_other(s, seat, out) else RIVAL
        use.before = NEUTRAL if before < 0 else SELF if before == seat else rival
    use.evicted = evicted
    use.alike = alike
    use.ends = ends
    for owner in range(s.owners):
        out.values[CHANGED + owner] = 0
    own, lost = card_changes(s, seat, card, tile, height, before, out), 0
    if evicted > 0:
        lost = -building_points(of(before), colour_of(card), height, out)
        out.values[CHANGED + before] += evicted + lost
    own += lay_out(s, seat, card, tile, building, x, y, out)
    out.values[CHANGED + seat] += points - lower + own
    use.cards = own
    use.cards__evicted = lost
    standings(s, seat, use, out)


@kernel
def card_changes(s: Record, seat: int, card: int, tile: int, height: int, before: int, out: Record) -> int:
    """The change in what a seat's end cards give; the one that it would keep is not among them."""
    base = of(seat)
    more = building_points(base, colour_of(tile), height + 1, out)
    if card <= state.URBAN:
        if before == seat:
            more -= building_points(base, colour_of(card), height, out)
        more += out.values[base + PER_TINT + colour_of(card)]
        if s.formula[card] == 0:
            more += out.values[base + PER_TRIGGER + s.trigger[card]]
    return int(more)


@kernel
def lay_out(s: Record, seat: int, card: int, tile: int, building: int, x: int, y: int, out: Record) -> int:
    """Put the building there for a moment: what all districts give then, to GIVEN; returns what the card that is kept
    gives at the end."""
    new = building == s.buildings
    top, height, owner = s.top[building] + 0, s.height[building] + 0, s.owner[building] + 0
    old_x, old_y = s.x[building] + 0, s.y[building] + 0
    s.top[building], s.owner[building] = tile, seat
    s.height[building] = 1 if new else height + 1
    s.x[building], s.y[building] = x, y
    if new:
        s.buildings += 1
        find_neighbours(s, building, out)
    if new or colour_of(tile) != colour_of(card):
        find_groups(s, TRIED, out)
        share_districts(s, TRIED, False, out)
    else:
        share_districts(s, GROUP, False, out)
    points = 0
    if not new and s.formula[card] > 0:
        s.kept[card] = seat + 1
        points = card_points(s, seat, card)
        s.kept[card] = 0
    s.buildings -= 1 if new else 0
    s.top[building], s.height[building], s.owner[building] = top, height, owner
    s.x[building], s.y[building] = old_x, old_y
    return points


@kernel
def standings(s: Record, seat: int, use: Record, out: Record) -> None:
    """Write the columns of districts and totals, from GIVEN and from what else changes."""
    mine, districts, rival, others, rival_total, best = 0, 0, 0, 0, 0, 0
    first = True
    for owner in range(s.owners):
        gain = out.values[GIVEN + owner] - out.values[of(owner) + DISTRICT_POINTS]
        total = out.values[CHANGED + owner] + gain
        if owner == seat:
            mine, districts = total, gain
        else:
            others += gain
            points = final_of(s, owner, out) + total
            rival = gain if first else max(rival, gain)
            rival_total = total if first else max(rival_total, total)
            best = points if first else max(best, points)
            first = False
    use.districts = districts
    use.districts__rival = rival
    use.districts__others = others
    use.total = mine
    use.total__rival = rival_total
    use.lead = final_of(s, seat, out) + mine - best


# --- Which tile ---------------------------------------------------------------------------------------------------


@kernel
def best_tile(s: Record, seat: int, card: int, out: Record) -> int:
    """A promising tile of those that a seat has and can pay for with this card, 0 for none. By what is certain: what it
    costs, and the resources that would stand beside buildings of the same colour. ``out.values[PAYABLE]`` says how many
    can be paid for."""
    out.values[PAYABLE] = 0
    urban = card > state.URBAN
    marker = card - state.URBAN - 1
    building = -1 if urban else building_of(s, card)
    rest = spare(s, seat, building)
    if rest < 0:
        return 0
    x, y = (s.marker_x[marker] + 0, s.marker_y[marker] + 0) if urban else (s.x[building] + 0, s.y[building] + 0)
    placed = 1 if urban else s.height[building] + 1
    beside = 0
    for direction in range(4):
        other = building_beside(s, x, y, direction)
        if other >= 0:
            beside |= 1 << colour_of(s.top[other])
    found, most, payable = 0, -1000, 0
    tiles = s.held[seat] + 0
    while tiles:
        tile = lowest_bit(tiles)
        tiles &= tiles - 1
        if suits(s, seat, card, tile, rest):
            payable += 1
            worth = 40 * placed if beside >> colour_of(tile) & 1 else 0
            if not urban:
                worth -= 20 * lower_by(card, tile) + (20 if colour_of(card) != colour_of(tile) else 0)
            worth += (tile - 1) % state.NUMBERS
            if worth > most:
                found, most = tile, worth
    out.values[PAYABLE] = payable
    return found


@kernel
def card_colour(card: int) -> int:
    """The colour of a card, as one of CARD_COLOURS."""
    return 0 if card == 0 else 4 if card > state.URBAN else 1 + colour_of(card)


@kernel
def number_on(card: int) -> int:
    """The number of a building card or of a tile; 0 for any other."""
    return 0 if card == 0 or card > state.URBAN else (card - 1) % state.NUMBERS + 1
