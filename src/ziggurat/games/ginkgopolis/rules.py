"""The rules of Ginkgopolis, in the order of the specification.

Section numbers (2, 4.2, ...) and rulings (D01, ...) are those of the project's specification of the game.
Everything here runs interpreted and compiled alike: nested ``bonus[seat][trigger]``, no NumPy, no allocation.
"""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.ginkgopolis.city import (
    building_at,
    direction_of,
    find_ring,
    is_marker_at,
    legal_destinations,
    neighbour_place,
    step_x,
    step_y,
    taken_around,
)
from ziggurat.games.ginkgopolis.scoring import final_scores, winners
from ziggurat.games.ginkgopolis.state import (
    A_ALONE,
    A_CARD,
    A_CELL,
    A_DONE,
    A_GOOD,
    A_NEW_HAND,
    A_PICK,
    A_RETURN,
    A_SHIFT,
    A_STEP,
    A_TILE,
    BLUE,
    CHARACTER,
    CHOOSE,
    CHOSE,
    CITY,
    COMMITTED,
    CONSTRUCT,
    CONSTRUCTED,
    DRAFT,
    DREW_CARD,
    DREW_TILE,
    ENDING,
    EXPLOIT,
    EXPLOITED,
    FELL_BACK,
    FINISHED,
    GAINED,
    GOOD,
    GOT_BACK,
    HAL,
    HAL_CARD,
    HAL_STOPPED,
    HAND,
    KEPT_CHARACTERS,
    MARKER,
    MARKER_MOVED,
    MARKER_SHIFTED,
    MARKERS,
    NEW_HAND,
    NOBODY,
    NUMBERS,
    PASSED_HANDS,
    PICKED,
    POINT,
    REBUILT,
    RED,
    RESOURCE,
    RETURN,
    RETURNED,
    RETURNING,
    RING,
    ROUND,
    SAW_RETURNED,
    STARTED,
    TILE,
    TILES,
    TILES_OUT,
    TYPES,
    URBAN,
    URBANIZE,
    URBANIZED,
)

START_TILES = 9

