"""The interpreted backing of a position: plain Python lists under the same field names.

NumPy scalars overflow at 8 bits and are slow one at a time; lists of Python integers are neither.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np


class ListRecord:
    """An object with one attribute per field of a structured dtype: an int, nested lists of ints, or a ListRecord."""

    if TYPE_CHECKING:  # the fields are whatever the dtype says

        def __getattr__(self, name: str) -> Any: ...

    def __init__(self, dtype: np.dtype[Any]) -> None:
        for name, field in _fields(dtype):
            if field.fields is not None:
                setattr(self, name, ListRecord(field))
            elif field.subdtype is not None:
                shape = field.subdtype[1]
                setattr(self, name, [0] * shape[0] if len(shape) == 1 else np.zeros(shape, dtype=np.int64).tolist())
            else:
                setattr(self, name, 0)


def _fields(dtype: np.dtype[Any]) -> list[tuple[str, np.dtype[Any]]]:
    if dtype.fields is None:
        raise TypeError(f"a record needs named fields, got {dtype}")
    return [(name, field[0]) for name, field in dtype.fields.items()]


Layout: TypeAlias = "tuple[tuple[str, Layout | None, np.dtype[Any], bool], ...]"
"""Of every field: its name, the layout of a record, the type of numbers, and whether these are words of chance, which
are made without a sign and nearly always have to wrap."""


@cache
def _layout(dtype: np.dtype[Any]) -> Layout:
    return tuple(
        (name, _layout(field) if field.fields is not None else None, field.base, field.base == np.int32)
        for name, field in _fields(dtype)
    )


def states_of(data: bytes, dtype: np.dtype[Any]) -> np.ndarray:
    """States of one position, writable and of its own, from bytes."""
    # NumPy would copy a record field by field, in a hundred times as long.
    return np.ndarray((1,), dtype, bytearray(data))


def to_lists(states: np.ndarray, index: int = 0) -> ListRecord:
    """A ListRecord equal to ``states[index]``."""
    # All fields at once: NumPy takes as long to find a single one as to read them all.
    return _read(_layout(states.dtype), states[index].item())


def _read(layout: Layout, values: tuple[Any, ...]) -> ListRecord:
    record = ListRecord.__new__(ListRecord)  # without the zeros that all would be replaced
    fields = vars(record)
    for (name, inner, _, _), value in zip(layout, values):
        if inner is not None:
            fields[name] = _read(inner, value)
        else:
            fields[name] = value.tolist() if isinstance(value, np.ndarray) else value
    return record


class FieldReader:
    """One state as it is now, read field by field: quicker than lists where few of them are asked for."""

    def __init__(self, states: np.ndarray) -> None:
        self._states = states

    def __getattr__(self, name: str) -> Any:
        field = self._states[name][0]
        value = _read(_layout(field.dtype), field.item()) if field.dtype.fields else field.tolist()
        vars(self)[name] = value
        return value


def from_lists(record: ListRecord, states: np.ndarray) -> None:
    """Write a ListRecord into ``states[0]``; integers wrap to the width of their field, as compiled code does."""
    layout = _layout(states.dtype)
    try:
        states[0] = _values(layout, record)
    except OverflowError:
        states[0] = _values(layout, record, wrap=True)


def _values(layout: Layout, record: ListRecord, wrap: bool = False) -> tuple[Any, ...]:
    fields, values = vars(record), []
    for name, inner, base, word in layout:
        value = fields[name]
        if inner is not None:
            value = _values(inner, value, wrap)
        elif word or wrap:
            value = np.array(value, dtype=np.int64).astype(base)
        values.append(value)
    return tuple(values)


def digest(states: np.ndarray, index: int = 0) -> str:
    """SHA-256 of a position's bytes, the same in both backings and on every platform of little-endian order."""
    return hashlib.sha256(states[index].tobytes()).hexdigest()
