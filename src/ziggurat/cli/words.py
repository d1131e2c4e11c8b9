"""The words of the terminal, in the language that a person chose."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import click

from ziggurat.core.languages import LANGUAGES, known

if TYPE_CHECKING:
    from ziggurat.core.game import Game
    from ziggurat.core.text import Catalogue

language_option = click.option(
    "--lang", type=click.Choice(LANGUAGES), help="Language (default: that of your system, else English)."
)


def language(chosen: str | None) -> str:
    """Return the code of a language: as chosen, or as the system says."""
    if chosen:
        return chosen
    system = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return known([system])


SOFT_HYPHEN = "\u00ad"
"""Where a browser may break a long word; terminals show it, or count it among the letters."""


def words(chosen: str | None, game: Game | None = None) -> Catalogue:
    """The words of a game and the general ones, as a terminal can show them."""
    from ziggurat.core.text import Catalogue, catalogue

    known_words = catalogue(language(chosen), game)
    texts = {key: text.replace(SOFT_HYPHEN, "") for key, text in known_words.texts.items()}
    return Catalogue(known_words.language, texts, game.id if game else "")
