"""Paired rollouts of two moves, with common random numbers: in each pair the hidden cards and all chance are the same,
so that what differs at the end comes from the moves. Compiled with the search (`tree.SEARCHING`), generic over the
rules by name.

Of each game is known what every seat has at the end, and where it comes from: the rows that the rules note of what
happens are booked by part (`core/parts.py`), after the move itself and at the end. Both sides play on by the heuristic.
"""

from __future__ import annotations

import numpy as np

from ziggurat.core import limits
from ziggurat.core.engine import actors, legal, lowest_seat, play, redeal, scores, suggest, winners
from ziggurat.core.kernel import Record, kernel, out_of_line
from ziggurat.core.parts import MOST_BOOKINGS, MOST_CODES, MOST_PARTS
from ziggurat.core.random import reseed_from
from ziggurat.core.trace import ROWS

MOST_MOVE_STEPS = 64
"""Steps of a move that are played; the heuristic goes on after them."""

ACCUMULATORS = np.dtype(
    [
        # The bookings of a code are those from ``first[code]`` to ``first[code + 1]``, see ``parts.Booking``.
        ("first", np.int64, (MOST_CODES + 1,)),
        ("seat", np.int64, (MOST_BOOKINGS,)),
        ("amount", np.int64, (MOST_BOOKINGS,)),
        ("sign", np.int64, (MOST_BOOKINGS,)),
        ("part", np.int64, (MOST_BOOKINGS,)),
        ("of", np.int64, (MOST_BOOKINGS,)),
        ("times", np.int64, (MOST_BOOKINGS,)),
        ("when", np.int64, (MOST_BOOKINGS,)),
        # The two moves.
        ("length", np.int64, (2,)),
        ("steps", np.int64, (2, MOST_MOVE_STEPS)),
    ]
)
# What a pair of games brought each seat, by side: its part of a win, its score, and by part what it got at once, and
# in all.
PAIR = np.dtype(
    [
        ("won", np.float64, (2, limits.SEATS)),
        ("score", np.int64, (2, limits.SEATS)),
        ("now", np.int32, (2, limits.SEATS, MOST_PARTS)),
        ("booked", np.int32, (2, limits.SEATS, MOST_PARTS)),
    ]
)


@kernel
def book(accumulators: Record, trace: Record, pair: Record, side: int) -> None:
    """Add the events of the trace to the accumulators, and clear it."""
    out_of_line()
    for i in range(min(trace.used, ROWS)):
        row = trace.rows[i]
        for k in range(accumulators.first[row[0]], accumulators.first[row[0] + 1]):
            seat = row[accumulators.seat[k]] + 0
            if 0 <= seat < limits.SEATS:
                part = accumulators.part[k] + 0
                if accumulators.of[k] >= 0:
                    part += row[accumulators.of[k]] * accumulators.times[k]
                if accumulators.when[k] >= 0:
                    part += row[accumulators.when[k]]
                amount = row[accumulators.amount[k]] + 0 if accumulators.amount[k] >= 0 else 1
                pair.booked[side][seat][part] += amount * accumulators.sign[k]
    trace.used = 0


@kernel
def play_on(
    s: Record, accumulators: Record, pair: Record, rng: Record, trace: Record, out: Record, seat: int, side: int
) -> None:
    """Play a move as far as it is legal, then everybody by the heuristic to the end."""
    out_of_line()
    trace.used = 0
    for i in range(accumulators.length[side]):
        n = legal(s, seat, out)
        known = False
        for j in range(n):
            known = known or out.values[j] == accumulators.steps[side][i]
        if not known:
            break
        play(s, seat, accumulators.steps[side][i], trace)
        book(accumulators, trace, pair, side)
    for owner in range(limits.SEATS):
        for part in range(MOST_PARTS):
            pair.now[side][owner][part] = pair.booked[side][owner][part]
    mask = actors(s)
    while mask:
        actor = lowest_seat(mask)
        play(s, actor, suggest(s, actor, rng, out), trace)
        book(accumulators, trace, pair, side)
        mask = actors(s)
    n = scores(s, out)
    for owner in range(n):
        pair.score[side][owner] = out.values[owner]
    mask = winners(s)
    winning = 0
    for owner in range(n):
        winning += mask >> owner & 1
    for owner in range(s.players):
        pair.won[side][owner] = 1.0 / winning if mask >> owner & 1 else 0.0


@kernel
def compare(
    states: Record, sums: Record, pairs: Record, rngs: Record, traces: Record, outs: Record, seat: int, number: int
) -> int:
    """Fill ``pairs``, which are cleared, from the front; ``states[0]`` is a redealt position, the others are scratch.

    ``rngs[0]`` is chance; two more generators give both sides of a pair the same. Returns how many pairs there are now.
    """
    for i in range(number):
        states[1] = states[0]
        redeal(states[1], seat, rngs[0])
        states[2] = states[1]
        reseed_from(rngs[1], rngs[0])
        rngs[2] = rngs[1]
        for side in range(2):
            play_on(states[1 + side], sums[0], pairs[i], rngs[1 + side], traces[0], outs[0], seat, side)
    return number
