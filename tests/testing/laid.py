"""The game that ``ziggurat new-game`` lays, bound where it is kept: in no room of the house."""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable

from ziggurat.core.game import Game
from ziggurat.testing import sample


class LaidGame(Game):
    @cached_property
    def folder(self) -> Traversable:
        return files(sample)


GAME = LaidGame(**{field.name: getattr(sample.GAME, field.name) for field in fields(sample.GAME) if field.init})
