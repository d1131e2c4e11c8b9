"""A position as one seat sees it, from which a question is made.

The position is dealt again from what the seat knows before anything is asked about it, so that no question can tell
what lies hidden.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ziggurat.core.board import board_of
from ziggurat.core.decision import About
from ziggurat.core.errors import IllegalAction
from ziggurat.core.in_words import observation_text, seat_names
from ziggurat.core.picture import svg
from ziggurat.core.position import Position
from ziggurat.core.text import catalogue
from ziggurat.core.trace import Phrase
from ziggurat.lab.questions.sheet import Sheet, sheet

REDEALS = 192
"""Deals by which it is found out what is certain; what happens in one of a hundred is missed in one of seven cases."""
MOST_MOVES = 400
"""Whole moves that are looked at; a position with more is not asked about its moves."""
MOST_STEPS = 40


class WholeMove:
    """A whole move that a seat can make: its steps, and what it is in words."""

    __slots__ = ("phrase", "steps", "words")

    def __init__(self, steps: Sequence[int], phrase: Phrase, words: str) -> None:
        self.steps = list(steps)
        self.phrase = phrase
        self.words = words


class Scene:
    """A position with the seat that is asked about it."""

    def __init__(self, position: Position, seat: int, language: str, rng: np.ndarray, chance: random.Random) -> None:
        """Take a position and forget what the seat does not know of it.

        Args:
            rng: generator of shape (1,); it moves on.
            chance: what is drawn for the question itself.
        """
        self.game = position.game
        self.position = position.redeal(seat, rng)
        self.seat = seat
        self.language = language
        self.rng = rng
        self.chance = chance
        self.say = catalogue(language, position.game, "what")
        self.names = seat_names(self.say, position)
        self.board = board_of(position.game.id)

    def sheet_of(self, position: Position, seat: int | None = None) -> Sheet:
        """Return what a seat (by default the one that is asked) is shown of a position."""
        view = position.view(self.seat if seat is None else seat)
        return sheet(self.board.show(view, self.say, self.names))

    @cached_property
    def sheet(self) -> Sheet:
        return self.sheet_of(self.position)

    @cached_property
    def text(self) -> str:
        return observation_text(self.position, self.seat, self.language)

    @property
    def drawing(self) -> str:
        """Return the picture of what the seat is shown, in SVG."""
        return svg(self.position, self.seat, self.language)

    @property
    def players(self) -> int:
        return self.position.players

    def words(self, phrase: Phrase) -> str:
        """Return a phrase in words, as it is said to the seat that is asked."""
        return _sentence(self.say.say(phrase, self.names))

    @cached_property
    def deals(self) -> list[Position]:
        """The same position dealt again, from what the seat knows: the hidden cards, and the chance to come."""
        return [self.position.redeal(self.seat, self.rng) for _ in range(REDEALS)]

    def after(self, moves: Sequence[tuple[int, Sequence[int]]]) -> list[Position]:
        """Return the positions after some moves in every deal; nothing where one of them cannot be made."""
        found = []
        for deal in self.deals:
            after = deal.copy(events=False)
            try:
                for seat, steps in moves:
                    after.play_all(seat, steps)
            except IllegalAction:
                return []
            found.append(after)
        return found

    @cached_property
    def moves(self) -> list[WholeMove]:
        """All whole moves of the seat, one for each in words; none where there are too many."""
        return [*{move.words: move for move in self._all_moves(self.position, self.seat)}.values()]

    def moves_of(self, position: Position, seat: int) -> list[WholeMove]:
        """Return all whole moves of another seat, or in another position."""
        return [*{move.words: move for move in self._all_moves(position, seat)}.values()]

    def _all_moves(self, position: Position, seat: int) -> list[WholeMove]:
        found = []
        for steps in _whole(position, seat, []):
            phrase = position.describe(seat, steps).words
            found.append(WholeMove(steps, phrase, self.say.say(phrase, self.names)))
            if len(found) > MOST_MOVES:
                return []
        return found

    def about(self, piece: str) -> About:
        return self.position.about(self.seat, [piece])[0]


def _whole(position: Position, seat: int, steps: list[int]) -> Iterator[list[int]]:
    for action in position.legal(seat):
        after = position.copy(events=False)
        after.play(seat, action)
        if after.in_move and seat in after.actors and len(steps) < MOST_STEPS:
            yield from _whole(after, seat, [*steps, action])
        else:
            yield [*steps, action]


def _sentence(text: str) -> str:
    return " ".join(text.split())


def same(values: Sequence[Any]) -> bool:
    """Whether all are equal, and there are any."""
    return bool(values) and all(value == values[0] for value in values)
