"""Catalogues: every word that a player reads, in every language, by key.

A pattern holds ``{arg}``, ``{arg.form}`` and ``{n, plural, =0 {none} one {# card} other {# cards}}``, a subset of ICU
MessageFormat; for Hungarian also ``{n, suffix, szor}``, the number as in *75-ször*, and ``{n, article}``, the *a* or
*az* that goes before it (``hungarian.py``). The page reads it with ``web/src/lib/format.ts``; ``tests/patterns.json``
holds both to the same answers.
An argument that is a token, such as ``"arcades 8"`` for ``building``, is named by the key ``building.arcades``; what
follows its first word is kept, or stands where the name has a ``#``: ``# ships``. What is called the same wherever it
stands has one key, ``word.arcades``, which is read where the argument has none of its own. Of a list equal ones are
counted, with the word ``building.arcades.many`` if there is one. An argument that is a phrase itself, or a list of
them, is said in its place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from ziggurat.core.errors import ZigguratError
from ziggurat.core.game import Game
from ziggurat.core.hungarian import SUFFIXES, article, suffixed
from ziggurat.core.languages import declared
from ziggurat.core.trace import Event, Phrase

Names = Callable[[int], str]
"""Turns a seat into a name."""

WORD_KEY = "word"
"""Under this name stands what a token is called wherever it stands."""
SEAT_ARGS = {"seat", "seats", "winners"}

_SLOT = re.compile(r"([a-z_]+)(?:\.([a-z_]+))?\}")
_GRAMMAR = re.compile(r"([a-z_]+), (?:article|suffix, ([a-z]+))\}")
_PLURAL = re.compile(r"([a-z_]+), plural, ")
_BRANCH = re.compile(r"(=[0-9]+|one|other) \{")


class Slot(NamedTuple):
    """A placeholder for the value of an argument, in a grammatical form if the sentence needs one."""

    name: str
    form: str = ""


class Plural(NamedTuple):
    """A choice of text by a number; in the branches `#` is that number."""

    name: str
    branches: dict[str, Pattern]


class Grammar(NamedTuple):
    """A number with a suffix; with none, the article that goes before the argument."""

    name: str
    suffix: str


Placeholder = Slot | Plural | Grammar
Pattern = tuple["str | Placeholder", ...]


@cache
def parse(text: str) -> Pattern:
    """Parse a pattern.

    Raises:
        ValueError: for braces that are no placeholder, with the reason.
    """
    parts, end = _parts(text, 0)
    if end < len(text):
        raise ValueError(f"a brace is closed that was not opened: {text!r}")
    return parts


def _parts(text: str, at: int) -> tuple[Pattern, int]:
    """Parse the parts from a place on, up to the brace that closes them or the end; return them and that place."""
    parts: list[str | Placeholder] = []
    while at < len(text) and text[at] != "}":
        if text[at] == "{":
            placeholder, at = _placeholder(text, at + 1)
            parts.append(placeholder)
        else:
            end = next((place for place in range(at, len(text)) if text[place] in "{}"), len(text))
            parts.append(text[at:end])
            at = end
    return tuple(parts), at


def _placeholder(text: str, at: int) -> tuple[Placeholder, int]:
    if slot := _SLOT.match(text, at):
        return Slot(slot[1], slot[2] or ""), slot.end()
    if grammar := _GRAMMAR.match(text, at):
        if grammar[2] and grammar[2] not in SUFFIXES:
            raise ValueError(f"not a suffix of a placeholder: {text[at - 1 :]!r}; there are {sorted(SUFFIXES)}")
        return Grammar(grammar[1], grammar[2] or ""), grammar.end()
    plural = _PLURAL.match(text, at)
    if plural is None:
        raise ValueError(f"not a placeholder: {text[at - 1 :]!r}")
    at = plural.end()
    branches: dict[str, Pattern] = {}
    while not text.startswith("}", at):
        branch = _BRANCH.match(text, at)
        if branch is None or branch[1] in branches:
            raise ValueError(f"not a branch of a plural, or there twice: {text[at:]!r}")
        branches[branch[1]], at = _parts(text, branch.end())
        if at == len(text):
            raise ValueError(f"a brace is not closed: {text!r}")
        at += 2 if text.startswith("} ", at) else 1
    if "other" not in branches:
        raise ValueError(f"a plural needs the branch `other`: {text!r}")
    return Plural(plural[1], branches), at + 1


def slots(pattern: Pattern) -> Iterator[Placeholder]:
    """All placeholders of a pattern, those in branches too."""
    for part in pattern:
        if isinstance(part, Plural):
            for branch in part.branches.values():
                yield from slots(branch)
        if not isinstance(part, str):
            yield part


def placeholders(text: str) -> set[str]:
    """The names of a pattern's arguments."""
    return {slot.name for slot in slots(parse(text))}


