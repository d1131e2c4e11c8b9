"""Code generation: what we change in how Numba makes machine code of kernels, all in this file and ``lowering``.

This uses private parts of Numba. ``ziggurat.core.trial`` finds out whether they are there and do what they did; else
kernels are compiled without any of it.
"""

from __future__ import annotations

import gc
import importlib
import sys
import types
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


def inner_kernels() -> Any:
    """Compile kernels that only compiled code calls, see ``_inner``, with all that Numba writes for them."""
    importlib.import_module("numba.np.arrayobj")  # what ``_lowering`` changes is there
    return _lowering(_inner())


@cache
def _inner() -> type:
    """Return the code library of kernels that only compiled code calls: it stays LLVM code that is not optimised.

    Only entries turn it into machine code. Numba would optimise and assemble each on its own, with all that it
    calls, and again in every caller: more than half of the time of a cold start.
    """
    from llvmlite.binding import Linkage
    from numba.core.codegen import JITCodeLibrary

    class Inner(JITCodeLibrary):  # type: ignore[misc]
        _shared_module: Any

        def finalize(self) -> None:
            for function in self._final_module.functions:
                if function.linkage == Linkage.external and not function.is_declaration and not _for_python(function):
                    function.linkage = Linkage.linkonce_odr
            self._finalize_dynamic_globals()
            self._finalized = True

        def alone(self) -> Any:
            """The code without its callees: an entry, which reaches a kernel by many ways, links each once."""
            return self._final_module

        def _get_module_for_linking(self) -> Any:  # Numba may use what it compiled for us elsewhere
            if self._shared_module is None:
                whole = self._final_module.clone()
                _link(whole, self)
                self._shared_module = whole
            return self._shared_module

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0  # nothing calls an inner kernel from outside

    return Inner


def _for_python(function: Any) -> bool:
    """Whether a function is a wrapper for Python: Numba's way from Python's objects to a kernel and back."""
    return bool(function.name.startswith("_ZN7cpython"))


def _link(module: Any, library: Any) -> None:
    """Add all callees of a library to its module, callers first: LLVM links only what is asked for."""
    order: dict[Any, None] = {}

    def visit(called: Any) -> None:
        if called not in order:
            if hasattr(called, "alone"):
                for further in called._linking_libraries:
                    visit(further)
            order[called] = None

    for called in library._linking_libraries:
        visit(called)
    for called in reversed(order):
        alone = called.alone() if hasattr(called, "alone") else called._get_module_for_linking()
        module.link_in(alone, preserve=True)


# The name of a constant that inner kernels ask for and each entry defines: LLVM removes the branches that it rules out.
_TRACED = "ziggurat.traced"


