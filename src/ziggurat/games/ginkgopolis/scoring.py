"""What counts at the end of the game (sections 1.1, 6.3 and 6.4)."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import note
from ziggurat.games.ginkgopolis import events, state


@kernel
def final_scores(s: Record, trace: Record) -> None:
    """Section 6.3: cards, unused tokens, districts, on top of the points of the game."""
    out_of_line()
    for owner in range(s.owners):
        for card in range(1, state.TILES + 1):
            if s.kept[card] == owner + 1 and s.formula[card] > 0:
                points = card_points(s, owner, card)
                s.points[owner] += points
                note(trace, events.CARD_SCORED, owner, card, points)
        points = s.new_hands[owner] * s.new_hand_points
        if points > 0:
            s.points[owner] += points
            note(trace, events.TOKENS_SCORED, owner, s.new_hands[owner], points)
    find_districts(s)
    for building in range(s.buildings):
        if s.ring_x[building] == building + 1:  # the first of its group
            score_district(s, building + 1, trace)
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
        for other in range(1, state.TILES + 1):
            if s.kept[other] == owner + 1:
                same = s.trigger[other] if formula == state.CARDS_BY_TRIGGER else (other - 1) // state.NUMBERS
                count += 1 if same == of else 0
        return count * each
    for building in range(s.buildings):
        if s.owner[building] == owner:
            height = s.height[building] + 0
            if formula == state.RESOURCES_ON_COLOUR:
                count += height if (s.top[building] - 1) // state.NUMBERS == of else 0
            elif formula == state.LOW_BUILDINGS:
                count += 1 if height <= of else 0
            elif formula == state.HIGH_BUILDINGS:
                count += 1 if height >= of else 0
    return count * each


# --- 6.4 Districts -----------------------------------------------------------------------------------------------


@kernel
def colour_at(s: Record, building: int) -> int:
    return (s.top[building] - 1) // state.NUMBERS


@kernel
def are_beside(s: Record, one: int, other: int) -> bool:
    """D22: orthogonally."""
    dx = abs(s.x[one] - s.x[other])
    return dx + abs(s.y[one] - s.y[other]) == 1


@kernel
def find_districts(s: Record) -> None:
    """Number the groups of adjacent buildings of one colour, from 1, in ``ring_x``, which only section 8.1 uses.

    D23: neutral buildings belong to them.
    """
    out_of_line()
    for one in range(s.buildings):
        s.ring_x[one] = one + 1
        for other in range(one):
            if are_beside(s, one, other) and colour_at(s, one) == colour_at(s, other):
                join(s, one, s.ring_x[one], s.ring_x[other])


@kernel
def join(s: Record, last: int, one: int, other: int) -> None:
    """Two groups become one, with the lower number."""
    lower, higher = min(one, other), max(one, other)
    for building in range(last + 1):
        if s.ring_x[building] == higher:
            s.ring_x[building] = lower


@kernel
def clear_districts(s: Record) -> None:
    for building in range(s.buildings):
        s.ring_x[building] = 0


@kernel
def in_district(s: Record, owner: int, district: int) -> int:
    """What decides the place of an owner in a district, in one number: resources, then the height of the tallest own
    building, then its number (D25); 0 without resources."""
    resources, height, number = 0, 0, 0
    for building in range(s.buildings):
        if s.ring_x[building] == district and s.owner[building] == owner:
            resources += s.height[building]
            here = (s.top[building] - 1) % state.NUMBERS + 1
            if s.height[building] > height or (s.height[building] == height and here > number):
                height = s.height[building] + 0
                number = here
    return (resources * 64 + height) * 32 + number


@kernel
def score_district(s: Record, district: int, trace: Record) -> None:
    """Section 6.4: all resources for the first, the own ones for the second; both for an only owner; D24, D26."""
    size, total, colour = 0, 0, 0
    for building in range(s.buildings):
        if s.ring_x[building] == district:
            size += 1
            colour = colour_at(s, building)
            total += s.height[building] if s.owner[building] >= 0 else 0
    if size < 2 or total == 0:
        return
    best, second = 0, 0
    for owner in range(s.owners):
        rank = in_district(s, owner, district)
        if rank > best:
            second = best
            best = rank
        elif rank > second:
            second = rank
    for owner in range(s.owners):
        rank = in_district(s, owner, district)
        points = 0
        if rank == best and rank > 0:
            points = total * 2 if second == 0 else total
        elif rank == second and rank > 0:
            points = rank // 2048
        if points > 0:
            s.points[owner] += points
            place = 0 if second == 0 else 1 if rank == best else 2
            note(trace, events.DISTRICT, owner, district - 1, place, colour, total, rank // 2048, points)


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
