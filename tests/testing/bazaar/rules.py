"""The rules of Bazaar."""

from __future__ import annotations

from tests.testing.bazaar import choices, state

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import below, shuffle
from ziggurat.core.trace import NO_SEAT, note, offer


@kernel
def setup(s: Record, trace: Record) -> None:
    s.deck_left = state.CARDS
    for card in range(state.CARDS):
        s.deck[card] = card % state.WARES + 1
    shuffle(s.rng, s.deck, state.CARDS)
    for seat in range(s.players):
        for _ in range(state.HAND):
            draw(s, seat, trace)
    for place in range(state.ROW):
        s.row[place] = top(s)
    s.die = below(s.rng, state.SIDES) + 1


@kernel
def top(s: Record) -> int:
    """The top of the deck, or 0."""
    if s.deck_left == 0:
        return 0
    s.deck_left -= 1
    card: int = s.deck[s.deck_left] + 0
    s.deck[s.deck_left] = 0
    return card


@kernel
def draw(s: Record, seat: int, trace: Record) -> None:
    card = top(s)
    if card:
        s.hand[seat][card - 1] += 1
        note(trace, choices.DREW, seat, card)


@kernel
def held(s: Record, seat: int) -> int:
    count = 0
    for kind in range(state.WARES):
        count += s.hand[seat][kind]
    return count


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    n = 0
    if s.finished or seat != s.turn:
        return n
    room = held(s, seat) < state.LIMIT
    n = offer(out, n, choices.DRAW, room and s.deck_left > 0)
    for place in range(state.ROW):
        n = offer(out, n, choices.TAKE + place, room and s.row[place] > 0)
    for kind in range(state.WARES):
        n = offer(out, n, choices.SELL + kind, s.hand[seat][kind] > 0)
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    if action == choices.DRAW:
        draw(s, seat, trace)
    elif action < choices.SELL:
        take(s, seat, action - choices.TAKE, trace)
    else:
        sell(s, seat, action - choices.SELL, trace)
    fill(s, trace)
    roll(s, trace)
    next_turn(s, trace)


@kernel
def take(s: Record, seat: int, place: int, trace: Record) -> None:
    card = s.row[place] + 0
    s.row[place] = 0
    s.hand[seat][card - 1] += 1
    s.hand_known[seat][card - 1] += 1
    note(trace, choices.TOOK, seat, card)


@kernel
def sell(s: Record, seat: int, kind: int, trace: Record) -> None:
    s.hand[seat][kind] -= 1
    s.sold[kind] += 1
    if s.hand_known[seat][kind] > 0:
        s.hand_known[seat][kind] -= 1
    s.score[seat] += s.die
    note(trace, choices.SOLD, seat, kind + 1, s.die)


@kernel
def fill(s: Record, trace: Record) -> None:
    for place in range(state.ROW):
        if s.row[place] == 0 and s.deck_left > 0:
            s.row[place] = top(s)
            note(trace, choices.FILLED, NO_SEAT, s.row[place])


@kernel
def roll(s: Record, trace: Record) -> None:
    s.die = below(s.rng, state.SIDES) + 1
    note(trace, choices.ROLLED, NO_SEAT, s.die)


@kernel
def next_turn(s: Record, trace: Record) -> None:
    s.turn = (s.turn + 1) % s.players
    s.turns += 1
    if s.turns == state.TURNS * s.players:
        s.finished = 1
        note(trace, choices.FINISHED)
