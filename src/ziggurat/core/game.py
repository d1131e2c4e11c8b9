"""A game: one object that binds its data, rules and words. All other code knows a game only through it."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, Generic, cast, get_type_hints

import msgspec
import numpy as np

from ziggurat.core import limits
from ziggurat.core.actions import Choice, Space
from ziggurat.core.decision import About, Preview, Refusal
from ziggurat.core.errors import BadOption, BrokenGame, ComponentsError, FileError
from ziggurat.core.events import Events
from ziggurat.core.facts import Facts
from ziggurat.core.features import Feature, version
from ziggurat.core.inputs import Inputs
from ziggurat.core.options import Option, late_fields
from ziggurat.core.parts import Parts
from ziggurat.core.toml import line_of, parse_toml
from ziggurat.core.trace import Event, Phrase, workspace
from ziggurat.core.weights import read_weights

if TYPE_CHECKING:
    from typing_extensions import TypeVar

    V = TypeVar("V", default=Any)
    """The struct of a game's views; of a game that is known by its id alone, any."""
else:
    from typing import TypeVar

    V = TypeVar("V")

COMPONENTS_FILE = "components.toml"
WEIGHTS_FILE = "weights.toml"


@dataclass(frozen=True)
class Components:
    """The printed numbers of a game, validated.

    ``values`` is the game's own struct; ``digest`` is the SHA-256 of the numbers alone, however the file is laid out.
    """

    text: str
    values: Any
    digest: str
    is_default: bool

    @property
    def own_text(self) -> str | None:
        """The text of custom components, by which a file or another process gets them again; empty for the usual
        ones."""
        return None if self.is_default else self.text


