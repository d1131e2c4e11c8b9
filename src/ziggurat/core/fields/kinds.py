"""The kinds of fields: each in the record, in a view, and as a column."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final, Literal

import numpy as np

from ziggurat.core.features import Feature

NOBODY = -1
"""The number of no seat, in a field that holds one."""


class EachSeat:
    """The axis of an array with a place for every seat."""

    def __repr__(self) -> str:
        return "EACH_SEAT"


EACH_SEAT: Final = EachSeat()
Axis = EachSeat | Sequence[str] | int
"""The places of an array: the seats, names, or numbers from 1 on."""
Seen = Literal["all", "own", "nobody"]
Labels = tuple[str, ...]
Place = tuple[int, ...]
Lines = Iterator[str]
"""Source of a kernel, line by line; a line that belongs into a loop is indented."""


def indented(lines: Lines, by: int = 1) -> Lines:
    return ("    " * by + line for line in lines)


def at(cells: Any, place: Place) -> Any:
    """The value at a place of nested lists."""
    for index in place:
        cells = cells[index]
    return cells


def put(s: Any, name: str, place: Place, value: Any) -> None:
    """Set the value at a place of a field."""
    if place:
        at(getattr(s, name), place[:-1])[place[-1]] = value
    else:
        setattr(s, name, value)


def column_name(*parts: str) -> str:
    """The name of a column, without the blanks that names of cards have."""
    return ".".join(parts).replace(" ", ".")


def literal(names: Sequence[str]) -> Any:
    """A ``Literal`` type of some names."""
    return Literal[tuple(names)]


def check_names(name: str, names: Labels, *but: str) -> None:
    """Check that each name is used once, and is not reserved.

    Raises:
        TypeError: for others.
    """
    if not names or len(set(names)) < len(names):
        raise TypeError(f"{name} needs names, each of them once")
    if wrong := {*names}.intersection(but):
        raise TypeError(
            f"{name}: {wrong.pop()!r} cannot be the name of a card, since a column means something else by it"
        )


def _labels(axis: Axis) -> Labels:
    if isinstance(axis, EachSeat):
        raise TypeError("EACH_SEAT is the first axis of a field")
    return tuple(map(str, range(1, axis + 1))) if isinstance(axis, int) else tuple(axis)


@dataclass(frozen=True)
class Field(ABC):
    """A field of the record, or an array of such fields.

    Attributes:
        name: of it, in the record and in the view. Its columns are called by it, too.
        along: the axes of an array; ``EACH_SEAT`` is the first of them.
        seen: by ``all``, by its ``own`` seat, or by ``nobody``.
        tells: what it is, in a few words, where the name does not say so.
    """

    name: str
    along: tuple[Axis, ...] = ()
    seen: Seen = "all"
    tells: str = ""

    def __post_init__(self) -> None:
        if not self.name.isidentifier() or self.name.startswith("_"):
            raise TypeError(f"{self.name!r} is no name of a field")
        if EACH_SEAT in self.along[1:]:
            raise TypeError(f"{self.name}: EACH_SEAT is the first axis")
        if self.seen == "own" and not self.each_seat:
            raise TypeError(f"{self.name}: only a field of EACH_SEAT has an own seat that sees it")

    @property
    def hidden(self) -> bool:
        """Whether there is a seat that does not see it."""
        return self.seen != "all"

    @property
    def each_seat(self) -> bool:
        return self.along[:1] == (EACH_SEAT,)

    @property
    def axes(self) -> tuple[Labels, ...]:
        """The labels of the places, without the axis of seats."""
        axes = self.along[1:] if self.each_seat else self.along
        return tuple(_labels(one) for one in axes)

    @property
    def takes(self) -> list[str]:
        """The names that it occupies in records and views."""
        return [self.name]

    def shape(self, seats: int) -> tuple[int, ...]:
        """The number of places along each axis."""
        return (*([seats] if self.each_seat else []), *map(len, self.axes))

    def record(self, seats: int) -> list[tuple[str, Any, tuple[int, ...]]]:
        """The fields of the record that hold it."""
        return [(self.name, self.dtype, self.shape(seats))]

    # --- A single place ---

    @property
    def dtype(self) -> Any:
        """The type of its numbers in the record."""
        return np.int8

    @property
    def unseen(self) -> int:
        """The column of a place that the observer does not see."""
        return 0

    @property
    def hint(self) -> Any:
        """The type of the view's value."""
        return int

    def shown(self, s: Any, place: Place) -> Any:
        """The view's value."""
        return at(getattr(s, self.name), place)

    @abstractmethod
    def columns(self, name: str, players: int) -> Iterator[Feature]:
        """The columns of one place; their names begin with ``name``."""

    def value(self, index: str) -> str:
        """The column as an expression in a kernel."""
        return f"s.{self.name}{index}"

    def observing(self, index: str) -> Lines:
        """Write the kernel code that writes the columns to ``out.values`` from ``n`` on; ``sees`` is 0 for an observer
        who may not see them."""
        value = self.value(index)
        yield f"out.values[n] = {value if self.seen == 'all' else f'({value}) if sees else {self.unseen}'}"
        yield "n += 1"

    # --- All places ---

    def nested(self, read: Any, place: Place = (), axis: int = 0) -> Any:
        """The values of ``read(place)`` for all places: dictionaries by names, lists by numbers."""
        if axis == len(self.axes):
            return read(place)
        found = [self.nested(read, (*place, i), axis + 1) for i in range(len(self.axes[axis]))]
        return found if self._numbered(axis) else dict(zip(self.axes[axis], found, strict=True))

    def nested_hint(self, hint: Any) -> Any:
        """The type of these values."""
        for axis in reversed(range(len(self.axes))):
            hint = list[hint] if self._numbered(axis) else dict[literal(self.axes[axis]), hint]  # type: ignore[misc]
        return hint

    def _numbered(self, axis: int) -> bool:
        return isinstance(self.along[axis + self.each_seat], int)

    def places(self, seats: int = 0) -> Iterator[Place]:
        """All places, by their indices."""
        return product(*map(range, self.shape(seats)))

    def all_shown(self, s: Any, seat: Place = ()) -> Any:
        """The view's values of all places of one seat, or of the table."""
        return self.nested(partial(self.shown, s), seat)

    def all_columns(self, prefix: str, players: int) -> Iterator[Feature]:
        """The columns of all places of one seat, or of the table."""
        for labels in product(*self.axes):
            yield from self.columns(column_name(prefix + self.name, *labels), players)

    def looped(self, lines: Any, seat: str = "") -> Lines:
        """The source ``lines(index)`` in loops over all places of a seat, or of the table.

        Args:
            seat: what the number of the seat is called.
        """
        index = f"[{seat}]" if seat else ""
        for axis, labels in enumerate(self.axes):
            yield "    " * axis + f"for i{axis} in range({len(labels)}):"
            index += f"[i{axis}]"
        yield from indented(lines(index), len(self.axes))

    # --- What everybody sees of it: all, or nothing ---

    def open_columns(self, prefix: str, players: int) -> Iterator[Feature]:
        """The columns for one seat, or for the table."""
        if not self.hidden:
            yield from self.all_columns(prefix, players)

    def observing_open(self, seat: str = "") -> Lines:
        """Write the kernel code of these columns."""
        if not self.hidden:
            yield from self.looped(self.observing, seat)

    def open_parts(self, s: Any, seat: Place = ()) -> dict[str, Any]:
        """The parts of a view."""
        return {} if self.hidden else {self.name: self.all_shown(s, seat)}

    def open_hints(self) -> list[tuple[str, Any, str]]:
        """Their names, types and descriptions."""
        return [] if self.hidden else [(self.name, self.nested_hint(self.hint), self.tells)]


