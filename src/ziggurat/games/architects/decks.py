"""Sections 2 and 12: where the decks lie, and all that taking a card from one brings with it."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.trace import NO_SEAT, note
from ziggurat.games.architects import events, state
from ziggurat.games.architects.science import active_tokens

# --- 2. Where the decks lie --------------------------------------------------------------------------------------


@kernel
def left_neighbour(s: Record, seat: int) -> int:
    """Section 2: the player on the left plays next."""
    return seat + 1 if seat + 1 < s.players else 0


@kernel
def right_neighbour(s: Record, seat: int) -> int:
    last = s.players - 1
    return seat - 1 if seat > 0 else last


@kernel
def deck_at(s: Record, seat: int, side: int) -> int:
    """Section 2: the own deck lies on the left, that of the right neighbour on the right."""
    owner = right_neighbour(s, seat) if side == state.RIGHT else seat
    deck = s.wonder[owner] + 0  # read in any case: which side is chosen, the processor cannot guess
    return state.CENTRAL if side == state.MIDDLE else deck


@kernel
def in_play(s: Record, deck: int) -> bool:
    """Whether a deck lies on the table."""
    if deck == state.CENTRAL:
        return True
    for seat in range(s.players):
        if s.wonder[seat] == deck:
            return True
    return False


@kernel
def top_of(s: Record, deck: int) -> int:
    """The kind of the top card; 0 for an empty deck."""
    left = s.deck_left[deck] + 0
    return s.deck[deck][left - 1] + 0 if left > 0 else 0


@kernel
def can_draw(s: Record, seat: int) -> bool:
    """Whether one of the three decks holds a card."""
    return (
        s.deck_left[state.CENTRAL] > 0
        or s.deck_left[deck_at(s, seat, state.LEFT)] > 0
        or s.deck_left[deck_at(s, seat, state.RIGHT)] > 0
    )


@kernel
def cards_left(s: Record) -> bool:
    """Whether any deck on the table holds a card."""
    out_of_line()
    for deck in range(8):
        if s.deck_left[deck] > 0 and in_play(s, deck):
            return True
    return False


# --- 12. Taking cards --------------------------------------------------------------------------------------------


@kernel
def take(s: Record, seat: int, deck: int, by: int, trace: Record) -> None:
    """Take the top card of a deck that is not empty."""
    s.deck_left[deck] -= 1
    left = s.deck_left[deck] + 0
    card = s.deck[deck][left] + 0
    s.deck[deck][left] = 0
    if deck == state.CENTRAL:
        s.knows = 0
    receive(s, seat, card, deck, by, trace)
    note(trace, events.DECK_TOP, NO_SEAT, deck, top_of(s, deck) if deck != state.CENTRAL else 0, left)


@kernel
def receive(s: Record, seat: int, card: int, deck: int, by: int, trace: Record) -> None:
    """Section 12: every card that comes to lie in front of a player has its full effect and can trigger tokens."""
    points = s.card_points[card] + 0
    s.cards[seat][card] += 1
    s.score[seat] += points
    note(trace, events.TOOK, seat, card, deck, by, points)
    s.triggered |= s.triggers[card] & active_tokens(s, seat)
    s.shields[seat] += 1 if card >= state.RED0 else 0
    sound_horns(s, seat, max(card - state.RED0, 0), trace)
    if card == state.VP2CAT:
        move_cat(s, seat, trace)


@kernel
def sound_horns(s: Record, seat: int, horns: int, trace: Record) -> None:
    """Each horn turns a conflict token; A21: surplus horns do nothing."""
    turned = min(horns, s.conflict - s.turned)
    s.turned += turned
    if turned > 0:
        note(trace, events.HORNS, seat, turned, s.turned, s.conflict)


@kernel
def move_cat(s: Record, seat: int, trace: Record) -> None:
    """Section 11: it comes to the taker at once, and stays with who has it."""
    owner = s.cat + 0
    if owner != seat:
        if owner != NO_SEAT:
            s.score[owner] -= s.cat_points
        s.score[seat] += s.cat_points
        s.cat = seat
        note(trace, events.CAT, seat, s.cat_points, owner)
