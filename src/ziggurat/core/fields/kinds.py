"""The kinds of fields: what each is in the record, in a view, as a column, and when it is dealt again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, Final, Literal

import numpy as np

from ziggurat.core import features
from ziggurat.core.features import Feature

NONE = "none"
"""What columns say of a place without a card."""
TOP = "top"
"""The last part of the name of the column that tells which card lies on top of a pile."""
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
    """What lies at a place of a list of lists."""
    for index in place:
        cells = cells[index]
    return cells


def put(s: Any, name: str, place: Place, value: Any) -> None:
    """Let a value lie at a place of a field."""
    if place:
        at(getattr(s, name), place[:-1])[place[-1]] = value
    else:
        setattr(s, name, value)


def column_name(*parts: str) -> str:
    """The name of a column: names of cards have blanks."""
    return ".".join(parts).replace(" ", ".")


def literal(names: Sequence[str]) -> Any:
    """One of some names, as a type."""
    return Literal[tuple(names)]


def check_names(name: str, names: Labels, *but: str) -> None:
    """Each name once, and none of those that mean something else.

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
class Field:
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
        """Whether somebody does not see it."""
        return self.seen != "all"

    @property
    def each_seat(self) -> bool:
        return self.along[:1] == (EACH_SEAT,)

    @property
    def axes(self) -> tuple[Labels, ...]:
        """The labels of the places, but for the axis of seats."""
        axes = self.along[1:] if self.each_seat else self.along
        return tuple(_labels(one) for one in axes)

    def shape(self, seats: int) -> tuple[int, ...]:
        """How many places there are along each axis."""
        return (*([seats] if self.each_seat else []), *map(len, self.axes))

    def record(self, seats: int) -> list[tuple[str, Any, tuple[int, ...]]]:
        """Its fields of a record."""
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
        """The type of what a view shows."""
        return int

    def shown(self, s: Any, place: Place) -> Any:
        """What a view shows."""
        return at(getattr(s, self.name), place)

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        raise NotImplementedError

    def value(self, index: str) -> str:
        """The column, as an expression of a kernel."""
        return f"s.{self.name}{index}"

    def observing(self, index: str) -> Lines:
        """Write the columns to ``out.values`` from ``n`` on; ``sees`` is 0 for an observer who may not see them."""
        value = self.value(index)
        yield f"out.values[n] = {value if self.seen == 'all' else f'({value}) if sees else {self.unseen}'}"
        yield "n += 1"

    # --- All places ---

    def nested(self, read: Any, place: Place = (), axis: int = 0) -> Any:
        """What ``read(place)`` gives for all places: dictionaries by names, lists by numbers."""
        if axis == len(self.axes):
            return read(place)
        found = [self.nested(read, (*place, i), axis + 1) for i in range(len(self.axes[axis]))]
        return found if self._numbered(axis) else dict(zip(self.axes[axis], found, strict=True))

    def nested_hint(self, hint: Any) -> Any:
        """The type of that."""
        for axis in reversed(range(len(self.axes))):
            hint = list[hint] if self._numbered(axis) else dict[literal(self.axes[axis]), hint]  # type: ignore[misc]
        return hint

    def _numbered(self, axis: int) -> bool:
        return isinstance(self.along[axis + self.each_seat], int)

    def places(self, seats: int = 0) -> Iterator[Place]:
        """All places, by their indices."""
        return product(*map(range, self.shape(seats)))

    def all_columns(self, prefix: str, players: int) -> Iterator[Feature]:
        """The columns of all places of one seat, or of the table."""
        for labels in product(*self.axes):
            yield from self.columns(column_name(prefix + self.name, *labels), players)

    def looped(self, lines: Any, seat: str = "") -> Lines:
        """``lines(index)`` in loops over all places of a seat, or of the table.

        Args:
            seat: what the number of the seat is called.
        """
        index = f"[{seat}]" if seat else ""
        for axis, labels in enumerate(self.axes):
            yield "    " * axis + f"for i{axis} in range({len(labels)}):"
            index += f"[i{axis}]"
        yield from indented(lines(index), len(self.axes))


@dataclass(frozen=True)
class InternalField(Field):
    """Neither shown nor secret."""

    width: Any = np.int16

    @property
    def dtype(self) -> Any:
        return self.width


