"""Worlds with the same chance: the same rolls and deals ahead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import numpy as np

from ziggurat.core.position import Position
from ziggurat.core.random import RNG, SEED_BYTES

# Words that a generator has ready. An action that needs no more draws them one by one.
READY: int = RNG["block"].shape[0]

T = TypeVar("T")


class Chance:
    """A source of generators for positions, all from one seed."""

    def __init__(self, seed: int) -> None:
        self._words = np.random.Generator(np.random.PCG64(seed))

    def fresh(self) -> np.ndarray:
        """A generator of shape (1,) with all of its words ready."""
        rngs = np.zeros(1, dtype=RNG)
        rngs["key"], rngs["block"], rngs["counter"] = self._draw(8), self._draw(READY), 1
        return rngs

    def but_for_one(self, rngs: np.ndarray, spent: int) -> np.ndarray:
        """Return the same chance except for one of the first ``spent`` draws, or for all after the buffered ones."""
        other = rngs.copy()
        place = int(self._words.integers(max(1, min(spent, READY + 1))))
        if place < READY:
            other["block"][0, place] = self._draw(1)[0]
        else:
            other["key"] = self._draw(8)
        return other

    def seed(self) -> bytes:
        """The seed of another game."""
        return self._words.bytes(SEED_BYTES)

    def one_of(self, number: int) -> int:
        """Return a uniform integer in 0..number-1."""
        return int(self._words.integers(number))

    def some(self, items: Iterable[T], number: int | None = None) -> list[T]:
        """Return a random sample of things, or all of them, in any order."""
        left = list(items)
        wanted = len(left) if number is None else min(number, len(left))
        return [left.pop(self.one_of(len(left))) for _ in range(wanted)]

    def _draw(self, number: int) -> np.ndarray:
        return self._words.integers(-(1 << 31), 1 << 31, number)


def with_chance(position: Position, rngs: np.ndarray) -> Position:
    """Return a copy whose chance comes from a generator of shape (1,); it has no events yet."""
    data, at = position.to_bytes(), position.game.record.fields["rng"][1]  # type: ignore[index]
    return Position.from_bytes(
        position.game,
        data[:at] + rngs.tobytes() + data[at + rngs.nbytes :],
        players=position.players,
        options=position.options,
        components=position.components,
    )


def chance_of(position: Position) -> np.ndarray:
    """The generator of a position, of shape (1,)."""
    return np.frombuffer(position.to_bytes(), dtype=position.game.record)["rng"].copy()


def words_drawn(before: Position, after: Position) -> int:
    """Return how many random words were drawn between two positions."""
    return _drawn(after) - _drawn(before)


def _drawn(position: Position) -> int:
    rng = chance_of(position)[0]
    return READY * int(rng["counter"]) + int(rng["used"])
