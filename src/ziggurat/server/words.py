"""The catalogue of words that the server writes itself: in letters, in calendars, on its own pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

import ziggurat
from ziggurat.core.errors import UnknownGame
from ziggurat.core.text import Catalogue, general

TEXTS_FOLDER = Path(__file__).parent / "text"


@cache
def words(language: str, game: str = "") -> Catalogue:
    """Return the words of a language, with those of a game."""
    try:
        own = msgspec.json.decode((TEXTS_FOLDER / f"{language}.json").read_bytes(), type=dict[str, str])
    except FileNotFoundError:
        return words("en", game)
    try:
        of_game = ziggurat.game(game).text(language) if game else {}
    except UnknownGame:  # an old table whose game is not here any more
        of_game = {"name": game}
    return Catalogue(language, {**general(language), **of_game, **own}, game)
