"""What we change in Numba is there to be changed, and does what it is for."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import from_dtype, int64, typeof
from numba.core import codegen as numba_codegen
from numba.core.registry import cpu_target
from numba.np import arrayobj

from ziggurat.core import codegen
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
def tell(traces: Record, code: int) -> int:
    note(traces[0], code)
    used: int = traces[0].used
    return used


def compiled(function: Callable[..., Any] = look, record: Any = PLACES, silent: bool = False) -> Any:
    """An entry, and the kernels that it calls, as the rules are compiled."""
    kernels = Kernels({"entry": function}, Compiler("test", {}, cached=False), None)
    kernels.fix_types({"s": from_dtype(PLACES), "trace": from_dtype(TRACE)})
    kernels.compile("entry", (typeof(np.zeros(1, dtype=record)), int64), silent)
    return kernels.functions["entry"]


def defined(entry: Any, name: str) -> list[str]:
    """The lines of a program that define functions of a name."""
    (library,) = [result.library for result in entry.overloads.values()]
    return [line for line in library.get_llvm_str().splitlines() if line.startswith("define") and name in line]


@pytest.mark.parametrize(
    ("where", "names"),
    [
        (
            numba_codegen.JITCodeLibrary,
            [
                "_optimize_final_module",
                "_finalize_final_module",
                "_finalize_dynamic_globals",
                "get_pointer_to_function",
                "serialize_using_object_code",
                "get_defined_functions",
                "_get_compiled_object",
                "_ensure_finalized",
            ],
        ),
        (cpu_target.target_context.codegen(), ["_library_class", "_module_pass_manager", "set_env"]),
        (cpu_target.target_context, ["refresh", "cast"]),
        (cpu_target.typing_context, ["refresh"]),
        (arrayobj, ["fix_integer_index"]),
    ],
    ids=["library", "codegen", "target", "typing", "arrays"],
)
def test_numba_still_has_what_we_change(where: Any, names: list[str]) -> None:
    missing = [name for name in names if not hasattr(where, name)]
    assert not missing, f"this version of Numba has no {', '.join(missing)}"


def test_an_index_is_still_asked_for_as_we_answer() -> None:
    numba_arguments = list(inspect.signature(arrayobj.fix_integer_index).parameters)
    assert numba_arguments == ["context", "builder", "idxty", "idx", "size"]
    assert len(inspect.signature(codegen._index).parameters) == len(numba_arguments)


def test_numba_is_as_it_was_afterwards() -> None:
    before = arrayobj.fix_integer_index, dict(vars(cpu_target.target_context.codegen()))
    compiled()
    assert (arrayobj.fix_integer_index, dict(vars(cpu_target.target_context.codegen()))) == before


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
