"""The kernel that tells a network of a seat: the columns OPEN and CLOSED of ``inputs``."""

from __future__ import annotations

from ziggurat.core.inputs import clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import building_of, colour_of, good_of
from ziggurat.games.ginkgopolis.city import direction_of
from ziggurat.games.ginkgopolis.effects import (
    ALONE,
    DISTRICTS,
    LEAD,
    LEADS,
    SHIFT,
    TOTAL,
    TOTAL_RIVAL,
    USE,
    alone_inputs,
    best_tile,
    card_colour,
    lead_of,
    number_on,
    use_inputs,
)
from ziggurat.games.ginkgopolis.rules import actors
from ziggurat.games.ginkgopolis.scoring import card_points
from ziggurat.games.ginkgopolis.survey import (
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
    survey,
)

COULD = 4


@kernel
def seat_inputs(s: Record, seat: int, out: Record) -> int:
    """Write the columns of a seat, the open ones first; return how many."""
    out_of_line()
    survey(s, out)
    n = standing_inputs(s, seat, out)
    n = tableau_inputs(s, seat, n, out)
    n = hand_inputs(s, seat, n, out)
    n = could_inputs(s, seat, n, out)
    n = tiles_inputs(s, seat, n, out)
    n = known_inputs(s, seat, n, out)
    card, tile = s.chosen[seat] + 0, s.tile[seat] + 0
    if s.choosing[seat]:
        tile = best_tile(s, seat, card, out)
    out.inputs[n] = card_colour(card)
    out.inputs[n + 1] = number_on(card)
    out.inputs[n + 2] = card_colour(tile)
    out.inputs[n + 3] = number_on(tile)
    n = draft_inputs(s, seat, n + 4, out)
    if card == 0:
        for i in range(n, n + ALONE + USE):
            out.inputs[i] = 0
        return n + ALONE + USE
    n = alone_inputs(s, seat, card, n, out)
    return use_inputs(s, seat, card, tile, n, out)


@kernel
def standing_inputs(s: Record, seat: int, out: Record) -> int:
    """What the seat does, its points, its districts and its goods; return the next column."""
    out_of_line()
    base, players = of(seat), s.players + 0
    order = seat - s.first
    out.inputs[0] = order if order >= 0 else order + players
    out.inputs[1] = 1 + s.phase if actors(s) >> seat & 1 else 0
    # While all choose, a card is laid down when its owner is no longer asked.
    laid = s.chosen[seat] != 0 and (s.phase != state.CHOOSE or s.waiting >> seat & 1 == 0)
    out.inputs[2] = (2 if s.tile[seat] > 0 else 1) if laid else 0
    out.inputs[3] = card_colour(s.played[seat])
    total, best, above = final_of(s, seat, out), -1000, 0
    for owner in range(s.owners):
        if owner != seat:
            points = final_of(s, owner, out)
            best = max(best, points)
            above += 1 if points > total else 0
    out.inputs[4] = clipped(s.points[seat], 0, 100)
    out.inputs[5] = clipped(total, 0, 120)
    out.inputs[6] = clipped(total - best, -60, 60)
    out.inputs[7] = above
    out.inputs[8] = clipped(out.values[base + END_POINTS], 0, 60)
    out.inputs[9] = clipped(out.values[base + DISTRICT_POINTS], 0, 60)
    for colour in range(3):
        out.inputs[10 + colour] = clipped(out.values[base + SHARES + colour], 0, 30)
    out.inputs[13] = clipped(s.new_hands[seat], 0, 2)
    out.inputs[14] = clipped(out.values[base + FIRSTS], 0, 5)
    out.inputs[15] = clipped(out.values[base + ALONES], 0, 5)
    out.inputs[16] = clipped(out.values[base + SECONDS], 0, 5)
    out.inputs[17] = clipped(out.values[base + BEHIND], 0, 4)
    out.inputs[18] = clipped(out.values[base + PRESSED], 0, 4)
    out.inputs[19] = clipped(out.values[base + STAKE], 0, 40)
    stock, supply, tiles = s.stock[seat] + 0, s.supply[seat] + 0, s.count[seat] + 0
    out.inputs[20] = clipped(stock, 0, 25)
    out.inputs[21] = clipped(stock, 0, 6)
    out.inputs[22] = clipped(supply, 0, 25)
    out.inputs[23] = clipped(supply, 0, 3)
    out.inputs[24] = clipped(stock + supply, 0, 40)
    out.inputs[25] = clipped(stock + supply, 0, 8)
    out.inputs[26] = clipped(tiles, 0, 20)
    out.inputs[27] = clipped(tiles, 0, 5)
    return 28