# --- 2. Set-up ---------------------------------------------------------------------------------------------------


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 2.2. ``s`` is a template: cards, tiles and characters in order, options set, generator keyed."""
    out_of_line()
    lay_out_city(s, trace)
    shuffle(s.rng, s.tiles, s.tiles_left)  # the removed ones are at the bottom
    shuffle(s.rng, s.deck, s.deck_left)
    for _ in range(s.rebuild_discards):
        discard_unseen(s)
    shuffle(s.rng, s.character_deck, s.character_left)
    s.first = 0 if s.first_rule else below(s.rng, s.players)
    note(trace, STARTED, s.first, 0, 0, 0, 0)
    for owner in range(s.owners):
        s.supply[owner] = s.resources
    if s.players == 1:
        gain(s, 0, RESOURCE, s.solo_start[RESOURCE], trace)
        gain(s, 0, POINT, s.solo_start[POINT], trace)
        draw_start_tiles(s, 0, s.solo_start[TILE], trace)
        begin_round(s, trace)
    elif s.draft_rule:
        for _ in range(HAND):
            for seat in range(s.players):
                s.character_left -= 1
                deal_character(s, seat, s.character_deck[s.character_left])
                s.character_deck[s.character_left] = 0
        s.phase = DRAFT
        s.waiting = (1 << s.players) - 1
    else:
        deal_sets(s, trace)
        begin_round(s, trace)


@kernel
def lay_out_city(s: Record, trace: Record) -> None:
    """Sections 2.2.1 and 2.2.2: nine tiles at random in a square, the markers around it in order."""
    for i in range(START_TILES):
        s.top[i] = i // 3 * NUMBERS + i % 3 + 1
        s.x[i] = i % 3 - 1
        s.y[i] = 1 - i // 3
        s.height[i] = 1
        s.owner[i] = NOBODY
    shuffle(s.rng, s.top, START_TILES)
    s.buildings = START_TILES
    for i in range(START_TILES):
        note(trace, CITY, NO_SEAT, s.x[i], s.y[i], s.top[i], 0)
    for marker in range(MARKERS):
        side, place = marker // 3, marker % 3 - 1
        s.marker_x[marker] = place if side == 0 else 2 if side == 1 else -place if side == 2 else -2
        s.marker_y[marker] = 2 if side == 0 else -place if side == 1 else -2 if side == 2 else place


@kernel
def deal_character(s: Record, seat: int, character: int) -> None:
    place = 0
    while s.draft[seat][place] != 0:
        place += 1
    s.draft[seat][place] = character


@kernel
def deal_sets(s: Record, trace: Record) -> None:
    """Section 2.2.8, the introductory game: each player gets one of the six sets at random."""
    out_of_line()
    used = 0
    for seat in range(s.players):
        chosen = below(s.rng, 6 - seat)
        number = 0
        while used >> number & 1 or chosen > 0:
            chosen -= 0 if used >> number & 1 else 1
            number += 1
        used |= 1 << number
        for i in range(KEPT_CHARACTERS):
            s.characters[seat][i] = s.sets[number][i] + 1
    show_characters(s, trace)


@kernel
def show_characters(s: Record, trace: Record) -> None:
    """Section 2.2.9: everybody takes what the three characters start with; tiles in seat order."""
    out_of_line()
    for seat in range(s.players):
        for i in range(KEPT_CHARACTERS):
            character = s.characters[seat][i] - 1
            note(trace, CHARACTER, seat, character, 0, 0, 0)
            s.bonus[seat][character % 3][good_of(character // 3)] += 1
    for seat in range(s.players):
        tiles = 0
        for i in range(KEPT_CHARACTERS):
            character = s.characters[seat][i] - 1
            gain(s, seat, RESOURCE, s.start[character][RESOURCE], trace)
            gain(s, seat, POINT, s.start[character][POINT], trace)
            tiles += s.start[character][TILE]
        draw_start_tiles(s, seat, tiles, trace)


@kernel
def good_of(colour: int) -> int:
    """Section 1: red gives resources, blue tiles, yellow points."""
    return RESOURCE if colour == RED else TILE if colour == BLUE else POINT


@kernel
def draw_start_tiles(s: Record, seat: int, count: int, trace: Record) -> None:
    for _ in range(count):
        if supply_of_tiles(s) > 0:
            draw_tile(s, seat, trace)


# --- Goods -------------------------------------------------------------------------------------------------------


@kernel
def gain(s: Record, owner: int, good: int, count: int, trace: Record) -> None:
    """Resources or points from the supply; D07: what is not there is lost."""
    if good == RESOURCE:
        count = min(count, s.supply[owner])
        s.supply[owner] -= count
        s.stock[owner] += count
    else:
        s.points[owner] += count
    if count > 0:
        note(trace, GAINED, owner, good, count, 0, 0)


@kernel
def supply_of_tiles(s: Record) -> int:
    """How many tiles can be drawn; below them lie the ones that were removed."""
    return s.tiles_left - s.removed


@kernel
def draw_tile(s: Record, seat: int, trace: Record) -> None:
    s.tiles_left -= 1
    tile = s.tiles[s.tiles_left] + 0
    s.tiles[s.tiles_left] = 0
    s.holder[tile] = seat + 1
    s.count[seat] += 1
    note(trace, DREW_TILE, seat, tile, 0, 0, 0)


# --- Characters --------------------------------------------------------------------------------------------------


@kernel
def pick(s: Record, seat: int, character: int, trace: Record) -> None:
    """Section 2.2.8, the regular game: one is kept in secret, the others go to the left, until three are kept."""
    out_of_line()
    round_number = 0
    while s.characters[seat][round_number] != 0:
        round_number += 1
    s.characters[seat][round_number] = character + 1
    remove_first(s.draft[seat], character + 1)
    note(trace, PICKED, seat, 0, 0, 0, 0)
    s.waiting &= ~(1 << seat)
    if s.waiting != 0:
        return
    if round_number + 1 < KEPT_CHARACTERS:
        pass_drafts(s)
        s.waiting = (1 << s.players) - 1
        return
    for other in range(s.players):  # the one left over returns to the box
        s.character_deck[s.character_left] = s.draft[other][0]
        s.character_left += 1
        s.draft[other][0] = 0
    show_characters(s, trace)
    begin_round(s, trace)


@kernel
def remove_first(cards: Record, card: int) -> None:
    """Take a card out of four places and close the gap."""
    found = 0
    for i in range(HAND):
        if found == 0 and cards[i] == card:
            found = 1
        if found:
            cards[i] = cards[i + 1] if i + 1 < HAND else 0


@kernel
def pass_drafts(s: Record) -> None:
    for i in range(HAND):
        kept = s.draft[s.players - 1][i] + 0
        for seat in range(s.players - 1, 0, -1):
            s.draft[seat][i] = s.draft[seat - 1][i]
        s.draft[0][i] = kept


# --- The deck ----------------------------------------------------------------------------------------------------


@kernel
def discard_card(s: Record, card: int) -> None:
    s.discard[s.discard_left] = card
    s.discard_left += 1


@kernel
def discard_unseen(s: Record) -> None:
    """The top card of the deck to the discard pile, face down (D19)."""
    s.deck_left -= 1
    discard_card(s, s.deck[s.deck_left])
    s.deck[s.deck_left] = 0


@kernel
def top_card(s: Record) -> int:
    s.deck_left -= 1
    card = s.deck[s.deck_left] + 0
    s.deck[s.deck_left] = 0
    s.seen[card] = 0
    return card


@kernel
def rebuild_if_empty(s: Record, trace: Record) -> None:
    """Sections 4.3.3 and 4.4, D18: the deck is rebuilt as soon as its last card is drawn."""
    if s.deck_left == 0:
        rebuild(s, trace)


@kernel
def draw_card(s: Record, trace: Record) -> int:
    card = top_card(s)
    rebuild_if_empty(s, trace)
    return card


@kernel
def draw_to_hand(s: Record, seat: int, trace: Record) -> None:
    card = top_card(s)
    s.seen[card] = 1 << seat
    put_in_hand(s, seat, card)
    note(trace, DREW_CARD, seat, card, 0, 0, 0)
    rebuild_if_empty(s, trace)


@kernel
def put_in_hand(s: Record, seat: int, card: int) -> None:
    place = 0
    while s.hand[seat][place] != 0:
        place += 1
    s.hand[seat][place] = card


@kernel
def rebuild(s: Record, trace: Record) -> None:
    """Section 4.4: the cards of what was built come in, the discards are shuffled, some are discarded again."""
    out_of_line()
    added = 0
    for building in range(s.buildings):
        if s.site[building]:
            s.site[building] = 0
            s.seen[s.top[building]] = 0
            discard_card(s, s.top[building])
            added += 1
    for i in range(s.discard_left):
        s.deck[i] = s.discard[i]
        s.seen[s.discard[i]] = 0
        s.discard[i] = 0
    s.deck_left = s.discard_left
    s.discard_left = 0
    shuffle(s.rng, s.deck, s.deck_left)
    for _ in range(s.rebuild_discards):
        discard_unseen(s)
    note(trace, REBUILT, NO_SEAT, added, s.deck_left, s.discard_left, 0)


# --- 4. Round ----------------------------------------------------------------------------------------------------


@kernel
def actors(s: Record) -> int:
    """Bit mask of the seats that must decide: several while cards are chosen, drafted, or tiles returned."""
    if s.finished:
        return 0
    if s.phase == GOOD or s.phase == MARKER:
        return 1 << s.mover
    return s.waiting + 0


@kernel
def finished(s: Record) -> bool:
    return s.finished != 0


@kernel
def offer(out: Record, n: int, action: int, allowed: bool) -> int:
    """Write an action that counts only if it is allowed: the processor, which cannot guess that, need not."""
    out.values[n] = action
    return n + (1 if allowed else 0)


@kernel
def concealed(s: Record) -> bool:
    """Section 3: characters, cards and returned tiles are chosen by all in secret."""
    return bool(s.phase == DRAFT or s.phase == CHOOSE or s.phase == RETURN)


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Write the legal actions of a seat; return how many (0 when it owes no decision)."""
    if seat < 0 or actors(s) >> seat & 1 == 0:
        return 0
    if s.phase == CHOOSE:
        return legal_choices(s, seat, out)
    return legal_others(s, seat, out)


