"""Binding a game: its parts are found by the names that docs/adding-a-game.md gives to them."""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from ziggurat.core.actions import Space
from ziggurat.core.columns import observed, rule_of
from ziggurat.core.decision import Preview
from ziggurat.core.errors import NotationError
from ziggurat.core.events import Events
from ziggurat.core.facts import Facts
from ziggurat.core.game import Game
from ziggurat.core.inputs import Inputs
from ziggurat.core.kernel import is_kernel, modules_named, reachable
from ziggurat.core.options import Options
from ziggurat.core.parts import Parts

# The files in which a kernel may stand, and what it returns.
KERNELS = {
    "setup": ("rules setup", "setup(s, trace) -> None, once it has set up the game on a template"),
    "actors": ("rules", "actors(s) -> int, the bit mask of the seats that must decide now"),
    "legal": ("rules", "legal(s, seat, out) -> int, how many legal actions it has written to out.values"),
    "play": ("rules", "play(s, seat, action, trace) -> None, once it has played a legal action"),
    "scores": ("rules scoring", "scores(s, out) -> int, how many owners' points it has written to out.values"),
    "winners": ("rules scoring", "winners(s) -> int, the bit mask of the winners"),
    "concealed": ("rules", "concealed(s) -> bool, whether what is chosen now stays secret until all have chosen"),
    "redeal": ("belief", "redeal(s, seat, rng) -> None, once it has dealt anew all that the seat does not see"),
    "observe": ("features", "observe(s, seat, seen) -> None, once it has written every field"),
    "suggest": ("heuristics", "suggest(s, seat, rng, out) -> int, a legal action"),
}
# The kernels that write what a network is told, and the rules that they are a part of (``ziggurat.core.columns``).
TOLD = {
    "table_inputs": ("network.table", "tell_table(s, table, out) -> None, once it has written what is not 0"),
    "seat_inputs": ("network.seat", "tell_seat(s, seat, own, out) -> None, once it has written what is not 0"),
    "action_inputs": ("network.action", "tell_action(s, seat, action, act, out) -> None, once it has done the same"),
}
# Of every other field of a game the file, and what stands there: a type of thing with its name, or a function.
THINGS: Mapping[str, tuple[str, str, type]] = {
    "options": ("state", "OPTIONS", Options),
    "record": ("state", "RECORD", np.dtype),
    "space": ("choices", "SPACE", Space),
    "events": ("events", "EVENTS", Events),
    "weight_names": ("heuristics", "WEIGHTS", tuple),
    "inputs": ("network.columns", "INPUTS", Inputs),
    "parts": ("reasons", "PARTS", Parts),
    "facts": ("facts", "FACTS", Facts),
}
FUNCTIONS = {
    "check_components": ("components", "check_components(values) -> None, or raises ComponentsError"),
    "template": ("components", "template(values, players, options) -> np.ndarray of states of shape (1,)"),
    "check_options": ("components", "check_options(players, options) -> None, or raises BadOption"),
    "longest_game": ("components", "longest(values, players) -> int, how many decisions a game has at most"),
    "public": ("view", "public(s, values) -> the struct of what everybody sees"),
    "own": ("view", "own(s, seat, public, everything) -> the same struct with what the seat sees besides"),
    "winners": ("view", "winner_seats(s) -> list[int], the winners once the game is over"),
    "secrets": ("view", "secrets(s) -> dict[str, Any], all that somebody does not see"),
    "ask": ("actions", "ask(s, seat) -> Phrase | None, what the seat is asked"),
    "choice": ("actions", "choice(s, seat, action) -> Choice, the struct of the action"),
    "describe": ("actions", "describe(s, seat, steps) -> Phrase, a whole move in words"),
    "refusals": ("actions", "refusals(s, seat, legal) -> list[Refusal], why what might be chosen cannot be"),
    "preview": ("actions", "preview(s, seat, steps) -> Preview, what a move in the making would do"),
    "arrange": ("actions", "arrange(steps) -> list[int], the steps in the order that the rules ask for"),
    "in_move": ("actions", "in_move(s) -> bool, whether a move has begun and is not whole"),
    "forced": ("actions", "forced(s, seat, legal) -> int | None, the one action that is no decision"),
    "write_step": ("actions", "write_step(s, action) -> str, the notation of an action"),
    "write_move": ("actions", "write_move(s, steps) -> str, the notation of a whole move"),
    "read_move": ("actions", "read_move(s, seat, text) -> list[int], the steps of a move"),
    "scores_from_events": ("events", "scores_from_events(events, players) -> list[int], the points of every seat"),
    "arrange_scenario": ("scenario", "arrange_scenario(s, position, template) -> None, once the pieces lie there"),
    "count_pieces": ("scenario", "count_pieces(s) -> Mapping[str, int], how many of each piece there are"),
    "about": ("about", "about(s, values, seat, piece) -> About, what a piece is and is worth"),
    "named": ("about", "named(s, values) -> list[str], the names that may be asked for"),
    "features": ("features", "observation(players) -> type[Columns], the fields that observe writes"),
}


