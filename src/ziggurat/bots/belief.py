"""The interface of a bot: the belief that it is handed, and the choice that it makes."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ziggurat.core.actions import Choice
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position


class Belief:
    """A seat's belief about a position: positions drawn at random from those that look the same to it.

    ``heard`` is what it knows of the latest actions, see ``Position.heard``.
    """

    def __init__(self, position: Position, seat: int, rng: np.ndarray) -> None:
        # Redealt at once: the true position is not kept.
        self._sample = position.redeal(seat, rng)
        self._rng = rng
        self.seat = seat
        self.heard = position.heard(seat)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._sample.game

    @property
    def players(self) -> int:
        """The number of seats."""
        return self._sample.players

    @property
    def in_move(self) -> bool:
        """Whether the seat has begun a move of several steps."""
        return self._sample.in_move

    @property
    def options(self) -> Mapping[str, str]:
        """The chosen options."""
        return self._sample.options

    @property
    def components(self) -> Components:
        """The printed numbers."""
        return self._sample.components

    @property
    def view(self) -> Any:
        """The seat's view: the game's own struct, see ``Position.view``."""
        return self._sample.view(self.seat)

    @property
    def observation(self) -> np.ndarray:
        """The seat's observation as a vector, see ``Position.observe``."""
        return self._sample.observe(self.seat)

    def choice(self, action: int) -> Choice:
        """Return a legal action as data: its type, its notation and all its fields."""
        return self._sample.choice(self.seat, action)

    def sample(self) -> Position:
        """Return another position that looks the same to the seat; the caller may change it."""
        return self._sample.redeal(self.seat, self._rng)


class Bot(ABC):
    """A bot, which decides for a seat."""

    @property
    def ready(self) -> bool:
        """Whether the bot can choose without waiting for its own preparation."""
        return True

    @property
    def meanwhile(self) -> Bot | None:
        """The bot that chooses until this one is ready; without one the heuristic does."""
        return None

    @abstractmethod
    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        """Return one of the legal actions.

        Args:
            belief: what the seat may know.
            legal: action numbers.
            rng: generator of shape (1,); it moves on.
        """