@dataclass(frozen=True)
class Game(Generic[V]):
    """One game. Built by its package, ``ziggurat.games.<id>``, as ``GAME``.

    A type checker knows the views of ``ziggurat.new(GAME, ...)``; of a game by its id it knows nothing.
    """

    id: str
    version: str
    min_players: int
    max_players: int
    options: tuple[Option, ...]
    record: np.dtype[Any]
    space: Space
    events: Events
    # Kernels by the names in ziggurat.core.engine.RULES.
    rules: Mapping[str, Callable[..., Any]]
    kernel_modules: tuple[str, ...]
    components_type: type[msgspec.Struct]
    check_components: Callable[[Any], None]
    # (values, players, options) -> states of shape (1,), the template that set-up starts from
    template: Callable[[Any, int, Mapping[str, str]], np.ndarray]
    check_options: Callable[[int, Mapping[str, str]], None]
    # (values, players) -> how many decisions the longest game has at most, with the reason
    longest_game: Callable[[Any, int], int]
    # Readers of a ListRecord.
    # (s, values) -> what everybody at the table sees: the game's struct of views
    public: Callable[[Any, Any], V]
    # (s, seat, public, everything) -> the same with what a seat sees besides; ``everything`` shows all, to the umpire
    own: Callable[[Any, int | None, V, bool], V]
    # (s, seat) -> what a seat (None: a spectator) is asked, or waits for if there is more to say than for whom
    ask: Callable[[Any, int | None], Phrase | None]
    # (s, seat, action) -> the struct of an action that the seat may play or try
    choice: Callable[[Any, int, int], Choice]
    # (s, seat, steps) -> a whole move in words that mean the same to everybody
    describe: Callable[[Any, int, Sequence[int]], Phrase]
    refusals: Callable[..., list[Refusal]]
    preview: Callable[..., Preview]
    arrange: Callable[[Sequence[int]], list[int]]
    in_move: Callable[[Any], bool]
    winners: Callable[[Any], list[int]]
    secrets: Callable[[Any], dict[str, Any]]
    write_step: Callable[[Any, int], str]
    write_move: Callable[[Any, Sequence[int]], str]
    read_move: Callable[[Any, int, str], list[int]]
    arrange_scenario: Callable[[Any, Mapping[str, Any], Any], None]
    # The log alone -> scores; the checker recomputes every score with it.
    scores_from_events: Callable[[Sequence[Event], int], list[int]]
    count_pieces: Callable[[Any], Mapping[str, int]]
    # (s, values, seat, piece) -> what a piece, or what lies at a place, is; for a seat what it is worth to it, too
    about: Callable[[Any, Any, int | None, str], About]
    # (s, values) -> the names of all pieces and places that `about` knows in a position: what everybody sees decides
    named: Callable[[Any, Any], list[str]]
    # (players) -> the columns of the rule ``observe``, in order
    features: Callable[[int], Sequence[Feature]]
    # What the heuristic goes by, in the order of its places in ``out.weights``.
    weight_names: tuple[str, ...]
    # (record, seat, legal) -> the one legal action of a seat that is asked only so that asking betrays nothing: no
    # decision, which nobody need be there to make. None for decisions, also for those with a single legal action.
    forced: Callable[[Any, int, list[int]], int | None] | None = None
    # (record, seat) -> whether everybody can tell from what lies open which actions a seat has now: where it has one
    # move alone, nothing is told by making it for the player. Without it nobody can.
    known: Callable[[Any, int], bool] | None = None
    # Secrets, by name, that anybody knows who remembers all that lay open, as beliefs do: no redeal need change them.
    remembered: frozenset[str] = frozenset()
    # Fields of the record that came to it under the same version of the rules and decide nothing in play: they are left
    # out of what a replay says of its last position, so that older replays keep their word.
    beside: frozenset[str] = frozenset()
    # In which order a decision lists its actions, where the rules find them in an order that no seat sees.
    listed: Callable[[list[int]], list[int]] = list
    # How far a search trusts the heuristic's choice before it has tried others, from 0 to 1; by measurement.
    trust: float = 0.5
    # Where points come from, for whoever says why a move is good; without it only how many there are is known.
    parts: Parts | None = None
    # What a network is told of a position; without it the search goes by the heuristic alone.
    inputs: Inputs | None = None
    # What there is to know about a finished game, for studies.
    facts: Facts | None = None
    _templates: dict[Any, np.ndarray] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        def needs(fits: bool, message: str) -> None:
            if not fits:
                raise TypeError(f"{self.id}: {message}")

        seats, actions = limits.SEATS, limits.ACTIONS
        needs(
            1 <= self.min_players <= self.max_players <= seats,
            f"a game has 1 to {seats} seats, not {self.min_players} to {self.max_players}",
        )
        needs(1 <= self.actions <= actions, f"a game has 1 to {actions} numbers of actions, not {self.actions}")
        size = self.record.itemsize
        needs(size <= limits.RECORD, f"a position has at most {limits.RECORD} bytes, not {size}")
        most, weights = limits.WEIGHTS, len(self.weight_names)
        needs(weights <= most, f"a heuristic goes by at most {most} weights, not {weights}")
        for option in self.options:
            name, (low, high) = option.name, option.players or (self.min_players, self.max_players)
            needs(
                self.min_players <= low <= high <= self.max_players,
                f"option {name} is for {low} to {high} players, the game for {self.min_players} to {self.max_players}",
            )
            needs(
                not option.choices or option.default in option.choices,
                f"option {name} is usually {option.default!r}, which is none of its choices",
            )
        needs(self.beside <= set(self.record.names or ()), f"{sorted(self.beside)} are not all fields of the record")
        # NumPy copies fields and not what lies between them, so that equal positions would differ in their bytes.
        sizes = [self.record[name].itemsize for name in self.record.names or ()]
        if sum(sizes) != self.record.itemsize:
            raise TypeError(f"the record of {self.id} has gaps between its fields: do not align it")

    @cached_property
    def View(self) -> type[V]:
        """The struct of its views: what ``Position.view`` returns, with the type of every field."""
        return cast(type[V], get_type_hints(self.public)["return"])

    @property
    def actions(self) -> int:
        """The size of the action space."""
        return self.space.size

    def longest(self, players: int, components: Components | None = None) -> int:
        """The highest number of decisions (actions played) in a game, with any options.

        Where the rules set no bound it is a number that no game reaches in which a player wants to win, and programs
        may stop there; the function of the game says so, and why.

        Raises:
            BadOption: for a number of players that the game is not for.
        """
        self.check_setup(players, {})
        return self.longest_game((components or self.components).values, players)

    @cached_property
    def late_fields(self) -> tuple[str, ...]:
        """The fields of the record that follow from the options alone: see ``core/options.py``."""
        return late_fields(self.record)

    @cached_property
    def size_without_options(self) -> int:
        """The bytes of a position before those fields."""
        return sum(self.record[name].itemsize for name in self.record.names or () if name not in self.late_fields)

    @property
    def event_types(self) -> tuple[str, ...]:
        """The names of all events."""
        return self.events.types

    @cached_property
    def features_version(self) -> str:
        """A short hash of the columns of observations: an agent trained on some fits others of the same version."""
        return version([self.features(players) for players in range(self.min_players, self.max_players + 1)])

    @cached_property
    def workspace(self) -> np.dtype[Any]:
        """The type of a workspace: a position with the buffers that its rules write to."""
        return workspace(self.record)

    @cached_property
    def folder(self) -> Traversable:
        return files(f"ziggurat.games.{self.id}")

    def components_text(self) -> str:
        """The default components file, with comments; a template for one's own. A comment for a game without one."""
        return self._own_text(COMPONENTS_FILE) or f"# {self.id} has no printed numbers that could be changed\n"

    @cached_property
    def components(self) -> Components:
        """The default components."""
        return self.load_components(self.components_text())

    def components_of(self, own_text: str | None) -> Components:
        """The components with such an ``own_text``."""
        return self.load_components(own_text) if own_text else self.components

    def load_components(self, text: str) -> Components:
        """Validate a components file. Tables and keys that it leaves out keep their default.

        Raises:
            ComponentsError: with the line, what is wrong there and what would be right.
        """
        default_text = self.components_text()
        try:
            given = parse_toml(text)
        except FileError as error:
            raise ComponentsError(error.bare, error.line) from None
        if given.get("game", self.id) != self.id:
            raise ComponentsError(
                f"these are components of {given['game']!r}, not of {self.id!r}", line_of(text, ["game"])
            )
        default = tomllib.loads(default_text)
        try:
            values = msgspec.convert(_merge(default, given), self.components_type)
            self.check_components(values)
        except msgspec.ValidationError as error:
            message, keys = place_of(error)
            where = ".".join(keys)
            raise ComponentsError(
                f"{where}: {message}" if where else message, line_of(text, keys), where=where
            ) from None
        except ComponentsError as error:
            keys = error.context.get("where", "").split(".")
            raise ComponentsError(error.detail, line_of(text, keys), **_without_line(error.context)) from None
        digest = hashlib.sha256(msgspec.json.encode(values, order="deterministic")).hexdigest()
        same = text == default_text or digest == self.components.digest
        return Components(text=text, values=values, digest=digest, is_default=same)

    def weights_text(self) -> str:
        """The weights of the heuristic, with comments and how they were found. Empty for a game without weights."""
        return self._own_text(WEIGHTS_FILE)

    @cached_property
    def weights(self) -> Mapping[str, int]:
        """The weights of the heuristic by name, in its own order."""
        return self.load_weights(self.weights_text())

    @cached_property
    def weight_values(self) -> list[int]:
        """The weights alone, as ``out.weights`` takes them."""
        return list(self.weights.values())

    def load_weights(self, text: str) -> Mapping[str, int]:
        """Check a file of weights.

        Raises:
            WeightsError: with the line, what is wrong there and what would be right.
        """
        return read_weights(text, self.weight_names)

    def template_states(self, components: Components, players: int, options: Mapping[str, str]) -> np.ndarray:
        """States of shape (1,) that set-up starts from; shared, to be copied.

        Args:
            options: as ``check_setup`` returns them.
        """
        key = (components.digest, players, *options.items())
        if key not in self._templates:
            self._templates.clear()  # people play one kind of table at a time; nothing grows
            self._templates[key] = self.template(components.values, players, options)
        return self._templates[key]

    def check_setup(self, players: int, options: Mapping[str, str]) -> dict[str, str]:
        """Validate options; return all with their values, defaults filled in.

        Raises:
            BadOption: for a number of players, a name or a value that this game does not have.
        """
        if isinstance(players, float) or players not in range(self.min_players, self.max_players + 1):
            raise BadOption(
                f"{self.id} is for {self.min_players} to {self.max_players} players, not {players!r}",
                players=players,
                min=self.min_players,
                max=self.max_players,
            )
        if not isinstance(options, Mapping):
            raise BadOption(f"options are named with their values, such as {{'name': 'value'}}, not by {options!r:.80}")
        known = {option.name: option for option in self.options}
        for name, value in options.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise BadOption(f"{self.id} has no option {name!r}; it has: {names}", option=name)
            choices = known[name].choices
            if choices and value not in choices:
                raise BadOption(
                    f"option {name} is one of {', '.join(choices)}, not {value!r}", option=name, value=str(value)
                )
            low, high = known[name].players or (players, players)
            # A complete set names every option, those too that other tables have: what is usual is no wish.
            if value != known[name].default and not low <= players <= high:
                size = f"{low} to {high} players" if low < high else f"{low} player{'s' * (low > 1)}"
                raise BadOption(f"option {name} is for {size}, not for {players}", option=name, value=str(value))
        complete = {name: str(options.get(name, option.default)) for name, option in known.items()}
        for name, option in known.items():
            if not option.choices:  # free text is kept without blanks: one word of a replay
                complete[name] = "".join(complete[name].split())
        self.check_options(players, complete)
        return complete

    def changed(self, options: Mapping[str, str]) -> dict[str, str]:
        """Return the options that differ from the usual ones."""
        usual = {option.name: option.default for option in self.options}
        return {name: value for name, value in options.items() if value != usual[name]}

    def text(self, language: str, part: str = "") -> dict[str, str]:
        """This game's catalogue in ``en`` or ``hu``: what everybody reads, or what a part of the page alone says.

        Empty for a game that has no such file.

        Raises:
            BrokenGame: for a file that is no catalogue.
        """
        path = ("text", *([part] if part else []), f"{language}.json")
        try:
            text = self._own_text(*path)
            return msgspec.json.decode(text, type=dict[str, str]) if text else {}
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise BrokenGame(f"{self.id}: {'/'.join(path)} is no catalogue: {error}") from None

    def _own_text(self, *path: str) -> str:
        """The text of a file of its folder; empty where there is none."""
        file = self.folder.joinpath(*path)
        return file.read_text(encoding="utf-8") if file.is_file() else ""


T = TypeVar("T", bound=msgspec.Struct)


@cache
def as_printed(game: str, kind: type[T]) -> T:
    """The default components of a game by its id, for modules of the game itself, which come before its ``Game``."""
    text = (files(f"ziggurat.games.{game}") / "components.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def place_of(error: msgspec.ValidationError) -> tuple[str, list[str]]:
    """The message of a validation error, and the keys that lead to the place where it was found."""
    message, _, path = re.sub(r" - at (`key` in )?`\$", "\0", str(error)).partition("\0")
    keys = [key for key in re.sub(r"\[[^]]*\]", "", path.rstrip("`")).split(".") if key]
    unknown = re.search(r"unknown field `(.*)`", message)
    return message, [*keys, unknown[1]] if unknown else keys


def _merge(default: Any, given: Any) -> Any:
    if isinstance(default, dict) and isinstance(given, dict):
        return {key: _merge(default.get(key), given.get(key, default.get(key))) for key in {**default, **given}}
    return given


def _without_line(context: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in context.items() if key != "line"}
