"""Perft: counts of the ways to go on from a position, a proof of the rules and a measure of their speed.

``perft(position, n)`` is the number of sequences of n legal actions. Chance is the position's own, so that everybody
who follows the rules counts the same; of several seats that decide at once the lowest goes first.
"""

from __future__ import annotations

from ziggurat.core.position import Position


def perft(position: Position, depth: int) -> int:
    """Return how many sequences of ``depth`` actions can be played; a finished game has none.

    Raises:
        ValueError: for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"a depth is 1 or more, not {depth}")
    if position.finished:
        return 0
    seat = position.actors[0]
    legal = position.legal(seat)
    if depth == 1:
        return len(legal)
    total = 0
    for action in legal:
        ahead = position.copy()
        ahead.play(seat, action)
        total += perft(ahead, depth - 1)
    return total
