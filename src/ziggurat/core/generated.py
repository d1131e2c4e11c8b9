"""Kernels whose source a program has written. What was compiled of them is found again by that source."""

from __future__ import annotations
import __future__

import hashlib
import linecache
from collections.abc import Iterable, Mapping
from types import FunctionType
from typing import Any

from ziggurat.core.kernel import kernel, reachable

_SOURCE = "__ziggurat_source__"


def generated(source: str, module: str, known: Mapping[str, Any]) -> dict[str, Any]:
    """The functions of a source, marked as kernels.

    Args:
        module: to which they belong. The text is no file; debuggers and tracebacks find it all the same.
        known: what the source names.
    """
    file = f"<made for {module} {hashlib.sha256(source.encode()).hexdigest()[:8]}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    names: dict[str, Any] = {**known, "__name__": module}
    exec(compile(source, file, "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True), names)
    made = {
        name: kernel(value)
        for name, value in names.items()
        if isinstance(value, FunctionType) and value.__code__.co_filename == file
    }
    for one in made.values():
        setattr(one, _SOURCE, source)
    return made


def source_of(function: Any) -> str:
    """The source that was written for a kernel; nothing for one that stands in a file."""
    source: str = getattr(function, _SOURCE, "")
    return source


def digest_of(kernels: Iterable[Any]) -> str:
    """A short hash of all that was written for kernels and those that they call; nothing if they stand in files."""
    sources = sorted({source_of(one) for one in reachable(kernels)} - {""})
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()[:12] if sources else ""
