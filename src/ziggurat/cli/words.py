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


def words(chosen: str | None, game: Game | None = None) -> Catalogue:
    from ziggurat.core.text import catalogue

    return catalogue(language(chosen), game)
