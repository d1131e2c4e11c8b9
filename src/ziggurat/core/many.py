"""Many games of one kind at once, stepped by compiled code: what ``ziggurat.vector`` runs on.

Every game is one record, a slot, in an array of records, with what its last step led to. What whoever decides sees and
may do is written to rows of plain arrays. Nothing is allocated, and no part of it waits for Python.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ziggurat.core import limits
from ziggurat.core.engine import actors, legal, lowest_seat, observe, play, redeal, scores, setup, suggest, winners
from ziggurat.core.game import Game
from ziggurat.core.kernel import Record, kernel
from ziggurat.core.random import RNG, below, reseed_from
from ziggurat.core.runtime import Program
from ziggurat.core.trace import OUT, TRACE

# Who decides for a seat: whoever calls, or a bot inside the loop.
OUTSIDE, RANDOM, GREEDY = range(3)
NO_SEAT = -1
# What rewards are: the share of the win at the end, or points as they come.
WIN, POINTS = range(2)


@cache
def slot(record: np.dtype[Any]) -> np.dtype[Any]:
    """The record of a game among many: its position, its chance, and the result of its last step.

    Fields begin at multiples of their width and a slot at a multiple of 8 bytes, as other libraries want it of arrays
    that they share.
    """
    seats = limits.SEATS
    fields: list[Any] = [
        ("deals", RNG),  # from which its next games are dealt
        ("chance", RNG),  # of the bots inside, and of `sample`
        ("rewards", np.float32, (seats,)),
        # Of the game that ended last.
        ("shares", np.float32, (seats,)),
        ("scores", np.int32, (seats,)),
        ("length", np.int32),
        # Of the game that is played.
        ("points", np.int32, (seats,)),
        ("decisions", np.int32),
        ("actors", np.int16),
        ("brains", np.int8, (seats,)),
        ("outside", np.uint8, (seats,)),
        ("seat", np.int8),  # whose rows are shown, and who plays next
        ("played", np.int8),  # whose step it was
        ("ended", np.uint8),
    ]
    fields.append(("state", record))
    over = np.dtype(fields).itemsize % 8
    return np.dtype([*fields, ("gap", np.uint8, (8 - over,))] if over else fields)


@cache
def helm(record: np.dtype[Any]) -> np.dtype[Any]:
    """The record of a thread's buffers: the template, a scratch position, output buffers, and the settings."""
    return np.dtype(
        [
            ("template", record),
            ("state", record),
            ("trace", TRACE),
            ("out", OUT),
            ("brain", OUT),
            ("players", np.int64),
            ("all_seats", np.int64),  # rows for every seat, or for the one that decides
            ("autoreset", np.int64),
            ("rotate", np.int64),
            ("reward", np.int64),
            ("masks", np.int64),
            ("columns", np.int64),  # of the compact form, 0 for none
            ("places", np.int64),  # of the one-hot form, 0 for none
            ("numbers", np.int64),  # of the columns that are in no run
            ("categories", np.int64),
        ]
    )


# What ``many`` does.
BEGIN, TAKE_UP, STEP, CHECK, PLAY, SHOW, SAMPLE = range(7)


@kernel
def can_play(s: Record, seat: int, action: int, out: Record) -> bool:
    """Whether an action is legal now."""
    if seat < 0 or not actors(s) >> seat & 1:
        return False
    n = legal(s, seat, out)
    for i in range(n):
        if out.values[i] == action:
            return True
    return False


@kernel
def deal(g: Record, h: Record) -> None:
    """Deal a new game."""
    g.state = h.template
    reseed_from(g.state.rng, g.deals)
    setup(g.state, h.trace)
    g.decisions = 0
    note_points(g, h)


@kernel
def note_points(g: Record, h: Record) -> None:
    """Note the points from which on further ones are rewards, where rewards are points."""
    if h.reward == POINTS:
        scores(g.state, h.out)
        for seat in range(h.players):
            g.points[seat] = h.out.values[seat]


