"""What is compiled in fewer words than Numba's own computes the same as Python."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest
from numba import float64, from_dtype, int64, typeof, uint64
from numba.core.codegen import CPUCodeLibrary

from ziggurat.core.kernel import Compiler, Kernels, Record, kernel

BOARD = np.dtype(
    [
        ("small", np.int8),
        ("byte", np.uint8),
        ("wide", np.uint64),
        ("share", np.float32),
        ("row", np.int16, (5,)),
        ("grid", np.int32, (3, 4)),
        ("cube", np.uint8, (2, 3, 4)),
        ("open", np.uint8, (4,)),
        ("odds", np.float64, (3,)),
    ],
    align=False,
)


def boards() -> np.ndarray:
    made = np.zeros(2, dtype=BOARD)
    for number, board in enumerate(made):
        board["small"], board["byte"], board["wide"], board["share"] = -7 - number, 200 + number, 2**63 + 5, 0.25
        board["row"], board["grid"] = np.arange(5) * 3 - 4, np.arange(12).reshape(3, 4) - 6 * number
        board["cube"], board["open"] = np.arange(24).reshape(2, 3, 4) + 230, [True, False, True, True]
        board["odds"] = [0.5, -1.5, 2.0]
    return made


def twin(function: Callable[..., Any], *arguments: Any) -> Any:
    kernels = Kernels({"it": function}, Compiler("lowering", {}, cached=False), None)
    kernels.fix_types({"s": from_dtype(BOARD)})
    kernels.compile({"it": arguments})
    return kernels.functions["it"]


BOARDS = typeof(boards())


@kernel
def read(boards: Record, i: int, j: int) -> int:
    s = boards[i]
    place = s.row[i]
    line = s.grid[j]
    whole = s.small * 1000 + s.byte + place * 7 + s.grid[j, i] + line[3] + s.cube[1, j, i] + s.cube[0][j][2]
    if s.open[j] and not s.open[1]:
        whole += 50_000
    for number in s.row:
        whole += number
    return int(whole + s.odds[j] * 4 + s.share * 8 + len(s.row) + s.grid.shape[1])


@kernel
def write(boards: Record, i: int, value: int) -> int:
    s = boards[i]
    s.row[0] = value
    s.row[i + 1] += value
    s.grid[2, i] = value * 2
    s.grid[i, 3] -= 1
    s.cube[i, 2, 3] = 255 - i
    s.open[i] = value > 3
    s.odds[2] = value
    s.odds[i] *= 0.5
    s.small = value - 9
    boards[1 - i].byte = s.byte
    if value > 2:
        boards[0] = boards[1]
    return value


@pytest.mark.parametrize("i", [0, 1])
@pytest.mark.parametrize("j", [0, 1, 2])
def test_fields_and_elements_of_arrays_are_read_as_python_reads_them(i: int, j: int) -> None:
    widened = boards()
    assert twin(read, BOARDS, int64, int64)(widened, i, j) == read(Wide(widened), i, j)


@pytest.mark.parametrize("i", [0, 1])
@pytest.mark.parametrize("value", [-3, 2, 4, 11])
def test_they_are_written_as_python_writes_them(i: int, value: int) -> None:
    compiled, plain = boards(), boards().view(np.recarray)
    twin(write, BOARDS, int64, int64)(compiled, i, value)
    write(plain, i, value)
    assert compiled.tobytes() == plain.tobytes()


class Wide:
    """Records of which a number is read as one of Python's, which has room for all sums."""

    def __init__(self, found: Any) -> None:
        self.found = found

    def __getitem__(self, at: Any) -> Any:
        return wide(self.found[at])

    def __getattr__(self, name: str) -> Any:
        return self.found.shape if name == "shape" else wide(self.found[name])

    def __iter__(self) -> Iterable[Any]:
        return (wide(one) for one in self.found)

    def __len__(self) -> int:
        return len(self.found)


def wide(found: Any) -> Any:
    return Wide(found) if isinstance(found, np.ndarray | np.void) else found.item()


