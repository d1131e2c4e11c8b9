"""The survey behind the network's inputs: how the owners would stand if the game ended now, in one look at the city and
the tableaus. What lies there is open to all, so that it is the same however a position is redealt.

It is left among ``out.values`` when the table is told, for the kernels of seats and actions that follow.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import state
from ziggurat.games.ginkgopolis.cards import colour_of
from ziggurat.games.ginkgopolis.city import building_beside
from ziggurat.games.ginkgopolis.scoring import SHARE, rank_of, taller

LOW_LIMIT = 141  # up to this height a building is low for the cards that count such ones
HIGH_LIMIT = 142  # and from this one on high
OWN = 144  # of every owner so many places:
WIDTH = 40
(
    END_POINTS,  # of the cards that count at the end
    DISTRICT_POINTS,
    SHARES,  # by colour
    FIRSTS,  # districts where it is first before somebody
    ALONES,  # and without anybody else
    SECONDS,
    BEHIND,  # districts where up to NEAR resources more would bring it further
    PRESSED,  # and where others are so near behind it
    STAKE,  # the most that being first instead would bring, where it is so near
    STANDING,  # resources in the city, by colour
    HOUSES,  # buildings, by colour
    EXPOSED,  # resources on buildings without a site: a card in play names them
    TALLEST,
    LOWS,
    HIGHS,
    BY_TRIGGER,  # cards in the tableau
    BY_COLOUR,
    PER_COLOUR,  # what the end cards give for a resource on a colour,
    PER_LOW,  # for low and for high buildings,
    PER_HIGH,
    PER_TRIGGER,  # for cards in the tableau,
    PER_TINT,
    FIXED,  # and for nothing
) = (0, 1, 2, 5, 6, 7, 8, 9, 10, 11, 14, 17, 18, 19, 20, 21, 24, 27, 30, 31, 32, 35, 38)
NEAR = 2

# Of the buildings and their groups, named by the first building of each; and what districts give every owner.
GROUP = OWN + WIDTH * state.MAX_PLAYERS
RESOURCES = GROUP + state.TILES
HIGHEST = RESOURCES + state.TILES
SIZE = HIGHEST + state.TILES
GIVEN = SIZE + state.TILES
# Of every building the adjacent ones with a lower number, each in so many bits and counted from 1.
NEIGHBOURS = GIVEN + state.MAX_PLAYERS
NEIGHBOUR_BITS = 6
NEIGHBOUR_MASK = (1 << NEIGHBOUR_BITS) - 1
TRIED = NEIGHBOURS + state.TILES  # the groups of a city that is only thought of
BEHIND_SURVEY = TRIED + state.TILES


@kernel
def of(owner: int) -> int:
    """The index in the survey of an owner's first value."""
    return OWN + WIDTH * owner


@kernel
def survey(s: Record, out: Record) -> None:
    """Compute the survey."""
    out_of_line()
    for i in range(WIDTH * s.owners):
        out.values[OWN + i] = 0
    count_cards(s, out)
    count_buildings(s, out)
    for owner in range(s.owners):
        add_end_points(of(owner), out)
    for building in range(s.buildings):
        find_neighbours(s, building, out)
    find_groups(s, GROUP, out)
    share_districts(s, GROUP, True, out)
    for owner in range(s.owners):
        out.values[of(owner) + DISTRICT_POINTS] = out.values[GIVEN + owner]


