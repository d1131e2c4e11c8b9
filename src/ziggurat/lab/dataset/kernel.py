"""The kernel behind ``ziggurat dataset``: whole games in compiled code, with every decision as its seat saw it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ziggurat.core import engine
from ziggurat.core.engine import actors, legal, lowest_seat, note_end, observe, play, redeal, setup, suggest
from ziggurat.core.game import Game
from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import RNG, begin_part, below, reseed_from
from ziggurat.core.runtime import Program
from ziggurat.core.trace import new_out, new_trace


@kernel
def decisions(
    states: Record,
    rngs: Record,
    brains: Record,
    traces: Record,
    outs: Record,
    results: Record,
    chosen: Record,
    columns: Record,
    masks: Record,
    number: int,
    first: int,
    limit: int,
) -> int:
    """Play the games that ``engine.games`` plays, draw for draw, and record every decision.

    The arguments of the same names are those of ``engine.games``, with one generator. ``chosen`` of shape (rows, 3)
    receives the game, counted from ``first``, the seat and its action; ``columns`` of shape (rows, columns) what the
    seat observed; ``masks`` of shape (rows, bytes) a bit for each legal action, the lowest bit of the first byte for
    action 0. ``results[game].rows`` receives how many rows there are at its end.

    Returns how many games were played: fewer than ``number`` if one did not end within ``limit`` decisions, or found no
    more room.
    """
    players = len(brains)
    rng = rngs[0]
    out, trace = outs[0], traces[0]
    s = states[1]
    room = len(chosen)
    used = 0
    for game in range(number):
        begin_part(rng, first + game)
        states[1] = states[0]
        reseed_from(s.rng, rng)
        setup(s, trace)
        begun = used
        shift = (first + game) % players
        while True:
            mask = actors(s)
            if mask == 0:
                break
            if used == room or used - begun == limit:
                return game
            seat = lowest_seat(mask)
            n = legal(s, seat, out)
            for place in range(masks.shape[1]):
                masks[used, place] = 0
            for i in range(n):
                action = out.values[i] + 0
                masks[used, action >> 3] |= 1 << (action & 7)
            player = seat + shift if seat + shift < players else seat + shift - players
            if brains[player] == 0:
                action = out.values[below(rng, n)] + 0
            else:
                states[2] = states[1]
                redeal(states[2], seat, rng)
                action = suggest(states[2], seat, rng, outs[1 + player])
            n = observe(s, seat, out)
            for column in range(columns.shape[1]):
                columns[used, column] = out.values[column]
            chosen[used, 0] = game
            chosen[used, 1] = seat
            chosen[used, 2] = action
            used += 1
            play(s, seat, action, trace)
        results[game].decisions = used - begun
        results[game].rows = used
        states[3 + game] = states[1]
        note_end(results[game], s, out, players, shift)
    return number


def _arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    from numba import int16, int32, int64, typeof, uint8

    states, rngs = typeof(np.zeros(1, dtype=game.record)), typeof(np.zeros(1, dtype=RNG))
    traces, outs, results = typeof(new_trace()), typeof(new_out()), typeof(np.zeros(1, dtype=engine.RESULT))
    rows = int32[:, ::1], int16[:, ::1], uint8[:, ::1]
    return {"decisions": (states, rngs, int64[::1], traces, outs, results, *rows, int64, int64, int64)}


DECISIONS: Program = Program(
    "decisions",
    {"decisions": decisions},
    (__name__, "ziggurat.core.features"),
    {},
    _arguments,
    silent=frozenset({"decisions"}),
)
"""Whole games with every decision."""
