"""The languages of all words, declared once: in `languages.json`, which the build of the page reads too.

A declared language is complete: every catalogue and the rules of every game are there in it, and the tests say what is
missing. The files of another one may lie beside them, half done; nobody is offered it.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from typing import TYPE_CHECKING, Literal

import msgspec


class SpokenLanguage(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"conjunction": "and"}):
    """A language, as its file declares it.

    Attributes:
        name: in itself, as whoever chooses it reads it.
        english: its name in English.
        locale: how dates and times are written for a reader whose region is not known.
        decimal: the sign before the decimals of a number.
        conjunction: before the last item of a list.
        whole_units: "10 minutes" and never "10 min": whole words are short.
    """

    name: str
    english: str
    locale: str
    decimal: Literal[".", ","]
    conjunction: str
    whole_units: bool = False


DECLARED = msgspec.json.decode((files("ziggurat") / "languages.json").read_bytes(), type=dict[str, SpokenLanguage])
LANGUAGES = tuple(DECLARED)
"""Their codes; the first is that of the texts from which all others are translated."""

if TYPE_CHECKING:
    Language = str
else:
    Language = Literal[LANGUAGES]


def declared(language: str) -> SpokenLanguage:
    """What is declared of a language; of one in the making, as of the first."""
    return DECLARED.get(language, DECLARED[LANGUAGES[0]])


def known(tags: Iterable[str]) -> str:
    """The first language that somebody reads and that there is, by tags such as ``de-AT``; else the first of all."""
    primary = (tag.replace("_", "-").partition("-")[0].strip().lower() for tag in tags)
    return next((language for language in primary if language in DECLARED), LANGUAGES[0])


def in_words() -> str:
    """The languages in an English sentence: "English and Hungarian"."""
    *most, last = (one.english for one in DECLARED.values())
    return f"{', '.join(most)} and {last}" if most else last
