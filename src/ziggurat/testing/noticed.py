"""What a seat notices of an action, part by part, and the secrets of a position, fact by fact."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from ziggurat.core.position import Position
from ziggurat.core.record import states_of
from ziggurat.core.trace import Event
from ziggurat.testing.context import who

# The steps from something that is sent to a value in it: fields, keys and places; ``LENGTH`` for how long a list is.
Path = tuple[Any, ...]
LENGTH = "length"
_GONE = "nothing"
_SIMPLE = frozenset((str, int, bool, float, type(None)))
Facts = dict[str, Any]
# A longer row of a record is a pile, whose places are among the secrets.
SHORT = 32
RECORD = "record."
"""How facts are called that come from the record itself, and not from what a game calls its secrets."""


@dataclass(frozen=True)
class Clue:
    """A clue: a value in a part of what is noticed."""

    part: str
    path: Path = ()

    def of(self, world: Reached, seat: int | None) -> Any:
        return True if self == ALLOWED else value_at(world.part(self.part, seat), self.path)

    def alike(self, seat: int | None, one: Reached, other: Reached) -> bool:
        """Whether a seat sees the same value there in two worlds."""
        return bool(self.of(one, seat) == self.of(other, seat))

    @property
    def kind(self) -> tuple[str, ...]:
        """The kind by which it is counted: the part, and the fields that lead to it."""
        return ("clue", self.part, *(step for step in self.path if isinstance(step, str)))

    def __str__(self) -> str:
        return self.part + "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in self.path)


ALLOWED = Clue("whether the move is legal")


class Reached:
    """A position that was just reached, and what everybody notices of that."""

    def __init__(self, after: Position) -> None:
        self.after = after
        self._parts: dict[tuple[str, int | None], Any] = {}

    def move(self, seat: int | None) -> Any:
        """Return what a seat is told of the move that led here: nothing where a game begins."""
        return None

    def part(self, name: str, seat: int | None) -> Any:
        """Return what a seat (None: a spectator) notices of one kind, see ``PARTS``."""
        key = (name, seat)
        if key not in self._parts:
            self._parts[key] = PARTS[name](self, seat)
        return self._parts[key]

    def forget_parts(self) -> None:
        """Forget what was noticed, which takes more room than the position; it can be asked for again."""
        self._parts.clear()

    def difference(self, seat: int | None, other: Reached) -> str | None:
        """Return the first part that a seat notices otherwise in another world; None if it notices the same."""
        return next((name for name in PARTS if other.part(name, seat) != self.part(name, seat)), None)

    def looks_like(self, other: Reached, seat: int | None) -> bool:
        """Whether a seat notices the same in another world."""
        return self.difference(seat, other) is None

    def all_clues(self, seat: int | None, other: Reached) -> list[Clue]:
        """Return all clues that differ in another world."""
        parts = ((name, self.part(name, seat), other.part(name, seat)) for name in PARTS)
        return [Clue(name, path) for name, ours, theirs in parts for path in differences(ours, theirs)]

    def clues(self, seat: int | None, other: Reached) -> list[Clue]:
        """Return the clues of the first part that differs: what a seat can tell the two worlds by."""
        name = self.difference(seat, other)
        if name is None:
            return []
        return [Clue(name, path) for path in differences(self.part(name, seat), other.part(name, seat))]

    @property
    def name(self) -> str:
        """Return what led here, for messages."""
        return "the beginning"

    @cached_property
    def facts(self) -> Facts:
        return facts(self.after)

    @cached_property
    def all_facts(self) -> Facts:
        """Return the facts, with the numbers of the record."""
        return {**self.facts, **record_facts(self.after)}


class MovedPosition(Reached):
    """A position after a whole move. Nobody else is told of its steps one by one."""

    def __init__(self, before: Position, actor: int, steps: Sequence[int]) -> None:
        after = before.copy(events=False)
        after.play_all(actor, steps)
        super().__init__(after)
        self.before = before
        self.actor = actor
        self.steps = steps

    @property
    def name(self) -> str:
        return f"{self.before.write_move(self.steps)!r} of {who(self.actor)}"

    def move(self, seat: int | None) -> Any:
        if self.before.concealed and self.actor != seat:
            return None  # what somebody else chooses in secret
        # Its words and its steps are for whoever makes the move: they may speak of what only they hide.
        return {"seat": self.actor, "notation": self.before.write_move(self.steps)}


PARTS: dict[str, Callable[[Reached, int | None], Any]] = {
    "the move": lambda world, seat: world.move(seat),
    "who must decide": lambda world, seat: world.after.actors,
    "the end of the game": lambda world, seat: world.after.finished,
    "the events": lambda world, seat: told(world.after.events_for(seat)),
    "the view": lambda world, seat: world.after.view(seat),
    "the observation": lambda world, seat: world.after.observe(seat).tolist(),
    "the decision": lambda world, seat: world.after.decision(seat),
}
"""What a seat notices of an action, in the order in which it is compared; what is quickly compared comes first."""


def told(events: Sequence[Event]) -> list[Event]:
    """Return what one action told a seat: its events, those of each private type sorted among the places where they
    stood."""
    private: dict[str, list[Event]] = {}
    for event in sorted((event for event in events if event.private is True), key=msgspec.json.encode):
        private.setdefault(event.type, []).append(event)
    rest = {type: iter(own) for type, own in private.items()}
    return [next(rest[event.type]) if event.private is True else event for event in events]


# --- Parts of what is noticed ---


def differences(one: Any, other: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths to the smallest values that differ."""
    if one == other:
        return
    ours, theirs = _children(one), _children(other)
    if ours is not None and theirs is not None and type(one) is type(other):
        if ours.keys() == theirs.keys():
            for key in ours:
                yield from differences(ours[key], theirs[key], (*path, key))
            return
        if isinstance(one, (list, tuple)):
            yield (*path, LENGTH)
            return
    yield path


