"""What counts at the end of the game (sections 1.1, 6.3 and 6.4)."""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import note
from ziggurat.games.ginkgopolis import events, state
from ziggurat.games.ginkgopolis.cards import colour_of, number_of, which
from ziggurat.games.ginkgopolis.city import building_beside


@kernel
def final_scores(s: Record, trace: Record) -> None:
    """Section 6.3: cards, unused tokens, districts, on top of the points of the game."""
    out_of_line()
    for owner in range(s.owners):
        cards = which(s.kept, owner + 1)
        while cards:
            card = lowest_bit(cards)
            cards &= cards - 1
            if s.formula[card] > 0:
                points = card_points(s, owner, card)
                s.points[owner] += points
                note(trace, events.CARD_SCORED, owner, card, points)
        points = s.new_hands[owner] * s.new_hand_points
        if points > 0:
            s.points[owner] += points
            note(trace, events.TOKENS_SCORED, owner, s.new_hands[owner], points)
    find_districts(s)
    for building in range(s.buildings):
        if s.ring_x[building] == building and s.ring_y[building] != building:  # the first of several
            score_district(s, building, trace)
    clear_districts(s)


@kernel
def card_points(s: Record, owner: int, card: int) -> int:
    """Section 1.1: what a card that counts at the end gives, as things stand."""
    of = s.formula_of[card] + 0
    each = s.formula_points[card] + 0
    formula = s.formula[card] + 0
    if formula == state.FIXED:
        return each
    count = 0
    if formula in (state.CARDS_BY_TRIGGER, state.CARDS_BY_COLOUR):
        for i in range(state.KEPT_CHARACTERS):
            character = s.characters[owner][i] - 1
            if character >= 0:
                count += 1 if (character % 3 if formula == state.CARDS_BY_TRIGGER else character // 3) == of else 0
        cards = which(s.kept, owner + 1)
        while cards:
            other = lowest_bit(cards)
            cards &= cards - 1
            same = s.trigger[other] if formula == state.CARDS_BY_TRIGGER else colour_of(other)
            count += 1 if same == of else 0
        return count * each
    for building in range(s.buildings):
        if s.owner[building] == owner:
            height = s.height[building] + 0
            if formula == state.RESOURCES_ON_COLOUR:
                count += height if colour_of(s.top[building]) == of else 0
            elif formula == state.LOW_BUILDINGS:
                count += 1 if height <= of else 0
            elif formula == state.HIGH_BUILDINGS:
                count += 1 if height >= of else 0
    return count * each


# --- 6.4 Districts -----------------------------------------------------------------------------------------------


@kernel
def find_districts(s: Record) -> None:
    """Find the groups of adjacent buildings of one colour: D22, orthogonally; D23: neutral buildings belong to them.

    For every building ``ring_x``, which only section 8.1 uses, gets the first of its group, and ``ring_y`` the next, in
    a circle.
    """
    out_of_line()
    for one in range(s.buildings):
        s.ring_x[one] = one
        s.ring_y[one] = one
    for one in range(s.buildings):
        for direction in range(2):  # the other two are seen from the other building
            other = building_beside(s, s.x[one], s.y[one], direction)
            if other >= 0 and colour_of(s.top[one]) == colour_of(s.top[other]):
                join(s, one, other)


@kernel
def join(s: Record, one: int, other: int) -> None:
    """Two groups become one, with the lower of their first buildings."""
    lower, higher = min(s.ring_x[one], s.ring_x[other]), max(s.ring_x[one], s.ring_x[other])
    if lower == higher:
        return
    building = higher + 0
    while s.ring_x[building] == higher:
        s.ring_x[building] = lower
        building = s.ring_y[building] + 0
    after = s.ring_y[lower] + 0
    s.ring_y[lower] = s.ring_y[higher]
    s.ring_y[higher] = after


@kernel
def clear_districts(s: Record) -> None:
    for building in range(s.buildings):
        s.ring_x[building] = 0
        s.ring_y[building] = 0


# What all owners have in a district stands in two numbers, one of resources and one of tallest buildings, with so many
# bits for each owner.
SHARE = 12
SHARE_MASK = (1 << SHARE) - 1


@kernel
def taller(tallest: int, owner: int, height: int, tile: int) -> int:
    """The tallest buildings of all owners when there is one more: height counts first, then the number."""
    more = height * 32 + number_of(tile) - (tallest >> SHARE * owner & SHARE_MASK)
    return tallest + (max(more, 0) << SHARE * owner)


@kernel
def rank_of(resources: int, tallest: int, owner: int) -> int:
    """What decides the place of an owner in a district: resources, then the tallest own building (D25); 0 without
    resources."""
    return (resources >> SHARE * owner & SHARE_MASK) << SHARE | tallest >> SHARE * owner & SHARE_MASK


@kernel
def score_district(s: Record, district: int, trace: Record) -> None:
    """Section 6.4: all resources for the first, the own ones for the second; both for an only owner; D24, D26."""
    resources, tallest = 0, 0
    building = district + 0
    while True:
        owner, height = s.owner[building] + 0, s.height[building] + 0
        if owner != state.NOBODY:
            resources += height << SHARE * owner
            tallest = taller(tallest, owner, height, s.top[building])
        building = s.ring_y[building] + 0
        if building == district:
            break
    total, best, second, first, follower = 0, 0, 0, state.NOBODY, state.NOBODY
    for owner in range(s.owners):
        rank = rank_of(resources, tallest, owner)
        total += rank >> SHARE
        if rank > best:
            best, second, first, follower = rank, best, owner, first
        elif rank > second:
            second, follower = rank, owner
    for owner in range(s.owners):
        if owner in (first, follower):
            own = rank_of(resources, tallest, owner) >> SHARE
            points = own if owner == follower else total if second > 0 else total * 2
            place = 0 if second == 0 else 1 if owner == first else 2
            s.points[owner] += points
            note(trace, events.DISTRICT, owner, district, place, colour_of(s.top[district]), total, own, points)


@kernel
def winners(s: Record) -> int:
    """Section 6.3, D27: bit mask of those with most points. D41: alone one has to beat Hal."""
    best = -1000
    mask = 0
    for owner in range(s.owners):
        if s.points[owner] > best:
            best = s.points[owner] + 0
            mask = 1 << owner
        elif s.points[owner] == best:
            mask |= 1 << owner
    if s.players == 1:
        return mask if mask == 1 else 2
    return mask
