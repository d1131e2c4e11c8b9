"""The rules of Ginkgopolis from the first round on, in the order of the specification.

Section numbers (2, 4.2, ...) and rulings (D01, ...) are those of the project's specification of the game. Set-up
(section 2) is in ``setup.py``; what several sections need is in ``cards.py``, ``supply.py`` and ``city.py``.
Everything here runs interpreted and compiled alike: nested ``bonus[seat][trigger]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.bits import lowest_bit
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import NO_SEAT, note, offer
from ziggurat.games.ginkgopolis import choices, events, state
from ziggurat.games.ginkgopolis.cards import (
    building_of,
    can_pay,
    colour_of,
    give_tile,
    good_of,
    lower_by,
    spare,
    suits,
    take_tile,
)
from ziggurat.games.ginkgopolis.city import (
    building_beside,
    find_ring,
    is_marker_at,
    lay,
    legal_destinations,
    neighbour_place,
    place_of,
    step_x,
    step_y,
    taken_around,
)
from ziggurat.games.ginkgopolis.hal import discard_unused, expert_card, hal_points
from ziggurat.games.ginkgopolis.scoring import final_scores, winners
from ziggurat.games.ginkgopolis.setup import begin_round, left_neighbour, pick, remove_first
from ziggurat.games.ginkgopolis.supply import (
    discard_card,
    draw_owed,
    draw_to_hand,
    end_soon,
    gain,
    run_out,
    settle_returns,
    supply_of_tiles,
)

# --- 4. Round ---------------------------------------------------------------------------------------------------------


@kernel
def actors(s: Record) -> int:
    """Bit mask of the seats that must decide: several while cards are chosen, drafted, or tiles returned."""
    if s.finished:
        return 0
    if s.phase == state.GOOD or s.phase == state.MARKER:
        return 1 << s.mover
    return s.waiting + 0


@kernel
def concealed(s: Record) -> bool:
    """Section 3: characters, cards and returned tiles are chosen by all in secret."""
    return bool(s.phase == state.DRAFT or s.phase == state.CHOOSE or s.phase == state.RETURN)


@kernel
def in_move(s: Record) -> bool:
    """Whether a card is chosen without its tile, or tiles are being named to be returned."""
    for seat in range(s.players):
        if s.choosing[seat] or (s.phase == state.RETURN and s.waiting >> seat & 1 and s.last[seat]):
            return True
    return False


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if seat < 0 or actors(s) >> seat & 1 == 0:
        return 0
    if s.phase == state.CHOOSE:
        return legal_choices(s, seat, out)
    return legal_others(s, seat, out)


@kernel
def legal_choices(s: Record, seat: int, out: Record) -> int:
    """Section 4.1: a card, then a tile to go with it or none; before that a new hand."""
    n = 0
    if s.choosing[seat]:
        n = offer(out, n, choices.ALONE, True)
        return offer_tiles(out, n, choices.TILE, s.held[seat])
    for place in range(state.HAND):
        n = offer(out, n, choices.CARD + s.hand[seat][place], s.hand[seat][place] != 0)
    return offer(out, n, choices.NEW_HAND, s.new_hands[seat] > 0)


@kernel
def offer_tiles(out: Record, n: int, first: int, tiles: int) -> int:
    """An action for every tile of a mask."""
    while tiles:
        out.values[n] = first + lowest_bit(tiles)
        tiles &= tiles - 1
        n += 1
    return n


@kernel
def legal_others(s: Record, seat: int, out: Record) -> int:
    out_of_line()
    n = 0
    if s.phase == state.DRAFT:
        for character in range(state.TYPES):
            held = False
            for place in range(state.HAND):
                held |= s.draft[seat][place] == character + 1
            n = offer(out, n, choices.PICK + character, held)
        return n
    if s.phase == state.GOOD:
        n = offer(out, n, choices.TAKE + state.RESOURCE, s.supply[seat] > 0)
        return offer(out, n, choices.TAKE + state.TILE, supply_of_tiles(s) > 0)
    if s.phase == state.RETURN:
        later = s.last[seat] + 1
        n = offer_tiles(out, n, choices.RETURN, s.held[seat] >> later << later)
        return offer(out, n, choices.DONE, True)
    return legal_destinations(s, out)


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action."""
    if action <= choices.CARD:
        pick(s, seat, action - choices.PICK, trace)
    elif action < choices.ALONE:
        s.chosen[seat] = action - choices.CARD
        remove_first(s.hand[seat], action - choices.CARD)
        if s.count[seat] > 0:
            s.choosing[seat] = 1
        else:
            commit(s, seat, 0, trace)
    elif action <= choices.TILE + state.TILES:
        s.choosing[seat] = 0
        commit(s, seat, action - choices.TILE, trace)
    elif action == choices.NEW_HAND:
        new_hand(s, seat, trace)
    elif action < choices.MOVE:
        take_good(s, seat, action - choices.TAKE, trace)
    elif action <= choices.MOVE_TO + state.RING - 1:
        place_marker(s, seat, action, trace)
    else:
        choose_returns(s, seat, action, trace)


