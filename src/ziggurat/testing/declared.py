"""Checks of a game's declarations: its rules, words, options and components."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import textwrap
from difflib import get_close_matches
from pathlib import Path
from types import ModuleType
from typing import Any

import msgspec

from ziggurat.core import usual
from ziggurat.core.engine import RULES
from ziggurat.core.errors import FileError, WeightsError
from ziggurat.core.features import one_hot_names, one_hot_size
from ziggurat.core.fields import Fields
from ziggurat.core.game import Game
from ziggurat.core.generated import source_of
from ziggurat.core.kernel import is_kernel, modules_named, reachable
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.limits import LEGAL
from ziggurat.core.position import Position
from ziggurat.core.runtime import PLAYING
from ziggurat.core.text import general
from ziggurat.testing import said
from ziggurat.testing.catalogues import wrong_in_game
from ziggurat.testing.words import has_words


def check_declaration(game: Game) -> None:
    """Check everything that can be checked without playing.

    Every rule is there and is a kernel; every kernel that they reach, and every constant that it uses, lies in a file
    whose change makes the compiled code old; both catalogues, if there are any, have the same keys with the same
    placeholders, in good grammar as far as a program can tell, a sentence for every event, option and choice, a word
    for what the page names where a game has no board, and nothing that is never said; the default components load and
    say that they are the default; the weights have the names that the heuristic declares, and its constants are their
    places; the columns of observations have a name each, and as many labels as values.
    """
    _check_rules(game)
    _check_kernel_sources(game)
    _check_fields_are_there(game)
    _check_words(game)
    _check_components(game)
    _check_weights(game)
    _check_features(game)
    for players in range(game.min_players, game.max_players + 1):
        game.check_setup(players, {})


def _expect(game: Game, condition: bool, message: str) -> None:
    if not condition:
        raise AssertionError(f"{game.id}: {message}")


def _check_rules(game: Game) -> None:
    for name in RULES:
        _expect(game, name in game.rules, f"there is no rule {name!r}")
        _expect(game, is_kernel(game.rules[name]), f"the rule {name!r} is not marked with @kernel")
    _expect(game, game.record.fields is not None and "rng" in game.record.fields, "the record has no generator 'rng'")
    _expect(game, _bytes_of_fields(game.record) == game.record.itemsize, "the record has gaps, which no copy keeps")


def _bytes_of_fields(dtype: Any) -> int:
    if dtype.fields is None:
        return int(dtype.itemsize)
    return sum(_bytes_of_fields(field[0]) for field in dtype.fields.values())


def _check_fields_are_there(game: Game) -> None:
    """Check for what Python would play and the compiler does not: a misspelt field, named with its kernel's file."""
    fields = {"players", *(game.record.names or ())}
    for kernel in reachable_kernels(game):
        if source_of(kernel):
            continue
        code = inspect.unwrap(kernel).__code__
        tree = ast.parse(textwrap.dedent(inspect.getsource(kernel)))
        for node in ast.walk(tree):
            if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)):
                continue
            name, home = node.attr, node.value.id
            where = f"{Path(code.co_filename).name}, line {code.co_firstlineno + node.lineno - 1}: {home}.{name}"
            if home == "s" and code.co_varnames[:1] == ("s",):
                near = get_close_matches(name, fields, 1)
                hint = f"; is {near[0]!r} meant?" if near else ""
                _expect(game, name in fields, f"{where} is no field of the record{hint}")
            module = kernel.__globals__.get(home)
            named = isinstance(module, ModuleType) and is_kernel(getattr(module, name, None))
            _expect(game, not named, f"{where} is a kernel: import it by its name, and call it {name}(...)")


def _check_kernel_sources(game: Game) -> None:
    sources = {path.resolve() for path in PLAYING.sources(game)}
    for kernel in reachable_kernels(game):
        file = Path(inspect.getfile(kernel)).resolve()
        watched = file in sources or bool(source_of(kernel))
        _expect(game, watched, f"{kernel.__qualname__} lies in {file}, which kernel_modules leaves out")
    constants = {(name, value) for kernel in reachable_kernels(game) for name, value in _constants(kernel)}
    known = [module for module in map(inspect.getmodule, reachable_kernels(game)) if module is not None]
    declared = {id(module): module for module in [*known, *_modules(game)]}.values()
    for module in {module for kernel in reachable_kernels(game) for module in modules_named(kernel)}:
        file = Path(inspect.getfile(module)).resolve()
        _expect(game, file in sources, f"constants are taken from {module.__name__}, which kernel_modules leaves out")
    for name, value in constants:
        home = any(_defines(module, name, value) for module in declared)
        _expect(game, home, f"the constant {name} is defined in no module that kernel_modules names")


def _modules(game: Game) -> list[ModuleType]:
    return [importlib.import_module(name) for name in game.kernel_modules]


def _defines(module: ModuleType, name: str, value: Any) -> bool:
    """Whether a module assigns this name itself, rather than importing it."""
    source = inspect.getsource(module)
    return (
        getattr(module, name, None) == value
        and re.search(rf"^(\w+, )*{name}(, \w+)*(:.*)? =", source, re.MULTILINE) is not None
    )


def reachable_kernels(game: Game) -> list[Any]:
    """Return every kernel that the rules of a game call, direct or indirect."""
    return reachable(game.rules[name] for name in RULES)


