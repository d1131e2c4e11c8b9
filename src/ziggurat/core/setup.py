"""The setup of a game: its settings, checked once and handed on as one value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ziggurat.core import registry
from ziggurat.core.game import Components, Game
from ziggurat.core.position import Position
from ziggurat.core.seed import parse_seed


@dataclass(frozen=True)
class Setup:
    """A setup: game, number of players, options, printed numbers, and seed.

    Attributes:
        options: all of them, those that were not chosen with their usual values.
        seed: 32 bytes.
    """

    game: Game
    players: int
    options: dict[str, str]
    components: Components
    seed: bytes

    @classmethod
    def of(
        cls,
        game: str | Game,
        players: int,
        options: Mapping[str, str] | None = None,
        components: Components | None = None,
        seed: int | str | bytes | None = None,
    ) -> Setup:
        """Validate a setup; see :func:`ziggurat.new`.

        Raises:
            UnknownGame, BadOption, BadSeed: saying what would have been right.
        """
        chosen = registry.game(game) if isinstance(game, str) else game
        complete = chosen.check_setup(players, options or {})
        return cls(chosen, players, complete, components or chosen.components, parse_seed(seed))

    def template(self) -> np.ndarray:
        """The template state of the setup, of shape (1,)."""
        return self.game.template(self.components.values, self.players, self.options)

    def position(self, seed: bytes | None = None, *, trace: bool = True) -> Position:
        """Deal the first position, from another seed if there is one."""
        return Position.new(
            self.game,
            self.players,
            seed=seed or self.seed,
            options=self.options,
            components=self.components,
            trace=trace,
        )