# --- 4.1 Choosing -----------------------------------------------------------------------------------------------------


@kernel
def new_hand(s: Record, seat: int, trace: Record) -> None:
    """Section 4.1, D20, D21, D52: executed at once, in the order in which they are announced."""
    out_of_line()
    s.new_hands[seat] -= 1
    note(trace, events.NEW_HAND, seat, s.new_hands[seat])
    for place in range(state.HAND):
        discard_card(s, s.hand[seat][place])
        s.hand[seat][place] = 0
    for _ in range(state.HAND):
        draw_to_hand(s, seat, trace)


@kernel
def commit(s: Record, seat: int, tile: int, trace: Record) -> None:
    """Section 4.1: face down; that a tile lies on the card shows."""
    s.tile[seat] = tile
    if tile > 0:
        give_tile(s, seat, tile, 0)
        s.count[seat] -= 1
    note(trace, events.COMMITTED, seat, 1 if tile > 0 else 0)
    note(trace, events.CHOSE, seat, s.chosen[seat], tile)
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        s.actor = s.first
        go_on(s, act(s, trace), trace)


# --- 4.2 Acting -------------------------------------------------------------------------------------------------------


@kernel
def act(s: Record, trace: Record) -> bool:
    """Section 4.2: the actor's card and tile say what is done; D04 to D06: what cannot be paid is an Exploit.

    Returns whether the action is complete; otherwise somebody has to decide something in the middle of it.
    """
    out_of_line()
    owner = s.actor + 0
    card = s.chosen[owner] + 0
    tile = s.tile[owner] + 0
    building = -1 if card > state.URBAN else building_of(s, card)
    s.played[owner] = card
    s.played_tile[owner] = tile
    if tile > 0 and not suits(s, owner, card, tile, spare(s, owner, building)):
        note(trace, events.FELL_BACK, owner, card, tile)
        take_tile(s, owner, tile)
        s.count[owner] += 1
        s.tile[owner] = 0
        tile = 0
    s.seen[card] = -1
    if tile == 0:
        return exploit(s, owner, card, building, trace)
    if card > state.URBAN:
        urbanize(s, owner, card, tile, trace)
        return False
    return construct(s, owner, card, tile, building, trace)


@kernel
def go_on(s: Record, complete: bool, trace: Record) -> None:
    """Section 4.2: clockwise, as long as the actions are complete; then Hal, in the solo game; then the next round."""
    while complete:
        s.acted += 1
        s.phase = state.CHOOSE
        if s.acted < s.players:
            s.actor = left_neighbour(s, s.actor)
            complete = act(s, trace)
        elif s.acted == s.players and s.owners > s.players:
            discard_unused(s)
            complete = hal_acts(s, trace)
        elif s.ending:
            end_game(s, trace)
            return
        else:
            next_round(s, trace)
            return


