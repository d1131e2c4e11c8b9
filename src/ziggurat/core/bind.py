"""Binding a game: its parts are found by the names that docs/adding-a-game.md prescribes.

What a game does not say itself follows from its fields (``ziggurat.core.fields``), or is what most games say
(``ziggurat.core.usual``).
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from importlib.resources import files
from types import ModuleType
from typing import Any

import msgspec
import numpy as np

from ziggurat.core import usual
from ziggurat.core.actions import Space
from ziggurat.core.columns import observed, rule_of
from ziggurat.core.errors import BrokenGame
from ziggurat.core.events import Events
from ziggurat.core.facts import Facts
from ziggurat.core.fields import Fields
from ziggurat.core.game import COMPONENTS_FILE, WEIGHTS_FILE, Game
from ziggurat.core.inputs import Inputs
from ziggurat.core.kernel import is_kernel, modules_named, reachable
from ziggurat.core.languages import LANGUAGES
from ziggurat.core.options import Options
from ziggurat.core.parts import Parts

# Of every rule the files in which its kernel may stand, and what it takes and returns.
KERNELS = {
    "setup": ("rules setup", "setup(s, trace) -> None, once it has set up the game on a template"),
    "actors": ("rules", "actors(s) -> int, the bit mask of the seats that must decide now"),
    "legal": ("rules", "legal(s, seat, out) -> int, how many legal actions it has written to out.values"),
    "play": ("rules", "play(s, seat, action, trace) -> None, once it has played a legal action"),
    "scores": ("rules scoring", "scores(s, out) -> int, how many owners' points it has written to out.values"),
    "winners": ("rules scoring", "winners(s) -> int, the bit mask of the winners"),
    "concealed": ("rules", "concealed(s) -> bool, whether what is chosen now stays secret until all have chosen"),
    "redeal": ("belief", "redeal(s, seat, rng) -> None, once it has dealt again all that the seat does not see"),
    "observe": ("features", "observe(s, seat, seen) -> None, once it has written every field"),
    "suggest": ("heuristics", "suggest(s, seat, rng, out) -> int, a legal action"),
}
# The kernels that write what a network is told, and the rules that they are a part of (``ziggurat.core.columns``).
NETWORK_KERNELS = {
    "table_inputs": ("network.table", "tell_table(s, table, out) -> None, once it has written what is not 0"),
    "seat_inputs": ("network.seat", "tell_seat(s, seat, own, out) -> None, once it has written what is not 0"),
    "action_inputs": ("network.action", "tell_action(s, seat, action, act, out) -> None, once it has done the same"),
}
# Of every other field of a game the files in which it may stand, and what stands there: an object or a function.
GAME_OBJECTS: Mapping[str, tuple[str, str, type]] = {
    "options": ("state", "OPTIONS", Options),
    "record": ("state", "RECORD", np.dtype),
    "space": ("choices", "SPACE", Space),
    "events": ("events choices", "EVENTS", Events),
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
    "own": ("view", "own(s, seat, public, everything) -> the same struct with all that the seat sees"),
    "winners": ("view", "winner_seats(s) -> list[int], the winners once the game is over"),
    "secrets": ("view", "secrets(s) -> dict[str, Any], all that some seat does not see"),
    "ask": ("actions", "ask(s, seat) -> Phrase | None, what the seat is asked"),
    "choice": ("actions", "choice(s, seat, action) -> Choice, the struct of the action"),
    "describe": ("actions", "describe(s, seat, steps) -> Phrase, a whole move in words"),
    "refusals": ("actions", "refusals(s, seat, legal) -> list[Refusal], why what might be chosen cannot be"),
    "preview": ("actions", "preview(s, seat, steps) -> Preview, what a move in the making would do"),
    "arrange": ("actions", "arrange(steps) -> list[int], the steps in the order that the rules ask for"),
    "in_move": ("rules actions", "in_move(s) -> bool, whether a move has begun and is not whole"),
    "forced": ("actions", "forced(s, seat, legal) -> int | None, the one action that is no decision"),
    "known": ("actions", "known(s, seat) -> bool, whether everybody can tell what the seat may do"),
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


# What a game need not have, and when it may do without something else.
MAY_LACK = ("options", "weight_names", "inputs", "parts", "facts")
OPTIONAL_FUNCTIONS = ("forced", "known")
"""Functions that are not usual."""
IN_SOME = {
    "actors": "where the record has the fields turn and finished, they say it",
    "scores": "where the record has the field score, it says it",
    "winners": "where the record has the field score, and no other scores are counted, it says it",
    "redeal": "a game without secrets needs none",
    "secrets": "a game without a function redeal needs none",
    "template": "a game without components.toml needs none",
    "longest_game": "or bind is given longest, a number or a function of the number of players",
    "choice": "where the number of an action tells all fields of its struct, it is not needed",
    "write_step": "where the number of an action tells its notation, it is not needed",
    "read_move": "where the number of an action tells its notation, it is not needed",
}


def bind(
    package: str | None,
    *,
    version: str,
    players: tuple[int, int],
    longest: int | Callable[[int], int] | None = None,
    **more: Any,
) -> Game:
    """Bind the game of a package.

    Args:
        package: its ``__package__``.
        version: of the rules.
        players: the smallest and the largest table.
        longest: how many decisions a game has at most, as a number or by the number of players; in a game whose
            components decide it, the function ``longest`` of ``components.py`` says it.
        more: fields of ``Game`` that are no module's, such as ``trust``.

    Raises:
        BrokenGame: naming what is missing, where it should stand and what it has to return.
    """
    home = _Home(package or "")
    found = home.things()
    rules = home.rules(found)
    records = found["inputs"].records if found["inputs"] else ()
    for (rule, what), columns in zip(NETWORK_KERNELS.items(), records, strict=bool(found["inputs"])):
        rules[rule] = rule_of(rule, home.kernel(*what), columns)
    found |= home.readers(found, rules, longest)
    if is_kernel(found["in_move"]):
        rules["in_move"] = found["in_move"]  # so that whole games of bots can be compiled (``ziggurat.bots.contest``)
    if home.observes():
        rules["observe"], found["features"] = observed(rules["observe"], found["features"], players)
    kernels = reachable(rules.values())
    modules = {kernel.__module__ for kernel in kernels}
    modules |= {module.__name__ for kernel in kernels for module in modules_named(kernel)}
    modules |= {module for columns in records for module in columns.modules()}
    modules.add(f"{package}.state")  # the record is what is compiled, whether or not a kernel names its module
    modules.add(package or "")  # an observation has room for as many players as it says
    own = sorted(module for module in modules if f"{module}.".startswith(f"{package}.") or module in home.lent)
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


def _path(files: str) -> str:
    """The path of a module in a game's folder, whether it is there or not."""
    return " or ".join(f"{file.replace('.', '/')}.py" for file in files.split())