@kernel
def count_cards(s: Record, out: Record) -> None:
    """Count the kept cards, and what they count at the end (section 1.1)."""
    out.values[LOW_LIMIT], out.values[HIGH_LIMIT] = 0, 127
    for card in range(1, state.TILES + 1):
        formula, about = s.formula[card] + 0, s.formula_of[card] + 0
        if formula == state.LOW_BUILDINGS:
            out.values[LOW_LIMIT] = about
        elif formula == state.HIGH_BUILDINGS:
            out.values[HIGH_LIMIT] = about
        if s.kept[card] > 0:
            base = of(s.kept[card] - 1)
            out.values[base + BY_COLOUR + colour_of(card)] += 1
            each = s.formula_points[card] + 0
            if formula == 0:
                out.values[base + BY_TRIGGER + s.trigger[card]] += 1
            elif formula == state.RESOURCES_ON_COLOUR:
                out.values[base + PER_COLOUR + about] += each
            elif formula == state.LOW_BUILDINGS:
                out.values[base + PER_LOW] += each
            elif formula == state.HIGH_BUILDINGS:
                out.values[base + PER_HIGH] += each
            elif formula == state.CARDS_BY_TRIGGER:
                out.values[base + PER_TRIGGER + about] += each
            elif formula == state.CARDS_BY_COLOUR:
                out.values[base + PER_TINT + about] += each
            else:
                out.values[base + FIXED] += each
    if s.phase != state.DRAFT:  # until then they are secret
        for owner in range(s.players):
            for i in range(state.KEPT_CHARACTERS):
                character = s.characters[owner][i] - 1
                if character >= 0:
                    out.values[of(owner) + BY_TRIGGER + character % 3] += 1
                    out.values[of(owner) + BY_COLOUR + character // 3] += 1


@kernel
def count_buildings(s: Record, out: Record) -> None:
    for building in range(s.buildings):
        owner = s.owner[building] + 0
        if owner >= 0:
            base, height, colour = of(owner), s.height[building] + 0, colour_of(s.top[building])
            out.values[base + STANDING + colour] += height
            out.values[base + HOUSES + colour] += 1
            out.values[base + TALLEST] = max(out.values[base + TALLEST], height)
            out.values[base + LOWS] += 1 if height <= out.values[LOW_LIMIT] else 0
            out.values[base + HIGHS] += 1 if height >= out.values[HIGH_LIMIT] else 0
            if s.site[building] == 0:
                out.values[base + EXPOSED] += height


@kernel
def add_end_points(base: int, out: Record) -> None:
    points = out.values[base + FIXED]
    for i in range(3):
        points += out.values[base + PER_COLOUR + i] * out.values[base + STANDING + i]
        points += out.values[base + PER_TRIGGER + i] * out.values[base + BY_TRIGGER + i]
        points += out.values[base + PER_TINT + i] * out.values[base + BY_COLOUR + i]
    points += out.values[base + PER_LOW] * out.values[base + LOWS]
    out.values[base + END_POINTS] = points + out.values[base + PER_HIGH] * out.values[base + HIGHS]


@kernel
def building_points(base: int, colour: int, height: int, out: Record) -> int:
    """The points of an owner's end cards for a building of its own."""
    points = out.values[base + PER_COLOUR + colour] * height
    if height <= out.values[LOW_LIMIT]:
        points += out.values[base + PER_LOW]
    if height >= out.values[HIGH_LIMIT]:
        points += out.values[base + PER_HIGH]
    return int(points)


@kernel
def final_of(s: Record, owner: int, out: Record) -> int:
    """Section 6.3: the points of an owner if the game ended now, after ``survey``."""
    base = of(owner)
    tokens = s.new_hands[owner] * s.new_hand_points
    return int(s.points[owner] + tokens + out.values[base + END_POINTS] + out.values[base + DISTRICT_POINTS])


# --- 6.4 Districts ----------------------------------------------------------------------------------------------------


@kernel
def find_neighbours(s: Record, building: int, out: Record) -> None:
    """Keep which buildings with a lower number a building is beside."""
    found = 0
    for direction in range(4):
        other = building_beside(s, s.x[building], s.y[building], direction)
        if 0 <= other < building:
            found = found << NEIGHBOUR_BITS | other + 1
    out.values[NEIGHBOURS + building] = found


@kernel
def find_groups(s: Record, groups: int, out: Record) -> None:
    """Find groups of adjacent buildings of one colour (D22, D23), into ``groups``, after ``find_neighbours``.

    Every group has the number of its first building.
    """
    out_of_line()
    for one in range(s.buildings):
        colour, root = colour_of(s.top[one]), one
        out.values[groups + one] = one
        neighbours = out.values[NEIGHBOURS + one] + 0
        while neighbours:
            found = (neighbours & NEIGHBOUR_MASK) - 1
            neighbours >>= NEIGHBOUR_BITS
            if colour_of(s.top[found]) == colour:
                while out.values[groups + found] != found:
                    found = out.values[groups + found] + 0
                lower, higher = min(root, found), max(root, found)
                out.values[groups + higher] = lower
                root = lower
    for one in range(s.buildings):  # the number that it has is lower, hence the final one by now
        out.values[groups + one] = out.values[groups + out.values[groups + one]]


@kernel
def share_districts(s: Record, groups: int, details: bool, out: Record) -> None:
    """Compute what districts give, into GIVEN, after ``find_groups``; ``details`` are how everybody stands in them."""
    out_of_line()
    owners = s.owners + 0
    for owner in range(owners):
        out.values[GIVEN + owner] = 0
    for one in range(s.buildings):
        out.values[RESOURCES + one], out.values[HIGHEST + one], out.values[SIZE + one] = 0, 0, 0
    for one in range(s.buildings):
        group, owner, height = out.values[groups + one] + 0, s.owner[one] + 0, s.height[one] + 0
        out.values[SIZE + group] += 1
        if owner >= 0:
            out.values[RESOURCES + group] += height << SHARE * owner
            out.values[HIGHEST + group] = taller(out.values[HIGHEST + group], owner, height, s.top[one])
    for group in range(s.buildings):
        if out.values[SIZE + group] > 1 and out.values[RESOURCES + group] > 0:
            share(s, group, details, out)


@kernel
def share(s: Record, group: int, details: bool, out: Record) -> None:
    resources, tallest = out.values[RESOURCES + group] + 0, out.values[HIGHEST + group] + 0
    total, best, second, third = 0, 0, 0, 0
    for owner in range(s.owners):
        rank = rank_of(resources, tallest, owner)
        total += rank >> SHARE
        if rank > best:
            best, second, third = rank, best, second
        elif rank > second:
            second, third = rank, second
        elif rank > third:
            third = rank
    for owner in range(s.owners):
        rank = rank_of(resources, tallest, owner)
        if rank > 0:
            points = rank >> SHARE if rank == second else 0
            if rank == best:
                points = total if second else 2 * total
            out.values[GIVEN + owner] += points
            if details:
                stands(of(owner), rank, best, second, third, total, out)
                out.values[of(owner) + SHARES + colour_of(s.top[group])] += points


@kernel
def stands(base: int, rank: int, best: int, second: int, third: int, total: int, out: Record) -> None:
    """The standing of an owner in a district."""
    mine = rank >> SHARE
    if rank == best:
        out.values[base + FIRSTS] += 1 if second else 0
        out.values[base + ALONES] += 0 if second else 1
        out.values[base + PRESSED] += 1 if second and mine - (second >> SHARE) <= NEAR else 0
        return
    short = (best >> SHARE) - mine
    if rank == second:
        out.values[base + SECONDS] += 1
        out.values[base + PRESSED] += 1 if third and mine - (third >> SHARE) <= NEAR else 0
        out.values[base + BEHIND] += 1 if short <= NEAR else 0
    else:
        out.values[base + BEHIND] += 1 if (second >> SHARE) - mine <= NEAR else 0
    if short <= NEAR:
        out.values[base + STAKE] = max(out.values[base + STAKE], total - (mine if rank == second else 0))
