"""Sanitising a line that a person writes: one line of visible characters remains."""

from __future__ import annotations

import unicodedata

from ziggurat.server.domain.people import (
    BLANK_CHARACTERS,
    JOINERS,
    MODERN_LETTERS,
    MOST_MARKS_PER_LETTER,
    UNSEEN_CATEGORIES,
    VARIATION_SELECTORS,
    joins,
)
from ziggurat.server.problems import Problem

LINE_CHARACTERS = 300
"""Characters of a line."""
DROPPED_CHARACTERS = frozenset("\u00ad\u200b\u2060\ufeff")
"""Where a word may be broken or must not: they come with what is copied, show nothing and change nothing."""


def clean_line(text: str) -> str:
    """Return a text fit to be shown as one line, or refuse it: too long, empty to the eye, or with control characters
    of direction and display."""
    if len(text) > 4 * LINE_CHARACTERS:
        raise _long()
    text = unicodedata.normalize(
        "NFC", "".join(letter for letter in text if letter not in VARIATION_SELECTORS | DROPPED_CHARACTERS)
    )
    # What a joiner kept apart may be one letter without it.
    text = unicodedata.normalize("NFC", _joined(" ".join(text.split())))
    if len(text) > LINE_CHARACTERS:
        raise _long()
    shown = "".join(letter for letter in text if letter not in JOINERS)
    kinds = [unicodedata.category(letter) for letter in shown]
    if (
        not shown
        or any(kind in UNSEEN_CATEGORIES for kind in kinds)
        or any(letter in BLANK_CHARACTERS for letter in shown)
    ):
        raise Problem(400, "bad_line", "A line is made of visible characters, in the order in which they are read.")
    marks = "".join("m" if kind[0] == "M" else "-" if kind == "Zs" else "x" for kind in kinds)
    if "-m" in f"-{marks}" or "m" * (MOST_MARKS_PER_LETTER + 1) in marks:
        says = (
            f"In a line a mark such as an accent stands on a letter, and not more than {MOST_MARKS_PER_LETTER} on one."
        )
        raise Problem(400, "bad_line", says)
    return text


def _joined(text: str) -> str:
    """Return a text with the joiners that its spelling needs: to leave one out may make another one needless."""
    for old, new in MODERN_LETTERS.items():
        text = text.replace(old, new)
    for needed in (joins, joins, lambda *_: False):
        kept = "".join(letter for at, letter in enumerate(text) if letter not in JOINERS or needed(text, at))
        if (kept := " ".join(kept.split())) == text:
            break
        text = kept
    return text


def _long() -> Problem:
    return Problem(400, "long_line", f"A line has at most {LINE_CHARACTERS} characters.", max=LINE_CHARACTERS)