def is_traced() -> Any:
    """A function that tells compiled code whether its entry writes a trace, see ``compiled_together``."""
    from llvmlite import ir
    from numba.core import types as kinds
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def traced(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            found = builder.module.globals.get(_TRACED)
            if found is None:
                found = ir.GlobalVariable(builder.module, ir.IntType(1), _TRACED)
                found.global_constant = True
            return builder.load(found)

        return kinds.boolean(), generate

    return traced


def loaded_entries() -> Any:
    """Load the kernels that Python calls from the cache, in the order in which ``compiled_together`` returned them."""
    return _lowering(_entry(silent=False))


def compiled_together(compiling: Iterable[tuple[Any, Any]], silent: bool) -> list[tuple[Any, Any]]:
    """Compile the kernels that Python calls, and all their callees, as one piece of machine code.

    What several of them call is optimised once. The first keeps the machine code, the others only their names in it.

    Args:
        compiling: Numba's dispatchers of the kernels, and the types of their arguments.
        silent: whether they never have a trace.

    Returns:
        Each dispatcher with what was compiled for it.
    """
    from numba.core.codegen import JITCodeLibrary
    from numba.core.registry import cpu_target

    class Beside(JITCodeLibrary):  # type: ignore[misc]
        def serialize_using_object_code(self) -> tuple[str, str, bytes]:
            return self.name, "bitcode", self._final_module.as_bitcode()

    with inner_kernels():
        compiled = [(one, one._compiler.compile(arguments, None)) for one, arguments in compiling]
    codegen, target = cpu_target.target_context.codegen(), cpu_target.target_context
    with _lowering(_entry(silent)):
        whole = _entry(silent)(codegen, compiled[0][1].library.name)
        whole.enable_object_caching()
        for _, result in compiled:
            whole.add_linking_library(result.library)
        whole.finalize()
        made: list[tuple[Any, Any]] = []
        for one, result in compiled:
            library = Beside(codegen, f"{whole.name} beside") if made else whole
            library._ensure_finalized()
            function = target.get_executable(library, result.fndesc, result.environment)
            made.append((one, result._replace(library=library, entry_point=function)))
        return made


def _entry(silent: bool) -> Any:
    """Return the code library of kernels that Python calls, linked with their callees as one program; a silent one
    never has a trace.

    * It is optimised once: Numba's first pass serves to remove the counting of users, which records do without.
    * Inner kernels belong to it alone. Numba leaves them open to other programs, and so LLVM had to keep what a call of
      Numba's brings with it, though no rule raises an error: a status, and the question after every call what it is.
    """
    from llvmlite.binding import Linkage, parse_assembly
    from numba.core.codegen import JITCodeLibrary

    class Entry(JITCodeLibrary):  # type: ignore[misc]
        def finalize(self) -> None:
            _link(self._final_module, self)
            self._linking_libraries: list[Any] = []
            super().finalize()

        def _optimize_final_module(self) -> None:
            known = f'target triple = "{self._final_module.triple}"\n@{_TRACED} = constant i1 {int(not silent)}'
            self._final_module.link_in(parse_assembly(known))
            self._final_module.get_global_variable(_TRACED).linkage = Linkage.internal
            for function in self._final_module.functions:
                if function.linkage == Linkage.linkonce_odr and not function.is_declaration:
                    function.linkage = Linkage.internal
            manager, builder = self._codegen._module_pass_manager()
            with self._recorded_timings.record("Module passes", builder):
                manager.run(self._final_module, builder)

        def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
            # Numba would keep all of the LLVM code too, to link it to others, and read it whenever the entry is loaded:
            # a game took 14 MB, of which 1 is needed. Nothing is linked to an entry, but asked for the names it has.
            self._ensure_finalized()
            names = [found.name for found in self.get_defined_functions() if found.linkage == Linkage.external]
            named = "\n".join(f'define void @"{name}"() {{ unreachable }}' for name in names)
            return self.name, "object", (self._get_compiled_object(), parse_assembly(named).as_bitcode())

    return Entry


def passes(inner: bool) -> Any:
    """The compiler passes from the bytecode of a kernel to LLVM code, see ``ziggurat.core.lowering``.

    Args:
        inner: for kernels that only compiled code calls. They are so even where the types of their parameters are known
            only from the entry that calls them, which is being compiled then.
    """
    from numba.core import compiler

    from ziggurat.core.lowering import Steps

    class Passes(compiler.CompilerBase):  # type: ignore[misc]
        def define_pipelines(self) -> Any:
            codegen = self.state.targetctx.codegen()
            if inner and "_library_class" in vars(codegen):  # not when Numba compiles by itself, at a first call
                self.state.library = _inner()(codegen, self.state.func_id.func_qualname)
            return [Steps()]

    return Passes


class Row:
    """Four 32-bit words that compiled code computes side by side (SIMD); a function that makes one out of others writes
    that code. What is cut to 32 bits is so already."""

    def __init__(self, builder: Any, words: Any) -> None:
        self._builder, self.words = builder, words

    def _of(self, operation: str, *operands: Any) -> Row:
        return Row(self._builder, getattr(self._builder, operation)(self.words, *operands))

    def __add__(self, other: Row) -> Row:
        return self._of("add", other.words)

    def __xor__(self, other: Row) -> Row:
        return self._of("xor", other.words)

    def __or__(self, other: Row) -> Row:
        return self._of("or_", other.words)

    def __and__(self, mask: int) -> Row:
        return self

    def __lshift__(self, bits: int) -> Row:
        return self._of("shl", self.words.type([bits] * 4))

    def __rshift__(self, bits: int) -> Row:
        return self._of("lshr", self.words.type([bits] * 4))

    def turned(self, by: int) -> Row:
        """The row rotated: the words from the given one on, then those before it."""
        from llvmlite import ir

        places = ir.Constant(ir.VectorType(ir.IntType(32), 4), [(by + place) % 4 for place in range(4)])
        return self._of("shuffle_vector", self.words, places)


def in_rows(mix: Any, first: tuple[int, ...], given: tuple[str, str], out: str) -> Any:
    """A function of a record for compiled code: it mixes four rows of words and adds what they were before.

    Args:
        mix: makes four ``Row`` of four.
        first: the first row.
        given: the fields that hold the other rows: two in an array, and a number of 64 bits with zeros behind it.
        out: the field for the 16 words.
    """
    from llvmlite import ir
    from numba import types as kinds
    from numba.extending import intrinsic

    @intrinsic  # type: ignore[untyped-decorator]
    def mixed(typing_context: Any, record: Any) -> Any:
        row, pair = ir.VectorType(ir.IntType(32), 4), ir.VectorType(ir.IntType(64), 2)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def at(name: str, place: int, kind: Any) -> Any:
                offset = ir.IntType(32)(record.offset(name) + place)
                begin = builder.gep(arguments[0], [ir.IntType(32)(0), offset], inbounds=True)
                return builder.bitcast(begin, kind.as_pointer())

            rows, number = given
            low = builder.load(at(number, 0, pair.element), align=1)
            last = builder.bitcast(builder.insert_element(pair([0, 0]), low, ir.IntType(32)(0)), row)
            loaded = [builder.load(at(rows, 16 * i, row), align=1) for i in range(2)]
            before = [Row(builder, words) for words in (row(first), *loaded, last)]
            for i, (one, other) in enumerate(zip(mix(*before), before, strict=True)):
                builder.store((one + other).words, at(out, 16 * i, row), align=1)
            return context.get_dummy_value()

        return kinds.void(record), generate

    return mixed


@contextmanager
def _lowering(library: type) -> Iterator[None]:
    """Numba's target context with another class of code libraries, unchecked indices, and a cache of resolved types.

    It makes millions of small objects and keeps most of them, so Python looks for unused ones less often meanwhile.
    """
    from numba.core.compiler_lock import global_compiler_lock
    from numba.core.registry import cpu_target
    from numba.core.types.functions import BaseFunction

    functions: Any = BaseFunction

    codegen = cpu_target.target_context.codegen()

    def set_env(name: str, environment: Any) -> None:
        """Set the environment as Numba does; an inner kernel has no machine code for it."""
        if codegen._engine.get_global_value_address(name):
            type(codegen).set_env(codegen, name, environment)

    # Not there when compiled code is only loaded, which does without it: importing it takes a tenth of a second.
    arrays: Any = sys.modules.get("numba.np.arrayobj", types.SimpleNamespace(fix_integer_index=None))
    with global_compiler_lock:  # other threads may compile something else, as Numba does it
        before = arrays.fix_integer_index, functions.get_call_type, gc.get_threshold()
        arrays.fix_integer_index = _index
        functions.get_call_type = _remembering(functions.get_call_type)
        gc.set_threshold(100_000, 20, 100)
        vars(codegen).update(_library_class=library, set_env=set_env)
        try:
            yield
        finally:
            arrays.fix_integer_index, functions.get_call_type, threshold = before
            gc.set_threshold(*threshold)
            for name in ("_library_class", "set_env"):
                del vars(codegen)[name]


_typed: dict[Any, tuple[Any, Any]] = {}


def _remembering(get_call_type: Any) -> Any:
    """Numba's resolution of operators and functions for argument types, cached: Numba tries all that it knows, one
    after the other, for every place where one is used."""

    def remembered(function: Any, context: Any, arguments: Any, named: Any) -> Any:
        key = (function, arguments, tuple(named.items()))
        found = _typed.get(key)
        if found is None:
            signature = get_call_type(function, context, arguments, named)
            if signature is not None:
                _typed[key] = signature, function._impl_keys.get(signature.args)
            return signature
        signature, implementation = found
        function._impl_keys[signature.args] = implementation
        return signature

    return remembered


def _index(context: Any, builder: Any, kind: Any, index: Any, size: Any) -> Any:
    """An index without a check for negative ones: kernels never count from the end.

    Compiled with checks (``NUMBA_BOUNDSCHECK``), a negative index is out of bounds.
    """
    from numba import intp

    return context.cast(builder, index, kind, intp)


@contextmanager
def loading_only() -> Iterator[None]:
    """Skip the registration of everything that Numba can compile, when all is in the cache: half of a warm start.

    Whatever is not in the cache fails to compile here, and has to be tried again outside.
    """
    from llvmlite.binding import add_symbol
    from numba.core.registry import cpu_target
    from numba.core.runtime._nrt_python import c_helpers

    contexts = (cpu_target.typing_context, cpu_target.target_context)
    for name, address in c_helpers.items():  # what loaded code links to, without what Numba would compile to it
        add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
    for context in contexts:
        context.refresh = lambda: None
    try:
        yield
    finally:
        for context in contexts:
            del context.refresh