@dataclass(frozen=True)
class NumberField(Field):
    low: int = 0
    high: int = 1
    width: Any = np.int16

    @property
    def dtype(self) -> Any:
        return self.width

    @property
    def unseen(self) -> int:
        return 0 if self.low <= 0 <= self.high else self.low

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield features.number(name, self.high, self.low, self.tells)

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
        yield features.number(name, 1, tells=self.tells)


@dataclass(frozen=True)
class SeatField(Field):
    nobody: bool = False

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
        yield features.category(name, max(players - 1, 1), self.unseen, self.tells)

    def value(self, index: str) -> str:
        return f"clockwise(s.{self.name}{index}, me, players)"


@dataclass(frozen=True)
class ChoiceField(Field):
    names: Labels = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_names(self.name, self.names)

    @property
    def hint(self) -> Any:
        return literal(self.names)

    def shown(self, s: Any, place: Place) -> str:
        return str(self.names[super().shown(s, place)])

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield features.category(name, self.names, tells=self.tells)


@dataclass(frozen=True)
class CardsField(Field):
    """Cards: the place of each among the names, from 1 on.

    Attributes:
        names: of the cards.
        pool: the cards of which these are a part. What a seat does not see of a pool is dealt again.
    """

    names: Labels = ()
    pool: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        check_names(self.name, self.names, "", NONE, TOP)

    @property
    def dtype(self) -> Any:
        return np.int8 if len(self.names) < 128 else np.int16

    @property
    def most_left(self) -> int:
        """How many cards may lie at a place."""
        raise NotImplementedError

    def cards(self, s: Any, place: Place) -> list[int]:
        """The cards that lie there."""
        raise NotImplementedError

    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        """Let these cards lie there, and no others."""
        raise NotImplementedError

    def left_columns(self, prefix: str) -> Iterator[Feature]:
        """The columns of how many cards lie at each place of one seat, or of the table."""
        tells = f"how many cards {self.name} holds"
        for labels in product(*self.axes):
            yield features.number(column_name(f"{prefix}{self.name}_left", *labels), self.most_left, tells=tells)

    def counting(self, index: str) -> Lines:
        """Work out in a kernel how many cards lie there, as ``left``."""
        raise NotImplementedError

    def observing_left(self, index: str) -> Lines:
        """Write the column of it."""
        yield from self.counting(index)
        yield "out.values[n] = left"
        yield "n += 1"

    def collecting(self, heap: str, index: str) -> Lines:
        """Copy the cards to ``heap`` from ``n`` on."""
        raise NotImplementedError

    def dealing(self, heap: str, index: str) -> Lines:
        """Replace the cards by as many from the end of the ``n`` in ``heap``."""
        raise NotImplementedError


@dataclass(frozen=True)
class CardField(CardsField):
    """A place for one card, which is 0 while none lies there."""

    most_left = 1

    @property
    def hint(self) -> Any:
        return literal(self.names) | None

    def shown(self, s: Any, place: Place) -> str | None:
        card = super().shown(s, place)
        return self.names[card - 1] if card else None

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield features.category(name, [NONE, *self.names], tells=self.tells)

    def cards(self, s: Any, place: Place) -> list[int]:
        card = at(getattr(s, self.name), place)
        return [card] if card else []

    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        put(s, self.name, place, cards[0] if cards else 0)

    def counting(self, index: str) -> Lines:
        yield f"left = 1 if s.{self.name}{index} != 0 else 0"

    def collecting(self, heap: str, index: str) -> Lines:
        yield f"if s.{self.name}{index} != 0:"
        yield f"    {heap}[n] = s.{self.name}{index}"
        yield "    n += 1"

    def dealing(self, heap: str, index: str) -> Lines:
        yield f"if s.{self.name}{index} != 0:"
        yield "    n -= 1"
        yield f"    s.{self.name}{index} = {heap}[n]"


