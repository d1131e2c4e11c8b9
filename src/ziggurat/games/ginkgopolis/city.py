"""The city: where buildings and markers are, and where a marker may go (sections 5.2.3 and 8.1)."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import choices, state


@kernel
def step_x(direction: int) -> int:
    """The step of a direction to the east: north, east, south, west."""
    return 1 if direction == 1 else -1 if direction == 3 else 0


@kernel
def step_y(direction: int) -> int:
    return 1 if direction == 0 else -1 if direction == 2 else 0


# --- The plan: what lies on a cell ------------------------------------------------------------------------------------

# Cells that have the same place on the plan are SPAN or more columns or rows apart. So it shows all that lies within so
# many columns and rows; beyond where things have come there is nothing. Nearly all cities have room on it.
SPAN = 11


@kernel
def place_of(x: int, y: int) -> int:
    return (x + SPAN * y) & (state.PLAN - 1)


@kernel
def lay(s: Record, thing: int, x: int, y: int) -> None:
    """Note that something lies on a cell now: a building, counted from 1, or the card of a marker."""
    s.plan[place_of(x, y)] = thing
    s.edges[0] = max(s.edges[0], y)
    s.edges[1] = max(s.edges[1], x)
    s.edges[2] = min(s.edges[2], y)
    s.edges[3] = min(s.edges[3], x)
    if s.edges[0] - s.edges[2] >= SPAN or s.edges[1] - s.edges[3] >= SPAN:
        s.wide = 1


@kernel
def draw_plan(s: Record) -> None:
    """Compute the plan from where buildings and markers lie."""
    for place in range(state.PLAN):
        s.plan[place] = 0
    for direction in range(4):
        s.edges[direction] = s.y[0] if direction % 2 == 0 else s.x[0]
    s.wide = 0
    for marker in range(state.MARKERS):
        lay(s, state.URBAN + 1 + marker, s.marker_x[marker], s.marker_y[marker])
    for building in range(s.buildings):  # also where a marker lay that is to be moved
        lay(s, building + 1, s.x[building], s.y[building])


@kernel
def thing_at(s: Record, x: int, y: int) -> int:
    """What lies on a cell: a building, counted from 1, or the card of a marker; 0 for nothing. A marker that is being
    moved lies nowhere."""
    if s.wide:
        return search_city(s, x, y)
    within = (s.edges[0] - y) | (s.edges[1] - x) | (y - s.edges[2]) | (x - s.edges[3])  # less than 0 if one of them is
    thing = s.plan[place_of(x, y)] + 0
    return thing if within >= 0 else 0


@kernel
def search_city(s: Record, x: int, y: int) -> int:
    """Find what lies on a cell, in cities that are too wide for the plan."""
    out_of_line()
    for building in range(s.buildings):
        if s.x[building] == x and s.y[building] == y:
            return building + 1
    for marker in range(state.MARKERS):
        if s.marker_x[marker] == x and s.marker_y[marker] == y:
            return state.URBAN + 1 + marker
    return 0


@kernel
def building_at(s: Record, x: int, y: int) -> int:
    """The building on a cell, or -1."""
    thing = thing_at(s, x, y)
    return thing - 1 if thing <= state.TILES else -1


@kernel
def building_beside(s: Record, x: int, y: int, direction: int) -> int:
    """The building beside a cell in a direction, or -1."""
    return building_at(s, x + step_x(direction), y + step_y(direction))


@kernel
def is_marker_at(s: Record, x: int, y: int) -> int:
    """The marker on a cell, counted from 1; 0 for none."""
    return max(thing_at(s, x, y) - state.URBAN, 0)


@kernel
def is_free(s: Record, x: int, y: int) -> bool:
    """Whether a cell holds neither building nor marker."""
    return thing_at(s, x, y) == 0


@kernel
def taken_around(s: Record, x: int, y: int) -> int:
    """Bit mask of the directions in which a building or a marker lies beside a cell."""
    taken = 0
    for direction in range(4):
        taken |= (0 if is_free(s, x + step_x(direction), y + step_y(direction)) else 1) << direction
    return taken


# --- 8.1 A marker without a free cell beside the new building ----------------------------------------------------


@kernel
def find_ring(s: Record) -> None:
    """Section 8.1.1, D44: walk clockwise around the city from above the leftmost building of its top row, and list the
    outside cells that touch a building, in order of first visit. Where only corners touch, the walk goes in."""
    out_of_line()
    s.ring_size = 0
    start = 0
    for building in range(1, s.buildings):
        higher = s.y[building] > s.y[start]
        if higher or (s.y[building] == s.y[start] and s.x[building] < s.x[start]):
            start = building
    # On the right hand lies a building; ``facing`` is the side of it on which the walk is.
    building, facing = start, 0
    while True:
        add_to_ring(s, s.x[building] + step_x(facing), s.y[building] + step_y(facing))
        along = (facing + 1) % 4  # the way the walk goes
        ahead = building_beside(s, s.x[building], s.y[building], along)
        if ahead < 0:
            facing = along  # around the corner of the same building
        else:
            inner = building_beside(s, s.x[ahead], s.y[ahead], facing)
            if inner < 0:
                building = ahead
            else:
                building, facing = inner, (facing + 3) % 4
        if building == start and facing == 0:
            return


@kernel
def add_to_ring(s: Record, x: int, y: int) -> None:
    for place in range(s.ring_size):
        if s.ring_x[place] == x and s.ring_y[place] == y:
            return
    if s.ring_size < state.RING:
        s.ring_x[s.ring_size] = x
        s.ring_y[s.ring_size] = y
        s.ring_size += 1


@kernel
def legal_destinations(s: Record, out: Record) -> int:
    """Where the marker may go: beside the new building; else section 8.1, steps 2 to 4."""
    out_of_line()
    n = 0
    if s.ring_size == 0:
        taken = taken_around(s, s.x[s.built], s.y[s.built])
        for direction in range(4):
            out.values[n] = choices.MOVE + direction
            n += 1 - (taken >> direction & 1)
        return n
    before, after = neighbour_place(s, 0), neighbour_place(s, 1)
    for place in range(s.ring_size):
        if is_between(s, before, after, place) and is_free(s, s.ring_x[place], s.ring_y[place]):
            out.values[n] = choices.MOVE_TO + place
            n += 1
    if n > 0:
        return n
    if not s.shifted and before >= 0:
        for side in range(2):
            place = (before - 1 if side == 0 else after + 1) % s.ring_size
            if is_free(s, s.ring_x[place], s.ring_y[place]):
                out.values[n] = choices.SHIFT + side
                n += 1
        if n > 0:
            return n
    for place in range(s.ring_size):
        if is_free(s, s.ring_x[place], s.ring_y[place]):
            out.values[n] = choices.MOVE_TO + place
            n += 1
    return n


@kernel
def neighbour_place(s: Record, side: int) -> int:
    """Where in the ring the nearest letter before (0) or after (1) the moving one lies; -1 when no other is there."""
    marker = s.moving + 0
    for _ in range(state.MARKERS - 1):
        marker = (marker + (state.MARKERS - 1 if side == 0 else 1)) % state.MARKERS
        for place in range(s.ring_size):
            if s.ring_x[place] == s.marker_x[marker] and s.ring_y[place] == s.marker_y[marker]:
                return place
    return -1


@kernel
def is_between(s: Record, before: int, after: int, place: int) -> bool:
    """Whether a place lies strictly between two others, clockwise; all do when there is no other marker."""
    if before < 0:
        return True
    reach = (after - before) % s.ring_size
    if reach == 0:
        reach = s.ring_size + 0  # one and the same marker
    return 0 < (place - before) % s.ring_size < reach
