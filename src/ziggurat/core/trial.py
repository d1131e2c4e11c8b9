"""Whether this Numba has the private parts that ``codegen`` and ``lowering`` change, and whether they do what they did.

If not, kernels are compiled by ``numba.njit`` with what its documentation says: the results are the same, but it takes
longer, and so do they. A file of its own because it compiles some kernels, as ``runtime`` does it with a game's.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib.metadata import version
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

import numpy as np

from ziggurat.core.codegen import loading_only
from ziggurat.core.kernel import Compiler, Kernels, Record, cache_root, kernel, out_of_line
from ziggurat.core.random import RNG, SEED_BYTES, below, seed_words
from ziggurat.core.record import to_lists
from ziggurat.core.trace import NO_SEAT, TRACE, ListTrace, new_trace, traced

KNOWN = "numba>=0.62,<0.69"
"""The versions that were tried, as pyproject.toml says."""

HOOKS = {
    "numba.core.base:BaseContext": ["refresh"],
    "numba.core.caching:CacheImpl": ["_locator_classes"],
    "numba.core.codegen:JITCodeLibrary": [
        *("finalize", "get_pointer_to_function", "serialize_using_object_code"),
        *("_get_module_for_linking", "_optimize_final_module"),
    ],
    "numba.core.codegen:JITCPUCodegen": ["_library_class", "set_env"],
    "numba.core.compiler:CompilerBase": ["define_pipelines"],
    "numba.core.compiler_machinery:PassManager": ["run"],
    "numba.core.lowering:Lower": [
        *("pre_block", "lower_block", "lower_inst", "lower_expr", "lower_binop", "storevar", "incref", "decref")
    ],
    "numba.core.typed_passes:BaseNativeLowering": ["_name", "lowering_class"],
    "numba.core.types.functions:BaseFunction": ["get_call_type"],
    "numba.core.typing.context:BaseContext": ["refresh"],
    "numba.np.arrayobj": ["fix_integer_index"],
}
"""What we put something else in the place of. If Numba called it otherwise, it would not find ours, and LLVM ends the
process where a name is missing then. What we only call, the trial calls too."""

SAMPLE = 20


@cache
def lacking() -> str:
    """What this version of Numba lacks of what we use, or does otherwise; nothing if it is as we know it.

    Asked once in a process, and only before something is compiled, of which it takes a fifth of a second. How that was
    then compiled is known to the cache.
    """
    try:
        gone = [f"{where}.{name}" for where in HOOKS for name in HOOKS[where] if not hasattr(resolve_name(where), name)]
        if gone:
            return f"no {', '.join(gone)}"
        cache_root().mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=cache_root()) as folder:
            results = _tried(Path(folder))
    except OSError:  # says nothing about Numba: what is compiled could not be kept either
        raise
    except Exception as error:  # any: we call what may have changed in any way
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    wanted = sample([to_lists(_keyed())], [ListTrace(True)], SAMPLE)
    return "" if results == [wanted, wanted] else "a kernel computes something else than Python does"


@cache
def warn(missing: str) -> None:
    """Tell the log, once, that rules are compiled the slow way, and what would be right."""
    logging.getLogger("ziggurat").warning(
        "Numba %s is not as we know it (%s): the rules are compiled by numba.njit alone, for the same results at less "
        "speed. %s would be right.",
        *(version("numba"), missing, KNOWN),
    )


@kernel
def sample(rngs: Record, traces: Record, n: int) -> int:
    """Something of all that rules do: draws, calls, fields, and rows of an array."""
    found = 1
    for i in range(n):
        put(traces[0], below(rngs[0], 100))
        found = (found * 31 + traces[0].rows[i][2]) & 0xFFFFFF
    return found if traces[0].used == n else -1


@kernel
def put(trace: Record, number: int, seat: int = NO_SEAT) -> None:
    """As ``note``, which is compiled ten times, once for every number of arguments."""
    out_of_line()
    if traced() and trace.on:
        row = trace.rows[trace.used]
        row[1], row[2] = seat, number
        trace.used += 1


def _keyed() -> np.ndarray:
    rngs = np.zeros(1, dtype=RNG)
    rngs["key"], rngs["used"] = seed_words(bytes(range(SEED_BYTES))), 16
    return rngs


def _tried(folder: Path) -> list[int]:
    """What the sample returns, compiled as the rules are, and then taken from the cache as they are."""
    from numba import from_dtype, int64, typeof

    arguments = {"sample": (typeof(_keyed()), typeof(new_trace()), int64)}
    made, kept = (Kernels({"sample": sample}, Compiler("trial", {}, cached=True), folder) for _ in range(2))
    made.fix_types({"rng": from_dtype(RNG), "trace": from_dtype(TRACE)})
    made.compile(arguments)
    with loading_only():
        kept.load(arguments)
    if not kept.functions["sample"].stats.cache_hits:
        raise LookupError("what was kept is not found")
    return [one.functions["sample"](_keyed(), new_trace(), SAMPLE) for one in (made, kept)]