def value_at(sent: Any, path: Path) -> Any:
    """Return the value at a path."""
    for key in path:
        if isinstance(sent, msgspec.Struct):
            sent = getattr(sent, str(key), _GONE)
        elif isinstance(sent, Mapping):
            sent = sent.get(key, _GONE)
        elif not isinstance(sent, (list, tuple)):
            return _GONE
        elif key == LENGTH:
            sent = len(sent)
        else:
            sent = sent[key] if isinstance(key, int) and key < len(sent) else _GONE
    return sent


def _children(sent: Any) -> Mapping[Any, Any] | None:
    if isinstance(sent, msgspec.Struct):
        return {name: getattr(sent, name) for name in sent.__struct_fields__}
    if isinstance(sent, (list, tuple)):
        return dict(enumerate(sent))
    return sent if isinstance(sent, Mapping) else None


# --- What is hidden ---


def facts(position: Position) -> Facts:
    """Return the secrets of a position from a seat, by name, whole and in parts: what the game calls its secrets, and
    what the umpire's view shows more than that of a spectator."""
    found: Facts = {}
    for name, value in position.secrets().items():
        _collect(name, value, found)
    _collect_hidden("view", position.view(None), position.view_all(), found)
    for name, value in [*found.items()]:
        if isinstance(value, tuple) and len(value) > 1:
            found.update(_of(name, value))
    return found


def _of(name: str, values: tuple[Any, ...]) -> Facts:
    """Return statistics of a list of values that do not depend on single ones: the count of each, and of what lies in a
    row."""
    if not all(type(one) is str for one in values):
        numbers = [one for one in values if type(one) is int]
    elif all(map(str.isdecimal, values)):
        numbers = [*map(int, values)]
    else:
        return {f"{name}: it begins lower than it ends": values[0] < values[-1]}
    filled = [number for number in numbers if number] or [0]
    places = [place for place, number in enumerate(numbers) if number] or [-1]
    return {
        f"{name}: the sum is even": sum(numbers) % 2 == 0,
        f"{name}: the sum of the places is even": sum(place * one for place, one in enumerate(numbers)) % 2 == 0,
        f"{name}: it begins lower than it ends": filled[0] < filled[-1],
        f"{name}: so many": len(filled),
        f"{name}: the first place that is not empty": places[0],
        f"{name}: the last place that is not empty": places[-1],
    }


def record_facts(position: Position) -> Facts:
    """Return the numbers of a position except its chance and long rows: a belief that always has the true ones knows
    them."""
    record, found = position.game.record, dict[str, Any]()
    state = states_of(position.to_bytes(), record)[0]
    for name in record.names or ():
        if name != "rng" and state[name].size <= SHORT:
            _collect(f"{RECORD}{name}", state[name].tolist(), found)
    return found


def _collect_hidden(name: str, public: Any, everything: Any, found: Facts) -> None:
    if public == everything:
        return
    seen, all_of_it = _children(public), _children(everything)
    if seen is None or all_of_it is None:
        _collect(name, everything, found)
        return
    for key in all_of_it:
        if key in seen:
            _collect_hidden(f"{name}.{key}", seen[key], all_of_it[key], found)
        else:
            _collect(f"{name}.{key}", all_of_it[key], found)


def _collect(name: str, value: Any, found: Facts) -> Any:
    """Note a value and all its parts; return it in hashable form."""
    items: Iterable[tuple[Any, Any]]
    if type(value) in _SIMPLE:
        found[name] = value
        return value
    if isinstance(value, msgspec.Struct):
        items = ((field, getattr(value, field)) for field in value.__struct_fields__)
    elif isinstance(value, Mapping):
        items = value.items()
    else:
        items = enumerate(value)
    parts = found[name] = tuple([_collect(f"{name}.{key}", part, found) for key, part in items])
    return parts
