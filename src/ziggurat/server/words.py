"""The catalogue of words that the server writes itself: in letters, in calendars, on its own pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

import ziggurat
from ziggurat.core.errors import UnknownGame
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import Catalogue, general, whole

TEXTS_FOLDER = Path(__file__).parent / "text"


@cache
def words(language: str, game: str = "") -> Catalogue:
    """Return the words of a language, with those of a game."""
    if language not in LANGUAGES:  # of somebody who chose it where there was such a one
        return words(LANGUAGES[0], game)
    own = msgspec.json.decode((TEXTS_FOLDER / f"{language}.json").read_bytes(), type=dict[str, str])
    try:
        of_game = ziggurat.game(game).text(language) if game else {}
    except UnknownGame:  # an old table whose game is not here any more
        of_game = {"name": game}
    texts = {key: whole(text) for key, text in {**general(language), **of_game, **own}.items()}
    return Catalogue(language, texts, game)
