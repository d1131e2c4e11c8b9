"""Section 4: the effects of the wonders, each at once when its stage is built."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.random import shuffle
from ziggurat.core.trace import NO_SEAT, note, offer
from ziggurat.games.architects import choices, events, state
from ziggurat.games.architects.decks import cards_left, deck_at, in_play, receive, take, top_of
from ziggurat.games.architects.science import legal_tokens, take_token, token_named, tokens_left


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
        note(trace, events.EFFECT_LOST, seat, wonder)
    elif s.effect_optional or wonder not in (state.EPHESUS, state.OLYMPIA):
        s.phase = state.EFFECT
    else:
        draw_for_effect(s, seat, trace)


@kernel
def draw_for_effect(s: Record, seat: int, trace: Record) -> None:
    """Ephesus: the central card. Olympia, A17: the cards of both sides; an empty deck gives nothing."""
    wonder = s.wonder[seat] + 0
    if wonder == state.EPHESUS:
        take(s, seat, state.CENTRAL, events.BY_WONDER + wonder, trace)
        return
    for side in range(2):
        deck = deck_at(s, seat, side)
        if s.deck_left[deck] > 0:
            take(s, seat, deck, events.BY_WONDER + wonder, trace)


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
            n = offer(out, n, choices.KEEP + kind, shown >> kind & 1 == 0)
            shown |= 1 << kind
        return n
    wonder = s.wonder[seat] + 0
    if wonder == state.ALEXANDRIA:
        for deck in range(8):
            n = offer(out, n, choices.ANY + deck, in_play(s, deck) and s.deck_left[deck] > 0)
    elif wonder == state.BABYLON:
        n = legal_tokens(s, out, n, choices.TOKEN)
    elif wonder == state.HALICARNASSUS:
        for side in range(2):
            n = offer(out, n, choices.LOOK + side, s.deck_left[deck_at(s, seat, side)] > 0)  # A18
    else:
        n = offer(out, n, choices.ACCEPT, True)
    return offer(out, n, choices.DECLINE, s.effect_optional != 0)


@kernel
def resolve(s: Record, seat: int, action: int, trace: Record) -> None:
    """What the player chose for the wonder's effect."""
    out_of_line()
    wonder = s.wonder[seat] + 0
    s.phase = state.ACT
    if action == choices.DECLINE:
        note(trace, events.DECLINED, seat, wonder)
    elif action == choices.ACCEPT:
        draw_for_effect(s, seat, trace)
    elif action < choices.ANY:
        token = action - choices.TOKEN
        note(trace, events.GRANTED, seat, token_named(s, token), 1 if token == choices.STACK else 0, wonder)
        take_token(s, seat, token, trace)
    elif action < choices.LOOK:
        take(s, seat, action - choices.ANY, events.BY_WONDER + wonder, trace)
    elif action < choices.KEEP:
        look_at_cards(s, seat, deck_at(s, seat, action - choices.LOOK), trace)
    else:
        keep_card(s, seat, action - choices.KEEP, trace)


@kernel
def look_at_cards(s: Record, seat: int, deck: int, trace: Record) -> None:
    """Halicarnassus: the top five cards, or what there is; A38: they still lie on the deck."""
    s.looking = deck
    s.phase = state.KEEP
    count = min(s.looks_at, s.deck_left[deck])
    note(trace, events.LOOKED, seat, deck, count)
    for place in range(s.deck_left[deck] - 1, s.deck_left[deck] - 1 - count, -1):
        if s.reveal_public:
            note(trace, events.LOOKED_AT, seat, s.deck[deck][place])
        else:
            note(trace, events.SAW_CARDS, seat, deck, s.deck[deck][place])


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
    receive(s, seat, kind, deck, events.BY_WONDER + state.HALICARNASSUS, trace)
    if left > 0:
        note(trace, events.RESHUFFLED, NO_SEAT, deck, left)
    note(trace, events.DECK_TOP, NO_SEAT, deck, top_of(s, deck), left)
