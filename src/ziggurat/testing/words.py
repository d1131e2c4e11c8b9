"""Checks of words: everything has a whole sentence in every language, with every piece named."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ziggurat.core.actions import Choice
from ziggurat.core.game import Game
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import Catalogue, MissingText, Slot, general, parse, slots
from ziggurat.core.trace import Event, Phrase
from ziggurat.testing.context import Context

_UNFILLED = re.compile(r"\{\w+")
_ODD = re.compile(r"[^.]\.\.(?!\.)|[,:;] *[.,:;]|\w [.,;](?!\w)|  |^\s|\s$")
"""Stops and blanks as they stand where a sentence was put into another one, or an argument is empty."""
_SIMPLE = frozenset((str, int, bool, float, type(None)))


def phrases(sent: Any) -> Iterator[Phrase]:
    """Yield every phrase in what is sent, at any depth; a choice is one too, by its words."""
    if type(sent) in _SIMPLE:  # most of what is sent
        return
    match sent:
        case Phrase():
            yield sent
            return
        case Choice():
            yield sent.words
    if isinstance(sent, msgspec.Struct):
        sent = [getattr(sent, name) for name in sent.__struct_fields__]
    elif isinstance(sent, Mapping):
        sent = list(sent.values())
    if isinstance(sent, (list, tuple)):
        for part in sent:
            yield from phrases(part)


def has_words(game: Game) -> bool:
    """Whether a game has words of its own, in any language."""
    return any(game.text(language) for language in LANGUAGES)


class Words:
    """The words of a game, in every language."""

    def __init__(self, context: Context, game: Game) -> None:
        self._context = context
        self._has_words = has_words(game)
        # Of a game that has words every one has to be there.
        lacking = "" if self._has_words else game.id
        self._texts = [
            Catalogue(one, {**general(one), **game.text(one), **game.text(one, "what")}, lacking) for one in LANGUAGES
        ]
        self._said: set[str] = set()

    def of_event(self, event: Event) -> None:
        for say in self._texts:
            self._sentence(say, say.phrase_of(event))

    def of(self, *sent: Any) -> None:
        """Check every phrase in what is sent; for everybody, and for the mover where that is said otherwise."""
        for phrase in phrases(sent):
            written = repr(phrase)
            if written in self._said:  # the same decision comes again at every step
                continue
            self._said.add(written)
            for say in self._texts:
                self._sentence(say, phrase)
                if f"{phrase.key}.own" in say.texts:
                    self._sentence(say, Phrase(f"{phrase.key}.own", phrase.args))

    def _sentence(self, say: Catalogue, phrase: Phrase) -> None:
        try:
            text = say.say(phrase)
        except MissingText as error:
            self._context.fail(str(error))
        where = f"{phrase.key} in {say.language!r}"
        self._context.expect(not _ODD.search(text), f"{where} has odd stops or blanks: {text!r}")
        self._context.expect(bool(text.strip()) and not _UNFILLED.search(text), f"{where} is left unfilled: {text!r}")
        if not self._has_words or phrase.key.startswith("ui."):  # said by the house, of any game
            return
        for slot in slots(parse(say.texts[phrase.key])):
            if isinstance(slot, Slot):
                for token in _tokens(phrase.args.get(slot.name)):
                    name = f"{slot.name}.{token}" + (f".{slot.form}" if slot.form else "")
                    known = say.word(slot.name, token, slot.form) is not None
                    self._context.expect(known, f"{where} names a piece that has no name {name!r}")


def _tokens(value: Any) -> list[str]:
    """Return the pieces that an argument names; a single letter or digit is its own name."""
    values = value if isinstance(value, (list, tuple)) else [value]
    tokens = [value.partition(" ")[0] for value in values if isinstance(value, str)]
    return [token for token in tokens if len(token) > 1]
