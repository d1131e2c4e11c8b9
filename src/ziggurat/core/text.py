"""Catalogues: every word that a player reads, in English and Hungarian, by key.

A pattern holds ``{arg}``, ``{arg.form}`` and ``{n, plural, =0 {none} one {# card} other {# cards}}`` (a subset of ICU
MessageFormat, without placeholders inside branches).
An argument that is a token, such as ``"arcades 8"`` for ``building``, is named by the key ``building.arcades``; what
follows its first word is kept. One that is a phrase itself, or a list of them, is said in its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from ziggurat.core.errors import ZigguratError
from ziggurat.core.game import Game
from ziggurat.core.trace import Event, Phrase

LANGUAGES = ("en", "hu")
Names = Callable[[int], str]
"""Turns a seat into a name."""

SEAT_ARGS = {"seat", "seats", "winners"}

_PLACEHOLDER = re.compile(r"\{(\w+)(?:\.(\w+))?\}|\{(\w+), plural, ((?:=?\w+ \{[^{}]*\}\s*)+)\}")
_BRANCH = re.compile(r"(=?\w+) \{([^{}]*)\}")
_AND = {"en": "and", "hu": "és"}


def placeholders(pattern: str) -> set[str]:
    """The names of the arguments that a pattern asks for."""
    return {match[1] or match[3] for match in _PLACEHOLDER.finditer(pattern)}


class MissingText(ZigguratError):
    code = "missing_text"


class Catalogue:
    """The words of one language, the general ones and those of a game."""

    def __init__(self, language: str, texts: Mapping[str, str]) -> None:
        self.language = language
        self.texts = texts

    def __call__(self, key: str, names: Names | None = None, /, **args: Any) -> str:
        """The text of a key with its placeholders filled; ``names`` turns a seat into a name.

        Raises:
            MissingText: for a key that is not in the catalogue.
        """
        if key not in self.texts:
            raise MissingText(f"no text {key!r} in language {self.language!r}", key=key)
        return self._fill(self.texts[key], args, names or self._seat_name)

    def say(self, phrase: Phrase, names: Names | None = None) -> str:
        return self(phrase.key, names, **phrase.args)

    def event(self, event: Event, names: Names | None = None) -> str:
        """The sentence of a log for an event."""
        key = f"log.{event.type}"
        if event.seat is None and f"{key}.nobody" in self.texts:
            key += ".nobody"
        return self(key, names, seat=event.seat, **event.args)

    def _seat_name(self, seat: int) -> str:
        return self.texts["ui.seat"].replace("{n}", str(seat + 1)) if "ui.seat" in self.texts else str(seat + 1)

    def _fill(self, pattern: str, args: Mapping[str, Any], names: Names) -> str:
        def replace(match: re.Match[str]) -> str:
            name, form, counted, branches = match.groups()
            if counted:
                return self._plural(args.get(counted, 0), branches)
            if name not in args:
                return match.group(0)
            return self._value(name, form, args[name], names)

        return _PLACEHOLDER.sub(replace, pattern)

    def _plural(self, count: Any, branches: str) -> str:
        forms: dict[str, str] = dict(_BRANCH.findall(branches))
        number = len(count) if isinstance(count, list) else count or 0
        usual = forms.get("one", forms["other"]) if number == 1 else forms["other"]
        chosen = forms.get(f"={number}", usual)
        return chosen.replace("#", str(number))

    def _value(self, name: str, form: str | None, value: Any, names: Names) -> str:
        if isinstance(value, Sequence) and not isinstance(value, str):
            items = [self._value(name, form, item, names) for item in value]
            if all(isinstance(item, str) for item in value):  # pieces; numbers and seats are told one by one
                items = [f"{count} × {item}" if count > 1 else item for item, count in Counter(items).items()]
            if len(items) < 2:
                return "".join(items)  # of an empty list nothing, as in the browser
            return f"{', '.join(items[:-1])} {_AND[self.language]} {items[-1]}"
        if isinstance(value, Phrase):
            return self.say(value, names)
        if name in SEAT_ARGS and isinstance(value, int):
            return names(value)
        if not isinstance(value, str):
            return "" if value is None else str(value)  # nothing, as in the browser
        first, _, rest = value.partition(" ")
        key = f"{name}.{first}" + (f".{form}" if form else "")
        text = self.texts.get(key, self.texts.get(f"{name}.{first}", first))
        return f"{text} {rest}" if rest else text


@cache
def general(language: str) -> dict[str, str]:
    """The general catalogue, whose keys begin with ``ui.``."""
    raw = (files("ziggurat") / "text" / f"{language}.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, str])


def rules_file(game: str, language: str) -> Path | None:
    """The rules of a game in our own words, as Markdown; None where they are not installed or not written."""
    package = Path(__file__).parents[1]
    # In the installed package, and in the source tree.
    found = (root / "docs" / "games" / game / f"rules.{language}.md" for root in (package, package.parents[1]))
    return next((path for path in found if path.is_file()), None)


_catalogues: dict[tuple[str, str], Catalogue] = {}


def catalogue(language: str, game: Game | None = None) -> Catalogue:
    """The words of a language, with those of a game."""
    key = (language, game.id if game else "")
    if key not in _catalogues:
        _catalogues[key] = Catalogue(language, {**general(language), **(game.text(language) if game else {})})
    return _catalogues[key]
