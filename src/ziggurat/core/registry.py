"""The registry of games: every package below ``ziggurat.games`` that binds a ``GAME``."""

from __future__ import annotations

import copyreg
import importlib
import importlib.util
import logging
import pkgutil
from collections.abc import Mapping
from functools import cache
from traceback import walk_tb
from types import ModuleType

from ziggurat.core.errors import BrokenGame, UnknownGame
from ziggurat.core.game import Game

logger = logging.getLogger(__name__)


def names() -> list[str]:
    """The ids of all games, in alphabetical order, whether or not each can be bound."""
    package = importlib.import_module("ziggurat.games")
    return sorted(module.name for module in pkgutil.iter_modules(package.__path__) if module.ispkg)


def load(name: str) -> Game:
    """Import and bind the game of a folder.

    Raises:
        BrokenGame: saying what it lacks, or what went wrong in its code, and where.
    """
    try:
        found = getattr(importlib.import_module(f"ziggurat.games.{name}"), "GAME", None)
    except BrokenGame:
        raise
    except Exception as error:  # the code of one game must not take away the others
        raise BrokenGame(f"{name}: {_told(error, name)}") from error
    if not isinstance(found, Game):
        raise BrokenGame(f"{name}: __init__.py needs GAME, of type Game; see docs/adding-a-game.md")
    return found


def _told(error: Exception, name: str) -> str:
    """The error of importing a game, with the line in its folder."""
    where = ""
    for frame, line in walk_tb(error.__traceback__):
        module = str(frame.f_globals.get("__name__"))
        if f"{module}.".startswith(f"ziggurat.games.{name}."):
            where = f", in line {line} of {module}"
    return f"{type(error).__name__}: {error}{where}"  # an error of syntax names its file and line itself


@cache
def games() -> Mapping[str, Game]:
    """All games by id, in alphabetical order. One that cannot be bound is left out, and the log says why."""
    found: dict[str, Game] = {}
    for name in names():
        try:
            found[name] = game(name)
        except BrokenGame as error:
            logger.warning("left out: %s", error)
    return found


loaded: dict[str, Game] = {}
"""The games that somebody has asked for, by id."""


def game(name: str) -> Game:
    """A game by id; no other one is loaded.

    Raises:
        UnknownGame: with the list of those that there are.
        BrokenGame: for a game that cannot be bound, saying what it lacks.
    """
    if name in loaded:
        return loaded[name]
    if name not in names():
        raise UnknownGame(f"there is no game {name!r}; there are: {', '.join(games())}", game=name)
    loaded[name] = load(name)
    return loaded[name]


def part(game: str, name: str) -> ModuleType | None:
    """An optional module of a game's folder that only one part of the program uses, such as ``terminal``; None: it has
    none."""
    module = f"ziggurat.games.{game}.{name}"
    return importlib.import_module(module) if game in names() and importlib.util.find_spec(module) else None


# A copy of a game, and what is unpickled in another process, are the game of that name there.
copyreg.pickle(Game, lambda copied: (game, (copied.id,)))