@kernel
def legal_choices(s: Record, seat: int, out: Record) -> int:
    """Section 4.1: a card, then a tile to go with it or none; before that a new hand."""
    n = 0
    if s.choosing[seat]:
        n = offer(out, n, A_ALONE, True)
        for tile in range(1, TILES + 1):
            n = offer(out, n, A_TILE + tile, s.holder[tile] == seat + 1)
        return n
    for place in range(HAND):
        n = offer(out, n, A_CARD + s.hand[seat][place], s.hand[seat][place] != 0)
    return offer(out, n, A_NEW_HAND, s.new_hands[seat] > 0)


@kernel
def legal_others(s: Record, seat: int, out: Record) -> int:
    out_of_line()
    n = 0
    if s.phase == DRAFT:
        for character in range(TYPES):
            held = False
            for place in range(HAND):
                held |= s.draft[seat][place] == character + 1
            n = offer(out, n, A_PICK + character, held)
        return n
    if s.phase == GOOD:
        n = offer(out, n, A_GOOD + RESOURCE, s.supply[seat] > 0)
        return offer(out, n, A_GOOD + TILE, supply_of_tiles(s) > 0)
    if s.phase == RETURN:
        for tile in range(s.last[seat] + 1, TILES + 1):
            n = offer(out, n, A_RETURN + tile, s.holder[tile] == seat + 1)
        return offer(out, n, A_DONE, True)
    return legal_destinations(s, out)


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """Play a legal action."""
    if action <= A_CARD:
        pick(s, seat, action - A_PICK, trace)
    elif action < A_ALONE:
        s.chosen[seat] = action - A_CARD
        remove_first(s.hand[seat], action - A_CARD)
        if s.count[seat] > 0:
            s.choosing[seat] = 1
        else:
            commit(s, seat, 0, trace)
    elif action <= A_TILE + TILES:
        s.choosing[seat] = 0
        commit(s, seat, action - A_TILE, trace)
    elif action == A_NEW_HAND:
        new_hand(s, seat, trace)
    elif action < A_STEP:
        take_good(s, seat, action - A_GOOD, trace)
    elif action <= A_CELL + RING - 1:
        place_marker(s, seat, action, trace)
    else:
        choose_returns(s, seat, action, trace)


