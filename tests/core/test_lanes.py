"""Loops over many numbers at once: compiled they give what plain Python gives, to the last bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ziggurat.core.kernel import Compiler, Kernels, Record, kernel
from ziggurat.core.lanes import COLUMNS, add_rows, positive, unequal

ROWS, FIRST = 40, 7


def of_width(width: int) -> np.ndarray:
    return np.zeros(
        1,
        dtype=[
            ("rows", np.float32, (ROWS, width)),
            ("places", np.int64, (ROWS,)),
            ("factors", np.float32, (ROWS,)),
            ("to", np.float32, (2, width)),
            ("told", np.int64, (FIRST + COLUMNS,)),
            ("before", np.int16, (FIRST + COLUMNS,)),
        ],
    )


@kernel
def add(all: Record, n: int) -> None:
    one = all[0]
    add_rows(one.rows, one.places, one.factors, n, one.to[1])


@kernel
def where(all: Record, first: int) -> tuple[int, int]:
    one = all[0]
    return unequal(one.told, one.before, first), positive(one.to[0], first)


def compiled(function: Any) -> Any:
    return Kernels({"it": function}, Compiler("lanes", {}, cached=False), None).functions["it"]


@pytest.mark.parametrize("width", [32, 96])
def test_rows_are_added_in_the_same_order(width: int) -> None:
    chance, fast = np.random.default_rng(1), compiled(add)
    for n in (0, 1, 3, 4, 5, 8, 15, ROWS):
        one = of_width(width)
        for name in ("rows", "factors", "to"):
            one[name] = chance.normal(0, 3, one[name].shape)
        one["places"] = chance.permutation(ROWS)
        before, other = one.copy(), one.copy()
        fast(one, n)
        found = other[0]
        add_rows(found["rows"], found["places"], found["factors"], n, found["to"][1])
        assert one.tobytes() == other.tobytes()
        if n == 1:
            assert (one["to"][0, 1] != before["to"][0, 1]).all()


def test_masks_are_the_same() -> None:
    chance, fast = np.random.default_rng(2), compiled(where)
    for first in (0, FIRST):
        one = of_width(FIRST + COLUMNS)
        one["told"] = chance.integers(-3, 3, FIRST + COLUMNS)
        one["before"] = one["told"] + (chance.random(FIRST + COLUMNS) < 0.4)
        one["told"][0, first] += 1 << 16  # the same in its lowest two bytes
        one["before"][0, first] = one["told"][0, first] - (1 << 16)
        one["to"] = chance.integers(-1, 2, (2, FIRST + COLUMNS))
        found = one[0]
        plain = unequal(found["told"], found["before"], first), positive(found["to"][0], first)
        assert fast(one, first) == plain
        assert plain[0] & 1
        assert 0 < plain[0] < (1 << COLUMNS) - 1
        assert 0 < plain[1] < (1 << COLUMNS) - 1