def _constants(kernel: Any) -> list[tuple[str, Any]]:
    """Return the constants that a kernel names, or takes out of a module (``state.DRAW``); none of a generated
    kernel."""
    if kernel.__globals__ is not vars(inspect.getmodule(kernel) or kernel):
        return []
    names = kernel.__code__.co_names
    homes = (kernel.__globals__, *map(vars, modules_named(kernel)))
    values = [(name, home.get(name)) for home in homes for name in names]
    return [(name, value) for name, value in values if isinstance(value, (int, float, tuple))]


def _check_words(game: Game) -> None:
    if not has_words(game):  # what it says is made of the names in its code
        return
    try:
        wrong = list(wrong_in_game(game))
    except FileError as error:
        wrong = [str(error)]
    _expect(game, not wrong, f"the catalogues: {'; '.join(wrong[:5])}")
    for key in needed_words(game):
        _expect(game, key in game.text(LANGUAGES[0]), f"the catalogues have no {key!r}")
    root = said.source_tree()
    if root is not None:  # in an installed package nobody can tell what the page says
        wrong = list(said.wrong_in_game(game, root, general(LANGUAGES[0]).keys()))
        _expect(game, not wrong, f"the catalogues: {'; '.join(wrong[:5])}")


def fields_of(game: Game) -> Fields | None:
    """Return the declared fields of a game, if it declares fields instead of a record."""
    for name in game.kernel_modules:
        found = getattr(importlib.import_module(name), "FIELDS", None)
        if isinstance(found, Fields):
            return found
    return None


ASKED_BY_THE_HOUSE = ("menu.help", "refuse.not_your_turn")
"""What the terminal and the page say of any game in its own words."""


def has_heuristic(game: Game) -> bool:
    """Whether a game has a heuristic of its own."""
    return game.rules["suggest"].__module__ != usual.__name__


def hides_something(game: Game) -> bool:
    """Whether there is anything to deal again for some seat."""
    return game.rules["redeal"] is not usual.redeal


def needed_words(game: Game) -> list[str]:
    """Return the keys of all words that a game with words of its own needs."""
    wanted = ["name", *(f"log.{event}" for event in game.event_types)]
    wanted += [f"option.{option.name}" for option in game.options]
    for option in game.options:
        for choice in option.choices:
            wanted += [f"option.{option.name}.{choice}", f"option.{option.name}.{choice}.help"]
    return [*wanted, *ASKED_BY_THE_HOUSE, *(f"field.{name}" for name in _plain_names(game))]


SAID_ELSEWHERE = {"game", "players", "seat", "actors", "turn", "finished", "winners"}
"""Fields of a view that the plain board of the page does not name (``web/src/table/plain/plain.ts``), and points:"""
POINTS = {"score", "points"}


def _plain_names(game: Game) -> list[str]:
    """Return the names on the plain board: the fields of the view.

    Nothing of a game that has a board of its own, or of an installed one, where nobody can tell.
    """
    root = said.source_tree()
    if root is None or (root / "web/src/games" / game.id).exists():
        return []
    names: list[str] = []
    for name, value in msgspec.to_builtins(Position.new(game, game.min_players, seed=1).view_all()).items():
        if isinstance(value, list) and value and all(isinstance(one, dict) and "seat" in one for one in value):
            names += [field for field in value[0] if field != "seat" and field not in POINTS]
        elif name not in SAID_ELSEWHERE:
            names.append(name)
    return list(dict.fromkeys(names))


def _check_components(game: Game) -> None:
    again = game.load_components(game.components_text())
    _expect(game, game.components.is_default and again.is_default, "the default components do not know that they are")
    _expect(
        game, again.digest == game.components.digest, "the digest of the components changes from one reading to another"
    )
    empty = game.load_components("")
    _expect(game, empty.digest == again.digest, "a component file that says nothing is not the default")


def _check_weights(game: Game) -> None:
    """Check that constants and names of weights agree: nothing else would notice that they differ."""
    _expect(game, len(set(game.weight_names)) == len(game.weight_names), "a name of a weight is declared twice")
    try:
        game.load_weights(game.weights_text())
    except WeightsError as error:
        _expect(game, False, f"weights.toml: {error}")
    home = inspect.getmodule(game.rules["suggest"])
    for place, name in enumerate(game.weight_names):
        found = getattr(home, name.upper(), None)
        _expect(game, found == place, f"the weight {name!r} has place {place}, and {name.upper()} is {found}")


def _check_features(game: Game) -> None:
    for players in range(game.min_players, game.max_players + 1):
        features = game.features(players)
        table = f"with {players} players"
        names = [feature.name for feature in features]
        _expect(game, 0 < len(names) <= LEGAL, f"{table} an observation has 1 to {LEGAL} columns, not {len(names)}")
        twice = sorted({name for name in names if names.count(name) > 1})
        _expect(game, not twice, f"{table} several columns are called {twice}")
        places = one_hot_names(features)
        _expect(game, len(set(places)) == one_hot_size(features), f"{table} the names of one-hot places are not theirs")
        for feature in features:
            small = -(1 << 15) <= feature.low < feature.high < 1 << 15
            _expect(game, small, f"{feature.name} goes from {feature.low} to {feature.high}")
            _expect(game, feature.kind != "bits" or feature.low == 0, f"{feature.name} is bits and below 0")
            _expect(
                game,
                not feature.labels or (feature.kind != "number" and len(feature.labels) == feature.width),
                f"{feature.name} has {len(feature.labels)} labels, which is not what a {feature.kind} needs",
            )
