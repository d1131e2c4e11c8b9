"""Columns of observations and of network inputs, each declared once: its name, bounds and kind, and the field that a
kernel writes.

    class SlotColumns(Columns):
        kind = category(["none", *KINDS])
        price = number(13)

    class TableColumns(Columns):
        due = number(13, tells="what is left to pay")
        built = number(10).each(KINDS)
        slot = SlotColumns.each(4)

A kernel gets a record of these fields and writes ``table.due = due``, ``table.built[kind] = n`` and
``table.slot[i].price = price``. The columns are called ``due``, ``built.tower`` and ``slot.1.price``, in the order of
the fields; two underscores in a field are a dot in the name of its column. What a network is told is 0 before the
kernel runs, and may be any number: the code that reads a column cuts it to the bounds that are declared here. An
observation is asked for so often that its kernel gets what was there before, and writes every field.

A record lies on ``out.inputs``, and that of an observation on ``out.values``: compiled code reads the same bytes by
another type, and plain Python a view of the list. So a program finds all columns by their number, and a kernel by
their names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import Any, ClassVar, TypeAlias

import msgspec
import numpy as np

from ziggurat.core import limits
from ziggurat.core.features import Feature, Kind
from ziggurat.core.inputs import Inputs
from ziggurat.core.kernel import Record, compiles_to, kernel, with_names
from ziggurat.core.options import Options
from ziggurat.core.trace import OUT

Labels = tuple[str, ...]
High: TypeAlias = "int | Sequence[High]"
"""The largest value of a column; of an array also one for each of its last axis, or for each of its last axes."""
COLUMN_DTYPE = OUT["inputs"].base
"""A column of ``out.inputs``, or of ``out.values``."""


class Column(msgspec.Struct, frozen=True):
    """A column, or an array of similar columns.

    Attributes:
        low, high, kind, labels, tells: as of a `Feature`.
        name: where it is not the path of the fields that lead to it. ``{}`` stands for the label in an array.
        along: the labels of an array, by its axes.
        there: False for a field that is no column of this table.
    """

    low: int
    high: High
    kind: Kind
    labels: Labels = ()
    tells: str = ""
    name: str = ""
    along: tuple[Labels, ...] = ()
    there: bool = True

    def each(self, *along: Iterable[str | int] | int) -> Column:
        """An array of columns: one for every label, or for every number from 1 to ``along``."""
        return msgspec.structs.replace(self, along=tuple(_labels(one) for one in along))

    def when(self, there: bool) -> Column:
        """A column that only some tables have."""
        return msgspec.structs.replace(self, there=there)

    def features(self, path: str, outer: Labels, absent: bool) -> Iterator[Feature]:
        if not (self.there or absent):
            return
        name = self.name or path.replace("__", ".") + ".{}" * len(self.along)
        highs = np.broadcast_to(self.high, [len(one) for one in self.along]).ravel().tolist()
        for labels, high in zip(product(*self.along), highs, strict=True):
            called = name.format(*(outer if self.name else ()), *labels)
            yield Feature(called, self.low, high, self.kind, self.labels, self.tells)

    @property
    def field(self) -> tuple[Any, ...]:
        shape = tuple(len(one) for one in self.along)
        return (COLUMN_DTYPE, shape) if shape else (COLUMN_DTYPE,)


def number(high: High, low: int = 0, tells: str = "", name: str = "") -> Column:
    """A column of a number: from ``low`` to ``high``."""
    return Column(low, high, "number", (), tells, name)


def category(labels: Sequence[str] | int, low: int = 0, tells: str = "", name: str = "") -> Column:
    """A column of a category: by the labels from ``low`` on, or ``low`` to that number."""
    if isinstance(labels, int):
        return Column(low, labels, "category", (), tells, name)
    return Column(low, low + len(labels) - 1, "category", tuple(labels), tells, name)


def bits(labels: Sequence[str], tells: str = "", name: str = "") -> Column:
    """A column of a set of labels, the first of which is the lowest bit."""
    return Column(0, (1 << len(labels)) - 1, "bits", tuple(labels), tells, name)


def _labels(along: Iterable[str | int] | int) -> Labels:
    return tuple(map(str, range(1, along + 1) if isinstance(along, int) else along))


class Group(msgspec.Struct, frozen=True):
    """A record of columns within another, or an array of such records."""

    columns: type[Columns]
    along: Labels | None = None
    there: bool = True

    def features(self, path: str, outer: Labels, absent: bool) -> Iterator[Feature]:
        if not (self.there or absent):
            return
        if self.along is None:
            yield from self.columns.features(f"{path}.", outer, absent)
        for label in self.along or ():
            yield from self.columns.features(f"{path}.{label}.", (*outer, label), absent)

    @property
    def field(self) -> tuple[Any, ...]:
        return (self.columns.dtype,) if self.along is None else (self.columns.dtype, (len(self.along),))


class Columns:
    """A record of columns; a subclass has those of its parent first.

    A field is a `Column`, an array of them, another class of columns or an array of those, or the column of options,
    which is written for the kernel: ``OPTIONS`` of the game, if a network is told of any, or ``OPTIONS.observed``.
    """

    declared: ClassVar[Mapping[str, Column | Group]] = {}
    dtype: ClassVar[np.dtype[Any]] = np.dtype([])

    def __init_subclass__(cls) -> None:
        found = dict(cls.declared)
        for name, one in vars(cls).items():
            if isinstance(one, Column | Group):
                found[name] = one
            elif isinstance(one, type) and issubclass(one, Columns):
                found[name] = Group(one)
            elif isinstance(one, Options | Feature):
                for told in one.network if isinstance(one, Options) else (one,):
                    found[name] = Column(told.low, told.high, told.kind, told.labels, told.tells, told.name)
        cls.declared = found
        cls.dtype = np.dtype([(name, *one.field) for name, one in found.items()])

    @classmethod
    def each(cls, along: Iterable[str | int] | int) -> Group:
        """An array of records: one for every label, or for every number from 1 to ``along``."""
        return Group(cls, _labels(along))

    @classmethod
    def when(cls, there: bool) -> Group:
        """A record that only some tables have."""
        return Group(cls, there=there)

    @classmethod
    def features(cls, path: str = "", outer: Labels = (), absent: bool = False) -> Iterator[Feature]:
        """The features of the columns, in the order of the fields; if wished with those that are absent from this
        table."""
        for name, one in cls.declared.items():
            yield from one.features(path + name, outer, absent)

    @classmethod
    def span(cls, name: str) -> tuple[int, int]:
        """The range of a field's columns in ``out.inputs``: the first, and how many."""
        assert cls.dtype.fields is not None
        field, first = cls.dtype.fields[name][:2]
        return first // COLUMN_DTYPE.itemsize, field.itemsize // COLUMN_DTYPE.itemsize

    @classmethod
    def modules(cls) -> set[str]:
        """The modules in which its fields are declared."""
        own = {one.__module__ for one in cls.__mro__ if issubclass(one, Columns) and one is not Columns}
        return own.union(*(one.columns.modules() for one in cls.declared.values() if isinstance(one, Group)))


