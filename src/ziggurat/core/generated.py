"""Kernels with generated source. The compile cache finds them again by that source."""

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
    """Compile a source to functions, marked as kernels.

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
    """The generated source of a kernel; empty for one from a file."""
    source: str = getattr(function, _SOURCE, "")
    return source


def digest_of(kernels: Iterable[Any]) -> str:
    """A short hash of the generated sources of kernels and their callees; empty if all are from files."""
    sources = sorted({source_of(one) for one in reachable(kernels)} - {""})
    return hashlib.sha256("\0".join(sources).encode()).hexdigest()[:12] if sources else ""
