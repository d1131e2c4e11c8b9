"""The use of words: which keys of the catalogues the sources say.

A key stands there whole (`"label.points"`) or with parts put in (`f"card.{card}.short"`).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

from ziggurat.core import usual
from ziggurat.core.game import Game
from ziggurat.core.lesson import lessons
from ziggurat.core.position import Position
from ziggurat.core.text import Slot, parse, slots
from ziggurat.testing.catalogues import of_game

QUOTED = re.compile(r"""(?=(['"])([a-z]\w*(?:\.\w+)+)\1)""")
TEMPLATE = re.compile(r"(?=`((?:[\w.]|\$\{[^{}]*\})+)`)")
PUT_IN = re.compile(r"\$\{[^{}]*\}")
ANY = "[^.]+"
DECLARED = ("move.", "log.", "option.")
Keys = dict[str, str]
"""Patterns of keys, and where each was found first."""


def sources(*places: Path) -> Iterator[Path]:
    """Yield the source files of Python and of the page, without tests."""
    for place in places:
        for file in sorted(place.rglob("*")) if place.is_dir() else [place]:
            if file.suffix in (".py", ".ts", ".svelte") and not file.name.endswith(".test.ts"):
                yield file


@cache
def _said_in(file: Path) -> frozenset[str]:
    """Return patterns of what may be keys in a source file."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".py":
        return frozenset(_said_in_python(ast.parse(text)))
    whole = {re.escape(key) for _, key in QUOTED.findall(text)}
    return frozenset(whole | {ANY.join(map(re.escape, PUT_IN.split(key))) for key in TEMPLATE.findall(text)})


def _said_in_python(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.JoinedStr):
        yield "".join(re.escape(str(p.value)) if isinstance(p, ast.Constant) else ANY for p in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and re.fullmatch(r"[\w.]+", node.value):
        yield re.escape(node.value)
    for part in ast.iter_child_nodes(node):
        if not (isinstance(node, ast.JoinedStr) and isinstance(part, ast.Constant)):
            yield from _said_in_python(part)


def said(*places: Path) -> Keys:
    """Return patterns of the keys that are said: each begins with a whole word and a dot, or is no more than a word."""
    found = ((pattern, file) for file in sources(*places) for pattern in _said_in(file))
    return {pattern: str(file) for pattern, file in found if re.match(r"\w+(\\\.|$)", pattern)}


def unsaid(keys: Set[str], patterns: Keys) -> list[str]:
    """Return the keys that no pattern matches."""
    whole = {plain(pattern) for pattern in patterns}
    parts = re.compile("|".join(pattern for pattern in patterns if ANY in pattern) or "(?!)")
    return sorted(key for key in keys - whole if not parts.fullmatch(key))


def plain(pattern: str) -> str:
    """Return the key of a pattern without placeholders."""
    return pattern.replace("\\", "")


def is_there(pattern: str, keys: Set[str]) -> bool:
    return plain(pattern) in keys or (ANY in pattern and any(re.fullmatch(pattern, key) for key in keys))


def missing(patterns: Keys, known: Set[str], heads: Set[str]) -> Keys:
    """Return the keys that are said with one of these first words, and do not exist."""
    return {
        pattern: file
        for pattern, file in patterns.items()
        if pattern.partition(r"\.")[0] in heads and r"\." in pattern and not file.endswith("components.py")
        if not pattern.endswith(r"\.") and not is_there(pattern, known)
    }


def source_tree() -> Path | None:
    """Return the source tree of the program, with the page; None for an installed package."""
    root = Path(__file__).resolve().parents[3]
    return root if (root / "web" / "src").is_dir() else None


def folders_of_all(root: Path) -> tuple[Path, ...]:
    """Return the folders in which the words of any game are said."""
    package, page = root / "src/ziggurat", root / "web/src"
    return (
        *(package / folder for folder in ("bots", "cli", "core", "lab", "server")),
        *(page / folder for folder in ("art", "features", "lib", "pages", "parts", "table")),
        page / "App.svelte",
    )


def wrong_in_game(game: Game, root: Path, house: Set[str]) -> Iterator[str]:
    """Yield the keys of a game that nobody says, and those that its sources say and nobody has. `house`: the general
    keys."""
    catalogues = of_game(game)
    known = {key for texts in catalogues.values() for catalogue in texts.values() for key in catalogue}
    own = said(Path(str(game.folder)), root / "web/src/games" / game.id)
    forms = _arguments(text for texts in catalogues.values() for one in texts.values() for text in one.values())
    keys = {key for key in known - _by_the_game(game, known) if not _names_values(key, forms)}
    # What the house says of any action, event and option is said of those that there are alone.
    declared = {key for key in keys if key.startswith(DECLARED)}
    for key in sorted({*unsaid(keys, {**said(*folders_of_all(root)), **own}), *unsaid(declared, own)}):
        yield f"nothing says {key!r}"
    heads = {key.partition(".")[0] for key in known if "." in key}
    for pattern, file in missing(own, known | house, heads).items():
        yield f"{Path(file).name} says {plain(pattern)!r}, which is in no catalogue"


def _by_the_game(game: Game, known: Set[str]) -> set[str]:
    """Return the words that are said because a game has an event, an option, an action or a lesson."""
    keys = {"name", "tagline"}
    keys |= {f"log.{event}{form}" for event in game.event_types for form in ("", ".nobody")}
    keys |= {f"move.{type}{own}" for type in game.space.types for own in ("", ".own")}
    for option in game.options:
        keys |= {
            f"option.{option.name}",
            f"option.{option.name}.help",
            *(f"option.{option.name}.{choice}" for choice in option.choices),
        }
        keys |= {f"option.{option.name}.{choice}.help" for choice in option.choices}
    pieces = Position.new(game, game.min_players, seed=1).named
    keys |= {f"what.{piece}{part}" for piece in pieces for part in ("", ".name")}
    if game.about.__module__ == usual.__name__:  # it says whatever piece is asked for
        keys |= {key for key in known if key.startswith("what.")}
    return keys | {key for lesson in lessons(game).values() for key in lesson.words()}


def _arguments(texts: Iterator[str]) -> set[tuple[str, str]]:
    """Return the arguments of sentences, with their forms."""
    return {(slot.name, slot.form) for text in texts for slot in slots(parse(text)) if isinstance(slot, Slot)}


def _names_values(key: str, forms: Set[tuple[str, str]]) -> bool:
    """Whether a sentence names the values of an argument with this word, in the form that it is in."""
    name, _, rest = key.partition(".")
    form = rest.partition(".")[2]
    if form and form != "many":  # pieces in a list are counted
        return (name, form) in forms
    return name in {argument for argument, _ in forms}
