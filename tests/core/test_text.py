"""The formatter of the catalogues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.example import EXAMPLE, SEATS

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import Catalogue, MissingText, catalogue, differences, general, parse, placeholders
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_game_has_no_words_for_is_said_by_its_key_and_arguments(language: str) -> None:
    say = Catalogue(language, {**general(language), "card.blue": "sky"}, "ox_and_plough")
    yes, no, both = {
        "en": ("yes", "no", "a and 2"),
        "hu": ("igen", "nem", "a és 2"),
        "de": ("ja", "nein", "a und 2"),
    }[language]
    blue = "sky 5"
    seat = say("ui.seat", n=2)
    assert (say("name"), say("tagline"), say("option.order.first.help")) == ("Ox And Plough", "", "")
    assert (say("option.house_rule"), say("option.house_rule.yes"), say("option.x.no")) == ("house rule", yes, no)
    assert say("move.take_all", card="blue 5", count=3, more=None) == f"take all {blue} 3"
    assert say("move.take_all.own", sure=True, other=False) == f"take all {yes} {no}"
    assert say.event(Event("won_it", 1, {"card": "blue 5", "of_both": ["a", 2], "none": []})) == (
        f"{seat}: won it (card {blue}, of both {both})"
    )
    assert say.event(Event("finished", None)) == "finished"
    assert say.event(Event("finished", None, {"winners": [0, 1]})).startswith("finished (winners ")
    with pytest.raises(MissingText, match=r"'ui\.nothing'"):
        say("ui.nothing")


def test_a_piece_is_named_by_the_house_where_its_game_has_no_words() -> None:
    assert Catalogue("en", general("en"), "ox").say(Phrase("ui.game.piece", {"piece": "ship 5"})) == "ship 5"


def test_placeholders_are_those_of_the_pattern() -> None:
    assert placeholders("{a} {b.form} {n, plural, one {x {c}} other {#}}") == {"a", "b", "c", "n"}


def test_what_differs_between_languages_is_told() -> None:
    texts = {"en": {"a": "{x}", "b": "b", "c": "c"}, "hu": {"a": "{y}", "b": " ", "d": "d"}}
    told = list(differences(texts))
    for key, why in {"a": "placeholders", "b": "empty", "c": "missing in 'hu'", "d": "missing in 'en'"}.items():
        assert any(one.startswith(repr(key)) and why in one for one in told), (key, told)
    assert "not a placeholder" in next(differences({"en": {"a": "{?}"}, "hu": {"a": "{?}"}}))


def test_all_languages_tell_a_game() -> None:
    position = ziggurat.new(EXAMPLE, SEATS, seed=1)
    for language in LANGUAGES:
        say = catalogue(language, position.game)
        told = [say.event(event) for event in position.events]
        assert all(told)
        assert not any("{" in sentence for sentence in told)


def test_a_terminal_sees_no_soft_hyphens() -> None:
    """They are for pages, whose columns are narrow."""
    for language in LANGUAGES:
        say = catalogue(language, ziggurat.game(EXAMPLE), "why")
        assert [key for key, text in say.texts.items() if "\u00ad" in text] == []