@kernel
def begin_round(s: Record, trace: Record) -> None:
    """Sections 2.2.10 and 4.1; section 7.1 in the solo game."""
    out_of_line()
    s.round += 1
    s.acted = 0
    note(trace, ROUND, s.first, s.round, 0, 0, 0)
    if s.players == 1:
        for _ in range(s.hand_size):
            draw_to_hand(s, 0, trace)
        s.hal_card = draw_card(s, trace)
    elif s.round == 1:
        seat = s.first + 0
        for _ in range(s.players):  # D47
            for _ in range(HAND):
                draw_to_hand(s, seat, trace)
            seat = left_neighbour(s, seat)
    s.phase = CHOOSE
    s.waiting = (1 << s.players) - 1


@kernel
def left_neighbour(s: Record, seat: int) -> int:
    return seat + 1 if seat + 1 < s.players else 0


@kernel
def new_hand(s: Record, seat: int, trace: Record) -> None:
    """Section 4.1, D20, D21, D52: executed at once, in the order in which they are announced."""
    out_of_line()
    s.new_hands[seat] -= 1
    note(trace, NEW_HAND, seat, s.new_hands[seat], 0, 0, 0)
    for place in range(HAND):
        discard_card(s, s.hand[seat][place])
        s.hand[seat][place] = 0
    for _ in range(HAND):
        draw_to_hand(s, seat, trace)


@kernel
def commit(s: Record, seat: int, tile: int, trace: Record) -> None:
    """Section 4.1: face down; that a tile lies on the card shows."""
    s.tile[seat] = tile
    if tile > 0:
        s.holder[tile] = 0
        s.count[seat] -= 1
    note(trace, COMMITTED, seat, 1 if tile > 0 else 0, 0, 0, 0)
    note(trace, CHOSE, seat, s.chosen[seat], tile, 0, 0)
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        s.actor = s.first
        go_on(s, act(s, trace), trace)


