"""Names that are hidden from the author of an engine: of the game, its pieces, actions and fields, by a seed."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Mapping
from typing import Any

_WORD = re.compile(r"[A-Za-z][A-Za-z_]*")
_SYLLABLES = [consonant + vowel for consonant in "bdfgklmnprstvz" for vowel in "aeiou"]


class HiddenNames:
    """A translation of words, one by one, in plain data and in texts; numbers and signs stay."""

    def __init__(self, words: Mapping[str, str]) -> None:
        self.words = dict(words)
        self._back = {new: old for old, new in words.items()}

    def hide(self, data: Any) -> Any:
        """Plain data in the names that an engine knows."""
        return _translated(data, self.words) if self.words else data

    def reveal(self, data: Any) -> Any:
        """Plain data in our names."""
        return _translated(data, self._back) if self.words else data


def same_names() -> HiddenNames:
    """Nothing is hidden."""
    return HiddenNames({})


def _translated(data: Any, words: Mapping[str, str]) -> Any:
    if isinstance(data, str):
        return _WORD.sub(lambda match: words.get(match[0], match[0]), data)
    if isinstance(data, dict):
        return {_translated(key, words): _translated(value, words) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_translated(value, words) for value in data]
    return data


def invented(words: Iterable[str], seed: str, kept: Iterable[str] = ()) -> dict[str, str]:
    """Words that mean nothing for words that mean something, each once."""
    chance = random.Random(f"names {seed}")
    used = set(kept)
    made: dict[str, str] = {}
    for word in sorted(set(words)):
        while True:
            new = "".join(chance.choice(_SYLLABLES) for _ in range(3))
            if new not in used:
                break
        used.add(new)
        made[word] = new
    return made