@kernel
def change_chairs(g: Record, players: int) -> None:
    """Rotate the players by one seat."""
    brain, outside = g.brains[players - 1] + 0, g.outside[players - 1] + 0
    for seat in range(players - 1, 0, -1):
        g.brains[seat] = g.brains[seat - 1]
        g.outside[seat] = g.outside[seat - 1]
    g.brains[0] = brain
    g.outside[0] = outside


@kernel
def play_inside(g: Record, h: Record) -> int:
    """Let the built-in bots play until another player is asked or the game is over; return who decides then."""
    while True:
        mask = actors(g.state)
        inside = 0
        for seat in range(h.players):
            if mask >> seat & 1 and g.brains[seat] != OUTSIDE:
                inside |= 1 << seat
        if inside == 0:
            return mask
        seat = lowest_seat(inside)
        if g.brains[seat] == RANDOM:
            action = h.out.values[below(g.chance, legal(g.state, seat, h.out))] + 0
        else:
            h.state = g.state
            redeal(h.state, seat, g.chance)
            action = suggest(h.state, seat, g.chance, h.brain)
        play(g.state, seat, action, h.trace)
        g.decisions += 1


@kernel
def settle(g: Record, h: Record) -> None:
    """Note the result of a finished game."""
    players = h.players
    scores(g.state, h.out)
    won = winners(g.state)
    winning = 0
    for seat in range(players):
        g.scores[seat] = h.out.values[seat]
        winning += won >> seat & 1
    for seat in range(players):
        share = (won >> seat & 1) / max(winning, 1)
        g.shares[seat] = share
        if h.reward == WIN:
            if players == 1:
                g.rewards[seat] = 2 * share - 1
            elif winning:
                g.rewards[seat] = (players * share - 1) / (players - 1)
    g.length = g.decisions
    g.ended = 1


@kernel
def go_on(g: Record, h: Record) -> None:
    """Continue after a step or a deal: let the built-in bots play, settle a finished game, and deal the next one."""
    mask = play_inside(g, h)
    if h.reward == POINTS:
        scores(g.state, h.out)
        for seat in range(h.players):
            g.rewards[seat] = h.out.values[seat] - g.points[seat]
        note_points(g, h)
    if mask == 0:
        settle(g, h)
        if h.autoreset:
            while mask == 0:  # a game in which nobody outside was ever asked is over at once
                if h.rotate:
                    change_chairs(g, h.players)
                deal(g, h)
                mask = play_inside(g, h)
    g.actors = mask
    g.seat = lowest_seat(mask)


@kernel
def expand(h: Record, found: Record, runs: Record, rest: Record, scales: Record) -> None:
    """Write the one-hot form of the compact observation in the buffer (``ziggurat.core.features.OneHotLayout``)."""
    for place in range(h.places):
        found[place] = 0
    for run in range(len(runs)):
        category, column, place, count, width = runs[run, 0], runs[run, 1], runs[run, 2], runs[run, 3], runs[run, 4]
        # Slices, since only then the compiler sees that nothing counts from the end.
        values, part = h.out.values[column : column + count], found[place : place + count * width]
        if category:
            low = runs[run, 5]
            for k in range(count):
                which = values[k] - low
                if 0 <= which < width:
                    part[k * width + which] = 1
        else:
            by = scales[column : column + count]
            for k in range(count):
                part[k] = values[k] * by[k]
    numbers, sets = h.numbers, h.numbers + h.categories
    for k in range(numbers):
        found[rest[k, 1]] = h.out.values[rest[k, 0]] * scales[rest[k, 0]]
    for k in range(numbers, sets):
        which = h.out.values[rest[k, 0]] - rest[k, 3]
        there = 0 <= which < rest[k, 2]
        found[rest[k, 1] + (which if there else 0)] = 1 if there else 0  # nothing to foretell wrongly
    for k in range(sets, len(rest)):
        value, place = h.out.values[rest[k, 0]], rest[k, 1]
        for bit in range(rest[k, 2]):
            found[place + bit] = value >> bit & 1


