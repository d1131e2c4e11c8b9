"""The kernel that tells a network of an action: the columns ACTION of ``inputs``."""

from __future__ import annotations

from ziggurat.core.inputs import clipped
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import choices, state
from ziggurat.games.ginkgopolis.cards import building_of, colour_of
from ziggurat.games.ginkgopolis.city import direction_of, neighbour_place, step_x, step_y, taken_around
from ziggurat.games.ginkgopolis.effects import (
    ALONE,
    PAYABLE,
    USE,
    alone_inputs,
    best_tile,
    card_colour,
    number_on,
    use_inputs,
    yield_inputs,
)
from ziggurat.games.ginkgopolis.setup import left_neighbour
from ziggurat.games.ginkgopolis.survey import survey

# Places among ACTION_TYPES.
PICK, CARD, WITHOUT, TILE, NEW_HAND, TAKE, MOVE, SHIFT, MOVE_TO, RETURN, DONE = range(11)
BY_ITSELF = 38  # where the columns of a card alone begin
COLUMNS = BY_ITSELF + ALONE + USE


@kernel
def action_inputs(s: Record, seat: int, action: int, out: Record) -> int:
    """Write the columns of a legal action of a seat, from the second one on; return how many there are."""
    out_of_line()
    for i in range(1, COLUMNS):
        out.inputs[i] = 0
    if action <= choices.CARD:
        pick_inputs(s, seat, action - choices.PICK, out)
    elif action <= choices.TILE + state.TILES:
        survey(s, out)
        if action < choices.ALONE:
            out.inputs[1] = CARD
            card = action - choices.CARD
            tile = best_tile(s, seat, card, out)
            out.inputs[11] = clipped(out.values[PAYABLE], 0, 10)
            card_inputs(s, seat, card, tile, out)
            passed_inputs(s, seat, card, out)
        else:
            tile = 0 if action == choices.ALONE else action - choices.TILE
            out.inputs[1] = TILE if tile else WITHOUT
            card_inputs(s, seat, s.chosen[seat] + 0, tile, out)
    elif action == choices.NEW_HAND:
        out.inputs[1] = NEW_HAND
        out.inputs[33] = clipped(s.new_hands[seat] - 1, 0, 2)
    elif action < choices.MOVE:
        out.inputs[1] = TAKE
        out.inputs[32] = 1 + action - choices.TAKE
        survey(s, out)
        yield_inputs(s, seat, out.inputs[32] + 0, 1, BY_ITSELF, out)
    elif action < choices.MOVE_TO + state.RING:
        marker_inputs(s, seat, action, out)
    else:
        return_inputs(s, seat, action, out)
    return COLUMNS


@kernel
def pick_inputs(s: Record, seat: int, character: int, out: Record) -> None:
    """Section 2.2.8: a character, and how it goes with those that are kept."""
    colour, trigger = character // 3, character % 3
    out.inputs[1] = PICK
    out.inputs[15] = 1 + colour
    out.inputs[16] = 1 + trigger
    for good in range(3):
        out.inputs[17 + good] = clipped(s.start[character][good], 0, 3)
    for place in range(state.KEPT_CHARACTERS):
        kept = s.characters[seat][place] - 1
        if kept >= 0:
            out.inputs[20] += 1 if kept // 3 == colour else 0
            out.inputs[21] += 1 if kept % 3 == trigger else 0


@kernel
def card_inputs(s: Record, seat: int, card: int, tile: int, out: Record) -> None:
    """A card with a tile, or alone (0): what it is, and what it would do."""
    out.inputs[2] = card_colour(card)
    out.inputs[3] = number_on(card)
    if card <= state.URBAN:
        formula = s.formula[card] + 0
        out.inputs[4] = 4 if formula else 1 + s.trigger[card]
        if formula == 0:
            for good in range(3):
                out.inputs[5 + good] = clipped(s.gain[card][good], 0, 2)
        out.inputs[8] = formula
    else:
        out.inputs[37] = card - state.URBAN
    out.inputs[9] = card_colour(tile)
    out.inputs[10] = number_on(tile)
    n = alone_inputs(s, seat, card, BY_ITSELF, out)
    use_inputs(s, seat, card, tile, n, out)


@kernel
def passed_inputs(s: Record, seat: int, card: int, out: Record) -> None:
    """Section 4.3: what the left neighbour gets if this card is played."""
    if s.players == 1:
        return
    neighbour = left_neighbour(s, seat)
    most, own, theirs = 0, 0, 0
    for place in range(state.HAND):
        other = s.hand[seat][place] + 0
        if 0 < other <= state.URBAN and other != card:
            building = building_of(s, other)
            height = s.height[building] + 0
            most = max(most, height)
            own += height if s.owner[building] == seat else 0
            theirs += height if s.owner[building] == neighbour else 0
    out.inputs[12] = clipped(most, 0, 6)
    out.inputs[13] = clipped(own, 0, 8)
    out.inputs[14] = clipped(theirs, 0, 8)


@kernel
def marker_inputs(s: Record, seat: int, action: int, out: Record) -> None:
    """Sections 5.2.3 and 8.1: where a marker goes, and what is yielded there one day."""
    if action < choices.SHIFT:
        direction = action - choices.MOVE
        out.inputs[1] = MOVE
        out.inputs[22] = 1 + direction
        x, y = s.x[s.built] + step_x(direction), s.y[s.built] + step_y(direction)
    elif action < choices.MOVE_TO:
        side = action - choices.SHIFT
        out.inputs[1] = SHIFT
        out.inputs[23] = 1 + side
        place = (neighbour_place(s, side) + (s.ring_size - 1 if side == 0 else 1)) % s.ring_size
        x, y = s.ring_x[place] + 0, s.ring_y[place] + 0
    else:
        place = action - choices.MOVE_TO
        out.inputs[1] = MOVE_TO
        out.inputs[24] = min(place, 60)
        x, y = s.ring_x[place] + 0, s.ring_y[place] + 0
    for building in range(s.buildings):
        if direction_of(s.x[building] - x, s.y[building] - y) >= 0:
            column, height, owner = 25 + colour_of(s.top[building]), s.height[building] + 0, s.owner[building] + 0
            out.inputs[column] = min(out.inputs[column] + height, 6)
            out.inputs[28] = min(out.inputs[28] + height, 6) if owner == seat else out.inputs[28]
            out.inputs[29] = min(out.inputs[29] + height, 6) if 0 <= owner != seat else out.inputs[29]
            out.inputs[30] += 1
    taken = taken_around(s, x, y)
    for direction in range(4):
        out.inputs[31] += 1 - (taken >> direction & 1)


@kernel
def return_inputs(s: Record, seat: int, action: int, out: Record) -> None:
    """Section 6.1: a tile that is returned, or none; those before the last one named stay."""
    tile = 0 if action == choices.DONE else action - choices.RETURN
    named, kept, same = 0, 0, 0
    for other in range(1, state.TILES + 1):
        if s.holder[other] == seat + 1 + state.RETURNING:
            named += 1
        elif s.holder[other] == seat + 1 and other != tile:
            kept += 1
            same += 1 if tile and colour_of(other) == colour_of(tile) else 0
    out.inputs[1] = RETURN if tile else DONE
    out.inputs[9] = card_colour(tile)
    out.inputs[10] = number_on(tile)
    out.inputs[34] = clipped(named + (1 if tile else 0), 0, 10)
    out.inputs[35] = clipped(kept, 0, 15)
    out.inputs[36] = clipped(same, 0, 8)
