"""A batch of consecutive games, with columns by player or by seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Batch:
    """A batch of consecutive games.

    Attributes:
        first: number of the first of them, from 0.
        scores: of shape (games, players): of every player, wherever they sat.
        wins: of the same shape: 1, a part of it when several have won, or 0.
        decisions: of shape (games,).
        facts: the columns of ``Game.facts`` by name, of the same shape as ``scores``, if they were asked for.
    """

    first: int
    scores: np.ndarray
    wins: np.ndarray
    decisions: np.ndarray
    facts: Mapping[str, np.ndarray] | None = None

    def by_seat(self) -> Batch:
        """Return the batch with a column for every seat."""
        return self._moved(1)

    def by_player(self) -> Batch:
        """Return a batch by seat with a column for every player."""
        return self._moved(-1)

    def _moved(self, way: int) -> Batch:
        games, players = self.scores.shape
        chairs = (np.arange(players) + way * (self.first + np.arange(games)[:, None])) % players

        def moved(columns: np.ndarray) -> np.ndarray:
            return np.take_along_axis(columns, chairs, axis=1)

        facts = None if self.facts is None else {name: moved(columns) for name, columns in self.facts.items()}
        return Batch(self.first, moved(self.scores), moved(self.wins), self.decisions, facts)


def shares(won: np.ndarray) -> np.ndarray:
    """Return each column's share of each win, given who has won; 0 for all when the game has won."""
    part: np.ndarray = won / np.maximum(won.sum(axis=1, keepdims=True), 1)
    return part
