"""The catalogues: all languages say the same things, in patterns that every reader understands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from ziggurat.core.errors import FileError
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.registry import game as registry_game
from ziggurat.core.registry import games
from ziggurat.testing.catalogues import of_game, read, wrong_german, wrong_hungarian, wrong_in_game, wrong_texts

PACKAGE = Path(__file__).parents[2] / "src" / "ziggurat"
GENERAL, TERMINAL, LATER = "general", "terminal", "server"
GAMES = sorted(folder.parent.name for folder in (PACKAGE / "games").glob("*/text"))
PARTS = sorted(
    {str(file.parent.relative_to(PACKAGE)) for file in PACKAGE.glob("**/text/*/*.json")} - {f"text/{TERMINAL}"}
)
"""Words that a part of the page alone says, such as `games/alhambra/text/learn`."""
CATALOGUES = [GENERAL, TERMINAL, LATER, *GAMES, *PARTS]


def read_catalogue(name: str, language: str) -> dict[str, str]:
    general = PACKAGE / "text"
    folders = {GENERAL: general, TERMINAL: general / TERMINAL, LATER: PACKAGE / LATER / "text"}
    folders |= {part: PACKAGE / part for part in PARTS}
    return read(folders.get(name, PACKAGE / "games" / name / "text") / f"{language}.json")


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
def test_nothing_is_wrong_in_a_catalogue(name: str) -> None:
    texts = {language: read_catalogue(name, language) for language in LANGUAGES}
    game = next((game for game in GAMES if name.startswith(f"games/{game}/")), None)
    around = {language: read_catalogue(game, language) for language in LANGUAGES} if game else {}
    assert list(wrong_texts(texts, around)) == []


@pytest.mark.parametrize("game", GAMES)
def test_nothing_is_wrong_in_the_catalogues_of_a_game(game: str) -> None:
    assert list(wrong_in_game(registry_game(game))) == []


def test_two_questions_of_the_bar_have_not_one_name() -> None:
    """Both may stand there at once, whichever catalogue they come from."""
    for language in LANGUAGES:
        asks = [text for _, spoken, key, text in every_entry() if spoken == language and key.endswith(".ask")]
        assert [text for text, times in Counter(asks).items() if times > 1] == []


@pytest.mark.parametrize(
    ("english", "hungarian", "wrong"),
    [
        ({"a.b": "One"}, {}, "'a.b' is in 'en' and missing in 'hu'"),
        ({"a.b": "{n} cards"}, {"a.b": "lapok"}, "other placeholders"),
        ({"a.b": "{n cards"}, {"a.b": "{n} lap"}, "not a placeholder"),
        ({"a.b": ""}, {"a.b": "Egy"}, "is empty in 'en'"),
        ({"a.b": "One", "a.c": "Two"}, {"a.b": "Egy", "a.c": "Egy"}, "say the same in one language"),
        ({"A b": "One"}, {"A b": "Egy"}, "is no key"),
        ({"a.b": " One"}, {"a.b": "Egy"}, "begins or ends with blanks"),
        ({"a.b": "{n} / {of}"}, {"a.b": "{n}\u00a0/\u00a0{of}"}, "breaks between a number"),
        ({"a.ask": "Which?", "b.ask": "Which?"}, {"a.ask": "Melyik?", "b.ask": "Melyik?"}, "as another question does"),
        ({"a.b": "Take {card.acc}"}, {"a.b": "Vedd el: {card}"}, "no word begins with 'card'"),
        ({"a.b": "{card.acc}", "card.x": "X"}, {"a.b": "{card}", "card.x": "X"}, "there is no 'card.x.acc'"),
        ({"a.b": "{n}"}, {"a.b": "a {n}"}, "fixed article before a placeholder"),
        ({"a.b": "{n}"}, {"a.b": "A(z) {n}"}, "fixed article before a placeholder"),
        ({"a.b": "{seat}"}, {"a.b": "{seat}nek"}, "has a suffix after a name"),
        ({"a.b": "{n, suffix, szor}"}, {"a.b": "{n, suffix, szor}"}, "asks for the grammar of Hungarian"),
        ({"a.b": "{n, plural, other {}}}"}, {"a.b": "{n}"}, "that was not opened"),
    ],
)
def test_a_planted_mistake_in_a_catalogue_is_found(
    english: dict[str, str], hungarian: dict[str, str], wrong: str
) -> None:
    found = list(wrong_texts({"en": english, "hu": hungarian}))
    assert any(wrong in one for one in found), found


def test_a_key_that_is_given_twice_is_found(tmp_path: Path) -> None:
    file = tmp_path / "en.json"
    file.write_text('{"a": "One", "b": "Two", "a": "Three"}', encoding="utf-8")
    with pytest.raises(FileError, match="has 'a' twice"):
        read(file)


def test_keys_are_named_alike() -> None:
    parts = [entry for entry in every_entry() if entry[0] in PARTS]
    assert [entry[:3] for entry in parts if not entry[2].startswith(f"{Path(entry[0]).name}.")] == []
    house = [entry for entry in every_entry() if entry[0] not in (*GAMES, *PARTS)]
    assert [entry[:3] for entry in house if entry[0] != LATER and not entry[2].startswith("ui.")] == []
    assert len({entry[1:3] for entry in house}) == len(house), "what is said at once, and what later, is said once"


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
    assert list(wrong_hungarian(planted))


@pytest.mark.parametrize(
    "right", ["{games, suffix, szor}", "{moment}‑ig", "75‑ször", "6‑tal", "az 5‑ös", "a 12‑esére", "9%‑ot"]
)
def test_a_suffix_that_is_right_is_not(right: str) -> None:
    assert list(wrong_hungarian(right)) == []


@pytest.mark.parametrize(
    ("planted", "wrong"),
    [
        ("{seat} baut der {building}.", "another gender"),
        ("Nimm einen {piece}", "another gender"),
        ("Nimm einen neuen {piece}", "another gender"),
        ("Für diese „{card}“", "another gender"),
        ("{seat}s Punkte", "bends a name"),
        ("{host}’ Tisch", "bends a name"),
        ('Wähle "Fertig"', "quotation marks"),
        ("Wähle “Fertig”", "quotation marks"),
        ("Wähle „Fertig”", "quotation marks"),
        ("Wird geladen...", "three points"),
        ("Wird  geladen", "two blanks"),
    ],
)
def test_what_is_no_german_is_found(planted: str, wrong: str) -> None:
    assert any(wrong in one for one in wrong_german(planted)), planted
    assert any(wrong in one for one in wrong_texts({"en": {"a.b": planted}, "de": {"a.b": planted}}))


@pytest.mark.parametrize(
    "right",
    [
        "{seat} baut {building.acc}.",
        "die {rounds} Runden",
        "die {n, plural, one {Karte} other {# Karten}}",
        "Punkte von {seat}",
        "Wähle „Fertig“ …",
    ],
)
def test_what_is_german_is_not(right: str) -> None:
    assert list(wrong_german(right)) == []


def test_a_language_in_the_making_may_lie_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not declared is neither missed nor checked, nor offered."""
    found = registry_game(GAMES[0])
    texts = {folder: {**by, "xx": {"half": "done {"}} for folder, by in of_game(found).items()}
    monkeypatch.setattr("ziggurat.testing.catalogues.of_game", lambda game: texts)
    assert list(wrong_in_game(found)) == []
    del texts["text"][LANGUAGES[-1]]
    assert any(f"text lacks {LANGUAGES[-1]}.json" in one for one in wrong_in_game(found))
