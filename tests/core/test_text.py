"""The formatter of the catalogues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.example import EXAMPLE, SEATS

import ziggurat
from ziggurat.core.text import LANGUAGES, Catalogue, MissingText, catalogue, differences, parse, placeholders
from ziggurat.core.trace import Event, Phrase

SHARED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "patterns.json").read_text(encoding="utf-8"))
"""The cases that the page's formatter is held to as well (`web/src/lib/format.test.ts`)."""
SAY = Catalogue("en", {"log.left": "{seat} gets it", "log.left.nobody": "it stays", "ui.seat": "player {n}"})


def argument(value: Any) -> Any:
    """A value as Python has it: what JSON writes as an object is a phrase."""
    if isinstance(value, dict):
        return Phrase(value["key"], {name: argument(own) for name, own in value["args"].items()})
    return [argument(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", SHARED["cases"], ids=lambda case: case["pattern"])
def test_patterns_are_filled(case: dict[str, Any], language: str) -> None:
    say = Catalogue(language, {**SHARED["words"][language], "case": case["pattern"]})
    args = {name: argument(value) for name, value in case["args"].items()}
    assert say("case", SHARED["seats"].__getitem__, **args) == case[language]


@pytest.mark.parametrize("text", SHARED["bad"])
def test_a_pattern_that_is_none_is_refused_with_the_reason(text: str) -> None:
    with pytest.raises(ValueError, match=r"brace|placeholder|plural"):
        parse(text)


def test_an_event_of_nobody_has_its_own_sentence() -> None:
    assert SAY.event(Event("left", 1)) == "player 2 gets it"
    assert SAY.event(Event("left", None)) == "it stays"


def test_a_missing_text_is_an_error_that_names_the_key() -> None:
    with pytest.raises(MissingText, match=r"'gone'.*'en'"):
        SAY.say(Phrase("gone"))


def test_placeholders_are_those_of_the_pattern() -> None:
    assert placeholders("{a} {b.form} {n, plural, one {x {c}} other {#}}") == {"a", "b", "c", "n"}


def test_what_differs_between_languages_is_told() -> None:
    texts = {"en": {"a": "{x}", "b": "b", "c": "c"}, "hu": {"a": "{y}", "b": " ", "d": "d"}}
    told = list(differences(texts))
    for key, why in {"a": "placeholders", "b": "empty", "c": "only in 'en'", "d": "only in 'hu'"}.items():
        assert any(one.startswith(repr(key)) and why in one for one in told), (key, told)
    assert "not a placeholder" in next(differences({"en": {"a": "{?}"}, "hu": {"a": "{?}"}}))


def test_both_languages_tell_a_game() -> None:
    position = ziggurat.new(EXAMPLE, SEATS, seed=1)
    for language in ("en", "hu"):
        say = catalogue(language, position.game)
        told = [say.event(event) for event in position.events]
        assert all(told)
        assert not any("{" in sentence for sentence in told)