@kernel
def many(
    op: int,
    first: int,
    last: int,
    slots: Record,
    helms: Record,
    actions: Record,
    compact: Record,
    expanded: Record,
    masks: Record,
    runs: Record,
    rest: Record,
    scales: Record,
) -> int:
    """Work on the games ``first`` to ``last - 1``; return -1, or the first row of ``actions`` that is not legal.

    STEP plays ``actions`` if all of them are legal, and nothing otherwise; CHECK and PLAY are its two halves. BEGIN
    deals anew the games named by ``actions[g, 0] >= 0``, TAKE_UP goes on from positions that were put there. SHOW shows
    the games to the seats in ``actions`` (NO_SEAT: to who decides). SAMPLE writes legal actions to ``actions``, each as
    likely as the others, and -1 for who decides nothing. There is a column of actions, and a row of what is shown, for
    each seat, or only for the one that decides.
    """
    h = helms[0]
    players, wide = h.players, h.all_seats != 0
    rows = players if wide else 1

    if op in (STEP, CHECK):
        for i in range(first, last):
            g = slots[i]
            for row in range(rows):
                seat = row if wide else g.seat + 0
                action = actions[i, row]
                if wide or g.actors == 0:
                    owes = g.actors >> row & 1 if wide else 0
                    if owes == 0 or action < 0:
                        if action != -1 or owes != 0:
                            return i * rows + row
                        continue
                if not can_play(g.state, seat, action, h.out):
                    return i * rows + row
        if op == CHECK:
            return -1

    if op == SAMPLE:
        for i in range(first, last):
            g = slots[i]
            for row in range(rows):
                seat = row if wide else g.seat + 0
                actions[i, row] = -1
                if seat >= 0 and g.actors >> seat & 1:
                    actions[i, row] = h.out.values[below(g.chance, legal(g.state, seat, h.out))]
        return -1

    for i in range(first, last):
        g = slots[i]
        if op in (BEGIN, TAKE_UP):
            if actions[i, 0] < 0:
                continue
            if op == BEGIN:
                deal(g, h)
            else:
                note_points(g, h)
            g.ended = 0
            for seat in range(players):
                g.rewards[seat] = 0
            g.actors = play_inside(g, h)
            g.seat = lowest_seat(g.actors)
            g.played = NO_SEAT
        elif op == SHOW:
            g.actors = actors(g.state)
            g.seat = actions[i, 0] if actions[i, 0] >= 0 else lowest_seat(g.actors)
        else:
            g.ended = 0
            g.played = g.seat
            for seat in range(players):
                g.rewards[seat] = 0
            if g.actors == 0:
                continue
            for row in range(rows):
                # What is decided in the same step may make others wait; they are asked again.
                if actions[i, row] >= 0 and (row == 0 or not wide or actors(g.state) >> row & 1):
                    play(g.state, row if wide else g.seat + 0, actions[i, row], h.trace)
                    g.decisions += 1
            go_on(g, h)

        for row in range(rows):
            seat = row if wide else g.seat + 0
            r = i * rows + row
            if h.masks:
                for action in range(masks.shape[1]):
                    masks[r, action] = 0
                if seat >= 0 and g.actors >> seat & 1:
                    n = legal(g.state, seat, h.out)
                    for k in range(n):
                        masks[r, h.out.values[k]] = 1
            if h.columns or h.places:
                n = observe(g.state, seat, h.out)
                for column in range(h.columns):
                    compact[r, column] = h.out.values[column]
                if h.places:
                    expand(h, expanded[r], runs, rest, scales)
    return -1


def _arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    from numba import float32, float64, int16, int64, typeof, uint8

    slots, helms = typeof(np.zeros(1, slot(game.record))), typeof(np.zeros(1, helm(game.record)))
    rows = int64[:, ::1], int16[:, ::1], float32[:, ::1], uint8[:, ::1]
    return {"many": (int64, int64, int64, slots, helms, *rows, int64[:, ::1], int64[:, ::1], float64[::1])}


MANY: Program = Program(
    "many", {"many": many}, (__name__, "ziggurat.core.features"), {}, _arguments, silent=frozenset({"many"})
)
"""Stepping many games at once."""