@pytest.mark.parametrize("at", [(3, 0), (0, 4), (-1, 0), (0, -1)])
def test_an_index_of_each_axis_is_checked(at: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the next row would be read, which no check of the whole would see."""
    monkeypatch.setattr("numba.core.config.BOUNDSCHECK", 1)
    one, other = twin(cell, BOARDS, int64, int64), twin(put_cell, BOARDS, int64, int64)
    for function in (one, other):
        with pytest.raises(IndexError):
            function(boards(), *at)
        assert function(boards(), 2, 3) == 5


@kernel
def cell(boards: Record, i: int, j: int) -> int:
    return int(boards[1].grid[i, j])


@kernel
def put_cell(boards: Record, i: int, j: int) -> int:
    boards[1].grid[i, j] = 5
    return 5


@kernel
def operators(numbers: Record, a: int, b: int) -> int:
    numbers[0] = a + b
    numbers[1] = a - b
    numbers[2] = a * b
    numbers[3] = a & b
    numbers[4] = a | b
    numbers[5] = a ^ b
    numbers[6] = a << 3
    numbers[7] = a >> 2
    numbers[8] = a == b
    numbers[9] = a != b
    numbers[10] = a < b
    numbers[11] = a <= b
    numbers[12] = a > b
    numbers[13] = a >= b
    c = a
    c += 3
    c *= 2
    c -= b
    c |= 1
    c <<= 1
    c >>= 2
    c ^= 5
    c &= 0xFF
    numbers[14] = c
    numbers[15] = (a // 3) + a % 3
    return 0


SIGNED = [(5, 3), (-5, 3), (5, -3), (-9, -9), (0, 7), (2**40, 2**20 + 1)]


@pytest.mark.parametrize(("a", "b"), SIGNED)
def test_signed_numbers_are_reckoned_with_as_python_does(a: int, b: int) -> None:
    compiled, plain = np.zeros(16, dtype=np.int64), np.zeros(16, dtype=np.int64)
    twin(operators, int64[::1], int64, int64)(compiled, a, b)
    operators(plain, a, b)
    assert compiled.tolist() == plain.tolist()


@kernel
def unsigned(numbers: Record, i: int, j: int) -> int:
    a, b = numbers[i], numbers[j]
    numbers[2] = a + b
    numbers[3] = a >> b
    numbers[4] = a * b
    numbers[5] = a - b
    return int((a < b) + 2 * (a > b) + 4 * (a == b) + 8 * (a <= b))


@pytest.mark.parametrize(("a", "b"), [(2**63 + 9, 3), (3, 63), (7, 7), (2**64 - 1, 1)])
def test_numbers_without_a_sign_have_none(a: int, b: int) -> None:
    """What stands first of their bits is no sign, neither in a comparison nor where they are shifted."""
    numbers = np.array([a, b, 0, 0, 0, 0], dtype=np.uint64)
    found = twin(unsigned, uint64[::1], int64, int64)(numbers, 0, 1)
    assert found == (a < b) + 2 * (a > b) + 4 * (a == b) + 8 * (a <= b)
    assert [int(number) for number in numbers[2:]] == [
        operation(a, b) % 2**64 for operation in (operator.add, operator.rshift, operator.mul, operator.sub)
    ]


@kernel
def halves(numbers: Record, a: int) -> int:
    x = 0.5 * a
    numbers[0] = x / 3
    numbers[1] = x + a
    return a if x < 2 and a != 1 else -a


@pytest.mark.parametrize("a", [0, 1, 3, 4, -8])
def test_numbers_with_a_part_are_left_to_numba(a: int) -> None:
    compiled, plain = np.zeros(2), np.zeros(2)
    assert twin(halves, float64[::1], int64)(compiled, a) == halves(plain, a)
    assert compiled.tobytes() == plain.tobytes()


@kernel
def from_one(s: Record, at: int) -> int:
    found = int(s.row[at])
    if found > 2:
        found = found * 2
    return found


@kernel
def added_up(s: Record, at: int) -> int:
    found = 0
    for number in s.row[at:]:
        found += number
    return found


@kernel
def call_both(boards: Record, at: int) -> int:
    return from_one(boards[0], at) + added_up(boards[0], at)


@pytest.fixture(scope="module")
def written() -> dict[str, str]:
    """The LLVM code of kernels, before anything is done to it."""
    found: dict[str, str] = {}
    add = CPUCodeLibrary.add_ir_module

    def noted(library: Any, module: Any) -> None:
        found[library.name] = str(module)
        add(library, module)

    kernels = Kernels({"it": call_both}, Compiler("lowering", {}, cached=False), None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CPUCodeLibrary, "add_ir_module", noted)
        kernels.fix_types({"s": from_dtype(BOARD)})
    return found


def test_no_array_is_put_together_for_an_element(written: dict[str, str]) -> None:
    assert "alloca {i8*, i8*, i64, i64, i16*, [1 x i64]" not in written["lowering_from_one"]


def test_no_users_are_counted(written: dict[str, str]) -> None:
    assert "NRT_" not in written["lowering_added_up"]
