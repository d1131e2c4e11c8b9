"""Hungarian suffixes and articles of numbers, as they are spoken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ziggurat.core.hungarian import SUFFIXES, article, suffixed
from ziggurat.core.text import Catalogue

TABLE: dict[str, Any] = json.loads((Path(__file__).parents[1] / "suffixes.json").read_text(encoding="utf-8"))
"""The table that the page is held to as well (`web/src/lib/hungarian.test.ts`)."""
SPOKEN: list[str] = TABLE["spoken"].split()
TENS = ["", "tizen", "huszon", "harminc", "negyven", "ötven", "hatvan", "hetven", "nyolcvan", "kilencven"]
HYPHEN = "\u2011"
"""At which no line breaks."""
HUNGARIAN = [key for key, value in TABLE.items() if isinstance(value, str) and key != "spoken"]


def spoken(number: int) -> str:
    """A number from 0 to 1000 in words."""
    if number < 10:
        return SPOKEN[number]
    if number < 100:
        return {10: "tíz", 20: "húsz"}.get(number) or TENS[number // 10] + (SPOKEN[number % 10] if number % 10 else "")
    if number < 1000:
        hundreds = (SPOKEN[number // 100] if number >= 200 else "") + "száz"
        return hundreds + (spoken(number % 100) if number % 100 else "")
    return "ezer"


def last_word(number: int) -> int:
    """The place of the word that ends a number when it is spoken."""
    said = spoken(number)
    return max((place for place, word in enumerate(SPOKEN) if said.endswith(word)), key=lambda at: len(SPOKEN[at]))


def test_every_suffix_has_a_row_in_the_table() -> None:
    assert set(HUNGARIAN) == SUFFIXES


@pytest.mark.parametrize("suffix", HUNGARIAN)
def test_numbers_take_the_suffix_that_is_spoken(suffix: str) -> None:
    row = TABLE[suffix].split()
    assert len(row) == len(SPOKEN)
    wrong = {
        n: suffixed(str(n), suffix)
        for n in range(1001)
        if suffixed(str(n), suffix) != f"{n}{HYPHEN}{row[last_word(n)]}"
    }
    assert wrong == {}
    for number, form in zip(TABLE["last words"], row, strict=True):
        assert suffixed(str(number), suffix) == f"{number}{HYPHEN}{form}"


def test_the_article_goes_by_the_first_sound() -> None:
    for number in range(1001):
        assert article(str(number)) == ("az" if spoken(number)[0] in "aáeéiíoóöőuúüű" else "a"), number
    for right in ("az", "a"):
        assert [one for one in TABLE[right] if article(str(one)) != right] == []


def test_what_ends_without_a_number_has_no_suffix() -> None:
    assert suffixed("két", "szor") == "két"
    assert suffixed("11:35", "ig") == f"11:35{HYPHEN}ig"


def test_a_pattern_asks_for_a_suffix_and_an_article() -> None:
    say = Catalogue("hu", {"twice": "{n, suffix, szor}", "pays": "{n, plural, other {{n, article} {n, suffix, ert}}}"})
    assert [say("twice", n=n) for n in (75, 76, 2)] == ["75‑ször", "76‑szor", "2‑szer"]
    assert [say("pays", n=n) for n in (5, 6)] == ["az 5‑ért", "a 6‑ért"]
