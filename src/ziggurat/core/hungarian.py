"""Hungarian grammar after a number: the suffix follows from how the number is spoken, ``75-ször`` but ``76-szor``.

The page has the same rules in ``web/src/lib/hungarian.ts``; ``tests/suffixes.json`` holds both to the same answers.
"""

from __future__ import annotations

import re

# What holds of the last word that is spoken: 0 to 9, 10 to 90, hundred, thousand, million.
_VOWELS = "oeöoeöoeoe" + "eooeeoeoe" + "oeo"
"""Its harmony: that of *három*, of *hét*, or of *öt*."""
_LINKS = "-e-aeöoeae" + "eaaeeaeae" + "ae-"
"""The vowel before the accusative: *hármat*, *hatot*; *kettőt* needs none."""
_ENDS = "v gy v m gy t t t c c z sz c n n n n n n z r v"
"""What is doubled before *-val*: *hattal*, *nyolccal*, *hússzal*; after a vowel there is a v."""
_FORMS = {
    "ban": ("ban", "ben"),
    "ba": ("ba", "be"),
    "bol": ("ból", "ből"),
    "tol": ("tól", "től"),
    "rol": ("ról", "ről"),
    "ra": ("ra", "re"),
    "nal": ("nál", "nél"),
    "nak": ("nak", "nek"),
    "an": ("an", "en"),
    "szor": ("szor", "szer", "ször"),
    "hoz": ("hoz", "hez", "höz"),
    "ig": ("ig",),
    "ert": ("ért",),
}
"""Each with its forms for a back vowel, a front one and a rounded one; the last form serves for what follows."""
SUFFIXES = frozenset({*_FORMS, "val", "t", "os", "on"})
"""By the form with a back vowel and no accent: ``val`` stands for *-val* and *-vel*, assimilated."""

_NUMBER = re.compile(r"[0-9]+$")
_VOWEL_FIRST = re.compile(r"[„“\"»(]?(5|1([0-9]{3})*(?![0-9])|[aáeéiíoóöőuúüű])", re.IGNORECASE)


def article(text: str) -> str:
    """The Hungarian article: ``az`` before a spoken vowel, of a number or a word, ``a`` before everything else."""
    return "az" if _VOWEL_FIRST.match(text) else "a"


def suffixed(text: str, suffix: str) -> str:
    """A text with a suffix after the number at its end, and no line breaks between; unchanged if it ends otherwise."""
    number = _NUMBER.search(text)
    return f"{text}‑{_suffix(_last_word(int(number[0])), suffix)}" if number else text


def _last_word(number: int) -> int:
    if number == 0 or number % 10:
        return number % 10
    if number % 100:
        return 9 + number // 10 % 10
    return 19 if number % 1000 else 20 if number % 1_000_000 else 21


def _suffix(last: int, suffix: str) -> str:
    vowel, link = _VOWELS[last], _LINKS[last].replace("-", "")
    if suffix == "val":
        return _ENDS.split()[last] + ("al" if vowel == "o" else "el")
    if suffix == "t":
        return f"{link}t"
    if suffix == "os":  # kettő is kettes, and kétszer
        return "es" if last == 2 else f"{link}s"
    if suffix == "on":
        return f"{vowel}n" if link else "n"
    forms = _FORMS[suffix]
    at = 1 if last == 2 and suffix == "szor" else "oeö".index(vowel)
    return forms[min(at, len(forms) - 1)]