# --- 4.3 The next round -----------------------------------------------------------------------------------------------


@kernel
def next_round(s: Record, trace: Record) -> None:
    """Section 4.3: hands go to the left, so does the first player's card; everybody draws a fourth card."""
    out_of_line()
    if s.players == 1:
        begin_round(s, trace)
        return
    first = s.hand[s.players - 1]
    one, two, three = first[0] + 0, first[1] + 0, first[2] + 0  # the fourth was played
    for seat in range(s.players - 1, 0, -1):
        pass_hand(s, seat, s.hand[seat - 1][0], s.hand[seat - 1][1], s.hand[seat - 1][2])
    pass_hand(s, 0, one, two, three)
    s.first = left_neighbour(s, s.first)
    note(trace, events.PASSED_HANDS, s.first)
    seat = s.first + 0
    for _ in range(s.players):
        draw_to_hand(s, seat, trace)
        seat = left_neighbour(s, seat)
    begin_round(s, trace)


@kernel
def pass_hand(s: Record, seat: int, one: int, two: int, three: int) -> None:
    """These are the cards of a seat now, which has seen them."""
    hand = s.hand[seat]
    hand[0], hand[1], hand[2] = one, two, three
    for place in range(state.HAND - 1):
        s.seen[hand[place]] |= 1 << seat
    s.seen[0] = 0


# --- 5.1 Exploit ------------------------------------------------------------------------------------------------------


@kernel
def exploit(s: Record, owner: int, card: int, building: int, trace: Record) -> bool:
    """Section 5.1: the yield, the bonuses, the card is discarded."""
    note(trace, events.EXPLOITED, owner, card)
    s.chosen[owner] = 0
    discard_card(s, card)
    if card > state.URBAN:
        resources, tiles = s.supply[owner] > 0, supply_of_tiles(s) > 0
        if resources and tiles:  # D33: chosen when the action resolves
            s.phase = state.GOOD
            s.mover = owner
            return False
        collect(s, owner, state.EXPLOIT, 1 if resources else 0, 1 if tiles else 0, 0, trace)  # D08
    else:
        collect_good(s, owner, state.EXPLOIT, good_of(colour_of(card)), s.height[building], trace)
    return draw_owed(s, trace)


@kernel
def take_good(s: Record, seat: int, good: int, trace: Record) -> None:
    """Section 5.1.1: what an urbanization card alone brings."""
    collect_good(s, seat, state.EXPLOIT, good, 1, trace)
    go_on(s, draw_owed(s, trace), trace)


@kernel
def collect_good(s: Record, owner: int, trigger: int, good: int, count: int, trace: Record) -> None:
    """So many of one good."""
    resources, tiles = count if good == state.RESOURCE else 0, count if good == state.TILE else 0
    collect(s, owner, trigger, resources, tiles, count - resources - tiles, trace)


@kernel
def collect(s: Record, owner: int, trigger: int, resources: int, tiles: int, points: int, trace: Record) -> None:
    """What an action brings, and the bonuses of all cards in the tableau that wait for it. Hal has none (section 7).

    Resources and points come at once; tiles are owed, and drawn last."""
    if owner < s.players:
        bonus = s.bonus[owner][trigger]
        resources += bonus[state.RESOURCE]
        tiles += bonus[state.TILE]
        points += bonus[state.POINT]
    s.owed += tiles
    gain(s, owner, state.RESOURCE, resources, trace)
    gain(s, owner, state.POINT, points, trace)


# --- 5.2 Urbanize -----------------------------------------------------------------------------------------------------


