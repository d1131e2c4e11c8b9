"""Guesses at how a game goes on until a seat is asked: where a person composes a move ahead.

A guess is made from what the seat sees and nothing else: all that it does not see is dealt again, and the others move
by the heuristic, which knows no more than the guess. Nothing in it was ever in the game.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from hashlib import sha256
from typing import Annotated, NamedTuple

import msgspec
from cachetools import LRUCache

import ziggurat
from ziggurat import Position
from ziggurat.core.decision import Description
from ziggurat.core.errors import IllegalAction
from ziggurat.server.domain.guards import must_play
from ziggurat.server.domain.table import Table
from ziggurat.server.problems import Problem
from ziggurat.server.services.rate_limits import LoopShare

MOST_GUESSES = 100
"""Guesses of one moment: each is another deal."""
MOST_ANSWERS = 8
"""Own answers on the way to a later question."""
MOST_MOVES = 80
"""Moves of others until the own question; of our games it comes within 20."""
GUESSES_KEPT = 200
"""Positions, of 2 kB, and the moves to them in words."""
MOST_STEPS = 60
"""Steps of an own answer."""
Answers = Annotated[
    list[Annotated[list[Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]], msgspec.Meta(max_length=MOST_STEPS)]],
    msgspec.Meta(max_length=MOST_ANSWERS),
]
Key = tuple[str, int, int, int, tuple[tuple[int, ...], ...]]


class MadeMove(msgspec.Struct, frozen=True):
    """A move of a guess: whose, and in words."""

    seat: int
    move: Description


class Guess(NamedTuple):
    """A guess: the position in which the seat is asked, or the end of the game, and the moves that led there."""

    position: Position
    moves: tuple[MadeMove, ...]


class Guesses:
    """The last guesses, so that a person can compose several moves in one; nothing else is kept of them."""

    def __init__(self) -> None:
        self._kept: LRUCache[Key, Guess] = LRUCache(GUESSES_KEPT)

    async def get(
        self, table: Table, seat: int, number: int, answers: Sequence[Sequence[int]], share: LoopShare
    ) -> Guess:
        """Return a guess of a seat at a running table. `answers`: own moves in it to the questions before.

        Raises Problem where an answer cannot be given there. What it computes is counted with the asker's share.
        """
        position = must_play(table)
        key = (table.id, table.seq, seat, number, tuple(tuple(steps) for steps in answers))
        found = self._kept.get(key)
        if found is None:
            async with share.line:
                copied = position.copy(events=False)
                chance = chance_of(table, seat, number)
                found = await share.counted(asyncio.to_thread, partial(guess, copied, seat, chance, answers))
            self._kept[key] = found
        return found


def chance_of(table: Table, seat: int, number: int) -> bytes:
    """Return the seed of a guess: always the same, so that a question is answered alike, and never to be foretold."""
    return sha256(b"ahead %b %b %d %d %d" % (table.seed or b"", table.id.encode(), table.seq, seat, number)).digest()


def guess(position: Position, seat: int, seed: bytes, answers: Sequence[Sequence[int]]) -> Guess:
    """Return a guess from a position. Raises Problem where an answer cannot be given there."""
    chance = ziggurat.generator(seed)
    at, left, made = position.redeal(seat, chance), list(answers), list[MadeMove]()
    for _ in range(MOST_MOVES):
        if at.finished:
            break
        if seat in at.actors and at.imposed(seat) is None:
            if not left:
                break
            steps = left.pop(0)
            try:
                after = at.after_move(seat, steps)
            except IllegalAction as error:
                says = f"Answer {len(answers) - len(left)} cannot be given in this guess: {error.detail}."
                raise Problem(409, "bad_line", says, number=len(answers) - len(left)) from None
            made.append(MadeMove(seat, at.describe(seat, at.game.arrange(list(steps)))))
            at = after
            continue
        actor = seat if seat in at.actors else at.actors[0]
        before, steps = at.copy(events=False), list(at.imposed(actor) or ())
        if steps:
            at.play_all(actor, steps)
        while not steps or at.in_move:
            steps.append(at.suggest(chance, actor))
            at.play(actor, steps[-1])
        if not before.concealed:  # what is chosen in secret is not told in a guess either
            made.append(MadeMove(actor, before.describe(actor, steps)))
    if left:
        says = f"There are only {len(answers) - len(left)} questions to answer in this guess."
        raise Problem(409, "bad_line", says, number=len(answers) - len(left) + 1)
    return Guess(at, tuple(made))
