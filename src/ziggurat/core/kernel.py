"""Kernels: rules are written once and run twice: as plain Python and compiled by Numba.

``@kernel`` only marks a function: calling it runs plain Python, which a debugger and a coverage tool can follow.
``Kernels`` builds a twin of a set of marked functions in which every marked function that they call is compiled too.
The rules of a game therefore need no import trick, and both kinds live side by side in one process.

Numba's disk cache looks at one file only, so an edited callee in another file would leave a stale result. We give it a
folder whose name is a hash of all kernel sources, of Numba's version and of Python's.
"""

from __future__ import annotations

import hashlib
import os
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from platformdirs import user_cache_path

from ziggurat.core.codegen import compiled_together, inner_kernels, loaded_entries, passes

F = TypeVar("F", bound=Callable[..., Any])

# A position inside the rules: a NumPy record when compiled, an object of Python lists when interpreted.
Record = Any

_MARK = "__ziggurat_kernel__"
_COMPILED = "__ziggurat_compiled__"
_lock = threading.Lock()


def kernel(function: F) -> F:
    """Mark a function as part of the rules: Numba's subset of Python, and the same result in both backings."""
    setattr(function, _MARK, True)
    return function


def with_names(function: Any, known: Mapping[str, Any]) -> Any:
    """A copy of a kernel whose global names are replaced by ``known``."""
    names = {**known, "__builtins__": __builtins__, "__name__": function.__module__}
    made = types.FunctionType(function.__code__, names, function.__name__)
    made.__annotations__ = function.__annotations__
    return kernel(made)


def compiles_to(make: Callable[[], Any]) -> Callable[[F], F]:
    """Mark a function that kernels call and that has another implementation in compiled code: what ``make`` returns.

    If that needs private parts of Numba, the function is a ``kernel`` as well, for where it has to do without them.
    """

    def mark(function: F) -> F:
        setattr(function, _COMPILED, make)
        return function

    return mark


