"""Who somebody is, and what their name may be."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from functools import cache

import msgspec

from ziggurat.bots import BOTS
from ziggurat.core.text import LANGUAGES, general
from ziggurat.server.problems import Problem

NAME_LENGTH = 30
MARKS = 4
"""That may stand on one letter; some languages need three."""
UNSEEN = ("Cc", "Cf", "Co", "Cs", "Cn")
"""Kinds of characters that are not seen, or turn around how others are."""
VARIATIONS = frozenset(map(chr, range(0xFE00, 0xFE10)))
"""Which picture of a character is meant; telephones put them behind hearts."""
BLANK = frozenset(
    map(
        chr,
        (
            # Letters, marks and signs of Unicode that show nothing: fillers of Hangul, a joiner, vowels of Khmer,
            # selectors of Mongolian and Han, a pattern of Braille without dots, a note without a head, blanks.
            *(0x115F, 0x1160, 0x3164, 0xFFA0, 0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x16FE4),
            *(*range(0xE0100, 0xE01F0), 0x2800, 0x1D159, 0xFFFC, 0x13441, 0x13442),
        ),
    )
)
# What mail programs, chats and telephones make a link of, wherever it stands in a text.
LINK = re.compile(r"://|(?<![^\W_])www\d*\.")
# Cyrillic and Greek letters, and digits, that look like a Latin one; a capital may where its small letter does not.
LOOKS = str.maketrans(
    "АВЕКМНОРСТУХІЈЅԌԜаеорсухіјѕһԁԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαινρυϲϳ01I|",
    "ABEKMHOPCTYXlJSGWaeopcyxijshdqwlABEZHlKMNOPTYXoaivpucjolll",
)


FIRST = "first"
"""The device with which somebody came first."""


class Person(msgspec.Struct, frozen=True):
    """Somebody who came by; `id` is not a secret, the token is."""

    id: str
    name: str
    language: str
    device: str = FIRST
    """By which of their devices."""
    by_hand: bool = False
    """Whether they give answers themselves that the rules leave no choice."""
    mark: str = ""
    """Which they have chosen (`marks`)."""


HOUSE = Person("house", "", "en")
"""The host of tables that whoever runs the server lays out. Nobody has its token."""


def hashed(secret: str) -> str:
    """Return what the database keeps of a secret. The secrets are random and long, so one plain SHA-256 is enough."""
    return hashlib.sha256(secret.encode()).hexdigest()


def clean_name(name: str) -> str:
    """Return a name fit to be shown, or refuse it: neither too long, nor empty to the eye, nor a link, nor a bot's."""
    letters = (letter for letter in unicodedata.normalize("NFC", name) if letter not in VARIATIONS)
    name = " ".join("".join(letters).split())
    if not 1 <= len(name) <= NAME_LENGTH:
        raise Problem(400, "bad_name", f"A name has 1 to {NAME_LENGTH} characters.", max=NAME_LENGTH)
    kinds = [unicodedata.category(letter) for letter in name]
    if any(kind in UNSEEN for kind in kinds) or any(letter in BLANK for letter in name):
        raise Problem(400, "bad_name", "A name is made of visible characters.")
    marks = "".join("m" if kind[0] == "M" else "-" if kind == "Zs" else "x" for kind in kinds)
    if "-m" in f"-{marks}" or "m" * (MARKS + 1) in marks:
        raise Problem(
            400, "bad_name", f"In a name a mark such as an accent stands on a letter, and not more than {MARKS} on one."
        )
    if LINK.search(unicodedata.normalize("NFKC", name).casefold()):
        raise Problem(400, "link_name", "A name is no address of a page: it has neither :// nor www. in it.")
    # Not "Master 2" either.
    if not _bots().isdisjoint({*_looks(name), *_looks(name.rstrip("0123456789"))}):
        raise Problem(400, "bots_name", f"Bots are called {name}; choose a name that tells you from them.", name=name)
    return name


@cache
def _bots() -> frozenset[str]:
    """How the names look that bots have at a table, in any language."""
    words = [general(language) for language in LANGUAGES]
    keys = [f"ui.bot.{bot}" for bot in BOTS] + [key for key in words[0] if key.startswith("ui.bot.name.")]
    return frozenset(look for known in words for key in keys for look in _looks(known[key]))


def fit_to_show(name: str) -> str:
    """Return a name that was stored, or none if it would be refused today."""
    try:
        return clean_name(name)
    except Problem:
        return ""


def alike(one: str, other: str) -> bool:
    """Whether two names can be mistaken for one another: the same but for case and width, or the same to the eye."""
    return any(mine == theirs for mine, theirs in zip(_looks(one), _looks(other), strict=True))


def _looks(name: str) -> tuple[str, str]:
    """Return what names have in common that can be mistaken for one another: either of these."""
    name = unicodedata.normalize("NFKC", name).replace(" ", "")
    return name.casefold(), name.translate(LOOKS).casefold()
