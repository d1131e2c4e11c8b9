"""The city: where buildings and markers are, and where a marker may go (sections 5.2.3 and 8.1)."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import choices, state


@kernel
def step_x(direction: int) -> int:
    """North, east, south, west."""
    return 1 if direction == 1 else -1 if direction == 3 else 0


@kernel
def step_y(direction: int) -> int:
    return 1 if direction == 0 else -1 if direction == 2 else 0


@kernel
def building_at(s: Record, x: int, y: int) -> int:
    """The building on a cell, or -1."""
    for building in range(s.buildings):
        if s.x[building] == x and s.y[building] == y:
            return building
    return -1


@kernel
def is_marker_at(s: Record, x: int, y: int) -> int:
    """The marker on a cell, counted from 1; 0 for none. The one that is being moved lies nowhere."""
    for marker in range(state.MARKERS):
        if s.marker_x[marker] == x and s.marker_y[marker] == y:
            return marker + 1
    return 0


@kernel
def is_free(s: Record, x: int, y: int) -> bool:
    """Whether a cell holds neither building nor marker."""
    return is_marker_at(s, x, y) == 0 and building_at(s, x, y) < 0


@kernel
def direction_of(dx: int, dy: int) -> int:
    """The direction of a neighbouring cell, or -1 for any other."""
    if dx == 0:
        return 0 if dy == 1 else 2 if dy == -1 else -1
    if dy == 0:
        return 1 if dx == 1 else 3 if dx == -1 else -1
    return -1


@kernel
def taken_around(s: Record, x: int, y: int) -> int:
    """Bit mask of the directions in which a building or a marker lies beside a cell; one look at each of them."""
    taken = 0
    for building in range(s.buildings):
        direction = direction_of(s.x[building] - x, s.y[building] - y)
        if direction >= 0:
            taken |= 1 << direction
    for marker in range(state.MARKERS):
        direction = direction_of(s.marker_x[marker] - x, s.marker_y[marker] - y)
        if direction >= 0:
            taken |= 1 << direction
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
        ahead = building_at(s, s.x[building] + step_x(along), s.y[building] + step_y(along))
        if ahead < 0:
            facing = along  # around the corner of the same building
        else:
            inner_x = s.x[ahead] + step_x(facing)
            inner = building_at(s, inner_x, s.y[ahead] + step_y(facing))
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
