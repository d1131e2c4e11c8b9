"""The columns of a network, each declared once: its name, bounds and kind, and the field that a kernel writes.

    class SlotColumns(Columns):
        kind = category(["none", *KINDS])
        price = number(13)

    class TableColumns(Columns):
        due = number(13, tells="what is left to pay")
        built = number(10).each(KINDS)
        slot = SlotColumns.each(4)

A kernel gets a record of these fields and writes ``table.due = due``, ``table.built[kind] = n`` and
``table.slot[i].price = price``. The columns are called ``due``, ``built.tower`` and ``slot.1.price``, in the order of
the fields; two underscores in a field are a dot in the name of its column. All fields are 0 before the kernel runs,
and it may write any number: the code that reads a column cuts the number to the bounds that are declared here.

A record lies on ``out.inputs``: compiled code reads the same bytes by another type, and plain Python a view of the
list. So a network finds all columns by their number, and a kernel by their names.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, ClassVar

import msgspec
import numpy as np

from ziggurat.core.features import Feature, Kind
from ziggurat.core.inputs import Inputs
from ziggurat.core.kernel import Record, compiles_to, kernel
from ziggurat.core.options import Options
from ziggurat.core.trace import OUT

Labels = tuple[str, ...]
ITEM, OFFSET = OUT["inputs"].base, OUT.fields["inputs"][1] if OUT.fields else 0
"""A column of ``out.inputs``, and where the first one lies in ``out``."""


class Column(msgspec.Struct, frozen=True):
    """A column, or an array of columns that are alike.

    Attributes:
        low, high, kind, labels, tells: as of a `Feature`.
        name: where it is not the path of the fields that lead to it. ``{}`` stands for the label in an array.
        along: the labels of an array, by its axes.
    """

    low: int
    high: int
    kind: Kind
    labels: Labels = ()
    tells: str = ""
    name: str = ""
    along: tuple[Labels, ...] = ()

    def each(self, *along: Sequence[str] | int) -> Column:
        """An array: one column for every label, or for every number from 1 to ``along``."""
        return msgspec.structs.replace(self, along=tuple(_labels(one) for one in along))

    def features(self, path: str, outer: Labels) -> Iterator[Feature]:
        name = self.name or path.replace("__", ".") + ".{}" * len(self.along)
        for labels in product(*self.along):
            called = name.format(*(outer if self.name else ()), *labels)
            yield Feature(called, self.low, self.high, self.kind, self.labels, self.tells)

    @property
    def field(self) -> tuple[Any, ...]:
        shape = tuple(len(one) for one in self.along)
        return (ITEM, shape) if shape else (ITEM,)


def number(high: int, low: int = 0, tells: str = "", name: str = "") -> Column:
    """More or less of something: from ``low`` to ``high``."""
    return Column(low, high, "number", (), tells, name)


def category(labels: Sequence[str] | int, low: int = 0, tells: str = "", name: str = "") -> Column:
    """One of some values: by their labels from ``low`` on, or ``low`` to that number."""
    if isinstance(labels, int):
        return Column(low, labels, "category", (), tells, name)
    return Column(low, low + len(labels) - 1, "category", tuple(labels), tells, name)


def bits(labels: Sequence[str], tells: str = "", name: str = "") -> Column:
    """A set of labels, the first of which is the lowest bit."""
    return Column(0, (1 << len(labels)) - 1, "bits", tuple(labels), tells, name)


def _labels(along: Sequence[str] | int) -> Labels:
    return tuple(str(place) for place in range(1, along + 1)) if isinstance(along, int) else tuple(along)


class Group(msgspec.Struct, frozen=True):
    """A record of columns among others, or an array of such records."""

    columns: type[Columns]
    along: Labels | None = None

    def features(self, path: str, outer: Labels) -> Iterator[Feature]:
        if self.along is None:
            yield from self.columns.features(f"{path}.", outer)
        for label in self.along or ():
            yield from self.columns.features(f"{path}.{label}.", (*outer, label))

    @property
    def field(self) -> tuple[Any, ...]:
        return (self.columns.dtype,) if self.along is None else (self.columns.dtype, (len(self.along),))


class Columns:
    """A record of columns; a subclass has those of its parent first.

    A field is a `Column`, an array of them, another class of columns or an array of those, or ``OPTIONS`` of the game:
    the column of options, if a network is told of any, which is written for the kernel.
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
            elif isinstance(one, Options):
                for told in one.network:
                    found[name] = Column(told.low, told.high, told.kind, told.labels, told.tells, told.name)
        cls.declared = found
        cls.dtype = np.dtype([(name, *one.field) for name, one in found.items()])

    @classmethod
    def each(cls, along: Sequence[str] | int) -> Group:
        """An array: a record for every label, or for every number from 1 to ``along``."""
        return Group(cls, _labels(along))

    @classmethod
    def features(cls, path: str = "", outer: Labels = ()) -> Iterator[Feature]:
        """The columns, in the order of the fields."""
        for name, one in cls.declared.items():
            yield from one.features(path + name, outer)

    @classmethod
    def span(cls, name: str) -> tuple[int, int]:
        """Where the columns of a field begin in ``out.inputs``, and how many they are."""
        assert cls.dtype.fields is not None
        field, first = cls.dtype.fields[name][:2]
        return first // ITEM.itemsize, field.itemsize // ITEM.itemsize

    @classmethod
    def modules(cls) -> set[str]:
        """The modules in which its fields are declared."""
        own = {one.__module__ for one in cls.__mro__ if issubclass(one, Columns) and one is not Columns}
        return own.union(*(one.columns.modules() for one in cls.declared.values() if isinstance(one, Group)))


