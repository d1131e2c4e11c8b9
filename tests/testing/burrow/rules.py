"""Burrow, a small game that proves the checker: dice that everybody sees, and animals that nobody does.

Everybody hides two of twelve animals. Whoever has the turn rolls two dice for points, shows an animal for points and
draws another, or peeks at the bottom of the deck, which is never drawn. After a double all are asked, in turn, whether
they bury an animal and draw another. A rabbit still hidden at the end is worth three points.
"""

from __future__ import annotations

import numpy as np
from tests.testing.burrow import choices, events

from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import RNG, below, reseed_from, shuffle, shuffle_anew
from ziggurat.core.trace import note, offer

SEATS = 4
KINDS = 3
CARDS = 12
RABBIT = 0
HAND = 2
SHOWN = 2

RECORD = np.dtype(
    [
        ("rng", RNG),
        ("score", np.int16, (SEATS,)),
        ("players", np.int16),
        ("turn", np.int16),
        ("turns_left", np.int16),
        ("waiting", np.int16),  # bit mask of those who are still asked whether they bury something
        ("hand", np.int16, (SEATS, KINDS)),
        ("buried", np.int16, (SEATS, KINDS)),  # known to whoever buried it
        ("shown", np.int16, (KINDS,)),
        ("deck", np.int16, (CARDS,)),  # top last; 0 is an empty place
        ("deck_left", np.int16),
        ("knows", np.int16),  # bit mask of those who have seen the bottom of the deck
    ]
)


@kernel
def setup(s: Record, trace: Record) -> None:
    s.deck_left = CARDS
    for card in range(CARDS):
        s.deck[card] = card % KINDS + 1
    shuffle(s.rng, s.deck, CARDS)
    for seat in range(s.players):
        for _ in range(HAND):
            take(s, seat)
    note(trace, events.STARTED)


@kernel
def take(s: Record, seat: int) -> int:
    """Put the top of the deck into a hand; return which it is, or -1 if only the bottom is left."""
    if s.deck_left == 1:
        return -1
    s.deck_left -= 1
    kind: int = s.deck[s.deck_left] - 1
    s.deck[s.deck_left] = 0
    s.hand[seat][kind] += 1
    return kind


@kernel
def actors(s: Record) -> int:
    if s.turns_left == 0:
        return 0
    if s.waiting:
        for seat in range(s.players):
            if s.waiting >> seat & 1:
                return 1 << seat
    turn: int = s.turn
    return 1 << turn


@kernel
def legal(s: Record, seat: int, out: Record) -> int:
    n = 0
    if actors(s) >> seat & 1 == 0:
        return n
    if s.waiting:
        n = offer(out, n, choices.KEEP, True)
        for kind in range(KINDS):
            n = offer(out, n, choices.BURY + kind, s.hand[seat][kind] > 0)
        return n
    n = offer(out, n, choices.ROLL, True)
    n = offer(out, n, choices.PEEK, s.knows >> seat & 1 == 0)
    for kind in range(KINDS):
        n = offer(out, n, choices.SHOW + kind, s.hand[seat][kind] > 0)
    return n


@kernel
def play(s: Record, seat: int, action: int, trace: Record) -> None:
    if action == choices.ROLL:
        roll(s, seat, trace)
    elif action == choices.PEEK:
        s.knows |= 1 << seat
        note(trace, events.PEEKED, seat)
        note(trace, events.SAW, seat, s.deck[0])
    elif action == choices.KEEP:
        note(trace, events.KEPT, seat)
    elif action >= choices.BURY:
        s.hand[seat][action - choices.BURY] -= 1
        s.buried[seat][action - choices.BURY] += 1
        note(trace, events.BURIED, seat)
        draw(s, seat, trace)
    else:
        kind = action - choices.SHOW
        s.hand[seat][kind] -= 1
        s.shown[kind] += 1
        s.score[seat] += SHOWN
        note(trace, events.SHOWED, seat, kind + 1, SHOWN)
        draw(s, seat, trace)
    if action in (choices.KEEP, choices.BURY, choices.BURY + 1, choices.BURY + 2):
        s.waiting &= ~(1 << seat)
    if s.waiting == 0:
        next_turn(s, trace)