@dataclass(frozen=True)
class HandField(CardsField):
    """Cards by kind: how many there are of each of the names."""

    most: int = 1
    size: int = 0

    def record(self, seats: int) -> list[tuple[str, Any, tuple[int, ...]]]:
        return [(self.name, self.dtype, (*self.shape(seats), len(self.names)))]

    @property
    def most_left(self) -> int:
        return self.size or self.most * len(self.names)

    @property
    def hint(self) -> Any:
        return dict[literal(self.names), int]  # type: ignore[misc]

    def shown(self, s: Any, place: Place) -> dict[str, int]:
        return dict(zip(self.names, super().shown(s, place), strict=True))

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        for kind in self.names:
            yield features.number(column_name(name, kind), self.most, tells=self.tells)

    def observing(self, index: str) -> Lines:
        value = f"min(s.{self.name}{index}[kind], {self.most})"
        yield f"for kind in range({len(self.names)}):"
        yield f"    out.values[n] = {value if self.seen == 'all' else f'{value} if sees else 0'}"
        yield "    n += 1"

    def cards(self, s: Any, place: Place) -> list[int]:
        counts = at(getattr(s, self.name), place)
        return [card for card, count in enumerate(counts, start=1) for _ in range(count)]

    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        put(s, self.name, place, [cards.count(card) for card in range(1, len(self.names) + 1)])

    def counting(self, index: str) -> Lines:
        yield "left = 0"
        yield f"for kind in range({len(self.names)}):"
        yield f"    left += s.{self.name}{index}[kind]"

    def collecting(self, heap: str, index: str) -> Lines:
        yield f"for kind in range({len(self.names)}):"
        yield f"    for _ in range(s.{self.name}{index}[kind]):"
        yield f"        {heap}[n] = kind + 1"
        yield "        n += 1"

    def dealing(self, heap: str, index: str) -> Lines:
        yield from self.counting(index)
        yield f"for kind in range({len(self.names)}):"
        yield f"    s.{self.name}{index}[kind] = 0"
        yield "for _ in range(left):"
        yield "    n -= 1"
        yield f"    s.{self.name}{index}[{heap}[n] - 1] += 1"


@dataclass(frozen=True)
class PileField(CardsField):
    """Cards in their order, the top one last; ``<name>_left`` says how many they are."""

    capacity: int = 1

    def record(self, seats: int) -> list[tuple[str, Any, tuple[int, ...]]]:
        shape = self.shape(seats)
        return [(f"{self.name}_left", np.int16, shape), (self.name, self.dtype, (*shape, self.capacity))]

    @property
    def most_left(self) -> int:
        return self.capacity

    @property
    def hint(self) -> Any:
        return list[literal(self.names)]  # type: ignore[misc]

    def shown(self, s: Any, place: Place) -> list[str]:
        return [self.names[card - 1] for card in self.cards(s, place)]

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        for kind in self.names:
            yield features.number(column_name(name, kind), self.capacity, tells=self.tells)
        yield features.category(column_name(name, TOP), [NONE, *self.names], tells="the card on top")

    def observing(self, index: str) -> Lines:
        kinds = len(self.names)
        yield f"left = s.{self.name}_left{index}{'' if self.seen == 'all' else ' if sees else 0'} + 0"
        yield f"for kind in range({kinds}):"
        yield "    out.values[n + kind] = 0"
        yield "for i in range(left):"
        yield f"    out.values[n + s.{self.name}{index}[i] - 1] += 1"
        yield f"out.values[n + {kinds}] = s.{self.name}{index}[left - 1] if left > 0 else 0"
        yield f"n += {kinds + 1}"

    def cards(self, s: Any, place: Place) -> list[int]:
        left: int = at(getattr(s, f"{self.name}_left"), place)
        found: list[int] = at(getattr(s, self.name), place)[:left]
        return found

    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        put(s, f"{self.name}_left", place, len(cards))
        put(s, self.name, place, [*cards, *[0] * (self.capacity - len(cards))])

    def counting(self, index: str) -> Lines:
        yield f"left = s.{self.name}_left{index} + 0"

    def collecting(self, heap: str, index: str) -> Lines:
        yield f"for i in range(s.{self.name}_left{index}):"
        yield f"    {heap}[n] = s.{self.name}{index}[i]"
        yield "    n += 1"

    def dealing(self, heap: str, index: str) -> Lines:
        yield f"for i in range(s.{self.name}_left{index}):"
        yield "    n -= 1"
        yield f"    s.{self.name}{index}[i] = {heap}[n]"
        yield from self.clearing(index)

    def clearing(self, index: str) -> Lines:
        """What lies above the top card is left over from before, and may tell where cards went."""
        yield f"for i in range(s.{self.name}_left{index}, {self.capacity}):"
        yield f"    s.{self.name}{index}[i] = 0"
