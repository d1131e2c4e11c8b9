"""The catalogues: English and Hungarian say the same things, in patterns that every reader understands."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from ziggurat.core.hungarian import SUFFIXES, article, suffixed
from ziggurat.core.registry import games
from ziggurat.core.text import LANGUAGES, Catalogue, Grammar, Slot, differences, parse, placeholders, slots

PACKAGE = Path(__file__).parents[2] / "src" / "ziggurat"
GENERAL, TERMINAL, LATER = "general", "terminal", "server"
GAMES = sorted(folder.parent.name for folder in (PACKAGE / "games").glob("*/text"))
PARTS = sorted(
    {str(file.parent.relative_to(PACKAGE)) for file in PACKAGE.glob("**/text/*/*.json")} - {f"text/{TERMINAL}"}
)
"""Words that a part of the page alone says, such as `games/alhambra/text/learn`."""
CATALOGUES = [GENERAL, TERMINAL, LATER, *GAMES, *PARTS]

KEY = re.compile(r"[a-z][a-z_]*(\.[A-Za-z0-9_]+)*")
ARTICLE_BEFORE_PLACEHOLDER = re.compile(r"(^|[\s(„])[Aa]z? „?\{")
SUFFIX_ON_NAME = re.compile(r"\{(seat|seats|winners|player|players|host|bot|game)\}-?[a-záéíóöőúüű]")


def read_catalogue(name: str, language: str) -> dict[str, str]:
    general = PACKAGE / "text"
    folders = {GENERAL: general, TERMINAL: general / TERMINAL, LATER: PACKAGE / LATER / "text"}
    folders |= {part: PACKAGE / part for part in PARTS}
    text = (folders.get(name, PACKAGE / "games" / name / "text") / f"{language}.json").read_text(encoding="utf-8")

    def no_key_twice(pairs: list[tuple[str, str]]) -> dict[str, str]:
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), f"keys given twice: {sorted({k for k in keys if keys.count(k) > 1})}"
        return dict(pairs)

    catalogue: dict[str, str] = json.loads(text, object_pairs_hook=no_key_twice)
    return catalogue


def said_with(name: str, language: str) -> dict[str, str]:
    """A catalogue; that of a part of a game's page with the words of the game, which it goes on from."""
    game = next((game for game in GAMES if name.startswith(f"games/{game}/")), None)
    return {**(read_catalogue(game, language) if game else {}), **read_catalogue(name, language)}


def every_entry() -> Iterator[tuple[str, str, str, str]]:
    for name in CATALOGUES:
        for language in LANGUAGES:
            for key, text in read_catalogue(name, language).items():
                yield name, language, key, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("of", [GENERAL, *GAMES])
def test_no_part_says_a_key_of_another_part(of: str, language: str) -> None:
    """A part that comes later would change what is on the page already."""
    inside = "text/" if of == GENERAL else f"games/{of}/"
    parts = [of, *(part for part in PARTS if part.startswith(inside))]
    keys = [key for part in parts for key in read_catalogue(part, language)]
    assert [key for key, times in Counter(keys).items() if times > 1] == []


def test_there_are_catalogues() -> None:
    assert {game.id for game in games().values() if game.text(LANGUAGES[0])} == set(GAMES) != set()


@pytest.mark.parametrize("name", CATALOGUES)
def test_both_languages_say_the_same(name: str) -> None:
    assert list(differences({language: read_catalogue(name, language) for language in LANGUAGES})) == []


FORM = re.compile(r"\.(acc|adj|short|many|title)$")
"""How keys end of what is the same word: a language may have one form for two."""


@pytest.mark.parametrize("name", CATALOGUES)
def test_no_line_is_a_copy_of_the_next(name: str) -> None:
    """Two words that follow each other are the same in both languages or in none: whoever writes a line by copying
    another one also changes its text."""
    said = {language: read_catalogue(name, language) for language in LANGUAGES}
    neighbours = [
        (one, other) for one, other in pairwise(said[LANGUAGES[0]]) if FORM.sub("", one) != FORM.sub("", other)
    ]
    equal = {
        language: {pair for pair in neighbours if words[pair[0]] == words[pair[1]]} for language, words in said.items()
    }
    assert equal[LANGUAGES[0]] == equal[LANGUAGES[1]]


def test_no_text_is_padded() -> None:
    # Only a prompt of the terminal ends with a blank: the answer follows on the same line.
    assert [entry for entry in every_entry() if entry[3].strip() not in (entry[3], entry[3][:-1])] == []


