"""Every word of the catalogues is said somewhere, and every word that is said is in them.

Found in the sources: a key stands there whole (`"label.points"`) or with parts put in (`f"card.{card}.short"`).
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import ziggurat
from ziggurat.core.lesson import lessons
from ziggurat.core.text import LANGUAGES, Slot, general, parse, slots

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PACKAGE, PAGE = ROOT / "src/ziggurat", ROOT / "web/src"
SHARED = (
    *(PACKAGE / folder for folder in ("bots", "cli", "core", "lab", "server")),
    *(PAGE / folder for folder in ("art", "lib", "pages", "parts")),
    PAGE / "App.svelte",
)
GAMES = list(ziggurat.registered_games())
LATER = "server"
"""The words of what few people open, or only later, are in a catalogue beside the service."""

QUOTED = re.compile(r"""(?=(['"])([a-z]\w*(?:\.\w+)+)\1)""")
TEMPLATE = re.compile(r"(?=`((?:[\w.]|\$\{[^{}]*\})+)`)")
PUT_IN = re.compile(r"\$\{[^{}]*\}")
HAS = re.compile(r"""\bhas\(['"]([\w.]+)['"]""")
ANY = "[^.]+"
Keys = dict[str, str]
"""Patterns of keys, and where each was found first."""


def sources(*places: Path) -> Iterator[Path]:
    for place in places:
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix in (".py", ".ts", ".svelte") and not file.name.endswith(".test.ts"):
                yield file


@cache
def said_in(file: Path) -> frozenset[str]:
    """Patterns of what may be keys in a source file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return frozenset(said_in_python(ast.parse(text)))
    whole = {re.escape(key) for _, key in QUOTED.findall(text)}
    return frozenset(whole | {ANY.join(map(re.escape, PUT_IN.split(key))) for key in TEMPLATE.findall(text)})


def said_in_python(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        yield "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else ANY for p in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w.]+", node.value):
        yield re.escape(node.value)
    for part in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(part, ast.Constant)):
            yield from said_in_python(part)


def said(*places: Path) -> Keys:
    """Patterns of keys: they begin with a whole word and a dot, or are no more than a word."""
    found = ((pattern, file) for file in sources(*places) for pattern in said_in(file))
    return {pattern: str(file.relative_to(ROOT)) for pattern, file in found if re.match(r"\w+(\\\.|$)", pattern)}


def catalogue(game: str | None, language: str = LANGUAGES[0]) -> dict[str, str]:
    """What is said at once, with what parts of the page alone say."""
    folder = PACKAGE / "games" / game if game else PACKAGE
    files = sorted((folder / "text").glob(f"**/{language}.json"))
    files += [] if game else [PACKAGE / LATER / "text" / f"{language}.json"]
    read: list[dict[str, str]] = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return {key: text for one in read for key, text in one.items()}


def pieces(name: str) -> list[str]:
    """What can be asked about at its first table."""
    game = ziggurat.game(name)
    return ziggurat.new(game, game.min_players, seed=1).named


def by_the_game(name: str) -> set[str]:
    """The words that are said because a game has an event, an option, an action or a lesson."""
    game = ziggurat.game(name)
    keys = {f"log.{event}{form}" for event in game.event_types for form in ("", ".nobody")}
    keys |= {f"move.{type}{own}" for type in game.space.types for own in ("", ".own")}
    for option in game.options:
        keys |= {f"option.{option.name}", *(f"option.{option.name}.{choice}" for choice in option.choices)}
        keys |= {f"option.{option.name}.{choice}.help" for choice in option.choices}
    keys |= {f"what.{piece}{part}" for piece in pieces(name) for part in ("", ".name")}
    return keys | {key for lesson in lessons(game).values() for key in lesson.words()}


@cache
def arguments(game: str) -> set[tuple[str, str]]:
    """What is put into the sentences of a game, and in which form."""
    texts = [text for language in LANGUAGES for text in catalogue(game, language).values()]
    return {(slot.name, slot.form) for text in texts for slot in slots(parse(text)) if isinstance(slot, Slot)}


def names_values(key: str, game: str) -> bool:
    """Does a sentence name the values of an argument with this word, in the form that it is in?"""
    name, _, rest = key.partition(".")
    form = rest.partition(".")[2]
    found = arguments(game)
    if form == "many":  # pieces in a list are counted
        return name in {argument for argument, _ in found}
    return (name, form) in found if form else name in {argument for argument, _ in found}


def unsaid(keys: set[str], patterns: Keys) -> list[str]:
    whole = {plain(pattern) for pattern in patterns}
    parts = re.compile("|".join(pattern for pattern in patterns if ANY in pattern) or "(?!)")
    return sorted(key for key in keys - whole if not parts.fullmatch(key))


def plain(pattern: str) -> str:
    """The key of a pattern into which nothing is put."""
    return pattern.replace("\\", "")


def is_there(pattern: str, keys: set[str]) -> bool:
    return plain(pattern) in keys or (ANY in pattern and any(re.fullmatch(pattern, key) for key in keys))


def test_every_general_word_is_said() -> None:
    assert unsaid(set(catalogue(None)), said(PACKAGE, PAGE)) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_word_of_a_game_is_said(game: str) -> None:
    places = (*SHARED, PACKAGE / "games" / game, PAGE / "games" / game)
    keys = {key for key in catalogue(game).keys() - by_the_game(game) if not names_values(key, game)}
    assert unsaid(keys, said(*places)) == []


@pytest.mark.parametrize("game", [None, *GAMES])
def test_every_word_that_is_said_is_there(game: str | None) -> None:
    known = set(catalogue(game))
    heads = {key.partition(".")[0] for key in known if "." in key}
    if game is None:  # what the house says of any game, with parts put in
        known |= {key for name in GAMES for key in catalogue(name)}
    places = (PACKAGE / "games" / game, PAGE / "games" / game) if game in GAMES else (PACKAGE, PAGE)
    missing = {
        pattern: file
        for pattern, file in said(*places).items()
        if pattern.partition(r"\.")[0] in heads and r"\." in pattern and not file.endswith("components.py")
        if not pattern.endswith(r"\.") and not is_there(pattern, known)
    }
    assert missing == {}


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
    missing = {
        pattern: file
        for pattern, file in asked.items()
        if r"\." in pattern and pattern not in may_lack and pattern.replace("\\", "") not in known
    }
    assert missing == {}