def inputs_of(table: type[Columns], open: type[Columns], seat: type[Columns], action: type[Columns]) -> Inputs:
    """The network inputs of a game.

    Args:
        seat: the columns of a seat, a subclass of ``open``: the columns that everybody sees.
    """
    if not issubclass(seat, open):
        raise TypeError(f"{seat.__name__} begins with the columns that everybody sees: it is a subclass of {open}")
    shown, all_of_seat = tuple(open.features()), tuple(seat.features())
    closed = all_of_seat[len(shown) :]
    return Inputs(tuple(table.features()), shown, closed, tuple(action.features()), (table, seat, action))


# --- The record of columns, on ``out.inputs`` or ``out.values`` ---


@cache
def _view(dtype: np.dtype[Any]) -> type:
    """The interpreted backing of such a record: a class whose fields are places of a list."""

    def init(self: Any, places: list[int], first: int) -> None:
        self._places, self._first = places, first

    assert dtype.fields is not None
    fields = {name: _property(field[0], field[1] // COLUMN_DTYPE.itemsize) for name, field in dtype.fields.items()}
    return type("View", (), {"__slots__": ("_first", "_places"), "__init__": init, **fields})


def _property(field: np.dtype[Any], place: int) -> property:
    if field.subdtype is not None or field.fields is not None:
        return property(lambda self: _inner(field, self._places, self._first + place))

    def read(self: Any) -> int:
        return int(self._places[self._first + place])

    def write(self: Any, value: int) -> None:
        self._places[self._first + place] = value

    return property(read, write)


def _inner(field: np.dtype[Any], places: list[int], first: int) -> Any:
    if field.subdtype is None:
        return _view(field)(places, first)
    base, shape = field.subdtype
    return _Array(base, shape, places, first)


class _Array:
    """The interpreted backing of an array of records."""

    def __init__(self, base: np.dtype[Any], shape: tuple[int, ...], places: list[int], first: int) -> None:
        self._base, self._shape, self._places, self._first = base, shape, places, first
        self._rest = prod(shape[1:]) * base.itemsize // COLUMN_DTYPE.itemsize

    def _place(self, index: int) -> int:
        if not 0 <= index < self._shape[0]:
            raise IndexError(f"an array of {self._shape[0]} columns has no place {index}")
        return self._first + index * self._rest

    def __len__(self) -> int:
        return self._shape[0]

    def __getitem__(self, index: int) -> Any:
        place = self._place(index)
        if len(self._shape) > 1:
            return _Array(self._base, self._shape[1:], self._places, place)
        return self._places[place] if self._base == COLUMN_DTYPE else _view(self._base)(self._places, place)

    def __setitem__(self, index: int, value: int) -> None:
        self._places[self._place(index)] = value


@cache
def _viewing(dtype: np.dtype[Any], where: str) -> Callable[[Any], Any]:
    """A function by which kernels view ``out`` as the record of columns."""
    assert OUT.fields is not None
    offset = OUT.fields[where][1]

    def compiled() -> Any:
        from numba import from_dtype, int8, intp
        from numba.extending import intrinsic

        record = from_dtype(dtype)

        @intrinsic  # type: ignore[untyped-decorator]
        def view(typing_context: Any, out: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                # A record is the address of its first byte.
                begin = builder.bitcast(arguments[0], context.get_value_type(int8).as_pointer())
                address = builder.gep(begin, [context.get_constant(intp, offset)])
                return builder.bitcast(address, context.get_value_type(record))

            return record(out), generate

        return view

    @compiles_to(compiled)
    def view(out: Any) -> Any:
        return _view(dtype)(getattr(out, where), 0)

    return view


# --- The rules that every caller knows, each around a kernel of the game ---

write: Any = None
view: Any = None
COUNT, OPTIONS = 0, -1
"""How many columns there are, and which is that of options."""
FEWEST, COUNTS, MOVED, SOURCES = 0, np.zeros(1, np.int64), np.zeros(1, np.int64), np.zeros((1, 1), np.uint16)
"""Of observations, by players from the fewest on: how many columns there are, which is the first that does not lie
there in the record, which is that of the largest table, and where each lies there."""


def table_inputs(s: Record, out: Record) -> int:
    for i in range(COUNT):
        out.inputs[i] = 0
    write(s, view(out), out)
    if OPTIONS >= 0:
        out.inputs[OPTIONS] = s.network_options
    return COUNT


def seat_inputs(s: Record, seat: int, out: Record) -> int:
    for i in range(COUNT):
        out.inputs[i] = 0
    write(s, seat, view(out), out)
    return COUNT


def action_inputs(s: Record, seat: int, action: int, out: Record) -> int:
    for i in range(1, COUNT):  # the first is ``suggested``
        out.inputs[i] = 0
    write(s, seat, action, view(out), out)
    return COUNT


def observe(s: Record, seat: int, out: Record) -> int:
    write(s, seat, view(out))
    if OPTIONS >= 0:
        out.values[OPTIONS] = s.observed_options
    size = s.players - FEWEST
    count: int = COUNTS[size]
    for i in range(MOVED[size], count):
        out.values[i] = out.values[SOURCES[size, i]]
    return count


@cache
def rule_of(rule: str, writes: Any, columns: type[Columns]) -> Any:
    """One of the rules above, with the kernel of a game and its columns in it."""
    plain = {"table_inputs": table_inputs, "seat_inputs": seat_inputs, "action_inputs": action_inputs}[rule]
    return _made(plain, writes, columns, "inputs")


def _made(plain: Any, writes: Any, columns: type[Columns], where: str, **more: Any) -> Any:
    names = [one.name for one in columns.features(absent=True)]
    known = {
        "write": writes,
        "view": _viewing(columns.dtype, where),
        "COUNT": len(names),
        "OPTIONS": names.index("options") if "options" in names else -1,
        **more,
    }
    return with_names(plain, known)


@cache
def observed(writes: Any, observation: Callable[[int], type[Columns]], players: tuple[int, int]) -> tuple[Any, Any]:
    """The rule ``observe`` of a game, and its ``features``.

    Args:
        writes: the kernel that writes the fields.
        observation: the columns for a number of players.
        players: the smallest and the largest table.
    """
    sizes = range(players[0], players[1] + 1)
    widest = observation(sizes[-1])
    places = {one.name: place for place, one in enumerate(widest.features(absent=True))}
    if len(places) > limits.LEGAL:
        raise TypeError(f"an observation has at most {limits.LEGAL} columns, not {len(places)}")

    @cache
    def features(players: int) -> tuple[Feature, ...]:
        return tuple(observation(players).features())

    found = [[places.get(one.name, -1) for one in features(size)] for size in sizes]
    for size, sources in zip(sizes, found):
        if -1 in sources or sources != sorted(sources):
            raise TypeError(f"the columns for {size} players are not among those of {sizes[-1]}, in the same order")
    table = np.zeros((len(sizes), len(places)), np.uint16)
    for row, sources in zip(table, found):
        row[: len(sources)] = sources
    more = {
        "FEWEST": sizes[0],
        "COUNTS": np.array([len(sources) for sources in found]),
        "MOVED": np.array([sum(place == source for place, source in enumerate(sources)) for sources in found]),
        "SOURCES": table,
    }
    return _made(observe, writes, widest, "values", **more), features


@kernel
def clockwise(first: int, seat: int, players: int) -> int:
    """The distance of a seat from the first one, clockwise."""
    return seat - first if seat >= first else seat - first + players


@kernel
def seat_after(seat: int, players: int) -> int:
    """The next seat, clockwise."""
    return seat + 1 if seat + 1 < players else 0