@dataclass(frozen=True, kw_only=True)
class InternalField(Field):
    """A field of a number that is neither shown nor secret."""

    width: Any

    @property
    def dtype(self) -> Any:
        return self.width

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield from ()


@dataclass(frozen=True, kw_only=True)
class NumberField(Field):
    low: int
    high: int
    width: Any

    def __post_init__(self) -> None:
        super().__post_init__()
        bounds = np.iinfo(self.width)
        if not bounds.min <= self.low < self.high <= bounds.max:
            raise TypeError(f"{self.name} goes from {self.low} to {self.high}, in {bounds.bits} bits")

    @property
    def dtype(self) -> Any:
        return self.width

    @property
    def unseen(self) -> int:
        return 0 if self.low <= 0 <= self.high else self.low

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield Feature(name, self.low, self.high, tells=self.tells)

    def value(self, index: str) -> str:
        return f"min(max(s.{self.name}{index}, {self.low}), {self.high})"


@dataclass(frozen=True)
class FlagField(Field):
    @property
    def hint(self) -> Any:
        return bool

    def shown(self, s: Any, place: Place) -> bool:
        return bool(super().shown(s, place))

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield Feature(name, 0, 1, tells=self.tells)


@dataclass(frozen=True, kw_only=True)
class SeatField(Field):
    nobody: bool

    @property
    def unseen(self) -> int:
        return NOBODY if self.nobody else 0

    @property
    def hint(self) -> Any:
        return int | None if self.nobody else int

    def shown(self, s: Any, place: Place) -> int | None:
        seat: int = super().shown(s, place)
        return seat if seat != NOBODY else None

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield Feature(name, self.unseen, max(players - 1, 1), "category", tells=self.tells)

    def value(self, index: str) -> str:
        return f"clockwise(s.{self.name}{index}, me, players)"


@dataclass(frozen=True, kw_only=True)
class ChoiceField(Field):
    names: Labels

    def __post_init__(self) -> None:
        super().__post_init__()
        check_names(self.name, self.names)

    @property
    def hint(self) -> Any:
        return literal(self.names)

    def shown(self, s: Any, place: Place) -> str:
        return str(self.names[super().shown(s, place)])

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield Feature(name, 0, len(self.names) - 1, "category", self.names, self.tells)
