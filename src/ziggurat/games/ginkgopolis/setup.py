"""Set-up (section 2): the city, the characters, and the cards with which a round begins."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.ginkgopolis import events, state
from ziggurat.games.ginkgopolis.cards import good_of
from ziggurat.games.ginkgopolis.city import draw_plan
from ziggurat.games.ginkgopolis.supply import discard_unseen, draw_card, draw_tile, draw_to_hand, gain, supply_of_tiles

START_TILES = 9


@kernel
def setup(s: Record, trace: Record) -> None:
    """Section 2.2. ``s`` is a template: cards, tiles and characters in order, options set, generator keyed."""
    out_of_line()
    lay_out_city(s, trace)
    shuffle(s.rng, s.tiles, s.tiles_left)  # the removed ones are at the bottom
    shuffle(s.rng, s.deck, s.deck_left)
    discard_unseen(s, s.rebuild_discards)
    shuffle(s.rng, s.character_deck, s.character_left)
    s.first = 0 if s.first_rule else below(s.rng, s.players)
    note(trace, events.START, s.first)
    for owner in range(s.owners):
        s.supply[owner] = s.resources
    if s.players == 1:
        gain(s, 0, state.RESOURCE, s.solo_start[state.RESOURCE], trace)
        gain(s, 0, state.POINT, s.solo_start[state.POINT], trace)
        draw_start_tiles(s, 0, s.solo_start[state.TILE], trace)
        begin_round(s, trace)
    elif s.draft_rule:
        for _ in range(state.HAND):
            for seat in range(s.players):
                s.character_left -= 1
                deal_character(s, seat, s.character_deck[s.character_left])
                s.character_deck[s.character_left] = 0
        s.phase = state.DRAFT
        s.waiting = (1 << s.players) - 1
    else:
        deal_sets(s, trace)
        begin_round(s, trace)


@kernel
def lay_out_city(s: Record, trace: Record) -> None:
    """Sections 2.2.1 and 2.2.2: nine tiles at random in a square, the markers around it in order."""
    for i in range(START_TILES):
        s.top[i] = i // 3 * state.NUMBERS + i % 3 + 1
        s.x[i] = i % 3 - 1
        s.y[i] = 1 - i // 3
        s.height[i] = 1
        s.owner[i] = state.NOBODY
    shuffle(s.rng, s.top, START_TILES)
    s.buildings = START_TILES
    for i in range(START_TILES):
        note(trace, events.CITY, NO_SEAT, s.top[i])
    for marker in range(state.MARKERS):
        side, place = marker // 3, marker % 3 - 1
        s.marker_x[marker] = place if side == 0 else 2 if side == 1 else -place if side == 2 else -2
        s.marker_y[marker] = 2 if side == 0 else -place if side == 1 else -2 if side == 2 else place
    draw_plan(s)


# --- 2.2.8 Characters -------------------------------------------------------------------------------------------------


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
        for i in range(state.KEPT_CHARACTERS):
            s.characters[seat][i] = s.sets[number][i] + 1
    show_characters(s, trace)


@kernel
def pick(s: Record, seat: int, character: int, trace: Record) -> None:
    """Section 2.2.8, the regular game: one is kept in secret, the others go to the left, until three are kept."""
    out_of_line()
    round_number = 0
    while s.characters[seat][round_number] != 0:
        round_number += 1
    s.characters[seat][round_number] = character + 1
    remove_first(s.draft[seat], character + 1)
    note(trace, events.PICKED, seat)
    s.waiting &= ~(1 << seat)
    if s.waiting != 0:
        return
    if round_number + 1 < state.KEPT_CHARACTERS:
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
def pass_drafts(s: Record) -> None:
    for i in range(state.HAND):
        kept = s.draft[s.players - 1][i] + 0
        for seat in range(s.players - 1, 0, -1):
            s.draft[seat][i] = s.draft[seat - 1][i]
        s.draft[0][i] = kept


@kernel
def remove_first(cards: Record, card: int) -> None:
    """Take a card out of the four places, in one of which it is, and close the gap."""
    gap = 0
    for place in range(state.HAND - 1):
        gap |= 1 if cards[place] == card else 0
        cards[place] = cards[place + gap]
    cards[state.HAND - 1] = 0


@kernel
def show_characters(s: Record, trace: Record) -> None:
    """Section 2.2.9: everybody takes what the three characters start with; tiles in seat order."""
    out_of_line()
    for seat in range(s.players):
        for i in range(state.KEPT_CHARACTERS):
            character = s.characters[seat][i] - 1
            note(trace, events.CHARACTER, seat, character)
            s.bonus[seat][character % 3][good_of(character // 3)] += 1
    for seat in range(s.players):
        tiles = 0
        for i in range(state.KEPT_CHARACTERS):
            character = s.characters[seat][i] - 1
            gain(s, seat, state.RESOURCE, s.start[character][state.RESOURCE], trace)
            gain(s, seat, state.POINT, s.start[character][state.POINT], trace)
            tiles += s.start[character][state.TILE]
        draw_start_tiles(s, seat, tiles, trace)


@kernel
def draw_start_tiles(s: Record, seat: int, count: int, trace: Record) -> None:
    for _ in range(count):
        if supply_of_tiles(s) > 0:
            draw_tile(s, seat, trace)


# --- 2.2.10 Cards -----------------------------------------------------------------------------------------------------


@kernel
def begin_round(s: Record, trace: Record) -> None:
    """Sections 2.2.10 and 4.1; section 7.1 in the solo game."""
    out_of_line()
    s.round += 1
    s.acted = 0
    note(trace, events.ROUND, s.first, s.round)
    if s.players == 1:
        for _ in range(s.hand_size):
            draw_to_hand(s, 0, trace)
        s.hal_card = draw_card(s, trace)
    elif s.round == 1:
        seat = s.first + 0
        for _ in range(s.players):  # D47
            for _ in range(state.HAND):
                draw_to_hand(s, seat, trace)
            seat = left_neighbour(s, seat)
    s.phase = state.CHOOSE
    s.waiting = (1 << s.players) - 1


@kernel
def left_neighbour(s: Record, seat: int) -> int:
    return seat + 1 if seat + 1 < s.players else 0
