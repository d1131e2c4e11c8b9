"""The rules of Sample. The player of the highest card wins the round, and begins the next one."""

from __future__ import annotations

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import shuffle
from ziggurat.core.trace import note, offer
from ziggurat.testing.sample import choices, state


@kernel
def setup(s: Record, trace: Record) -> None:
    """Everybody is dealt three cards; nobody sees the others."""
    s.deck_left = state.CARDS
    for card in range(state.CARDS):
        s.deck[card] = card + 1
    shuffle(s.rng, s.deck, state.CARDS)
    for seat in range(s.players):
        for _ in range(state.HAND):
            draw(s, seat, trace)


@kernel
def draw(s: Record, seat: int, trace: Record) -> None:
    """A card comes from the top of the deck into a hand."""
    s.deck_left -= 1
    card = s.deck[s.deck_left] + 0
    s.deck[s.deck_left] = 0
    s.hand[seat][card - 1] += 1
    note(trace, choices.DREW, seat, card)


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    """Any card of the hand may be laid."""
    n = 0
    if s.finished or seat != s.turn:
        return n
    for kind in range(state.CARDS):
        n = offer(out, n, choices.LAY + kind + 1, s.hand[seat][kind] > 0)
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    """A card is laid; the next player's turn begins, or the round ends."""
    card = action - choices.LAY
    s.hand[seat][card - 1] -= 1
    s.laid[seat] = card
    note(trace, choices.LAID, seat, card)
    s.turn = (s.turn + 1) % s.players
    if s.laid[s.turn]:
        end_round(s, trace)


@kernel
def end_round(s: Record, trace: Record) -> None:
    """The highest card wins a point; all are put aside. The game ends with the last cards."""
    best = 0
    for seat in range(s.players):
        if s.laid[seat] > s.laid[best]:
            best = seat
    s.score[best] += 1
    note(trace, choices.WON, best, 1)
    for seat in range(s.players):
        s.discard[s.laid[seat] - 1] += 1
        s.laid[seat] = 0
    s.turn = best
    s.rounds += 1
    if s.rounds == state.HAND:
        s.finished = 1
        note(trace, choices.FINISHED)