def differences(texts: Mapping[str, Mapping[str, str]]) -> Iterator[str]:
    """The faults between the catalogues of several languages: keys, placeholders, patterns that cannot be parsed."""
    (first, known), *others = texts.items()
    for language, catalogue in texts.items():
        for key, text in catalogue.items():
            try:
                parse(text)
            except ValueError as error:
                yield f"{key!r} in {language!r}: {error}"
                return
            if not text.strip():
                yield f"{key!r} is empty in {language!r}"
    for language, catalogue in others:
        for key in sorted(known.keys() ^ catalogue.keys()):
            there, lacking = (first, language) if key in known else (language, first)
            yield f"{key!r} is in {there!r} and missing in {lacking!r}"
        for key in known.keys() & catalogue.keys():
            if placeholders(known[key]) != placeholders(catalogue[key]):
                yield f"{key!r} has other placeholders in {language!r} than in {first!r}"


class MissingText(ZigguratError):
    code = "missing_text"


class Catalogue:
    """The catalogue of one language: the general words and those of a game.

    What a game has no words for is said all the same, by its key and its arguments: a game in the making has none yet.
    """

    def __init__(self, language: str, texts: Mapping[str, str], game: str = "") -> None:
        """Take the words as they are given.

        Args:
            game: the id of the game whose words are among them; empty where every word has to be there.
        """
        self.language = language
        self.texts = texts
        self._game = game

    def __call__(self, key: str, names: Names | None = None, /, **args: Any) -> str:
        """The text of a key with its placeholders filled; ``names`` turns a seat into a name.

        Raises:
            MissingText: for a key that is not in the catalogue, and is not one of a game's.
        """
        if key not in self.texts:
            if self._game and not key.startswith("ui."):
                return self._unworded(key, args, names or self._seat_name)
            raise MissingText(f"no text {key!r} in language {self.language!r}", key=key)
        return self._fill(parse(self.texts[key]), args, names or self._seat_name)

    def say(self, phrase: Phrase, names: Names | None = None) -> str:
        """Return a phrase in words; ``names`` are those of the seats."""
        return self(phrase.key, names, **phrase.args)

    def event(self, event: Event, names: Names | None = None) -> str:
        """Return the sentence of an event for the log."""
        return self.say(self.phrase_of(event), names)

    def phrase_of(self, event: Event) -> Phrase:
        """Return an event as a phrase, with its seat among the arguments."""
        key = f"log.{event.type}"
        if event.seat is None and f"{key}.nobody" in self.texts:
            key += ".nobody"
        return Phrase(key, {"seat": event.seat, **event.args})

    def _seat_name(self, seat: int) -> str:
        return self.texts["ui.seat"].replace("{n}", str(seat + 1)) if "ui.seat" in self.texts else str(seat + 1)

    def _unworded(self, key: str, args: Mapping[str, Any], names: Names) -> str:
        """Return a fallback text for a key of a game without words: its last word, with the values of its arguments; of
        an event who, what and how, with the names of the arguments."""
        head, *rest = key.removesuffix(".own").removesuffix(".nobody").split(".")
        if key == "name":
            return self._game.replace("_", " ").title()
        if key == "tagline" or key.endswith(".help"):
            return ""
        last = (rest or [head])[-1]
        what = self.texts[f"ui.game.{last}"] if last in ("yes", "no") else last.replace("_", " ")
        told = {name: self._told(name, value, names) for name, value in args.items() if name != "seat"}
        if head != "log":
            return " ".join(filter(None, [what, *told.values()]))
        seat, how = args.get("seat"), [f"{name.replace('_', ' ')} {said}" for name, said in told.items() if said]
        who = f"{names(seat)}: " if isinstance(seat, int) else ""
        return f"{who}{what} ({', '.join(how)})" if how else f"{who}{what}"

    def _told(self, name: str, value: Any, names: Names) -> str:
        """Return the value of an argument in such a fallback text."""
        if isinstance(value, bool):
            return self.texts["ui.game.yes" if value else "ui.game.no"]
        return self._value(name, "", value, names)

    def _fill(self, pattern: Pattern, args: Mapping[str, Any], names: Names, count: int | None = None) -> str:
        said = ""
        for part in pattern:
            match part:
                case str():
                    said += part if count is None else part.replace("#", str(count))
                case Slot(name, form):
                    written = f"{{{name}.{form}}}" if form else f"{{{name}}}"
                    said += self._value(name, form, args[name], names) if name in args else written
                case Grammar(name, suffix):
                    said += self._grammar(name, suffix, args, names)
                case Plural(name, branches):
                    value = args.get(name, 0)
                    number = len(value) if isinstance(value, list) else value or 0
                    usual = branches.get("one", branches["other"]) if number == 1 else branches["other"]
                    said += self._fill(branches.get(f"={number}", usual), args, names, number)
        return said

    def _grammar(self, name: str, suffix: str, args: Mapping[str, Any], names: Names) -> str:
        if name not in args:
            return f"{{{name}, suffix, {suffix}}}" if suffix else f"{{{name}, article}}"
        value = self._value(name, "", args[name], names)
        if self.language != "hu":
            return value
        return suffixed(value, suffix) if suffix else article(value)

    def _pieces(self, name: str, token: str, said: str, count: int) -> str:
        """Return several equal pieces in words: ``2 compasses`` where there is a word for several, else ``2 × blue
        5``."""
        if count == 1:
            return said
        many = self.word(name, token, "many")
        return f"{count} {many}" if many else f"{count} × {said}"

    def _value(self, name: str, form: str, value: Any, names: Names) -> str:
        if isinstance(value, Sequence) and not isinstance(value, str):
            items = [self._value(name, form, item, names) for item in value]
            if all(isinstance(item, str) for item in value):  # pieces; numbers and seats are told one by one
                tokens = dict(zip(items, value, strict=True))
                items = [self._pieces(name, tokens[item], item, count) for item, count in Counter(items).items()]
            if len(items) < 2:
                return "".join(items)  # of an empty list nothing, as in the browser
            return f"{', '.join(items[:-1])} {declared(self.language).conjunction} {items[-1]}"
        if isinstance(value, Phrase):
            return self.say(value, names)
        if name in SEAT_ARGS and isinstance(value, int):
            return names(value)
        if isinstance(value, bool):
            value = str(value).lower()
        if not isinstance(value, str):
            said = "" if value is None else f"{value:.9g}" if isinstance(value, float) else str(value)
            return said.replace(".", declared(self.language).decimal)  # nothing, as in the browser
        first, _, rest = value.partition(" ")
        text = (self.word(name, first, form) if form else None) or self.word(name, first)
        if text is None:
            return value
        if "#" in text:
            return text.replace("#", rest)
        return f"{text} {rest}" if rest else text

    def word(self, name: str, token: str, form: str = "") -> str | None:
        """Return the word of a token as a value of an argument or a field, or else in general; None without words.

        Args:
            form: that a sentence asks for.
        """
        end = f".{token}.{form}" if form else f".{token}"
        return self.texts.get(name + end, self.texts.get(WORD_KEY + end))