@kernel
def roll(s: Record, seat: int, trace: Record) -> None:
    one, other = below(s.rng, 6) + 1, below(s.rng, 6) + 1
    s.score[seat] += one + other
    note(trace, events.ROLLED, seat, one, other, one + other)
    if one == other:
        s.waiting = asked(s)


@kernel
def asked(s: Record) -> int:
    """Everybody, whatever they hide."""
    players: int = s.players
    return (1 << players) - 1


@kernel
def draw(s: Record, seat: int, trace: Record) -> None:
    kind = take(s, seat)
    if kind >= 0:
        note(trace, events.DREW, seat, kind + 1)


@kernel
def next_turn(s: Record, trace: Record) -> None:
    s.turn = (s.turn + 1) % s.players
    s.turns_left -= 1
    if s.turns_left == 0:
        for seat in range(s.players):
            if s.hand[seat][RABBIT]:
                s.score[seat] += 3 * s.hand[seat][RABBIT]
                note(trace, events.COUNTED, seat, s.hand[seat][RABBIT], 3 * s.hand[seat][RABBIT])
        note(trace, events.FINISHED)


@kernel
def scores(s: Record, out: Record) -> int:
    for seat in range(s.players):
        out.values[seat] = s.score[seat]
    players: int = s.players
    return players


@kernel
def winners(s: Record) -> int:
    best, mask = 0, 0
    for seat in range(s.players):
        best = max(best, s.score[seat])
    for seat in range(s.players):
        mask |= (1 if s.score[seat] == best else 0) << seat
    return mask


@kernel
def concealed(s: Record) -> bool:
    """Which animal somebody buries is not told."""
    return bool(s.waiting != 0)


@kernel
def redeal(s: Record, seat: int, rng: Record) -> None:
    """The deck, but for a bottom that the seat knows, and what others hide and have buried."""
    bottom = 0
    if seat >= 0 and s.knows >> seat & 1:
        s.deck_left -= 1
        bottom = s.deck[0] + 0
        s.deck[0] = s.deck[s.deck_left]
        s.deck[s.deck_left] = 0
    size = s.deck_left + 0
    for other in range(s.players):
        if other != seat:
            size = collect(s, s.hand[other], size)
            size = collect(s, s.buried[other], size)
    shuffle_anew(rng, s.deck, size)
    for other in range(s.players):
        if other != seat:
            size = deal(s, s.hand[other], size)
            size = deal(s, s.buried[other], size)
    if bottom:
        s.deck[s.deck_left] = s.deck[0]
        s.deck[0] = bottom
        s.deck_left += 1
    reseed_from(s.rng, rng)


@kernel
def collect(s: Record, pile: Record, size: int) -> int:
    """Put a pile onto the deck; how many there were stays written at its first kind."""
    count = 0
    for kind in range(KINDS):
        for _ in range(pile[kind]):
            s.deck[size] = kind + 1
            size += 1
            count += 1
        pile[kind] = 0
    pile[0] = count
    return size


@kernel
def deal(s: Record, pile: Record, size: int) -> int:
    count = pile[0] + 0
    pile[0] = 0
    for _ in range(count):
        size -= 1
        pile[s.deck[size] - 1] += 1
        s.deck[size] = 0
    return size


@kernel
def observe(s: Record, seat: int, out: Record) -> int:
    out.values[0] = s.deck_left
    out.values[1] = s.turns_left
    for kind in range(KINDS):
        out.values[2 + kind] = s.hand[seat][kind] if seat >= 0 else 0
    return 2 + KINDS


@kernel
def suggest(s: Record, seat: int, rng: Record, out: Record) -> int:
    n = legal(s, seat, out)
    action: int = out.values[below(rng, n)]
    return action
