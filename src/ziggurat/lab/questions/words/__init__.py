"""The words of questions, in the languages of the catalogues."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib.resources import files

import msgspec

from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import Catalogue


def languages() -> tuple[str, ...]:
    """Return the languages in which questions are asked."""
    return tuple(one for one in LANGUAGES if files(__package__).joinpath(f"{one}.json").is_file())


@cache
def words_of(language: str) -> Callable[..., str]:
    """Return a function from a key to words, which takes their arguments by name."""
    texts = msgspec.json.decode(files(__package__).joinpath(f"{language}.json").read_bytes(), type=dict[str, str])
    known = Catalogue(language, texts)
    return lambda key, **args: known(key, None, **args)
