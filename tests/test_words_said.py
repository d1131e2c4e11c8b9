"""Every word of the catalogues is said somewhere, and every word that is said is in them (`ziggurat.testing.said`)."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import ziggurat
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.text import general
from ziggurat.testing.said import ANY, folders_of_all, is_there, missing, said, sources, unsaid, wrong_in_game

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PACKAGE, PAGE = ROOT / "src/ziggurat", ROOT / "web/src"
SHARED = folders_of_all(ROOT)
GAMES = list(ziggurat.registered_games())
LATER = "server"
"""The words of what few people open, or only later, are in a catalogue beside the service."""
FRONT = "front."
"""What the files say that a browser gets before the page has its words (`web/scripts/pages.mjs`)."""
HAS = re.compile(r"""\bhas\(['"]([\w.]+)['"]""")


def catalogue(game: str | None, language: str = LANGUAGES[0]) -> dict[str, str]:
    """What is said at once, with what parts of the page alone say."""
    folder = PACKAGE / "games" / game if game else PACKAGE
    files = sorted((folder / "text").glob(f"**/{language}.json"))
    files += [] if game else [PACKAGE / LATER / "text" / f"{language}.json"]
    read: list[dict[str, str]] = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {key: text for one in read for key, text in one.items()}


def test_every_general_word_is_said() -> None:
    words = {key for key in catalogue(None) if not key.startswith(FRONT)}
    assert unsaid(words, said(PACKAGE, PAGE)) == []


def test_what_comes_before_the_page_says_its_words() -> None:
    files = [PAGE.parent / name for name in ("index.html", "public/offline.html", "public/manifest.webmanifest")]
    said_there = {key for file in files for key in re.findall(rf"%({FRONT}[a-z_]+)%", file.read_text(encoding="utf-8"))}
    assert said_there - {"front.language"} == {key for key in catalogue(None) if key.startswith(FRONT)}


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_game_is_said_and_there(game: str) -> None:
    assert list(wrong_in_game(ziggurat.game(game), ROOT, catalogue(None).keys())) == []


def test_every_word_that_is_said_is_there() -> None:
    """Also what the house says of any game, with parts put in."""
    house = catalogue(None).keys()
    heads = {key.partition(".")[0] for key in house if "." in key}
    known = house | {key for name in GAMES for key in catalogue(name)}
    assert missing(said(PACKAGE, PAGE), known, heads) == {}


def test_what_the_terminal_says_is_not_among_the_words_that_pages_load_later() -> None:
    programs = said(*(PACKAGE / folder for folder in ("bots", "cli", "core", "lab")))
    there = {*general(LANGUAGES[0])}
    later = {
        pattern: file
        for pattern, file in programs.items()
        if pattern.startswith(r"ui\.") and not pattern.endswith(r"\.")
        if not is_there(pattern, there)
    }
    assert later == {}


@pytest.mark.parametrize("game", [game for game in GAMES if catalogue(game)])
def test_every_game_has_the_words_that_the_house_asks_it_for(game: str) -> None:
    known = catalogue(game).keys() | catalogue(None).keys()
    heads = {key.partition(".")[0] for name in GAMES for key in catalogue(name) if "." in key}
    asked = {key: file for key, file in said(*SHARED).items() if key.partition(r"\.")[0] in heads and ANY not in key}
    may_lack = {re.escape(key) for file in sources(*SHARED) for key in HAS.findall(file.read_text(encoding="utf-8"))}
    lacking = {
        pattern: file
        for pattern, file in asked.items()
        if r"\." in pattern and pattern not in may_lack and pattern.replace("\\", "") not in known
    }
    assert lacking == {}
