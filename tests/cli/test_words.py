"""The words of the terminal."""

from __future__ import annotations

import pytest

import ziggurat
from ziggurat.cli.words import words
from ziggurat.core.languages import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_soft_hyphen_comes_to_a_terminal(language: str) -> None:
    for name in ziggurat.registered_games():
        assert not [key for key, text in words(language, ziggurat.game(name)).texts.items() if "\u00ad" in text]