# --- 4.2, 5. Acting ----------------------------------------------------------------------------------------------


@kernel
def act(s: Record, trace: Record) -> bool:
    """Section 4.2: the actor's card and tile say what is done; D04 to D06: what cannot be paid is an Exploit.

    Returns whether the action is complete; otherwise somebody has to decide something in the middle of it.
    """
    out_of_line()
    owner = s.actor + 0
    card = s.chosen[owner] + 0
    tile = s.tile[owner] + 0
    s.played[owner] = card
    s.played_tile[owner] = tile
    if tile > 0 and not can_pay(s, owner, card, tile):
        note(trace, FELL_BACK, owner, card, tile, 0, 0)
        s.holder[tile] = owner + 1
        s.count[owner] += 1
        s.tile[owner] = 0
        tile = 0
    s.seen[card] = -1
    if tile == 0:
        return exploit(s, owner, card, trace)
    if card > URBAN:
        urbanize(s, owner, card, tile, trace)
        return False
    return construct(s, owner, card, tile, trace)


@kernel
def building_of(s: Record, card: int) -> int:
    """The building whose top tile a card names; the theorems of section 4.4 say that it exists."""
    building = 0
    while s.top[building] != card:
        building += 1
    return building


@kernel
def can_pay(s: Record, owner: int, card: int, tile: int) -> bool:
    """Sections 5.2 and 5.3; Hal pays from the supply, and no points (D36)."""
    purse = s.supply[owner] if owner >= s.players else s.stock[owner]
    if card > URBAN:
        return purse >= 1
    building = building_of(s, card)
    height = s.height[building] + 0
    returned = height if s.owner[building] == owner else 0
    if owner >= s.players:
        return purse + returned >= height + 1
    changed = 1 if colour_of(card) != colour_of(tile) else 0
    return purse + returned >= height + 1 + changed and s.points[owner] >= lower_by(card, tile)


@kernel
def colour_of(card: int) -> int:
    return (card - 1) // NUMBERS


@kernel
def number_of(card: int) -> int:
    return (card - 1) % NUMBERS + 1


@kernel
def lower_by(card: int, tile: int) -> int:
    """By how much a tile is lower than what it covers."""
    return max(number_of(card) - number_of(tile), 0)


@kernel
def exploit(s: Record, owner: int, card: int, trace: Record) -> bool:
    """Section 5.1: the yield, the bonuses, the card is discarded."""
    note(trace, EXPLOITED, owner, card, 0, 0, 0)
    s.chosen[owner] = 0
    discard_card(s, card)
    if card > URBAN:
        resources, tiles = s.supply[owner] > 0, supply_of_tiles(s) > 0
        if resources and tiles:  # D33: chosen when the action resolves
            s.phase = GOOD
            s.mover = owner
            return False
        if resources:  # D08
            gain(s, owner, RESOURCE, 1, trace)
        s.owed = 1 if tiles else 0
    else:
        building = building_of(s, card)
        collect(s, owner, good_of(colour_of(card)), s.height[building], trace)
    take_bonus(s, owner, EXPLOIT, trace)
    return draw_owed(s, trace)


@kernel
def take_good(s: Record, seat: int, good: int, trace: Record) -> None:
    """Section 5.1.1: what an urbanization card alone brings."""
    collect(s, seat, good, 1, trace)
    take_bonus(s, seat, EXPLOIT, trace)
    go_on(s, draw_owed(s, trace), trace)


@kernel
def collect(s: Record, owner: int, good: int, count: int, trace: Record) -> None:
    """Resources and points at once; tiles are owed, and drawn last."""
    if good == TILE:
        s.owed += count
    else:
        gain(s, owner, good, count, trace)


@kernel
def take_bonus(s: Record, owner: int, trigger: int, trace: Record) -> None:
    """The bonuses of all cards in the tableau that wait for this action. Hal has none (section 7)."""
    if owner < s.players:
        for good in range(3):
            count = s.bonus[owner][trigger][good] + 0
            if count > 0:
                collect(s, owner, good, count, trace)


