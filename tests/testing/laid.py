"""Games that lie in no room of the house, such as the one that ``ziggurat new-game`` lays."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from ziggurat.core.game import Game
from ziggurat.testing import sample


@dataclass(frozen=True)
class KeptGame(Game):
    package: str = ""

    @cached_property
    def folder(self) -> Traversable:
        return files(self.package)


def kept(game: Game, package: str) -> Game:
    """A game whose files are those of a package."""
    return KeptGame(**{field.name: getattr(game, field.name) for field in fields(game) if field.init}, package=package)


GAME = kept(sample.GAME, sample.__name__)
