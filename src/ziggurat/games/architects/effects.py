"""Section 4: the effects of the wonders, each at once when its stage is built."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import shuffle
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.architects import state
from ziggurat.games.architects.decks import cards_left, deck_at, in_play, receive, take, top_of
from ziggurat.games.architects.science import legal_tokens, offer, take_token, token_named, tokens_left


@kernel
def begin_effect(s: Record, seat: int, trace: Record) -> None:
    """Section 4: at once; what cannot happen is lost."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    if wonder == state.GIZA:
        return
    if wonder == state.RHODES:
        s.shields[seat] += s.rhodes_shields
        return
    possible = False
    if wonder == state.ALEXANDRIA:
        possible = cards_left(s)
    elif wonder == state.BABYLON:
        possible = tokens_left(s)
    elif wonder == state.EPHESUS:
        possible = s.deck_left[state.CENTRAL] > 0
    else:
        possible = s.deck_left[deck_at(s, seat, state.LEFT)] > 0 or s.deck_left[deck_at(s, seat, state.RIGHT)] > 0
    if not possible:
        note(trace, state.EFFECT_LOST, seat, wonder, 0, 0, 0)
    elif s.effect_optional or wonder not in (state.EPHESUS, state.OLYMPIA):
        s.phase = state.EFFECT
    else:
        draw_for_effect(s, seat, trace)


@kernel
def draw_for_effect(s: Record, seat: int, trace: Record) -> None:
    """Ephesus: the central card. Olympia, A17: the cards of both sides; an empty deck gives nothing."""
    wonder = s.wonder[seat] + 0
    if wonder == state.EPHESUS:
        take(s, seat, state.CENTRAL, state.BY_WONDER + wonder, trace)
        return
    for side in range(2):
        deck = deck_at(s, seat, side)
        if s.deck_left[deck] > 0:
            take(s, seat, deck, state.BY_WONDER + wonder, trace)


@kernel
def legal_effects(s: Record, seat: int, out: Record) -> int:
    """What a wonder's effect asks."""
    out_of_line()
    n = 0
    if s.phase == state.KEEP:
        shown = 0
        left = s.deck_left[s.looking] + 0
        for place in range(left - 1, max(left - s.looks_at, 0) - 1, -1):
            kind = s.deck[s.looking][place] + 0
            n = offer(out, n, state.A_KEEP + kind, shown >> kind & 1 == 0)
            shown |= 1 << kind
        return n
    wonder = s.wonder[seat] + 0
    if wonder == state.ALEXANDRIA:
        for deck in range(8):
            n = offer(out, n, state.A_ANY + deck, in_play(s, deck) and s.deck_left[deck] > 0)
    elif wonder == state.BABYLON:
        n = legal_tokens(s, out, n, state.A_TOKEN)
    elif wonder == state.HALICARNASSUS:
        for side in range(2):
            n = offer(out, n, state.A_LOOK + side, s.deck_left[deck_at(s, seat, side)] > 0)  # A18
    else:
        n = offer(out, n, state.A_ACCEPT, True)
    return offer(out, n, state.A_DECLINE, s.effect_optional != 0)


@kernel
def resolve(s: Record, seat: int, action: int, trace: Record) -> None:
    """What the player chose for the wonder's effect."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    s.phase = state.ACT
    if action == state.A_DECLINE:
        note(trace, state.DECLINED, seat, wonder, 0, 0, 0)
    elif action == state.A_ACCEPT:
        draw_for_effect(s, seat, trace)
    elif action < state.A_ANY:
        token = action - state.A_TOKEN
        note(trace, state.GRANTED, seat, token_named(s, token), 1 if token == state.STACK else 0, wonder, 0)
        take_token(s, seat, token, trace)
    elif action < state.A_LOOK:
        take(s, seat, action - state.A_ANY, state.BY_WONDER + wonder, trace)
    elif action < state.A_KEEP:
        look_at_cards(s, seat, deck_at(s, seat, action - state.A_LOOK), trace)
    else:
        keep_card(s, seat, action - state.A_KEEP, trace)


@kernel
def look_at_cards(s: Record, seat: int, deck: int, trace: Record) -> None:
    """Halicarnassus: the top five cards, or what there is; A38: they still lie on the deck."""
    s.looking = deck
    s.phase = state.KEEP
    count = min(s.looks_at, s.deck_left[deck])
    note(trace, state.LOOKED, seat, deck, count, 0, 0)
    code = state.LOOKED_AT if s.reveal_public else state.SAW_CARDS
    for place in range(s.deck_left[deck] - 1, s.deck_left[deck] - 1 - count, -1):
        note(trace, code, seat, s.deck[deck][place], deck, 0, 0)


@kernel
def keep_card(s: Record, seat: int, kind: int, trace: Record) -> None:
    """Halicarnassus: one card is kept, the others are shuffled back into the whole deck."""
    deck = s.looking + 0
    place = s.deck_left[deck] - 1
    while s.deck[deck][place] != kind:
        place -= 1
    s.deck_left[deck] -= 1
    left = s.deck_left[deck] + 0
    for i in range(place, left):
        s.deck[deck][i] = s.deck[deck][i + 1]
    s.deck[deck][left] = 0
    s.looking = state.NO_DECK
    shuffle(s.rng, s.deck[deck], left)
    receive(s, seat, kind, deck, state.BY_WONDER + state.HALICARNASSUS, trace)
    if left > 0:
        note(trace, state.RESHUFFLED, NO_SEAT, deck, left, 0, 0)
    note(trace, state.DECK_TOP, NO_SEAT, deck, top_of(s, deck), left, 0)