@kernel
def tableau_inputs(s: Record, seat: int, n: int, out: Record) -> int:
    """Its buildings, and what its cards give; return the next column."""
    base = of(seat)
    for i in range(3):
        out.inputs[n + i] = clipped(out.values[base + STANDING + i], 0, 20)
        out.inputs[n + 3 + i] = clipped(out.values[base + HOUSES + i], 0, 15)
        for good in range(3):
            out.inputs[n + 10 + 3 * i + good] = clipped(s.bonus[seat][i][good], 0, 6)
        out.inputs[n + 19 + i] = clipped(out.values[base + BY_TRIGGER + i], 0, 10)
        out.inputs[n + 22 + i] = clipped(out.values[base + BY_COLOUR + i], 0, 15)
        out.inputs[n + 25 + i] = clipped(out.values[base + PER_COLOUR + i], 0, 4)
        out.inputs[n + 30 + i] = clipped(out.values[base + PER_TRIGGER + i], 0, 6)
        out.inputs[n + 33 + i] = clipped(out.values[base + PER_TINT + i], 0, 4)
    out.inputs[n + 6] = clipped(out.values[base + EXPOSED], 0, 20)
    out.inputs[n + 7] = clipped(out.values[base + TALLEST], 0, 8)
    out.inputs[n + 8] = clipped(out.values[base + LOWS], 0, 20)
    out.inputs[n + 9] = clipped(out.values[base + HIGHS], 0, 12)
    out.inputs[n + 28] = clipped(out.values[base + PER_LOW], 0, 3)
    out.inputs[n + 29] = clipped(out.values[base + PER_HIGH], 0, 9)
    out.inputs[n + 36] = clipped(out.values[base + FIXED], 0, 27)
    return n + 37


@kernel
def hand_inputs(s: Record, seat: int, n: int, out: Record) -> int:
    """What the cards of the hand are good for; return the next column."""
    out_of_line()
    for i in range(n, n + 19):
        out.inputs[i] = 0
    for place in range(state.HAND):
        card = s.hand[seat][place] + 0
        if card > state.URBAN:
            out.inputs[n + 3] += 1
            marker_inputs(s, card - state.URBAN - 1, n + 7, out)
        elif card > 0:
            building = building_of(s, card)
            colour, height, owner = colour_of(card), s.height[building] + 0, s.owner[building] + 0
            out.inputs[n + colour] += 1
            out.inputs[n + 4 + colour] = max(out.inputs[n + 4 + colour], min(height, 6))
            if owner == seat:
                out.inputs[n + 10] += 1
            elif owner >= 0:
                out.inputs[n + 11] += 1
                out.inputs[n + 12] = max(out.inputs[n + 12], min(height, 6))
            if s.count[seat] > 0 and s.stock[seat] + (height if owner == seat else 0) > height:
                out.inputs[n + 13] += 1
            if s.formula[card] == 0:
                out.inputs[n + 14 + s.trigger[card]] += 1
            else:
                out.inputs[n + 17] += 1
                s.kept[card] = seat + 1
                points = card_points(s, seat, card)
                s.kept[card] = 0
                out.inputs[n + 18] = max(out.inputs[n + 18], clipped(points, 0, 30))
    return n + 19


