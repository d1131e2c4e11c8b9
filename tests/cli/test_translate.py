"""What is not translated is laid for translators, and what they send back is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.fixtures import Cli

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.testing import po
from ziggurat.testing.translation import Finder, Translation, digest, length

PACKAGE = Path(ziggurat.__file__).parent
TURN = "text:ui.game.turn"


@pytest.fixture(scope="module")
def laid() -> list[po.PoEntry]:
    """All that somebody gets who begins a language."""
    return Translation(PACKAGE, "fr").entries()


def sent(path: Path, *changed: po.PoEntry, language: str = "fr") -> str:
    path.write_text(po.written(language, changed), encoding="utf-8")
    return str(path)


def entry(laid: list[po.PoEntry], name: str, translation: str) -> po.PoEntry:
    found = next(one for one in laid if one.name == name)
    return po.PoEntry(found.name, found.source, translation)


def test_of_a_declared_language_nothing_is_left(cli: Cli) -> None:
    for language in LANGUAGES[1:]:
        ran = cli("translate", language)
        assert ran.code == 0
        assert f"{language}: 0 of " in ran.out, ran.out
        assert "the rules of 0 of " in ran.out


def test_a_new_language_is_laid_whole_and_comes_back(cli: Cli, tmp_path: Path, laid: list[po.PoEntry]) -> None:
    ran = cli("translate", "fr", "--out", "fr")
    assert ran.code == 0
    text = (tmp_path / "fr/fr.po").read_text(encoding="utf-8")
    language, entries = po.read(text)
    assert language == "fr"

    def told(of: list[po.PoEntry]) -> list[object]:
        return [(one.name, one.source, one.flags) for one in of]

    assert told(entries) == told(laid)
    assert len({one.name for one in entries}) == len(entries) > 4000
    rules = [*(tmp_path / "fr").glob("rules-*.md")]
    assert len(rules) == len([*PACKAGE.parents[1].glob("docs/games/*/rules.en.md")]) > 0
    # What stays as it is in English is, as a translation, right.
    for one in entries:
        one.translation = one.source
    sent(tmp_path / "all.po", *entries)
    ran = cli("translate", "fr", "--import", "all.po", "--into", "made")
    assert (ran.code, ran.err) == (0, "")
    for file in ("text/en.json", "text/host/en.json", "server/text/en.json"):
        made = tmp_path / "made" / file.replace("en.json", "fr.json")
        assert made.read_text(encoding="utf-8") == (PACKAGE / file).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_is_translated_comes_through_its_own_door(cli: Cli, tmp_path: Path, language: str) -> None:
    """Nothing that is there is refused, and nothing is lost."""
    assert cli("translate", language, "--all", "--out", "all").code == 0
    ran = cli("translate", language, "--import", f"all/{language}.po", "--into", "made")
    assert (ran.code, ran.err) == (0, "")
    assert "0 of them new or changed" in ran.out
    for file in PACKAGE.glob(f"**/text/**/{language}.json"):
        made = tmp_path / "made" / file.relative_to(PACKAGE)
        assert json.loads(made.read_text(encoding="utf-8")) == json.loads(file.read_text(encoding="utf-8"))


def test_a_translator_is_told_what_a_text_is_for(laid: list[po.PoEntry]) -> None:
    home = next(one for one in laid if one.name == "text:ui.nav.home")
    assert "Read by players, on every page." in home.notes
    assert "Hungarian: Kezdőlap" in home.notes
    assert "Room on the narrowest phone: 11 characters." in home.notes
    assert "max-length:11" in home.flags
    words = [one for one in laid if one.name.endswith(".acc")]
    assert any(note.startswith("Stands in: ") for one in words for note in one.notes)
    kept = next(one for one in laid if one.name == "text:ui.error.unknown_table")
    assert kept.notes[-1].startswith("To be kept: {") or "{" not in kept.source


@pytest.mark.parametrize(
    ("name", "translation", "says"),
    [
        (TURN, "{seat} joue.", "has other placeholders in 'fr' than in 'en'"),
        (TURN, "A toi {", "not a placeholder"),
        (TURN, " À toi.", "begins or ends with blanks"),
        (TURN, "À toi.\x07", "has signs in it that nobody sees"),
        (TURN, "x" * 1_000_000, "has 1,000,000 characters; at most"),
        ("text:ui.no.such", "Rien", "there is no text 'text:ui.no.such'"),
        ("elsewhere/text:ui.game.turn", "Rien", "there is no text 'elsewhere/text:ui.game.turn'"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_and_left_out(
    cli: Cli, tmp_path: Path, laid: list[po.PoEntry], name: str, translation: str, says: str
) -> None:
    source = next((one.source for one in laid if one.name == name), "Nothing")
    good = entry(laid, "text:ui.nav.home", "Accueil")
    sent(tmp_path / "back.po", po.PoEntry(name, source, translation), good)
    ran = cli("translate", "fr", "--import", "back.po", "--into", "made")
    assert ran.code == 1
    assert [says in line for line in ran.err.splitlines()] == [True], ran.err
    assert "1 texts are right, 1 of them new or changed" in ran.out
    assert json.loads((tmp_path / "made/text/fr.json").read_text(encoding="utf-8")) == {"ui.nav.home": "Accueil"}


def test_a_german_mistake_is_told_as_the_tests_tell_it(cli: Cli, tmp_path: Path, laid: list[po.PoEntry]) -> None:
    sent(tmp_path / "back.po", entry(laid, TURN, 'Du bist "dran"...'), language="de")
    ran = cli("translate", "de", "--import", "back.po", "--into", "made")
    assert ran.code == 1
    assert "quotation marks that are not German" in ran.err
    assert "has three points" in ran.err


def test_what_is_too_long_for_a_phone_is_told_and_taken(cli: Cli, tmp_path: Path, laid: list[po.PoEntry]) -> None:
    sent(tmp_path / "back.po", entry(laid, "text:ui.nav.home", "Retour à la page d’accueil"))
    ran = cli("translate", "fr", "--import", "back.po", "--into", "made")
    assert ran.code == 0
    assert "may be too long: text:ui.nav.home: 'Retour à la page d’accueil' has 26 characters" in ran.out
    assert "room for 11" in ran.out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "it is no PO file"),
        ("hello", "line 1 is no line of a PO file: 'hello'"),
        ('msgid ""\nmsgstr "Language: hu\\n"\n\nmsgid "a"\nmsgstr "b"\n', "is in 'hu', and not in 'fr'"),
        ('msgid "one"\nmsgid_plural "many"\nmsgstr[0] "un"\n', "line 2: numbers are told inside a text"),
    ],
)
def test_a_file_that_is_none_is_refused(cli: Cli, tmp_path: Path, text: str, says: str) -> None:
    (tmp_path / "back.po").write_text(text, encoding="utf-8")
    ran = cli("translate", "fr", "--import", "back.po", "--into", "made")
    assert ran.code in (1, 2)
    assert says in ran.err
    assert len(ran.err.splitlines()) == 1
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("code", "says"), [("en", "from which all others are translated"), ("F!", "is no code of a language")]
)
def test_a_language_that_cannot_be_is_refused(cli: Cli, code: str, says: str) -> None:
    ran = cli("translate", code)
    assert ran.code != 0
    assert says in ran.err


def test_the_english_that_changed_makes_a_translation_outdated(tmp_path: Path) -> None:
    """Unless the translation was changed with it."""
    folder = tmp_path / "text"
    folder.mkdir()
    texts = {"en": {"ui.a": "One", "ui.b": "Two"}, "fr": {"ui.a": "Un", "ui.b": "Deux"}}

    def put() -> Translation:
        for language, words in texts.items():
            (folder / f"{language}.json").write_text(json.dumps(words), encoding="utf-8")
        return Translation(tmp_path, "fr")

    made = put()
    for key, text in texts["fr"].items():
        made.take(po.PoEntry(f"text:{key}", texts["en"][key], text))
    assert [path.name for path in made.write(tmp_path)] == ["fr.json", "fr.json"]
    texts["en"]["ui.a"] = "The first"
    assert put().left() == {"text": 1}
    [fuzzy] = put().entries()
    assert (fuzzy.name, fuzzy.translation, "fuzzy" in fuzzy.flags) == ("text:ui.a", "Un", True)
    # What was made of the English before is not taken.
    assert "translate it again" in next(put().wrong(po.PoEntry("text:ui.a", "One", "Un seul")))
    texts["fr"]["ui.a"] = "Le premier"
    assert put().left() == {}


def test_the_rules_of_a_game_keep_their_order(cli: Cli, tmp_path: Path) -> None:
    cli("translate", "fr", "--out", "fr")
    file = next((tmp_path / "fr").glob("rules-*.md"))
    text = file.read_text(encoding="utf-8")
    game = file.stem.removeprefix("rules-")
    file.write_text(text.replace("\n## ", "\n### One more\n\n## ", 1), encoding="utf-8")
    ran = cli("translate", "fr", "--import", str(file), "--into", "made")
    assert ran.code == 1
    assert "headings, and its English" in ran.err
    file.write_text(text.replace("the", "le"), encoding="utf-8")
    ran = cli("translate", "fr", "--import", str(file), "--into", "made")
    assert (ran.code, ran.err) == (0, "")
    assert (tmp_path / "made/rules" / game / "rules.fr.md").is_file()


def test_a_file_is_read_as_it_was_written() -> None:
    said, other = 'He said "no"\\\n\tand\u00a0left', po.PoEntry("text:b", "B")
    odd = po.PoEntry("text:a", said, "„Nein“\u00ad", ["A note"], ["text/en.json:a"], {"fuzzy"})
    again = po.PoEntry("text:a", said, "„Nein“\u00ad", flags={"fuzzy"})
    assert po.read(po.written("fr", [odd, other])) == ("fr", [again, other])
    # As other programs break lines, and say what is gone.
    broken = 'msgctxt "text:a"\nmsgid ""\n"One "\n"two"\nmsgstr ""\n"Un "\n"deux"\n\n#~ msgid "old"\n#~ msgstr "va"\n'
    assert po.read(broken) == ("", [po.PoEntry("text:a", "One two", "Un deux")])


def test_lengths_are_those_of_what_is_seen() -> None:
    assert length("Fort\u00adschritt") == 11
    assert length("{n, plural, one {# card} other {# cards}} of {seat}") == len("# cards of xx")
    assert digest("a") != digest("b")


def test_a_picture_is_laid_beside_the_texts_that_it_shows(cli: Cli, tmp_path: Path) -> None:
    gallery = tmp_path / "gallery"
    gallery.mkdir()
    ran = cli("translate", "fr", "--out", "fr", "--pictures", "gallery")
    assert ran.code == 2
    assert "has no pictures.json: make it with" in ran.err
    (gallery / "1.jpg").write_bytes(b"a picture")
    (gallery / "pictures.json").write_text(json.dumps({TURN: "1.jpg"}), encoding="utf-8")
    assert cli("translate", "fr", "--out", "fr", "--pictures", "gallery").code == 0
    assert (tmp_path / "fr/1.jpg").read_bytes() == b"a picture"
    assert (tmp_path / "fr/fr.po").read_text(encoding="utf-8").count("#. Picture: 1.jpg") == 1


def test_a_text_is_found_on_a_page_by_what_is_read_there() -> None:
    finder = Finder(PACKAGE)
    assert "text:ui.nav.home" in finder.names(["  Home ", "of nobody's"])
    filled = finder.names(["9 cards are left in the deck of Anna, and nothing else"])
    assert not any(name.startswith("games/") for name in filled), "of a game that is not looked at"