@kernel
def draw_owed(s: Record, trace: Record) -> bool:
    """Section 6.1, D09: tiles one by one; when the last one is drawn for the first time everybody may return tiles.

    Returns whether the action is complete.
    """
    while s.owed > 0:
        if supply_of_tiles(s) <= 0:  # D12
            s.owed = 0
            break
        draw_tile(s, s.actor, trace)
        s.owed -= 1
        if supply_of_tiles(s) <= 0 and run_out(s, trace):
            return False
    return True


@kernel
def run_out(s: Record, trace: Record) -> bool:
    """The tile supply is empty. True when the players are asked for tiles."""
    out_of_line()
    s.depleted += 1
    note(trace, TILES_OUT, NO_SEAT, s.depleted, 0, 0, 0)
    if s.depleted > 1 or s.players == 1:  # section 7: once, in the solo game
        end_soon(s, trace)
        return False
    if not s.interrupt:
        s.owed = 0
    s.waiting = 0
    for seat in range(s.players):
        s.last[seat] = 0
        if s.count[seat] > 0:
            s.waiting |= 1 << seat
    if s.waiting == 0:
        settle_returns(s, trace)
        return False
    s.phase = RETURN
    return True


@kernel
def end_soon(s: Record, trace: Record) -> None:
    """Section 6.2: the round is finished, then the game ends."""
    if not s.ending:
        s.ending = 1
        note(trace, ENDING, NO_SEAT, s.depleted, 0, 0, 0)


@kernel
def choose_returns(s: Record, seat: int, action: int, trace: Record) -> None:
    """Section 6.1: tiles are named in order, and given back by all together."""
    out_of_line()
    if action < A_DONE:
        tile = action - A_RETURN
        s.holder[tile] = seat + 1 + RETURNING
        s.last[seat] = tile
        return
    s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        settle_returns(s, trace)
        go_on(s, draw_owed(s, trace), trace)


@kernel
def settle_returns(s: Record, trace: Record) -> None:
    """One point for each tile that was given back; D11: when nobody gives any, the supply is empty again."""
    out_of_line()
    total = 0
    for seat in range(s.players):
        given = 0
        s.last[seat] = 0
        for tile in range(1, TILES + 1):
            if s.holder[tile] == seat + 1 + RETURNING:
                given += 1
        note(trace, RETURNED, seat, given, given * s.returned_points, 0, 0)
        s.points[seat] += given * s.returned_points
        s.count[seat] -= given
        for tile in range(1, TILES + 1):
            if s.holder[tile] == seat + 1 + RETURNING:
                s.holder[tile] = 0
                s.tiles[s.tiles_left] = tile
                s.tiles_left += 1
                total += 1
                note(trace, SAW_RETURNED, seat, tile, 0, 0, 0)
    s.phase = CHOOSE
    if total == 0:
        s.depleted += 1
        note(trace, TILES_OUT, NO_SEAT, s.depleted, 0, 0, 0)
        end_soon(s, trace)
        return
    # Only the supply is shuffled: the removed tiles stay below it.
    for i in range(s.tiles_left - 1, s.removed, -1):
        j = s.removed + below(s.rng, i + 1 - s.removed)
        kept = s.tiles[i] + 0
        s.tiles[i] = s.tiles[j]
        s.tiles[j] = kept


@kernel
def go_on(s: Record, complete: bool, trace: Record) -> None:
    """Section 4.2: clockwise, as long as the actions are complete; then Hal, in the solo game; then the next round."""
    while complete:
        s.acted += 1
        s.phase = CHOOSE
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


# --- 5.2 Urbanize ------------------------------------------------------------------------------------------------