@kernel
def marker_inputs(s: Record, marker: int, n: int, out: Record) -> None:
    """What the buildings beside a marker yield, good by good, if that is more than what stands in the columns."""
    x, y = s.marker_x[marker] + 0, s.marker_y[marker] + 0
    goods = 0  # in fields of 8 bits
    for building in range(s.buildings):
        if direction_of(s.x[building] - x, s.y[building] - y) >= 0:
            goods += s.height[building] << 8 * good_of(colour_of(s.top[building]))
    together, most = 0, 0
    for good in range(3):
        together += goods >> 8 * good & 255
        most += out.inputs[n + good]
    if together > most:
        for good in range(3):
            out.inputs[n + good] = clipped(goods >> 8 * good & 255, 0, 8)


@kernel
def could_inputs(s: Record, seat: int, n: int, out: Record) -> int:
    """While the seat chooses a card: the most that its cards bring with a tile; return the next column."""
    for i in range(n, n + COULD):
        out.inputs[i] = 0
    if s.phase != state.CHOOSE or s.chosen[seat] != 0 or s.waiting >> seat & 1 == 0:
        return n + COULD
    out.inputs[n + 2] = clipped(lead_of(s, seat, out), -LEADS, LEADS)
    for place in range(state.HAND):
        card = s.hand[seat][place] + 0
        tile = best_tile(s, seat, card, out) if card != 0 else 0
        if tile != 0:
            used = n + COULD  # columns that are written later
            use_inputs(s, seat, card, tile, used, out)
            out.inputs[n] = max(out.inputs[n], out.inputs[used + TOTAL])
            out.inputs[n + 1] = max(out.inputs[n + 1], out.inputs[used + DISTRICTS])
            out.inputs[n + 2] = max(out.inputs[n + 2], out.inputs[used + LEAD])
            out.inputs[n + 3] = max(out.inputs[n + 3], clipped(-out.inputs[used + TOTAL_RIVAL], 0, SHIFT))
    return n + COULD


@kernel
def tiles_inputs(s: Record, seat: int, n: int, out: Record) -> int:
    """The tiles behind the screen; return the next column."""
    for i in range(n, n + 7):
        out.inputs[i] = 0
    if s.count[seat] > 0:
        for colour in range(3):
            count, most = 0, 0
            for number in range(1, state.NUMBERS + 1):
                holder = s.holder[colour * state.NUMBERS + number] + 0
                if holder == seat + 1:
                    count, most = count + 1, number
                elif holder == seat + 1 + state.RETURNING:
                    out.inputs[n + 6] = min(out.inputs[n + 6] + 1, 10)
            out.inputs[n + colour] = min(count, 10)
            out.inputs[n + 3 + colour] = most
    return n + 7


@kernel
def known_inputs(s: Record, seat: int, n: int, out: Record) -> int:
    """Resources on the buildings that cards of others name which the seat has held; return the next column.

    Which of the cards of a hand is the chosen one makes no difference."""
    own, others = 0, 0
    for other in range(s.players):
        if other != seat:
            for place in range(state.HAND + 1):
                card = s.hand[other][place] + 0 if place < state.HAND else s.chosen[other] + 0
                if 0 < card <= state.URBAN and s.seen[card] >> seat & 1:
                    building = building_of(s, card)
                    if s.owner[building] == seat:
                        own += s.height[building]
                    elif s.owner[building] >= 0:
                        others += s.height[building]
    out.inputs[n] = clipped(own, 0, 8)
    out.inputs[n + 1] = clipped(others, 0, 8)
    return n + 2


@kernel
def draft_inputs(s: Record, seat: int, n: int, out: Record) -> int:
    """Section 2.2.8: characters that the seat has kept, and those that it chooses from; return the next column."""
    for i in range(n, n + 12):
        out.inputs[i] = 0
    if s.phase == state.DRAFT:
        for place in range(state.HAND):
            if place < state.KEPT_CHARACTERS:
                add_character(s.characters[seat][place] - 1, n, out)
            add_character(s.draft[seat][place] - 1, n + 6, out)
    return n + 12


@kernel
def add_character(character: int, n: int, out: Record) -> None:
    if character >= 0:
        out.inputs[n + character // 3] += 1
        out.inputs[n + 3 + character % 3] += 1