def test_a_number_and_what_it_is_counted_of_stay_on_one_line() -> None:
    assert [entry for entry in every_entry() if re.search(r"\} / ?\{|\} ?/ \{", entry[3])] == [], "write \u00a0/\u00a0"


def test_two_questions_of_the_bar_have_not_one_name() -> None:
    """Both may stand there at once."""
    for language in LANGUAGES:
        asks = [text for _, spoken, key, text in every_entry() if spoken == language and key.endswith(".ask")]
        assert [text for text, times in Counter(asks).items() if times > 1] == []


def test_keys_are_named_alike() -> None:
    assert [entry[:3] for entry in every_entry() if not KEY.fullmatch(entry[2])] == []
    parts = [entry for entry in every_entry() if entry[0] in PARTS]
    assert [entry[:3] for entry in parts if not entry[2].startswith(f"{Path(entry[0]).name}.")] == []
    house = [entry for entry in every_entry() if entry[0] not in (*GAMES, *PARTS)]
    assert [entry[:3] for entry in house if entry[0] != LATER and not entry[2].startswith("ui.")] == []
    assert [entry[:3] for entry in every_entry() if entry[0] in GAMES and entry[2].startswith("ui.")] == []
    assert len({entry[1:3] for entry in house}) == len(house), "what is said at once, and what later, is said once"


@pytest.mark.parametrize("name", CATALOGUES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_that_a_sentence_asks_for_exists(name: str, language: str) -> None:
    catalogue = said_with(name, language)
    forms = {
        (slot.name, slot.form)
        for text in catalogue.values()
        for slot in slots(parse(text))
        if isinstance(slot, Slot) and slot.form
    }
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


# Endings that are the same after every number.
ALWAYS = ("ig", "ért", "kor", "ként", "i")
ENDING = re.compile(r"(?P<before>[}#%]|[0-9]+)(?P<hyphen>[-\u2011])(?P<ending>[a-záéíóöőúüű]+)")
ARTICLE_BEFORE_NUMBER = re.compile(r"(?<![\w„])(?P<article>[Aa]z?) (?P<number>[0-9]+)")


def wrong_after_numbers(text: str) -> list[str]:
    """Suffixes and articles in a Hungarian text that are wrong for a number that stands there, or may stand there."""
    found = []
    for match in ENDING.finditer(text):
        before, hyphen, ending = match.groups()
        if before in "}#":  # any number
            right = ending in ALWAYS
        elif before == "%":  # százalék
            right = not re.match("[eö]", ending)
        else:
            forms = {suffixed(before, one).rpartition("\u2011")[2] for one in SUFFIXES}
            right = ending in ALWAYS or any(form in (ending, ending[: len(form)]) for form in forms)
        if not right or hyphen == "-":
            found.append(match[0])
    found += [
        one[0] for one in ARTICLE_BEFORE_NUMBER.finditer(text) if one["article"].lower() != article(one["number"])
    ]
    return found


def test_hungarian_numbers_carry_what_is_spoken() -> None:
    hungarian = [(name, key, text) for name, language, key, text in every_entry() if language == "hu"]
    assert [(*entry, wrong) for entry in hungarian if (wrong := wrong_after_numbers(entry[2]))] == []


@pytest.mark.parametrize(
    "planted",
    [
        "{games}‑szor végigjátszva",
        "#‑en osztoznak",
        "a {n}-ig",
        "5-öt",
        "75‑szor",
        "6‑tel",
        "az 6‑os",
        "a 5 lap",
        "9%‑et",
    ],
)
def test_a_suffix_that_is_wrong_for_some_number_is_found(planted: str) -> None:
    assert wrong_after_numbers(planted)


@pytest.mark.parametrize(
    "right", ["{games, suffix, szor}", "{moment}‑ig", "75‑ször", "6‑tal", "az 5‑ös", "a 12‑esére", "9%‑ot"]
)
def test_a_suffix_that_is_right_is_not(right: str) -> None:
    assert wrong_after_numbers(right) == []


def test_english_has_no_hungarian_grammar() -> None:
    asked = [
        entry
        for entry in every_entry()
        if entry[1] == "en"
        for slot in slots(parse(entry[3]))
        if isinstance(slot, Grammar)
    ]
    assert asked == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reader_of_the_package_fills_every_pattern(language: str) -> None:
    for name in CATALOGUES:
        texts = read_catalogue(name, language)
        say = Catalogue(language, texts)
        for key, text in texts.items():
            for number in (0, 1, 2, 3, 7):
                said = say(key, str, **dict.fromkeys(placeholders(text), number))
                number_follows = "#" if placeholders(text) else ""  # a name without any may say where its number stands
                assert not {"{", "}", number_follows} & set(said), (key, said)
