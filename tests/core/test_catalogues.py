"""The catalogues: English and Hungarian say the same things, in patterns that every reader understands."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ziggurat.core.registry import games
from ziggurat.core.text import Catalogue

PACKAGE = Path(__file__).parents[2] / "src" / "ziggurat"
LANGUAGES = ("en", "hu")
GENERAL = "general"
GAMES = sorted(folder.parent.name for folder in (PACKAGE / "games").glob("*/text"))
CATALOGUES = [GENERAL, *GAMES]

NAME = re.compile(r"[a-z_]+")
KEY = re.compile(r"[a-z][a-z_]*(\.[A-Za-z0-9_]+)*")
PLURAL = re.compile(r"\s*([a-z_]+)\s*,\s*plural\s*,")
BRANCH = re.compile(r"\s*(=[0-9]+|one|other)\s*\{")
ARTICLE_BEFORE_PLACEHOLDER = re.compile(r"(^|[\s(„])[Aa]z? „?\{")
SUFFIX_ON_NAME = re.compile(r"\{(seat|seats|winners|player|players|host|bot|game)\}-?[a-záéíóöőúüű]")


@dataclass
class Pattern:
    """What a pattern asks for: its arguments, the forms of them that it wants, and its plain text."""

    arguments: set[str] = field(default_factory=set)
    forms: set[tuple[str, str]] = field(default_factory=set)


def read_pattern(text: str, found: Pattern | None = None) -> Pattern:
    """Read a pattern: ``{arg}``, ``{arg.form}``, ``{n, plural, =0 {none} one {# card} other {# cards}}``.

    Raises:
        ValueError: for anything else between braces, with the reason.
    """
    found = found if found is not None else Pattern()
    at = 0
    while at < len(text):
        if text[at] == "}":
            raise ValueError(f"a brace is closed that was not opened: {text!r}")
        if text[at] == "{":
            end = closing(text, at)
            read_placeholder(text[at + 1 : end], found)
            at = end
        at += 1
    return found


def closing(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError(f"a brace is not closed: {text!r}")


def read_placeholder(inner: str, found: Pattern) -> None:
    plural = PLURAL.match(inner)
    if plural is None:
        name, _, form = inner.partition(".")
        if not NAME.fullmatch(name) or (form and not NAME.fullmatch(form)):
            raise ValueError(f"not a placeholder: {{{inner}}}")
        found.arguments.add(name)
        if form:
            found.forms.add((name, form))
        return
    found.arguments.add(plural[1])
    branches: list[str] = []
    at = plural.end()
    while inner[at:].strip():
        branch = BRANCH.match(inner, at)
        if branch is None:
            raise ValueError(f"not a plural branch: {inner[at:]!r}")
        end = closing(inner, branch.end() - 1)
        branches.append(branch[1])
        if "{" in inner[branch.end() : end]:
            raise ValueError(f"a placeholder inside a plural branch: {{{inner}}}")  # the terminal does not read these
        at = end + 1
    if "other" not in branches or len(set(branches)) != len(branches):
        raise ValueError(f"a plural needs every branch once, and other among them: {{{inner}}}")


def read_catalogue(name: str, language: str) -> dict[str, str]:
    folder = PACKAGE if name == GENERAL else PACKAGE / "games" / name
    text = (folder / "text" / f"{language}.json").read_text(encoding="utf-8")

    def no_key_twice(pairs: list[tuple[str, str]]) -> dict[str, str]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), f"keys given twice: {sorted({k for k in keys if keys.count(k) > 1})}"
        return dict(pairs)

    catalogue: dict[str, str] = json.loads(text, object_pairs_hook=no_key_twice)
    return catalogue


def every_entry() -> Iterator[tuple[str, str, str, str]]:
    for name in CATALOGUES:
        for language in LANGUAGES:
            for key, text in read_catalogue(name, language).items():
                yield name, language, key, text


def test_there_are_catalogues() -> None:
    assert set(GAMES) == set(games())


@pytest.mark.parametrize("name", CATALOGUES)
def test_both_languages_have_the_same_keys(name: str) -> None:
    english, hungarian = (set(read_catalogue(name, language)) for language in LANGUAGES)
    assert sorted(english - hungarian) == [], "only in English"
    assert sorted(hungarian - english) == [], "only in Hungarian"


@pytest.mark.parametrize("name", CATALOGUES)
def test_both_languages_use_the_same_placeholders(name: str) -> None:
    english, hungarian = (read_catalogue(name, language) for language in LANGUAGES)
    different = {
        key: (sorted(wanted), sorted(given))
        for key in english.keys() & hungarian.keys()
        if (wanted := read_pattern(english[key]).arguments) != (given := read_pattern(hungarian[key]).arguments)
    }
    assert different == {}


def test_no_text_is_empty_or_padded() -> None:
    # Only a prompt of the terminal ends with a blank: the answer follows on the same line.
    assert [
        entry for entry in every_entry() if not entry[3].strip() or entry[3].strip() not in (entry[3], entry[3][:-1])
    ] == []


def test_every_pattern_can_be_read() -> None:
    wrong = []
    for name, language, key, text in every_entry():
        try:
            read_pattern(text)
        except ValueError as error:
            wrong.append(f"{name} {language} {key}: {error}")
    assert wrong == []


def test_keys_are_named_alike() -> None:
    assert [entry[:3] for entry in every_entry() if not KEY.fullmatch(entry[2])] == []
    assert [entry[:3] for entry in every_entry() if (entry[0] == GENERAL) != entry[2].startswith("ui.")] == []


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_that_a_sentence_asks_for_exists(name: str, language: str) -> None:
    catalogue = read_catalogue(name, language)
    forms = {form for text in catalogue.values() for form in read_pattern(text).forms}
    words = {
        argument: [key for key in catalogue if re.fullmatch(rf"{argument}\.[a-z0-9_]+", key)] for argument, _ in forms
    }
    assert [argument for argument, found in words.items() if not found] == [], "no word has this argument's name"
    wanted = {f"{word}.{form}" for argument, form in forms for word in words[argument]}
    assert sorted(wanted - catalogue.keys()) == []


def test_hungarian_puts_no_article_and_no_suffix_to_words_it_does_not_know() -> None:
    hungarian = [(name, key, text) for name, language, key, text in every_entry() if language == "hu"]
    assert [entry for entry in hungarian if ARTICLE_BEFORE_PLACEHOLDER.search(entry[2])] == []
    assert [entry for entry in hungarian if SUFFIX_ON_NAME.search(entry[2])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reader_of_the_package_fills_every_pattern(language: str) -> None:
    for name in CATALOGUES:
        texts = read_catalogue(name, language)
        say = Catalogue(language, texts)
        for key, text in texts.items():
            for number in (0, 1, 2, 3, 7):
                said = say(key, str, **dict.fromkeys(read_pattern(text).arguments, number))
                assert not set("{}#") & set(said), (key, said)


@pytest.mark.parametrize("name", GAMES)
def test_every_event_has_a_sentence(name: str) -> None:
    catalogue = read_catalogue(name, "en")
    game = importlib.import_module(f"ziggurat.games.{name}").GAME
    assert [kind for kind in game.event_types if f"log.{kind}" not in catalogue] == []


@pytest.mark.parametrize("name", GAMES)
def test_every_option_has_a_name_and_an_explanation(name: str) -> None:
    catalogue = read_catalogue(name, "en")
    game = importlib.import_module(f"ziggurat.games.{name}").GAME
    wanted = [f"option.{option.name}" for option in game.options]
    for option in game.options:
        for choice in option.choices:
            wanted += [f"option.{option.name}.{choice}", f"option.{option.name}.{choice}.help"]
    assert [key for key in wanted if key not in catalogue] == []


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "}",
        "{a",
        "{A}",
        "{a.b.c}",
        "{n, plural, one {#}}",
        "{n, plural, two {#} other {#}}",
        "{n, select, x {}}",
        "{n, plural, other {{seat}}}",
    ],
)
def test_a_bad_pattern_is_found(text: str) -> None:
    with pytest.raises(ValueError, match=r"brace|placeholder|plural"):
        read_pattern(text)


def test_placeholders_and_forms_are_found() -> None:
    found = read_pattern("{seat}: {n, plural, =0 {none} one {# card} other {# cards}} {n} {building.acc}")
    assert found.arguments == {"n", "seat", "building"}
    assert found.forms == {("building", "acc")}
