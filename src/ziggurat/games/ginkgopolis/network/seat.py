"""The kernels that write the network's inputs of a seat."""

from __future__ import annotations

from typing import Any

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import building_of, colour_of, good_of
from ziggurat.games.ginkgopolis.city import building_beside
from ziggurat.games.ginkgopolis.network import columns
from ziggurat.games.ginkgopolis.network.effects import best_tile, card_colour, lead_of, number_on, tell_alone, tell_use
from ziggurat.games.ginkgopolis.network.survey import (
    ALONES,
    BEHIND,
    BY_COLOUR,
    BY_TRIGGER,
    DISTRICT_POINTS,
    END_POINTS,
    EXPOSED,
    FIRSTS,
    FIXED,
    HIGHS,
    HOUSES,
    LOWS,
    PER_COLOUR,
    PER_HIGH,
    PER_LOW,
    PER_TINT,
    PER_TRIGGER,
    PRESSED,
    SECONDS,
    SHARES,
    STAKE,
    STANDING,
    TALLEST,
    final_of,
    of,
)
from ziggurat.games.ginkgopolis.rules import actors
from ziggurat.games.ginkgopolis.scoring import card_points

URBAN_PLACE = len(state.COLOURS)  # of urbanization cards, behind the colours


@kernel
def tell_seat(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of a seat, ``SeatColumns``, after those of the table: its survey is still there."""
    out_of_line()
    tell_standing(s, seat, own, out)
    tell_tableau(s, seat, own, out)
    tell_hand(s, seat, own)
    tell_could(s, seat, own, out)
    tell_tiles(s, seat, own)
    tell_known(s, seat, own)
    card, tile = s.chosen[seat] + 0, s.tile[seat] + 0
    if s.choosing[seat]:
        tile = best_tile(s, seat, card, out)
    own.chosen = card_colour(card)
    own.chosen_number = number_on(card)
    own.chosen_tile = card_colour(tile)
    own.chosen_tile_number = number_on(tile)
    tell_draft(s, seat, own)
    if card != 0:
        tell_alone(s, seat, card, own.coming_alone, out)
        tell_use(s, seat, card, tile, own.coming, out)


@kernel
def tell_standing(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of what the seat does, its points, its districts and its goods."""
    out_of_line()
    base, players = of(seat), s.players + 0
    order = seat - s.first
    own.order = order if order >= 0 else order + players
    own.asked = 1 + s.phase if actors(s) >> seat & 1 else 0
    # While all choose, a card is laid down when its owner is no longer asked.
    laid = s.chosen[seat] != 0 and (s.phase != state.CHOOSE or s.waiting >> seat & 1 == 0)
    own.committed = (2 if s.tile[seat] > 0 else 1) if laid else 0
    own.last_card = card_colour(s.played[seat])
    total, best, above = final_of(s, seat, out), -1000, 0
    for owner in range(s.owners):
        if owner != seat:
            points = final_of(s, owner, out)
            best = max(best, points)
            above += 1 if points > total else 0
    own.success = s.points[seat]
    own.total = total
    own.ahead = total - best
    own.place = above
    own.end_points = out.values[base + END_POINTS]
    own.district_points = out.values[base + DISTRICT_POINTS]
    for colour in range(3):
        own.districts_by_colour[colour] = out.values[base + SHARES + colour]
    own.tokens = s.new_hands[seat]
    own.firsts = out.values[base + FIRSTS]
    own.alones = out.values[base + ALONES]
    own.seconds = out.values[base + SECONDS]
    own.behind = out.values[base + BEHIND]
    own.pressed = out.values[base + PRESSED]
    own.stake = out.values[base + STAKE]
    stock, supply, tiles = s.stock[seat] + 0, s.supply[seat] + 0, s.count[seat] + 0
    own.stock = stock
    own.stock_near = stock
    own.supply = supply
    own.supply_near = supply
    own.not_laid = stock + supply
    own.not_laid_near = stock + supply
    own.tiles = tiles
    own.tiles_near = tiles


@kernel
def tell_tableau(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of the seat's buildings, and of what its cards give."""
    base = of(seat)
    for i in range(3):
        own.laid_by_colour[i] = out.values[base + STANDING + i]
        own.houses_by_colour[i] = out.values[base + HOUSES + i]
        for good in range(3):
            own.bonus[i][good] = s.bonus[seat][i][good]
        own.cards_by_trigger[i] = out.values[base + BY_TRIGGER + i]
        own.cards_by_colour[i] = out.values[base + BY_COLOUR + i]
        own.per_by_colour[i] = out.values[base + PER_COLOUR + i]
        own.per_card_by_trigger[i] = out.values[base + PER_TRIGGER + i]
        own.per_card_by_colour[i] = out.values[base + PER_TINT + i]
    own.exposed = out.values[base + EXPOSED]
    own.tallest = out.values[base + TALLEST]
    own.lows = out.values[base + LOWS]
    own.highs = out.values[base + HIGHS]
    own.per_low = out.values[base + PER_LOW]
    own.per_high = out.values[base + PER_HIGH]
    own.fixed = out.values[base + FIXED]


@kernel
def tell_hand(s: Record, seat: int, own: Record) -> None:
    """Write the columns of what the cards of the hand are good for."""
    out_of_line()
    for place in range(state.HAND):
        card = s.hand[seat][place] + 0
        if card > state.URBAN:
            own.hand_by_colour[URBAN_PLACE] += 1
            tell_marker(s, card - state.URBAN - 1, own)
        elif card > 0:
            building = building_of(s, card)
            colour, height, owner = colour_of(card), s.height[building] + 0, s.owner[building] + 0
            own.hand_by_colour[colour] += 1
            own.yields_by_colour[colour] = max(own.yields_by_colour[colour], height)
            if owner == seat:
                own.hand_own += 1
            elif owner >= 0:
                own.hand_rival += 1
                own.hand_rival_height = max(own.hand_rival_height, height)
            if s.count[seat] > 0 and s.stock[seat] + (height if owner == seat else 0) > height:
                own.hand_buildable += 1
            if s.formula[card] == 0:
                own.hand_by_trigger[s.trigger[card]] += 1
            else:
                own.hand_end += 1
                s.kept[card] = seat + 1
                points = card_points(s, seat, card)
                s.kept[card] = 0
                own.hand_end_points = max(own.hand_end_points, points)


@kernel
def tell_marker(s: Record, marker: int, own: Record) -> None:
    """Write the columns of what the buildings beside a marker yield, good by good, if that is more than what stands
    there."""
    x, y = s.marker_x[marker] + 0, s.marker_y[marker] + 0
    goods = 0  # in fields of 8 bits
    for direction in range(4):
        building = building_beside(s, x, y, direction)
        if building >= 0:
            goods += s.height[building] << 8 * good_of(colour_of(s.top[building]))
    together, most = 0, 0
    for good in range(3):
        together += goods >> 8 * good & 255
        most += min(own.beside_by_good[good], 8)
    if together > most:
        for good in range(3):
            own.beside_by_good[good] = goods >> 8 * good & 255


@kernel
def tell_could(s: Record, seat: int, own: Record, out: Record) -> None:
    """Write the columns of the most that the seat's cards bring with a tile, while it chooses a card."""
    if s.phase != state.CHOOSE or s.chosen[seat] != 0 or s.waiting >> seat & 1 == 0:
        return
    own.could_ahead = lead_of(s, seat, out)
    for place in range(state.HAND):
        card = s.hand[seat][place] + 0
        tile = best_tile(s, seat, card, out) if card != 0 else 0
        if tile != 0:
            use = own.coming  # nothing is coming, so that there is room to try things
            tell_use(s, seat, card, tile, use, out)
            own.could_total = max(own.could_total, use.total)
            own.could_districts = max(own.could_districts, use.districts)
            own.could_ahead = max(own.could_ahead, use.lead)
            own.could_take = max(own.could_take, -use.total__rival)
            for i in range(columns.COMING, columns.COMING + columns.USE):
                out.inputs[i] = 0


@kernel
def tell_tiles(s: Record, seat: int, own: Record) -> None:
    """Write the columns of the tiles behind the screen."""
    if s.count[seat] > 0:
        for colour in range(3):
            count, most = 0, 0
            for number in range(1, state.NUMBERS + 1):
                holder = s.holder[colour * state.NUMBERS + number] + 0
                if holder == seat + 1:
                    count, most = count + 1, number
                elif holder == seat + 1 + state.RETURNING:
                    own.returns += 1
            own.tiles_by_colour[colour] = count
            own.tile_most_by_colour[colour] = most


@kernel
def tell_known(s: Record, seat: int, own: Record) -> None:
    """Write the columns of resources on the buildings that cards of others name which the seat has held.

    Which of the cards of a hand is the chosen one makes no difference."""
    mine, others = 0, 0
    for other in range(s.players):
        if other != seat:
            for place in range(state.HAND + 1):
                card = s.hand[other][place] + 0 if place < state.HAND else s.chosen[other] + 0
                if 0 < card <= state.URBAN and s.seen[card] >> seat & 1:
                    building = building_of(s, card)
                    if s.owner[building] == seat:
                        mine += s.height[building]
                    elif s.owner[building] >= 0:
                        others += s.height[building]
    own.threatened = mine
    own.threatens = others


@kernel
def tell_draft(s: Record, seat: int, own: Record) -> None:
    """Write the columns of the draft (section 2.2.8): characters that the seat has kept, and those that it chooses
    from."""
    if s.phase == state.DRAFT:
        for place in range(state.HAND):
            if place < state.KEPT_CHARACTERS:
                add_character(s.characters[seat][place] - 1, own.picked_by_colour, own.picked_by_trigger)
            add_character(s.draft[seat][place] - 1, own.offered_by_colour, own.offered_by_trigger)


@kernel
def add_character(character: int, by_colour: Any, by_trigger: Any) -> None:
    if character >= 0:
        by_colour[character // 3] += 1
        by_trigger[character % 3] += 1
