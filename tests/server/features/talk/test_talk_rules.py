"""What may be said, as a function of the text."""

from __future__ import annotations

import unicodedata

import pytest
from tests.properties import given, st

from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import catalogue
from ziggurat.server.domain.lines import LINE_CHARACTERS, clean_line
from ziggurat.server.domain.people import BLANK_CHARACTERS, JOINERS, MOST_MARKS_PER_LETTER, UNSEEN_CATEGORIES
from ziggurat.server.features.talk.rows import TAKEN_PHRASE
from ziggurat.server.features.talk.rules import LINE_RATES, PHRASES, must_not_hurry
from ziggurat.server.problems import Problem

TEXTS = st.text(max_size=400) | st.text(alphabet="aé \u0301\u200d\u200c\u202e\ufe0f\u00ad👩🚀ക്ی<&>\n", max_size=60)


def cleaned(text: str) -> str | None:
    try:
        return clean_line(text)
    except Problem as problem:
        return None if problem.code in ("bad_line", "long_line") else "refused for another reason"


@given(TEXTS)
def test_what_is_let_through_is_seen_and_is_let_through_again(text: str) -> None:
    line = cleaned(text)
    if line is None:
        return
    assert 1 <= len(line) <= LINE_CHARACTERS
    assert line == line.strip() == " ".join(line.split())
    shown = [letter for letter in line if letter not in JOINERS]
    assert not any(unicodedata.category(letter) in UNSEEN_CATEGORIES or letter in BLANK_CHARACTERS for letter in shown)
    assert not any(unicodedata.bidirectional(letter) in ("LRE", "RLO", "LRI", "PDF", "PDI") for letter in line)
    marks = 0
    for letter in shown:
        marks = marks + 1 if unicodedata.category(letter)[0] == "M" else 0
        assert marks <= MOST_MARKS_PER_LETTER
    assert cleaned(line) == line


@given(st.text(alphabet=st.characters(categories=["L", "N", "P", "S"]), min_size=1, max_size=LINE_CHARACTERS // 4))
def test_letters_digits_and_signs_are_left_as_they_are(text: str) -> None:
    text = unicodedata.normalize("NFC", text)
    if BLANK_CHARACTERS.isdisjoint(text):
        assert cleaned(text) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  Szép\tlépés!\r\n", "Szép lépés!"),
        ("co\u00adop\u200b", "coop"),
        ("👩\u200d🚀 ❤\ufe0f", "👩\u200d🚀 ❤"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("x\u200dy", "xy"),
        ("a\u200d\u0301", "á"),
        ("שלום עולם", "שלום עולם"),
        ("<script>alert(1)</script> www.evil.example", "<script>alert(1)</script> www.evil.example"),
    ],
)
def test_what_people_type_is_said(text: str, line: str) -> None:
    assert clean_line(text) == line


@pytest.mark.parametrize(
    "text", ["", " ", "\u2800", "\u3164", "\u200d", "\u200d\u0d4d", "a\u202eb", "a\u2067b", "a\u200eb", "a\x07b"]
)
def test_what_is_not_seen_is_refused(text: str) -> None:
    assert cleaned(text) is None


@pytest.mark.parametrize("text", ["\u0301a", "a" + "\u0301" * 6, "a \u0301"])
def test_marks_stand_on_letters(text: str) -> None:
    assert cleaned(text) is None


def test_a_line_is_so_long() -> None:
    assert clean_line("x" * LINE_CHARACTERS)
    with pytest.raises(Problem, match=str(LINE_CHARACTERS)):
        clean_line("x" * (LINE_CHARACTERS + 1))
    with pytest.raises(Problem, match=str(LINE_CHARACTERS)):
        clean_line("x\u200b" * 1_000_000)


def test_so_often_and_no_more() -> None:
    now = 1_000_000.0
    for most, seconds in LINE_RATES:
        spread = [round(1000 * (now - seconds * (n + 0.5) / most)) for n in range(most)]
        with pytest.raises(Problem) as refused:
            must_not_hurry(spread, now)
        assert refused.value.code == "talk_fast"
        must_not_hurry(spread, now + refused.value.args_["seconds"])
        must_not_hurry(spread[:-1], now)
        at_once = [round(1000 * now) + n for n in reversed(range(most))]
        with pytest.raises(Problem):
            must_not_hurry(at_once, now)
        must_not_hurry(spread, now - 10 * seconds)  # the clock was set back


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_has_words(language: str) -> None:
    words = catalogue(language, None, "talk").texts
    assert {key for key in words if key.startswith("talk.phrase.")} == {
        f"talk.phrase.{name}" for name in (*PHRASES, TAKEN_PHRASE)
    }
