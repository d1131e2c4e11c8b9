"""The two backings of a position hold the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.properties import given, st

import ziggurat
from ziggurat.core.record import FieldReader, digest, from_lists, states_of, to_lists

INNER = np.dtype([("a", np.int32), ("b", np.int8, (3,))])
RECORD = np.dtype([("x", np.int16), ("inner", INNER), ("grid", np.int8, (2, 3)), ("big", np.int64)])


@given(st.binary(min_size=RECORD.itemsize, max_size=RECORD.itemsize))
def test_any_bytes_survive_the_way_through_lists(data: bytes) -> None:
    states = states_of(data, RECORD)
    record = to_lists(states)
    again = np.zeros(1, dtype=RECORD)
    from_lists(record, again)
    assert again.tobytes() == data
    assert digest(again) == digest(states)


@given(st.integers(-(2**40), 2**40))
def test_numbers_wrap_to_the_width_of_their_field(value: int) -> None:
    states = np.zeros(1, dtype=RECORD)
    record = to_lists(states)
    record.inner.b[1] = value
    record.grid[1][2] = value
    from_lists(record, states)
    assert states[0]["inner"]["b"][1] == np.int64(value).astype(np.int8)
    assert states[0]["grid"][1, 2] == np.int64(value).astype(np.int8)


def test_lists_are_plain_numbers_and_not_shared() -> None:
    states = np.zeros(2, dtype=RECORD)
    record, other = to_lists(states, 0), to_lists(states, 1)
    record.grid[0][0] = 1
    assert other.grid == [[0, 0, 0], [0, 0, 0]]
    assert type(record.x) is int
    assert type(record.inner.b[0]) is int


@given(st.binary(min_size=RECORD.itemsize, max_size=RECORD.itemsize))
def test_fields_that_are_read_one_by_one_say_what_lists_say(data: bytes) -> None:
    states = states_of(data, RECORD)
    record, fields = to_lists(states), FieldReader(states)
    assert [fields.x, fields.grid, fields.big] == [record.x, record.grid, record.big]
    assert vars(fields.inner) == vars(record.inner)
    assert type(fields.x) is int


def test_no_record_has_gaps_that_a_copy_would_leave_unset() -> None:
    def covered(dtype: np.dtype[Any]) -> int:
        if dtype.fields is None:
            return dtype.itemsize
        return sum(covered(field[0]) for field in dtype.fields.values())

    for game in ziggurat.registered_games().values():
        assert covered(game.record) == game.record.itemsize


def test_states_of_bytes_can_be_written() -> None:
    states = states_of(bytes(RECORD.itemsize), RECORD)
    states["x"] = 3
    assert to_lists(states).x == 3
