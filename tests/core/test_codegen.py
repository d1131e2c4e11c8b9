"""What we change in Numba does what it is for."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import from_dtype, int64, njit, typeof
from numba.core import codegen as numba_codegen
from numba.core.dispatcher import Dispatcher
from numba.core.registry import cpu_target
from numba.core.types.functions import BaseFunction
from numba.np import arrayobj
from tests.example import GAME

from ziggurat.bots.tree import SEARCHING
from ziggurat.core.kernel import Compiler, Kernels, Record, kernel, out_of_line
from ziggurat.core.trace import TRACE, new_trace, note

PLACES = np.dtype([("place", np.int64, (4,))])


@kernel
def at(s: Record, place: int) -> int:
    out_of_line()
    found: int = s.place[place]
    return found


@kernel
def look(states: Record, place: int) -> int:
    return at(states[0], place) + 1


@kernel
def look_twice(states: Record, place: int) -> int:
    return look(states, place) + look(states, place)


@kernel
def tell(traces: Record, code: int) -> int:
    note(traces[0], code)
    used: int = traces[0].used
    return used


def compiled(function: Callable[..., Any] = look, record: Any = PLACES, silent: bool = False) -> Any:
    """An entry, and the kernels that it calls, as the rules are compiled."""
    kernels = Kernels({"entry": function}, Compiler("test", {}, cached=False), None)
    kernels.fix_types({"s": from_dtype(PLACES), "trace": from_dtype(TRACE)})
    kernels.compile({"entry": (typeof(np.zeros(1, dtype=record)), int64)}, ["entry"] if silent else [])
    return kernels.functions["entry"]


def defined(entry: Any, name: str) -> list[str]:
    """The lines of a program that define functions of a name."""
    (library,) = [result.library for result in entry.overloads.values()]
    return [line for line in library.get_llvm_str().splitlines() if line.startswith("define") and name in line]


def test_numba_is_as_it_was_afterwards() -> None:
    def changed() -> Any:
        codegen = dict(vars(cpu_target.target_context.codegen()))
        return arrayobj.fix_integer_index, BaseFunction.get_call_type, gc.get_threshold(), codegen

    before = changed()
    compiled()
    assert changed() == before


def test_a_kernel_out_of_line_is_called_without_a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.config.BOUNDSCHECK", 0)
    (called,) = defined(compiled(), "test_at")
    assert called.startswith("define internal fastcc void")


def test_a_negative_index_is_out_of_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The suite compiles with checks: an index that counts from the end is seen in every test that plays."""
    monkeypatch.setattr("numba.core.config.BOUNDSCHECK", 1)
    states = np.zeros(1, dtype=PLACES)
    states["place"] = 5, 6, 7, 8
    function = compiled()
    assert function(states, 3) == 9
    for outside in (-1, 4):
        with pytest.raises(IndexError):
            function(states, outside)


@pytest.mark.parametrize(("silent", "rows"), [(False, 1), (True, 0)])
def test_a_silent_program_writes_nothing_down(silent: bool, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numba.core.config.BOUNDSCHECK", 0)
    traces = new_trace()
    entry = compiled(tell, TRACE, silent)
    assert entry(traces, 7) == traces["used"][0] == rows
    assert len(defined(entry, "write_row")) == rows


def test_a_program_compiles_what_it_calls_and_each_of_it_once() -> None:
    compiler = Compiler("test", {}, cached=False)
    kernels = Kernels({"entry": look}, compiler, None)
    kernels.fix_types({"s": from_dtype(PLACES), "trace": from_dtype(TRACE)})
    kernels.compile({"entry": (typeof(np.zeros(1, dtype=PLACES)), int64)})
    assert {function.__name__: len(twin.overloads) for function, twin in compiler._twins.items() if twin.overloads} == {
        "at": 1
    }
    assert tell in compiler._twins  # another kernel of the same module, which it does not call


@kernel
def look_in(hidden: Record, place: int) -> int:
    out_of_line()
    found: int = hidden.place[place]
    return found


@kernel
def look_by_hidden(states: Record, place: int) -> int:
    return look_in(states[0], place)


def test_a_kernel_of_which_no_name_tells_the_types_is_part_of_its_entry_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assembled: list[str] = []
    finalize = numba_codegen.JITCodeLibrary._finalize_specific

    def counted(library: Any) -> None:
        assembled.append(library.name)
        finalize(library)

    monkeypatch.setattr(numba_codegen.JITCodeLibrary, "_finalize_specific", counted)
    states = np.zeros(1, dtype=PLACES)
    states["place"] = 5, 6, 7, 8
    assert compiled(look_by_hidden)(states, 2) == 7
    assert assembled == ["test_entry"]


def test_what_python_calls_of_a_program_is_compiled_as_one() -> None:
    kernels = Kernels({"one": look, "two": look_twice}, Compiler("test", {}, cached=False), None)
    kernels.fix_types({"s": from_dtype(PLACES)})
    told: list[str] = []
    states = np.zeros(1, dtype=PLACES)
    states["place"] = 5, 6, 7, 8
    arguments = (typeof(states), int64)
    kernels.compile({"one": arguments, "two": arguments}, upcoming=told.append)
    assert [function(states, 2) for function in kernels.functions.values()] == [8, 16]
    assert [len(defined(function, "test_at")) for function in kernels.functions.values()] == [1, 0]
    assert told == ["one", "two"]


def test_numba_may_use_elsewhere_what_it_compiled_for_an_entry() -> None:
    """It keeps functions of its own that it compiles for kernels; they must bring what they call."""
    compiler = Compiler("test", {}, cached=False)
    kernels = Kernels({"entry": look_twice}, compiler, None)
    kernels.fix_types({"s": from_dtype(PLACES), "states": typeof(np.zeros(1, dtype=PLACES))})
    between = compiler.twin(look)
    assert len(between.overloads) == 1

    @njit  # type: ignore[untyped-decorator]
    def elsewhere(states: Any) -> Any:
        return between(states, 1)

    states = np.zeros(1, dtype=PLACES)
    states["place"] = 5, 6, 7, 8
    assert elsewhere(states) == 7


def test_a_kernel_has_one_twin() -> None:
    """Also where modules import each other's kernels: the search has such."""
    compiler = Compiler("test", GAME.rules, cached=False)
    Kernels(SEARCHING.kernels, compiler, None)
    twins = {id(twin) for twin in compiler._twins.values()}
    made = [value for known in compiler._globals.values() for value in known.values() if isinstance(value, Dispatcher)]
    others = [
        one.py_func.__name__ for one in made if one.py_func.__qualname__.startswith("test_") and id(one) not in twins
    ]
    assert len(made) > len(twins) / 2
    assert not others