@kernel
def urbanize(s: Record, owner: int, card: int, tile: int, trace: Record) -> None:
    """Section 5.2: the tile goes to the marker's cell, with a resource; then the marker has to move."""
    marker = card - URBAN - 1
    building = s.buildings + 0
    s.buildings += 1
    s.x[building] = s.marker_x[marker]
    s.y[building] = s.marker_y[marker]
    s.top[building] = tile
    s.height[building] = 1
    s.owner[building] = owner
    s.site[building] = 1
    s.chosen[owner] = 0
    s.tile[owner] = 0
    discard_card(s, card)
    note(trace, URBANIZED, owner, marker, tile, s.x[building], s.y[building])
    place_resources(s, owner, 1, trace)
    s.built = building
    s.moving = marker
    s.mover = min(owner, s.players - 1)  # section 7: the human moves it for Hal
    s.phase = MARKER
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
    if action < A_SHIFT:
        x = s.x[s.built] + step_x(action - A_STEP)
        y = s.y[s.built] + step_y(action - A_STEP)
    elif action < A_CELL:
        shift_marker(s, seat, action - A_SHIFT, trace)
        return
    else:
        x = s.ring_x[action - A_CELL] + 0
        y = s.ring_y[action - A_CELL] + 0
    s.marker_x[s.moving] = x
    s.marker_y[s.moving] = y
    note(trace, MARKER_MOVED, seat, s.moving, x, y, 0)
    for i in range(s.ring_size):
        s.ring_x[i] = 0
        s.ring_y[i] = 0
    s.ring_size = 0
    s.shifted = 0
    s.moving = 0
    s.phase = CHOOSE
    go_on(s, yields(s, trace), trace)


@kernel
def shift_marker(s: Record, seat: int, side: int, trace: Record) -> None:
    """Section 8.1.3: the marker before or after makes room."""
    place = neighbour_place(s, side)
    marker = is_marker_at(s, s.ring_x[place], s.ring_y[place]) - 1
    goal = (place - 1 if side == 0 else place + 1) % s.ring_size
    s.marker_x[marker] = s.ring_x[goal]
    s.marker_y[marker] = s.ring_y[goal]
    s.shifted = 1
    note(trace, MARKER_SHIFTED, seat, marker, s.marker_x[marker], s.marker_y[marker], 0)


@kernel
def yields(s: Record, trace: Record) -> bool:
    """Sections 5.2.4 and 5.2.5: what the neighbours of the new building give, then the bonuses (D01, D15)."""
    owner = s.actor + 0
    if owner >= s.players:
        points = hal_points(s, s.x[s.built], s.y[s.built])
        gain(s, owner, POINT, points, trace)
    else:
        x, y = s.x[s.built] + 0, s.y[s.built] + 0
        for other in range(s.buildings):
            if direction_of(s.x[other] - x, s.y[other] - y) >= 0:
                collect(s, owner, good_of(colour_of(s.top[other])), s.height[other], trace)
    take_bonus(s, owner, URBANIZE, trace)
    return draw_owed(s, trace)


# --- 5.3 Construct -----------------------------------------------------------------------------------------------


@kernel
def construct(s: Record, owner: int, card: int, tile: int, trace: Record) -> bool:
    """Section 5.3, in the printed order; D02: the card that is kept works from the next action on."""
    building = building_of(s, card)
    height = s.height[building] + 0
    before = s.owner[building] + 0
    points = 0
    resource = 0
    if before != NOBODY:
        if before >= s.players:
            s.supply[before] += height  # section 7: Hal's go to the supply
        else:
            s.stock[before] += height
        paid = height if before != owner else 0
        s.points[before] += paid
        note(trace, GOT_BACK, before, height, paid, 0, 0)
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
    note(trace, CONSTRUCTED, owner, card, tile, height + 1, points * 2 + resource)
    place_resources(s, owner, height + 1, trace)
    take_bonus(s, owner, CONSTRUCT, trace)
    if s.trigger[card] >= 0:
        for good in range(3):
            s.bonus[owner][s.trigger[card]][good] += s.gain[card][good]
    return draw_owed(s, trace)


# --- 4.3 The next round ------------------------------------------------------------------------------------------