def _compiled_out_of_line() -> Any:
    from numba import types as numba_types
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def mark(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.function.attributes.add("noinline")
            return context.get_dummy_value()

        return numba_types.void(), generate

    return mark


@compiles_to(_compiled_out_of_line)
def out_of_line() -> None:
    """Mark a kernel, when called first in it, as not to be inlined: compiled code calls it instead of copying it into
    every caller.

    The compiler would otherwise optimise the same long function again wherever it is used, which is most of the time
    that it takes. It costs a call, so short kernels that run at every decision go without it. Interpreted: nothing.
    """


def is_kernel(value: object) -> bool:
    return isinstance(value, types.FunctionType) and getattr(value, _MARK, False)


def reachable(kernels: Iterable[Any]) -> list[Any]:
    """These kernels and all their callees, direct and indirect."""
    waiting, found = list(kernels), []
    while waiting:
        function = waiting.pop()
        if function not in found:
            found.append(function)
            waiting += [value for value in _named(function) if is_kernel(value)]
    return found


def modules_named(function: Any) -> list[types.ModuleType]:
    """The modules whose constants a kernel uses, as in ``state.SLOTS``."""
    return [value for value in _named(function) if isinstance(value, types.ModuleType)]


def _named(function: Any) -> list[Any]:
    return [function.__globals__.get(name) for name in function.__code__.co_names]


class Compiler:
    """The compiler of kernels to twins: one per function and set of replaced globals.

    ``Kernels`` that share one compile what both call only once.
    """

    def __init__(self, name: str, given: Mapping[str, Any], *, cached: bool, plain: bool = False) -> None:
        """Nothing is compiled yet.

        Args:
            name: of the game; keeps the cache entries of generic kernels apart.
            given: kernels that replace globals of the same name: how generic kernels get the rules of one game.
            cached: whether entries are kept on disk.
            plain: whether to do without Numba's private parts, see ``ziggurat.core.trial``.
        """
        self.given = given
        self.plain = plain
        self._name = name
        # error_model numpy: no check for a division by zero, which the rules never do, at every division.
        self._options = {"cache": cached, "nogil": True, "error_model": "numpy"}
        self._entry_options, self._inner_options = ({}, {}) if plain else (_own_way(inner) for inner in (False, True))
        self._top: set[Any] = set()
        self._globals: dict[int, dict[str, Any]] = {}
        self._twins: dict[Any, Any] = {}
        self._fixed: set[Any] = set()

    def entry(self, function: Any, name: str) -> Any:
        """A twin that Python will call, and that has an entry of its own in the cache under this name."""
        self._top.add(function)
        return self._compiled(function, name, {**self._options, **self._entry_options})

    def twin(self, function: Any) -> Any:
        """A twin that only compiled code calls: it needs no wrapper for Python, and no entry in the cache."""
        self._twin_globals(function)  # makes this twin too where a module that it names imports the function
        if function not in self._twins:
            options = {**self._options, "cache": False, **self._inner_options}
            self._twins[function] = self._compiled(function, function.__qualname__, options)
        return self._twins[function]

    def _compiled(self, function: Any, name: str, options: Mapping[str, Any]) -> Any:
        import numba

        twin = types.FunctionType(
            function.__code__,
            self._twin_globals(function),
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        twin.__module__ = function.__module__
        twin.__qualname__ = f"{self._name}_{name}"  # names the entry in the cache
        return numba.njit(**options)(twin)

    def _as_written(self, value: object) -> bool:
        """Whether this is compiled as it stands there, and not as what it ``compiles_to``."""
        return is_kernel(value) and (self.plain or not hasattr(value, _COMPILED))

    def _twin_globals(self, function: Any) -> dict[str, Any]:
        original = function.__globals__
        if id(original) not in self._globals:
            # A plain dict first, filled afterwards: functions of one module may call each other in any order.
            twin_globals = self._globals[id(original)] = dict(original)
            replaced = {name: value for name, value in original.items() if self._as_written(value)}
            for name, value in original.items():
                if isinstance(value, types.FunctionType) and hasattr(value, _COMPILED) and name not in replaced:
                    twin_globals[name] = getattr(value, _COMPILED)()
            replaced.update({name: self.given[name] for name in self.given if name in original})
            for name, value in replaced.items():
                twin_globals[name] = self.twin(value) if is_kernel(value) else value
        return self._globals[id(original)]

    def fix_types(self, functions: Iterable[Any], records: Mapping[str, Any]) -> None:
        """Compile the callees of kernels, once each, for the types given by the names and annotations of their
        parameters.

        Left to itself Numba compiles a kernel anew for each mixture of 8, 16 and 64 bits that it is called with.
        """
        with nullcontext() if self.plain else inner_kernels():
            for function in functions:
                self._fix_types_of(function, records)

    def _fix_types_of(self, function: Any, records: Mapping[str, Any]) -> None:
        if function in self._fixed:
            return
        self._fixed.add(function)
        for name in function.__code__.co_names:  # callees first, or they would be compiled for these arguments
            callee = self.given.get(name, function.__globals__.get(name))
            if self._as_written(callee):
                self._fix_types_of(callee, records)
        signatures = [] if function in self._top else _signatures(function, records)
        if signatures:
            for signature in signatures:
                self._twins[function].compile(signature)
            self._twins[function].disable_compile()


def _own_way(inner: bool) -> dict[str, Any]:
    """Options that are not in Numba's documentation; ``inner``: of kernels that only compiled code calls.

    _nrt: nothing counts users, for kernels make nothing that would have to be given back.
    """
    own = {"_nrt": False, "no_cfunc_wrapper": True, "no_cpython_wrapper": inner}
    return {**own, "pipeline_class": passes(inner)}


def _signatures(function: Any, records: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """The types of a kernel's parameters, once for every number of last ones that a call may leave to their defaults;
    none when one of them may be of several types (``items``, say)."""
    import numba

    known = {"int": numba.int64, "bool": numba.boolean, "float": numba.float64}
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    wanted = [known.get(function.__annotations__.get(name), records.get(name)) for name in names]
    if None in wanted:
        return []
    left = [numba.types.Omitted(value) for value in function.__defaults__ or ()]
    return [(*wanted[: len(wanted) - n], *left[len(left) - n :]) for n in range(len(left) + 1)]


class Kernels:
    """Compiled twins of some kernels by name; ``fix_types`` before their first call when they are not in the cache."""

    def __init__(self, functions: Mapping[str, Callable[..., Any]], compiler: Compiler, cache: Path | None) -> None:
        """Nothing is compiled yet.

        Args:
            functions: kernels that Python will call.
            cache: folder for the compiled code, or None to compile anew in every process.
        """
        with _cache_folder(cache, compiler.plain):
            self._compiler = compiler
            self.functions = {key: compiler.entry(function, key) for key, function in functions.items()}
        self._given = functions

    def fix_types(self, records: Mapping[str, Any]) -> None:
        """Compile all callees, see ``Compiler.fix_types``."""
        self._compiler.fix_types(self._given.values(), records)

    def compile(
        self,
        arguments: Mapping[str, tuple[Any, ...]],
        silent: Iterable[str] = (),
        upcoming: Callable[[str], None] = lambda name: None,
    ) -> None:
        """Compile the entries for these types, and for no others from then on.

        Args:
            arguments: the types with which Python calls each of them.
            silent: those that never write down what happens, even if their trace is on. All that are silent are one
                program, and all that are not.
            upcoming: called with the name of the next one.
        """

        def wanted(names: list[str]) -> Iterator[tuple[Any, tuple[Any, ...]]]:
            for name in names:
                upcoming(name)
                yield self.functions[name], arguments[name]

        for quiet in (False, True):
            names = [name for name in self.functions if (name in silent) == quiet]
            if self._compiler.plain:
                for function, kinds in wanted(names):
                    function.compile(kinds)
                    function.disable_compile()
                continue
            for function, result in compiled_together(wanted(names), quiet) if names else ():
                function.add_overload(result)
                function._cache.save_overload(result.signature.args, result)
                function.disable_compile()

    def load(self, arguments: Mapping[str, tuple[Any, ...]], silent: Iterable[str] = ()) -> None:
        """Load the entries from the cache."""
        with nullcontext() if self._compiler.plain else loaded_entries():
            for quiet in (False, True):
                for name, function in self.functions.items():
                    if (name in silent) == quiet:
                        function.compile(arguments[name])
                        function.disable_compile()


class _Shelf:
    """A cache locator of Numba: it tells where the compiled code of a function lies.

    Its own ones go by the path and the time of the source. Our folder is named by all that the code depends on, so that
    two checkouts of the same sources share it.
    """

    def __init__(self, folder: Path, function: Any = None) -> None:
        self._folder = folder
        self._function = function

    def from_function(self, function: Any, file: str) -> _Shelf:
        return _Shelf(self._folder, function)

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> str:
        return self._folder.name

    def get_disambiguator(self) -> str:
        return str(self._function.__code__.co_firstlineno)

    def ensure_cache_path(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def _cache_folder(folder: Path | None, plain: bool) -> Iterator[None]:
    """Set the folder of Numba's cache, which it reads from a global when a function is decorated."""
    if folder is None:
        yield
        return
    change: tuple[Any, str, Any]
    if plain:
        from numba import config

        change = config, "CACHE_DIR", str(folder)
    else:
        from numba.core.caching import CacheImpl

        change = CacheImpl, "_locator_classes", [_Shelf(folder)]
    place, name, kept = change
    folder.mkdir(parents=True, exist_ok=True)
    with _lock:
        before = getattr(place, name)
        setattr(place, name, kept)
        try:
            yield
        finally:
            setattr(place, name, before)


@contextmanager
def sole_compiler(folder: Path) -> Iterator[None]:
    """Lock a folder of the cache while filling it: other processes wait, and then find the result.

    Several workers, or a server and a command, would otherwise compile the same rules at the same time.
    """
    try:
        import fcntl
    except ImportError:  # not on Windows: both compile then, which does no harm
        yield
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{folder.name}.lock").open("w") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)  # given back by the system when the process ends, however it ends
        yield


def cache_root() -> Path:
    """The root folder of the compile cache: ``ZIGGURAT_CACHE`` or the user's cache folder."""
    chosen = os.environ.get("ZIGGURAT_CACHE")
    return Path(chosen) if chosen else user_cache_path("ziggurat") / "kernels"


def sources_digest(files: Iterable[Path], silent: Iterable[str] = ()) -> str:
    """A hash of the sources and of whatever else the compiled code depends on.

    Args:
        silent: the entries that never write down what happens.
    """
    import llvmlite.binding

    # An image of a container is compiled on one machine and runs on others: it names what all of them have.
    machine = os.environ.get("NUMBA_CPU_NAME") or llvmlite.binding.get_host_cpu_name()
    # With it every index is checked, for tests; Numba itself would take one for the other.
    checks = os.environ.get("NUMBA_BOUNDSCHECK", "")
    known = f"numba {version('numba')} python {sys.version_info[:2]} {machine} {checks} {sorted(silent)}"
    digest = hashlib.sha256(known.encode())
    for name, text in sorted((file.name, file.read_bytes()) for file in files):  # two may have the same name
        digest.update(name.encode() + b"\0" + text + b"\0")
    return digest.hexdigest()[:20]