@kernel
def urbanize(s: Record, owner: int, card: int, tile: int, trace: Record) -> None:
    """Section 5.2: the tile goes to the marker's cell, with a resource; then the marker has to move."""
    marker = card - state.URBAN - 1
    building = s.buildings + 0
    s.buildings += 1
    s.x[building] = s.marker_x[marker]
    s.y[building] = s.marker_y[marker]
    s.top[building] = tile
    s.height[building] = 1
    s.owner[building] = owner
    s.site[building] = 1
    s.plan[place_of(s.x[building], s.y[building])] = building + 1
    s.chosen[owner] = 0
    s.tile[owner] = 0
    discard_card(s, card)
    note(trace, events.URBANIZED, owner, marker, tile, s.x[building], s.y[building])
    place_resources(s, owner, 1, trace)
    s.built = building
    s.moving = marker
    s.mover = min(owner, s.players - 1)  # section 7: the human moves it for Hal
    s.phase = state.MARKER
    s.shifted = 0
    s.ring_size = 0
    if taken_around(s, s.x[building], s.y[building]) == 0b1111:
        find_ring(s)


@kernel
def place_resources(s: Record, owner: int, count: int, trace: Record) -> None:
    """Resources onto a building; D13: the last one ends the game."""
    if owner >= s.players:
        s.supply[owner] -= count
    else:
        s.stock[owner] -= count
    if s.supply[owner] == 0 and s.stock[owner] == 0:
        end_soon(s, trace)


@kernel
def place_marker(s: Record, seat: int, action: int, trace: Record) -> None:
    """Section 5.2.3; section 8.1 when no cell beside the new building is empty."""
    out_of_line()
    if action < choices.SHIFT:
        x = s.x[s.built] + step_x(action - choices.MOVE)
        y = s.y[s.built] + step_y(action - choices.MOVE)
    elif action < choices.MOVE_TO:
        shift_marker(s, seat, action - choices.SHIFT, trace)
        return
    else:
        x = s.ring_x[action - choices.MOVE_TO] + 0
        y = s.ring_y[action - choices.MOVE_TO] + 0
    s.marker_x[s.moving] = x
    s.marker_y[s.moving] = y
    lay(s, state.URBAN + 1 + s.moving, x, y)
    note(trace, events.MARKER_MOVED, seat, s.moving, x, y)
    for i in range(s.ring_size):
        s.ring_x[i] = 0
        s.ring_y[i] = 0
    s.ring_size = 0
    s.shifted = 0
    s.moving = 0
    s.phase = state.CHOOSE
    go_on(s, yields(s, trace), trace)


@kernel
def shift_marker(s: Record, seat: int, side: int, trace: Record) -> None:
    """Section 8.1.3: the marker before or after makes room."""
    place = neighbour_place(s, side)
    marker = is_marker_at(s, s.ring_x[place], s.ring_y[place]) - 1
    goal = (place - 1 if side == 0 else place + 1) % s.ring_size
    lay(s, 0, s.ring_x[place], s.ring_y[place])
    lay(s, state.URBAN + 1 + marker, s.ring_x[goal], s.ring_y[goal])
    s.marker_x[marker] = s.ring_x[goal]
    s.marker_y[marker] = s.ring_y[goal]
    s.shifted = 1
    note(trace, events.MARKER_SHIFTED, seat, marker, s.marker_x[marker], s.marker_y[marker])


@kernel
def yields(s: Record, trace: Record) -> bool:
    """Sections 5.2.4 and 5.2.5: what the neighbours of the new building give, then the bonuses (D01, D15)."""
    owner = s.actor + 0
    x, y = s.x[s.built] + 0, s.y[s.built] + 0
    if owner >= s.players:
        collect(s, owner, state.URBANIZE, 0, 0, hal_points(s, x, y), trace)
    else:
        goods = 0  # in fields of 8 bits
        for direction in range(4):
            other = building_beside(s, x, y, direction)
            there = max(other, 0)
            goods += (s.height[there] if other >= 0 else 0) << 8 * good_of(colour_of(s.top[there]))
        collect(s, owner, state.URBANIZE, goods & 255, goods >> 8 & 255, goods >> 16, trace)
    return draw_owed(s, trace)


# --- 5.3 Construct ----------------------------------------------------------------------------------------------------