@kernel
def next_round(s: Record, trace: Record) -> None:
    """Section 4.3: hands go to the left, so does the first player's card; everybody draws a fourth card."""
    out_of_line()
    if s.players == 1:
        begin_round(s, trace)
        return
    for place in range(HAND):
        kept = s.hand[s.players - 1][place] + 0
        for seat in range(s.players - 1, 0, -1):
            s.hand[seat][place] = s.hand[seat - 1][place]
        s.hand[0][place] = kept
    for seat in range(s.players):
        for place in range(HAND):
            s.seen[s.hand[seat][place]] |= 1 << seat
    s.seen[0] = 0
    s.first = left_neighbour(s, s.first)
    note(trace, PASSED_HANDS, s.first, 0, 0, 0, 0)
    seat = s.first + 0
    for _ in range(s.players):
        draw_to_hand(s, seat, trace)
        seat = left_neighbour(s, seat)
    begin_round(s, trace)


# --- 7. Hal ------------------------------------------------------------------------------------------------------


@kernel
def discard_unused(s: Record) -> None:
    """Section 7.2: the human's unused cards, before Hal acts: his second card may empty the deck, which is rebuilt with
    them."""
    for place in range(HAND):
        if s.hand[0][place] != 0:
            discard_card(s, s.hand[0][place])
            s.hand[0][place] = 0


@kernel
def hal_acts(s: Record, trace: Record) -> bool:
    """Section 7.3: Hal always builds, with a random tile; D38: without one his action is skipped.

    Returns whether the action is complete.
    """
    out_of_line()
    s.actor = HAL
    card = s.hal_card + 0
    s.hal_card = 0
    s.seen[card] = -1
    s.put_aside = 0
    note(trace, HAL_CARD, NO_SEAT, card, 0, 0, 0)
    if s.expert and card > URBAN:
        card = expert_card(s, card, trace)
    s.played[HAL] = card
    s.played_tile[HAL] = 0
    if supply_of_tiles(s) <= 0:
        discard_card(s, card)
        return True
    s.tiles_left -= 1
    tile = s.tiles[s.tiles_left] + 0
    if not can_pay(s, HAL, card, tile):  # D37, D51: the tile goes back, the game ends at once
        s.tiles_left += 1
        discard_card(s, card)
        note(trace, HAL_STOPPED, NO_SEAT, card, 0, 0, 0)
        end_game(s, trace)
        return False
    s.tiles[s.tiles_left] = 0
    s.played_tile[HAL] = tile
    if supply_of_tiles(s) <= 0:
        run_out(s, trace)
    if card > URBAN:
        urbanize(s, HAL, card, tile, trace)
        return False
    return construct(s, HAL, card, tile, trace)


@kernel
def expert_card(s: Record, card: int, trace: Record) -> int:
    """Section 7, expert: for an urbanization card another is drawn; D49: a building card is used, another urbanization
    card only if it brings more points. D40: the card that is not used is discarded."""
    other = draw_card(s, trace)
    s.seen[other] = -1
    note(trace, HAL_CARD, NO_SEAT, other, 1, 0, 0)
    better = False
    if other > URBAN:
        better = marker_points(s, other) > marker_points(s, card)
    else:
        # The tile is not drawn yet, and Hal pays for neither number nor colour.
        better = not s.expert_pays or can_pay(s, HAL, other, other)
    s.put_aside = card if better else other
    discard_card(s, s.put_aside)
    return other if better else card


@kernel
def marker_points(s: Record, card: int) -> int:
    marker = card - URBAN - 1
    return hal_points(s, s.marker_x[marker], s.marker_y[marker])


@kernel
def hal_points(s: Record, x: int, y: int) -> int:
    """Section 7.3, D35: what Hal gets for a new building: the heights of its neighbours, or one for each."""
    points = 0
    for direction in range(4):
        other = building_at(s, x + step_x(direction), y + step_y(direction))
        if other >= 0:
            points += s.height[other] if s.hal_heights else 1
    return points


# --- 6. End of the game ------------------------------------------------------------------------------------------


@kernel
def end_game(s: Record, trace: Record) -> None:
    """Section 6.3."""
    out_of_line()
    s.waiting = 0
    final_scores(s, trace)
    s.finished = 1
    note(trace, FINISHED, NO_SEAT, winners(s), 0, 0, 0)


@kernel
def scores(s: Record, out: Record) -> int:
    """Points so far; cards, tokens and districts are counted at the end. Returns how many owners there are: Hal too."""
    for owner in range(s.owners):
        out.values[owner] = s.points[owner]
    return s.owners + 0
