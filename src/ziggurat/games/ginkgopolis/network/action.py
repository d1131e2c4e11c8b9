"""The kernels that write the network's inputs of an action."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.games.ginkgopolis import choices, state
from ziggurat.games.ginkgopolis.cards import building_of, colour_of
from ziggurat.games.ginkgopolis.city import building_beside, neighbour_place, step_x, step_y, taken_around
from ziggurat.games.ginkgopolis.network.effects import (
    PAYABLE,
    best_tile,
    card_colour,
    number_on,
    tell_alone,
    tell_use,
    tell_yield,
)
from ziggurat.games.ginkgopolis.setup import left_neighbour

# Places among ACTION_TYPES.
PICK, CARD, WITHOUT, TILE, NEW_HAND, TAKE, MOVE, SHIFT, MOVE_TO, RETURN, DONE = range(11)


@kernel
def tell_action(s: Record, seat: int, action: int, act: Record, out: Record) -> None:
    """Write the columns of a legal action of a seat, ``ActionColumns``, but for the first; after those of the table,
    whose survey is still there."""
    out_of_line()
    if action <= choices.CARD:
        tell_pick(s, seat, action - choices.PICK, act)
    elif action <= choices.TILE + state.TILES:
        if action < choices.ALONE:
            act.type = CARD
            card = action - choices.CARD
            tile = best_tile(s, seat, card, out)
            act.payable = out.values[PAYABLE]
            tell_card(s, seat, card, tile, act, out)
            tell_passed(s, seat, card, act)
        else:
            tile = 0 if action == choices.ALONE else action - choices.TILE
            act.type = TILE if tile else WITHOUT
            tell_card(s, seat, s.chosen[seat] + 0, tile, act, out)
    elif action == choices.NEW_HAND:
        act.type = NEW_HAND
        act.tokens_left = s.new_hands[seat] - 1
    elif action < choices.MOVE:
        act.type = TAKE
        act.taken = 1 + action - choices.TAKE
        tell_yield(s, seat, 1 + action - choices.TAKE, 1, act.by_itself, out)
    elif action < choices.MOVE_TO + state.RING:
        tell_marker(s, seat, action, act)
    else:
        tell_return(s, seat, action, act)


@kernel
def tell_pick(s: Record, seat: int, character: int, act: Record) -> None:
    """Write the columns of a character (section 2.2.8), and of how it goes with those that are kept."""
    colour, trigger = character // 3, character % 3
    act.type = PICK
    act.character = 1 + colour
    act.character_trigger = 1 + trigger
    for good in range(3):
        act.character_by_good[good] = s.start[character][good]
    for place in range(state.KEPT_CHARACTERS):
        kept = s.characters[seat][place] - 1
        if kept >= 0:
            act.same_colour += 1 if kept // 3 == colour else 0
            act.same_trigger += 1 if kept % 3 == trigger else 0


@kernel
def tell_card(s: Record, seat: int, card: int, tile: int, act: Record, out: Record) -> None:
    """Write the columns of a card with a tile, or alone (0): what it is, and what it would do."""
    act.colour = card_colour(card)
    act.card_number = number_on(card)
    if card <= state.URBAN:
        formula = s.formula[card] + 0
        act.gives = 4 if formula else 1 + s.trigger[card]
        if formula == 0:
            for good in range(3):
                act.gives_by_good[good] = s.gain[card][good]
        act.formula = formula
    else:
        act.letter = card - state.URBAN
    act.tile_colour = card_colour(tile)
    act.tile_number = number_on(tile)
    tell_alone(s, seat, card, act.by_itself, out)
    tell_use(s, seat, card, tile, act.with_tile, out)


@kernel
def tell_passed(s: Record, seat: int, card: int, act: Record) -> None:
    """Write the columns of what the left neighbour gets if this card is played (section 4.3)."""
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
    act.passed_most = most
    act.passed_own = own
    act.passed_next = theirs


@kernel
def tell_marker(s: Record, seat: int, action: int, act: Record) -> None:
    """Write the columns of a marker's destination (sections 5.2.3 and 8.1), and what is yielded there one day."""
    if action < choices.SHIFT:
        direction = action - choices.MOVE
        act.type = MOVE
        act.direction = 1 + direction
        x, y = s.x[s.built] + step_x(direction), s.y[s.built] + step_y(direction)
    elif action < choices.MOVE_TO:
        side = action - choices.SHIFT
        act.type = SHIFT
        act.side = 1 + side
        place = (neighbour_place(s, side) + (s.ring_size - 1 if side == 0 else 1)) % s.ring_size
        x, y = s.ring_x[place] + 0, s.ring_y[place] + 0
    else:
        place = action - choices.MOVE_TO
        act.type = MOVE_TO
        act.ring_place = place
        x, y = s.ring_x[place] + 0, s.ring_y[place] + 0
    for beside in range(4):
        building = building_beside(s, x, y, beside)
        if building >= 0:
            height, owner = s.height[building] + 0, s.owner[building] + 0
            act.next_to_by_colour[colour_of(s.top[building])] += height
            act.next_to_own += height if owner == seat else 0
            act.next_to_others += height if 0 <= owner != seat else 0
            act.next_to += 1
    taken = taken_around(s, x, y)
    for direction in range(4):
        act.free += 1 - (taken >> direction & 1)


@kernel
def tell_return(s: Record, seat: int, action: int, act: Record) -> None:
    """Write the columns of a tile that is returned, or of none (section 6.1). Tiles before the last returned one
    stay."""
    tile = 0 if action == choices.DONE else action - choices.RETURN
    named, kept, same = 0, 0, 0
    for other in range(1, state.TILES + 1):
        if s.holder[other] == seat + 1 + state.RETURNING:
            named += 1
        elif s.holder[other] == seat + 1 and other != tile:
            kept += 1
            same += 1 if tile and colour_of(other) == colour_of(tile) else 0
    act.type = RETURN if tile else DONE
    act.tile_colour = card_colour(tile)
    act.tile_number = number_on(tile)
    act.returned = named + (1 if tile else 0)
    act.kept_tiles = kept
    act.kept_of_colour = same