def any_options(players: int, options: Mapping[str, str]) -> None:
    """Every combination can be played."""


def in_one_step(s: Any) -> bool:
    """Every action is a whole move."""
    return False


def no_preview(s: Any, seat: int, steps: Sequence[int]) -> Preview:
    """Raises NotationError: no move is ever unfinished."""
    raise NotationError("every move of this game is a single step; there is nothing to preview")


def as_they_are(steps: Sequence[int]) -> list[int]:
    """The rules take the steps of a move in any order, or there is one alone."""
    return list(steps)


# What a game need not have.
USUAL: Mapping[str, Callable[..., Any] | None] = {
    "check_options": any_options,
    "in_move": in_one_step,
    "preview": no_preview,
    "arrange": as_they_are,
    "forced": None,
}
MAY_LACK = ("inputs", "parts", "facts")


def bind(package: str | None, *, version: str, players: tuple[int, int], **more: Any) -> Game:
    """The game of a package.

    Args:
        package: its ``__package__``.
        version: of the rules.
        players: the smallest and the largest table.
        more: fields of ``Game`` that are no module's, such as ``trust``.

    Raises:
        TypeError: naming what is missing, where it should stand and what it has to return.
    """
    home = _Home(package or "")
    name = f"{home.id.title().replace('_', '')}Components"
    found: dict[str, Any] = {"components_type": home.thing("components", name, msgspec.Struct)}
    found |= {field: home.thing(*what, optional=field in MAY_LACK) for field, what in THINGS.items()}
    found |= {field: home.function(field, *what) for field, what in FUNCTIONS.items()}
    rules = {rule: home.kernel(*what) for rule, what in KERNELS.items()}
    rules["observe"], found["features"] = observed(rules["observe"], found["features"], players)
    records = found["inputs"].records if found["inputs"] else ()
    for (rule, what), columns in zip(TOLD.items(), records, strict=bool(found["inputs"])):
        rules[rule] = rule_of(rule, home.kernel(*what), columns)
    kernels = reachable(rules.values())
    modules = {kernel.__module__ for kernel in kernels}
    modules |= {module.__name__ for kernel in kernels for module in modules_named(kernel)}
    modules |= {module for columns in records for module in columns.modules()}
    modules.add(package or "")  # an observation has room for as many players as it says
    own = sorted(module for module in modules if f"{module}.".startswith(f"{package}."))
    low, high = players
    return Game(
        id=home.id,
        version=version,
        min_players=low,
        max_players=high,
        rules=rules,
        kernel_modules=tuple(own),
        **found,
        **more,
    )


def _path(file: str) -> str:
    """Where a module of a game's folder lies there."""
    return f"{file.replace('.', '/')}.py"


class _Home:
    """The folder of a game."""

    def __init__(self, package: str) -> None:
        self._package = package
        self.id = package.rpartition(".")[2]

    def thing(self, file: str, name: str, kind: type, optional: bool = False) -> Any:
        module = self._module(file)
        if module is None and optional:
            return None
        found = getattr(module, name, None)
        right = issubclass(found, kind) if isinstance(found, type) else isinstance(found, kind)
        if not right:
            raise self._error(f"{_path(file)} needs {name}, of type {kind.__qualname__}")
        return found

    def function(self, field: str, file: str, says: str) -> Any:
        found = getattr(self._module(file), says.partition("(")[0], USUAL.get(field))
        if not callable(found) and field not in USUAL:
            raise self._error(f"{_path(file)} needs the function {says}")
        return self._called(found, file, says)

    def kernel(self, files: str, says: str) -> Any:
        for file in files.split():
            found = getattr(self._module(file), says.partition("(")[0], None)
            if is_kernel(found):
                return self._called(found, file, says)
        where = " or ".join(_path(file) for file in files.split())
        raise self._error(f"{where} needs the function {says}, marked with @kernel")

    def _called(self, found: Any, file: str, says: str) -> Any:
        """The same, once it is seen that it takes as many arguments as are written there."""
        arguments = re.findall(r"\w+", says[: says.index(")")])[1:]
        try:
            if found is not None:
                inspect.signature(found).bind(*arguments)
        except TypeError:
            raise self._error(f"{_path(file)} has another function than {says}") from None
        return found

    def _module(self, file: str) -> ModuleType | None:
        name = f"{self._package}.{file}"
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{name}.".startswith(f"{error.name}."):
                raise
            return None

    def _error(self, message: str) -> TypeError:
        return TypeError(f"{self.id}: {message}; see docs/adding-a-game.md")