class _Home:
    """The folder of a game, with its modules.

    Attributes:
        lent: the modules in which rules may stand that are not its own.
    """

    def __init__(self, package: str) -> None:
        self._package = package
        self.id = package.rpartition(".")[2]
        self.lent = {usual.__name__}
        self._fields = self.thing("state", "FIELDS", Fields, optional=True)
        self._read: Mapping[str, Any] = self._fields.readers(package) if self._fields is not None else {}

    def things(self) -> dict[str, Any]:
        """The objects that a game declares, by field."""
        name = f"{self.id.title().replace('_', '')}Components"
        printed = self._has(COMPONENTS_FILE) or self._function("check_components") or self._function("template")
        found: dict[str, Any] = {"components_type": self.thing("components", name, msgspec.Struct, not printed)}
        found["components_type"] = found["components_type"] or usual.NoComponents
        for field, what in GAME_OBJECTS.items():
            optional = not self._has(WEIGHTS_FILE) if field == "weight_names" else field in {*MAY_LACK, *self._read}
            found[field] = self.thing(*what, optional)
            if found[field] is None:
                found[field] = self._read.get(field)
        found["options"] = found["options"] or Options()
        found["weight_names"] = found["weight_names"] or ()
        return found

    def rules(self, found: Mapping[str, Any]) -> dict[str, Any]:
        """The rules by name: the game's own, those that follow from its fields, and the usual ones."""
        own = {rule: one for rule, what in KERNELS.items() if (one := self._kernel(*what))}
        fields = dict(self._fields.kernels(self._package)) if self._fields is not None else {}
        if self._fields is not None and self._fields.unpooled:
            del fields["redeal"]  # it does not know what else is hidden
        secret = bool(fields) or self._function("secrets") is not None
        common = usual.kernels(found["record"], own, secret)
        rules: dict[str, Any] = {}
        for rule, what in KERNELS.items():
            lacks = self._fields.unpooled if rule == "redeal" and self._fields is not None else []
            why = f"{', '.join(lacks)}: hidden, and in no pool" if lacks else IN_SOME.get(rule)
            rules[rule] = own.get(rule) or fields.get(rule) or common.get(rule) or self.kernel(*what, why)
            if rule not in own:
                self.lent.add(rules[rule].__module__)
        return rules

    def observes(self) -> bool:
        """Whether the game itself declares its observations, instead of deriving them from its fields."""
        kernel, columns = self._kernel(*KERNELS["observe"]), self._function("features")
        if kernel is None and columns is not None:
            self.kernel(*KERNELS["observe"])
        if kernel is not None and columns is None:
            self._missing("features")
        return kernel is not None

    def readers(
        self, found: Mapping[str, Any], rules: Mapping[str, Any], longest: int | Callable[[int], int] | None
    ) -> dict[str, Any]:
        """The readers by field: the game's own, those that follow from its fields, and the usual ones."""
        readers: dict[str, Any] = {field: self._function(field) for field in OPTIONAL_FUNCTIONS}
        common = self._usual(found, rules, longest, readers)
        for field in FUNCTIONS:
            if field == "longest_game" and longest is not None:
                readers[field] = common[field]()
            elif field not in readers:
                readers[field] = self._function(field) or self._read.get(field)
        for field in FUNCTIONS:
            if readers[field] is None and field not in OPTIONAL_FUNCTIONS:
                made = common[field]() if field in common else None
                readers[field] = made or self._missing(field)
        return readers

    def _usual(
        self,
        found: Mapping[str, Any],
        rules: Mapping[str, Any],
        longest: int | Callable[[int], int] | None,
        readers: Mapping[str, Any],
    ) -> dict[str, Callable[[], Any]]:
        """The usual readers, for those that a game leaves out."""
        space, record = found["space"], found["record"]
        common: dict[str, Callable[[], Any]] = {field: partial(_same, one) for field, one in usual.FIXED.items()}
        common["winners"] = partial(usual.winner_seats, rules)
        common["ask"] = partial(usual.ask, rules)
        common["scores_from_events"] = partial(usual.scores_from_events, found["parts"])
        common["named"] = partial(usual.named, self._names)
        common["about"] = lambda: usual.about(self._names, readers["named"] or common["named"]())
        common["describe"] = lambda: usual.describe(readers["choice"])
        common["write_move"] = lambda: usual.write_move(readers["write_step"])
        if usual.shown_by_numbers(space):
            common["choice"] = partial(usual.choice, space)
        if usual.written_by_numbers(space):
            common["write_step"] = partial(usual.write_step, space)
            common["read_move"] = partial(usual.read_move, space)
        if found["components_type"] is usual.NoComponents:
            common["template"] = partial(usual.template, record, found["options"])
        if rules["redeal"] is usual.redeal:
            common["secrets"] = partial(_same, usual.no_secrets)
        if isinstance(longest, int):
            common["longest_game"] = lambda: lambda values, players: longest
        elif longest is not None:
            common["longest_game"] = lambda: lambda values, players: longest(players)
        return common

    def thing(self, where: str, name: str, kind: type, optional: bool = False) -> Any:
        """The object of a name in one of some files; None where it is optional and missing."""
        for file in where.split():
            found = getattr(self._module(file), name, None)
            if found is not None:
                break
        if found is None and optional:
            return None
        right = issubclass(found, kind) if isinstance(found, type) else isinstance(found, kind)
        if not right:
            raise self._error(f"{_path(where)} needs {name}, of type {kind.__qualname__}")
        return found

    def kernel(self, where: str, says: str, unless: str | None = None) -> Any:
        """A kernel that every game must have."""
        more = f"; {unless}" if unless else ""
        found = self._kernel(where, says)
        if found is None:
            raise self._error(f"{_path(where)} needs the function {says}, marked with @kernel{more}")
        return found

    def _kernel(self, where: str, says: str) -> Any:
        for file in where.split():
            found = getattr(self._module(file), says.partition("(")[0], None)
            if is_kernel(found):
                return self._called(found, file, says)
            if callable(found):
                raise self._error(f"{_path(file)} needs the function {says}, marked with @kernel")
        return None

    def _function(self, field: str) -> Any:
        """The game's own reader; None where it has none."""
        where, says = FUNCTIONS[field]
        for file in where.split():
            found = getattr(self._module(file), says.partition("(")[0], None)
            if found is not None:
                return self._called(found, file, says)
        return None

    def _missing(self, field: str) -> Any:
        file, says = FUNCTIONS[field]
        more = f"; {IN_SOME[field]}" if field in IN_SOME else ""
        raise self._error(f"{_path(file)} needs the function {says}{more}")

    def _has(self, file: str) -> bool:
        return (files(self._package) / file).is_file()

    @cached_property
    def _names(self) -> Mapping[str, str]:
        """The catalogue's names of pieces."""
        file = files(self._package) / "text" / "what" / f"{LANGUAGES[0]}.json"
        return msgspec.json.decode(file.read_bytes(), type=dict[str, str]) if file.is_file() else {}

    def _called(self, found: Any, file: str, says: str) -> Any:
        """A function of the game, once its number of parameters is checked."""
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

    def _error(self, message: str) -> BrokenGame:
        return BrokenGame(f"{self.id}: {message}; see docs/adding-a-game.md")


def _same(one: Any) -> Any:
    return one