def whole(text: str) -> str:
    """Return a text without soft hyphens, which only a page understands."""
    return text.replace("\u00ad", "")


@cache
def general(language: str) -> dict[str, str]:
    """The general catalogue, with the words of the terminal, which the page need not load."""
    folder = files("ziggurat") / "text"
    raw = [(place / f"{language}.json").read_bytes() for place in (folder, folder / "terminal")]
    return {key: text for one in raw for key, text in msgspec.json.decode(one, type=dict[str, str]).items()}


def rules_file(game: str, language: str) -> Path | None:
    """The file of a game's rules in our own words, in Markdown; None where they are not installed or not written."""
    package = Path(__file__).parents[1]
    # In the installed package, and in the source tree.
    found = (root / "docs" / "games" / game / f"rules.{language}.md" for root in (package, package.parents[1]))
    return next((path for path in found if path.is_file()), None)


def rules_text(game: str, language: str) -> str | None:
    """The rules as text for readers without pictures, where the page has a piece next to its name in words."""
    path = rules_file(game, language)
    return None if path is None else re.sub(r" ?!\[[^]]*\]\(<piece:[^>]*>\)", "", path.read_text(encoding="utf-8"))


_catalogues: dict[tuple[str, ...], Catalogue] = {}


def catalogue(language: str, game: Game | None = None, *parts: str) -> Catalogue:
    """The catalogue of a language, with the words of a game, and of some parts of the page: ``why`` says why a move is
    good."""
    key = (language, game.id if game else "", *parts)
    if key not in _catalogues:
        words = [general(language), *([game.text(language)] if game else [])]
        for part in parts:
            raw = (files("ziggurat") / "text" / part / f"{language}.json").read_bytes()
            words += [msgspec.json.decode(raw, type=dict[str, str]), *([game.text(language, part)] if game else [])]
        texts = {key: whole(text) for one in words for key, text in one.items()}
        _catalogues[key] = Catalogue(language, texts, game.id if game else "")
    return _catalogues[key]