def inputs_of(table: type[Columns], open: type[Columns], seat: type[Columns], action: type[Columns]) -> Inputs:
    """The inputs of a game.

    Args:
        seat: the columns of a seat, a subclass of ``open``: the columns that everybody sees.
    """
    if not issubclass(seat, open):
        raise TypeError(f"{seat.__name__} begins with the columns that everybody sees: it is a subclass of {open}")
    shown, all_of_seat = tuple(open.features()), tuple(seat.features())
    closed = all_of_seat[len(shown) :]
    return Inputs(tuple(table.features()), shown, closed, tuple(action.features()), (table, seat, action))


# --- The record of columns, on ``out.inputs`` ---


@cache
def _view(dtype: np.dtype[Any]) -> type:
    """The interpreted backing of such a record: a class whose fields are places of a list."""

    def init(self: Any, places: list[int], first: int) -> None:
        self._places, self._first = places, first

    assert dtype.fields is not None
    fields = {name: _property(field[0], field[1] // ITEM.itemsize) for name, field in dtype.fields.items()}
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
    """The same of an array."""

    def __init__(self, base: np.dtype[Any], shape: tuple[int, ...], places: list[int], first: int) -> None:
        self._base, self._shape, self._places, self._first = base, shape, places, first

    def _place(self, index: int) -> int:
        if not 0 <= index < self._shape[0]:
            raise IndexError(f"an array of {self._shape[0]} columns has no place {index}")
        rest = int(np.prod(self._shape[1:])) * self._base.itemsize // ITEM.itemsize
        return self._first + index * rest

    def __len__(self) -> int:
        return self._shape[0]

    def __getitem__(self, index: int) -> Any:
        place = self._place(index)
        if len(self._shape) > 1:
            return _Array(self._base, self._shape[1:], self._places, place)
        return self._places[place] if self._base == ITEM else _view(self._base)(self._places, place)

    def __setitem__(self, index: int, value: int) -> None:
        self._places[self._place(index)] = value


@cache
def _viewing(dtype: np.dtype[Any]) -> Callable[[Any], Any]:
    """A function that finds the record of columns in ``out``, as kernels may call it."""

    def compiled() -> Any:
        from numba import from_dtype, int8, intp
        from numba.extending import intrinsic

        record = from_dtype(dtype)

        @intrinsic  # type: ignore[untyped-decorator]
        def view(typing_context: Any, out: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                # A record is the address of its first byte.
                begin = builder.bitcast(arguments[0], context.get_value_type(int8).as_pointer())
                address = builder.gep(begin, [context.get_constant(intp, OFFSET)])
                return builder.bitcast(address, context.get_value_type(record))

            return record(out), generate

        return view

    @compiles_to(compiled)
    def view(out: Any) -> Any:
        return _view(dtype)(out.inputs, 0)

    return view


# --- The rules that every caller knows, each around a kernel of the game ---

write: Any = None
view: Any = None
COUNT, OPTIONS = 0, -1
"""How many columns there are, and which is that of options."""


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


RULES = {"table_inputs": table_inputs, "seat_inputs": seat_inputs, "action_inputs": action_inputs}


@cache
def rule_of(rule: str, writes: Any, columns: type[Columns]) -> Any:
    """One of the rules above, with the kernel of a game and its columns in it."""
    plain = RULES[rule]
    names = [one.name for one in columns.features()]
    known = {
        "write": writes,
        "view": _viewing(columns.dtype),
        "range": range,
        "COUNT": len(names),
        "OPTIONS": names.index("options") if "options" in names else -1,
        "__builtins__": __builtins__,
        "__name__": __name__,
    }
    made = types.FunctionType(plain.__code__, known, rule)
    made.__annotations__ = plain.__annotations__
    made.__module__ = __name__
    return kernel(made)