@kernel
def construct(s: Record, owner: int, card: int, tile: int, building: int, trace: Record) -> bool:
    """Section 5.3, in the printed order; D02: the card that is kept works from the next action on."""
    height = s.height[building] + 0
    before = s.owner[building] + 0
    points = 0
    resource = 0
    if before != state.NOBODY:
        if before >= s.players:
            s.supply[before] += height  # section 7: Hal's go to the supply
        else:
            s.stock[before] += height
        paid = height if before != owner else 0
        s.points[before] += paid
        note(trace, events.GOT_BACK, before, height, paid)
    if owner < s.players:
        points = lower_by(card, tile)
        resource = 1 if colour_of(card) != colour_of(tile) else 0
        s.points[owner] -= points
        s.stock[owner] -= resource
        s.supply[owner] += resource
    s.top[building] = tile
    s.height[building] = height + 1
    s.owner[building] = owner
    s.site[building] = 1
    s.chosen[owner] = 0
    s.tile[owner] = 0
    s.kept[card] = owner + 1  # D45
    note(trace, events.CONSTRUCTED, owner, card, tile, height + 1, points, resource)
    place_resources(s, owner, height + 1, trace)
    collect(s, owner, state.CONSTRUCT, 0, 0, 0, trace)
    if s.trigger[card] >= 0:
        for good in range(3):
            s.bonus[owner][s.trigger[card]][good] += s.gain[card][good]
    return draw_owed(s, trace)


# --- 6. End of the game -----------------------------------------------------------------------------------------------


@kernel
def choose_returns(s: Record, seat: int, action: int, trace: Record) -> None:
    """Section 6.1: tiles are named in order, and given back by all together."""
    out_of_line()
    if action < choices.DONE:
        tile = action - choices.RETURN
        give_tile(s, seat, tile, seat + 1 + state.RETURNING)
        s.last[seat] = tile
        return
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        settle_returns(s, trace)
        go_on(s, draw_owed(s, trace), trace)


@kernel
def end_game(s: Record, trace: Record) -> None:
    """Section 6.3."""
    out_of_line()
    s.waiting = 0
    final_scores(s, trace)
    s.finished = 1
    note(trace, events.FINISHED, NO_SEAT, winners(s))


@kernel
def scores(s: Record, out: Record) -> int:
    """Points so far; cards, tokens and districts are counted at the end. Returns how many owners there are: Hal too."""
    for owner in range(s.owners):
        out.values[owner] = s.points[owner]
    return s.owners + 0


# --- 7. Hal -----------------------------------------------------------------------------------------------------------


@kernel
def hal_acts(s: Record, trace: Record) -> bool:
    """Section 7.3: Hal always builds, with a random tile; D38: without one his action is skipped.

    Returns whether the action is complete.
    """
    out_of_line()
    s.actor = state.HAL
    card = s.hal_card + 0
    s.hal_card = 0
    s.seen[card] = -1
    s.put_aside = 0
    note(trace, events.HAL_CARD, NO_SEAT, card)
    if s.expert and card > state.URBAN:
        card = expert_card(s, card, trace)
    s.played[state.HAL] = card
    s.played_tile[state.HAL] = 0
    if supply_of_tiles(s) <= 0:
        discard_card(s, card)
        return True
    s.tiles_left -= 1
    tile = s.tiles[s.tiles_left] + 0
    if not can_pay(s, state.HAL, card, tile):  # D37, D51: the tile goes back, the game ends at once
        s.tiles_left += 1
        discard_card(s, card)
        note(trace, events.HAL_STOPPED, NO_SEAT, card)
        end_game(s, trace)
        return False
    s.tiles[s.tiles_left] = 0
    s.played_tile[state.HAL] = tile
    if supply_of_tiles(s) <= 0:
        run_out(s, trace)
    if card > state.URBAN:
        urbanize(s, state.HAL, card, tile, trace)
        return False
    return construct(s, state.HAL, card, tile, building_of(s, card), trace)
