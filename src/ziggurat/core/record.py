"""The interpreted backing of a position: plain Python lists under the same field names.

NumPy scalars overflow at 8 bits and are slow one at a time; lists of Python integers are neither.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

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
                setattr(self, name, np.zeros(field.subdtype[1], dtype=np.int64).tolist())
            else:
                setattr(self, name, 0)


def _fields(dtype: np.dtype[Any]) -> list[tuple[str, np.dtype[Any]]]:
    if dtype.fields is None:
        raise TypeError(f"a record needs named fields, got {dtype}")
    return [(name, field[0]) for name, field in dtype.fields.items()]


def states_of(data: bytes, dtype: np.dtype[Any]) -> np.ndarray:
    """Writable states from bytes."""
    return np.frombuffer(bytearray(data), dtype=dtype)


def to_lists(states: np.ndarray, index: int = 0) -> ListRecord:
    """A ListRecord equal to ``states[index]``."""
    return _read(states[index])


def _read(values: np.void) -> ListRecord:
    record = ListRecord.__new__(ListRecord)  # without the zeros that all would be replaced
    for name, field in _fields(values.dtype):
        value = values[name]
        setattr(record, name, _read(value) if field.fields is not None else value.tolist())
    return record


def from_lists(record: ListRecord, states: np.ndarray, index: int = 0) -> None:
    """Write a ListRecord into ``states[index]``; integers wrap to the width of their field, as compiled code does."""
    _write(record, states[index])


def _write(record: ListRecord, values: np.void) -> None:
    for name, field in _fields(values.dtype):
        value = getattr(record, name)
        if field.fields is not None:
            _write(value, values[name])
        else:
            values[name] = np.array(value, dtype=np.int64).astype(field.base)


def digest(states: np.ndarray, index: int = 0) -> str:
    """SHA-256 of a position's bytes, the same in both backings and on every platform of little-endian order."""
    return hashlib.sha256(states[index].tobytes()).hexdigest()
