"""The formatter of the catalogues."""

from __future__ import annotations

import pytest
from tests.example import EXAMPLE, SEATS

import ziggurat
from ziggurat.core.text import Catalogue, MissingText, catalogue, placeholders
from ziggurat.core.trace import Event, Phrase

SAY = Catalogue(
    "en",
    {
        "plain": "Nothing to fill.",
        "two": "{a} and {b}",
        "cards": "{n, plural, =0 {none} one {# card} other {# cards}}",
        "built": "{building.acc}!",
        "building.arcades": "arcades",
        "building.arcades.acc": "the arcades",
        "who": "{seat} beats {seats}",
        "list": "{cards}",
        "cards.blue": "sky",
        "log.left": "{seat} gets it",
        "log.left.nobody": "it stays",
        "ui.seat": "player {n}",
    },
)


NESTED = "1 card and 2 cards and Nothing to fill."


@pytest.mark.parametrize(
    ("key", "args", "said"),
    [
        ("plain", {}, "Nothing to fill."),
        ("two", {"a": 1, "b": None}, "1 and "),
        ("two", {"a": "x y", "b": ""}, "x y and "),
        ("two", {"a": "{b}", "b": 2}, "{b} and 2"),  # what is filled in is not read again
        ("cards", {"n": 0}, "none"),
        ("cards", {"n": 1}, "1 card"),
        ("cards", {"n": 2}, "2 cards"),
        ("cards", {"n": ["a", "b", "c"]}, "3 cards"),
        ("built", {"building": "arcades 8"}, "the arcades 8!"),
        ("built", {"building": "palace 8"}, "palace 8!"),
        ("who", {"seat": 0, "seats": [1, 2]}, "player 1 beats player 2 and player 3"),
        ("list", {"cards": ["blue 5"]}, "sky 5"),
        ("list", {"cards": ["blue 5", "red 1", "blue 2"]}, "sky 5, red 1 and sky 2"),
        ("list", {"cards": []}, ""),
        ("list", {"cards": ["red 1", "blue 5", "red 1"]}, "2 × red 1 and sky 5"),
        ("list", {"cards": [0, 2, 0]}, "0, 2 and 0"),
        ("two", {"a": Phrase("cards", {"n": 1}), "b": [Phrase("cards", {"n": 2}), Phrase("plain")]}, NESTED),
    ],
)
def test_patterns_are_filled(key: str, args: dict[str, object], said: str) -> None:
    assert SAY(key, **args) == said


def test_names_of_the_people_at_the_table() -> None:
    assert SAY("who", lambda seat: "ABC"[seat], seat=2, seats=[0]) == "C beats A"


def test_an_event_of_nobody_has_its_own_sentence() -> None:
    assert SAY.event(Event("left", 1)) == "player 2 gets it"
    assert SAY.event(Event("left", None)) == "it stays"


def test_a_missing_text_is_an_error_that_names_the_key() -> None:
    with pytest.raises(MissingText, match=r"'gone'.*'en'"):
        SAY.say(Phrase("gone"))


def test_placeholders_are_those_of_the_pattern() -> None:
    assert placeholders("{a} {b.form} {n, plural, one {x} other {#}} {A, select}") == {"a", "b", "n"}


def test_both_languages_tell_a_game() -> None:
    position = ziggurat.new(EXAMPLE, SEATS, seed=1)
    for language in ("en", "hu"):
        say = catalogue(language, position.game)
        told = [say.event(event) for event in position.events]
        assert all(told)
        assert not any("{" in sentence for sentence in told)
