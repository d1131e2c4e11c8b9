"""Rules are written once and run twice: as plain Python and compiled by Numba.

``@kernel`` only marks a function: calling it runs plain Python, which a debugger and a coverage tool can follow.
``compile_kernels`` builds a twin of a set of marked functions in which every marked function that they call is compiled too.
The rules of a game therefore need no import trick, and both kinds live side by side in one process.

Numba's disk cache looks at the time stamp of one file only, so an edited callee in another file would leave a stale result.
We give it a folder whose name is a hash of all kernel sources, of Numba's version and of Python's.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

# A position inside the rules: a NumPy record when compiled, an object of Python lists when interpreted.
Record = Any

_MARK = "__ziggurat_kernel__"
_lock = threading.Lock()


def kernel(function: F) -> F:
    """Mark a function as part of the rules: Numba's subset of Python, and the same result in both backings."""
    setattr(function, _MARK, True)
    return function


def is_kernel(value: object) -> bool:
    return isinstance(value, types.FunctionType) and getattr(value, _MARK, False)


class _Compiler:
    """Twins of kernels, one per function and set of replaced globals."""

    def __init__(self, module_suffix: str, given: Mapping[str, Any], options: Mapping[str, Any]) -> None:
        self._suffix = module_suffix
        self._given = given
        self._options = options
        self._globals: dict[int, dict[str, Any]] = {}
        self._twins: dict[int, Any] = {}

    def twin(self, function: types.FunctionType) -> Any:
        import numba

        key = id(function)
        if key not in self._twins:
            twin = types.FunctionType(
                function.__code__,
                self._twin_globals(function),
                function.__name__,
                function.__defaults__,
                function.__closure__,
            )
            twin.__module__ = function.__module__ + self._suffix
            twin.__qualname__ = function.__qualname__
            self._twins[key] = numba.njit(**self._options)(twin)
        return self._twins[key]

    def _twin_globals(self, function: types.FunctionType) -> dict[str, Any]:
        original = function.__globals__
        key = id(original)
        if key not in self._globals:
            # A plain dict first, filled afterwards: functions of one module may call each other in any order.
            twin_globals = self._globals[key] = dict(original)
            replaced = {name: value for name, value in original.items() if is_kernel(value)}
            replaced.update({name: self._given[name] for name in self._given if name in original})
            for name, value in replaced.items():
                twin_globals[name] = self.twin(value) if is_kernel(value) else value
        return self._globals[key]


def compile_kernels(
    functions: Mapping[str, Callable[..., Any]],
    *,
    given: Mapping[str, Any],
    name: str,
    cache: Path | None,
    boundscheck: bool = False,
) -> dict[str, Any]:
    """Compile ``functions`` lazily (each at its first call).

    Args:
        functions: kernels to compile, by the name under which they are returned.
        given: kernels that replace globals of the same name, which is how generic kernels get the rules of one game.
        name: of the game; keeps the cache entries of generic kernels apart.
        cache: folder for the compiled code, or None to compile anew in every process.
        boundscheck: check every index (slow; for tests).
    """
    options = {"cache": cache is not None, "nogil": True, "boundscheck": boundscheck}
    with _cache_folder(cache):
        compiler = _Compiler(f".{name}", given, options)
        return {key: compiler.twin(function) for key, function in functions.items()}  # type: ignore[arg-type]


@contextmanager
def _cache_folder(folder: Path | None) -> Iterator[None]:
    """Numba reads its cache folder from a global setting when a function is decorated."""
    import numba

    with _lock:
        before = numba.config.CACHE_DIR
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            numba.config.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            numba.config.CACHE_DIR = before


def cache_root() -> Path:
    """Where compiled rules are kept: ``ZIGGURAT_CACHE`` or the user's cache folder."""
    chosen = os.environ.get("ZIGGURAT_CACHE")
    return Path(chosen) if chosen else user_cache_path("ziggurat") / "kernels"


def sources_digest(files: Iterable[Path]) -> str:
    """Hash of the sources and of whatever else decides what they compile to."""
    digest = hashlib.sha256(f"numba {version('numba')} python {sys.version_info[:2]}".encode())
    for file in sorted(files, key=lambda path: path.name):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:20]
