"""The compiled kernels of each game: compiled once per process, cached on disk, prepared in the background if
wished."""

from __future__ import annotations

import importlib
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from ziggurat.core import engine
from ziggurat.core.codegen import loading_only
from ziggurat.core.game import Game
from ziggurat.core.generated import digest_of
from ziggurat.core.kernel import Compiler, Kernels, cache_root, sole_compiler, sources_digest
from ziggurat.core.random import RNG
from ziggurat.core.trace import OUT, TRACE, new_out, new_trace, workspace
from ziggurat.core.trial import lacking, warn
from ziggurat.core.whole_files import write_whole

# (kernels ready, kernels in all, name of the next one)
Progress = Callable[[int, int, str], None]


@dataclass(frozen=True)
class Program:
    """A program: generic kernels that are compiled for every game, with its rules in them.

    Attributes:
        name: of its files in the cache.
        kernels: what Python calls, by name.
        modules: the sources that decide what is compiled, in addition to the game's own.
        records: record types of parameters in addition to those of every kernel, by the names of the parameters.
        arguments: (game) -> the types with which Python calls each kernel.
        silent: the kernels that never write down what happens, which makes them up to a tenth faster.
    """

    name: str
    kernels: Mapping[str, Any]
    modules: tuple[str, ...]
    records: Mapping[str, np.dtype[Any]]
    arguments: Callable[[Game], dict[str, tuple[Any, ...]]]
    silent: frozenset[str] = frozenset()

    def sources(self, game: Game) -> list[Path]:
        modules = (*game.kernel_modules, *COMMON_MODULES, *self.modules)
        return [Path(str(importlib.import_module(name).__file__)) for name in modules]


COMMON_MODULES = tuple(
    f"ziggurat.core.{name}"
    for name in (
        *("bits", "codegen", "columns", "engine", "kernel", "limits", "lowering", "options", "random", "trace"),
        "trial",
    )
)


class Workspace:
    """The workspace of compiled rules: a position, with the buffers that they write to.

    A thread has one for each game, on which position after position is laid: of its own each would need 30 kB.

    Attributes:
        place: the workspace, of shape (1,); ``places``: it and two more, on which ``learns`` tries things.
        bytes: the position that lies there.
        rows, numbers, weights: of its trace and its ``out``.
    """

    def __init__(self, game: Game) -> None:
        self.places = np.zeros(3, dtype=game.workspace)
        self.place = self.places[:1]
        # Views, because looking a field up by its name costs more than the rules.
        self.bytes = self.place.view(np.uint8).data[: game.record.itemsize]  # a workspace begins with it
        self.rows = self.places["trace"]["rows"][0]
        self.numbers = self.places["out"]["values"][0]
        self.weights = self.places["out"]["weights"][0]
        self._on = self.places["trace"]["on"]
        self._tracing = False

    def trace(self, on: bool) -> None:
        """Whether events are written to the trace."""
        if on is not self._tracing:
            self._on[:] = self._tracing = on


@dataclass
class Runtime:
    """The compiled kernels of one game, and which programs are ready."""

    game: Game
    program: Program = field(default_factory=lambda: PLAYING)
    kernels: dict[str, Any] = field(default_factory=dict)
    ready: bool = False
    seconds: float = 0.0
    error: BaseException | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _workspaces: threading.local = field(default_factory=threading.local)

    def workspace(self) -> Workspace:
        """The workspace of the current thread."""
        try:
            found: Workspace = self._workspaces.workspace
        except AttributeError:
            found = self._workspaces.workspace = Workspace(self.game)
        return found

    def prepare(self, progress: Progress | None = None, cache: Path | None = None) -> None:
        """Compile, or load from the cache; other callers wait meanwhile. See :func:`ziggurat.prepare`."""
        with self._lock:
            if self.ready:
                return
            began = time.perf_counter()
            folder = _folder(self.game, self.program, cache)
            if (folder / _complete(self.game, self.program)).exists():
                self.kernels = compile_all(self.game, folder, progress, self.program)
            else:
                with sole_compiler(folder):
                    self.kernels = compile_all(self.game, folder, progress, self.program)
            self.seconds = time.perf_counter() - began
            self.ready = True


def _folder(game: Game, program: Program, cache: Path | None = None) -> Path:
    """The folder of the cache, named by a digest of all that the compiled code depends on."""
    written = digest_of(game.rules.values())
    sources = sources_digest(program.sources(game), program.silent)
    return (cache or cache_root()) / (f"{sources}-{written}" if written else sources)


def _complete(game: Game, program: Program) -> str:
    """The marker file of a complete folder of the cache, which tells what Numba lacked when it was compiled.

    Without it Numba would still find what is there, but compile it less well.
    """
    return f"{game.id}.{program.name}.complete"


def _rules_arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    from numba import int64, typeof

    workspaces, rngs = typeof(np.zeros(1, dtype=workspace(game.record))), typeof(np.zeros(1, dtype=RNG))
    return {
        "step": (workspaces, int64, int64),
        "call": (int64, workspaces, int64, rngs),
    }


def _games_arguments(game: Game) -> dict[str, tuple[Any, ...]]:
    from numba import int16, int64, typeof

    states, rngs = typeof(np.zeros(1, dtype=game.record)), typeof(np.zeros(1, dtype=RNG))
    traces, outs, results = typeof(new_trace()), typeof(new_out()), typeof(np.zeros(1, dtype=engine.RESULT))
    games = (states, rngs, int64[::1], traces, outs, results, int16[:, ::1], int64, int64, int64)
    return {"games": games, "log": games}


PLAYING: Program = Program("rules", {"step": engine.step, "call": engine.call}, (), {}, _rules_arguments)
"""What every table needs: playing an action."""

GAMES: Program = Program("games", {"games": engine.games}, (), {}, _games_arguments, silent=frozenset({"games"}))
"""Whole games, one after the other."""

LOG: Program = Program("log", {"log": engine.games}, (), {}, _games_arguments)
"""The same with all that happens."""


def marker(game: Game, program: Program = PLAYING) -> Path:
    """The marker file that is there when the cache holds the whole program."""
    return _folder(game, program) / _complete(game, program)


def is_compiled(game: Game, program: Program = PLAYING) -> bool:
    """Whether the cache holds the whole program, so that ``prepare`` takes no time."""
    return marker(game, program).exists()


def compile_all(
    game: Game,
    folder: Path | None,
    progress: Progress | None = None,
    program: Program = PLAYING,
) -> dict[str, Any]:
    """Compile every kernel of a program with the rules of a game, or load it from ``folder``."""
    arguments = program.arguments(game)
    complete = folder / _complete(game, program) if folder else None
    if complete is not None and complete.exists():
        try:
            plain = _is_plain(complete.read_text("utf-8"))
            kernels = Kernels(program.kernels, Compiler(game.id, game.rules, cached=True, plain=plain), folder)
            with _compiling, nullcontext() if plain else loading_only():
                kernels.load(arguments, program.silent)
            return kernels.functions
        except Exception:  # somebody deleted or damaged a part of the folder: all of it is made again
            shutil.rmtree(complete.parent, ignore_errors=True)
            return compile_all(game, folder, progress, program)
    total = len(program.kernels) + 1
    if progress:
        progress(0, total, "rules")
    with _compiling:
        missing = lacking()
        kernels = Kernels(program.kernels, _compiler(game, folder is not None, _is_plain(missing)), folder)
        kernels.fix_types(_record_types(game, program, arguments))
        done = count(1)

        def upcoming(name: str) -> None:
            if progress:
                progress(next(done), total, name)

        kernels.compile(arguments, program.silent, upcoming)
    if complete is not None:
        write_whole(complete, missing)
    if progress:
        progress(total, total, "")
    return kernels.functions


def _is_plain(missing: str) -> bool:
    """Whether kernels do without Numba's private parts, because some are missing; the log is told."""
    if missing:
        warn(missing)
    return bool(missing)


_compilers: dict[tuple[str, bool, bool], Compiler] = {}
# Numba is told what it may do for all threads at once: two games that are loaded side by side take turns.
_compiling = threading.RLock()


def _compiler(game: Game, cached: bool, plain: bool) -> Compiler:
    """The compiler of a game's rules in this process: a second program compiles only what the first has not."""
    key = (game.id, cached, plain)
    if key not in _compilers or _compilers[key].given != game.rules:
        _compilers[key] = Compiler(game.id, game.rules, cached=cached, plain=plain)
    return _compilers[key]


def _record_types(game: Game, program: Program, arguments: Mapping[str, tuple[Any, ...]]) -> dict[str, Any]:
    """The types of kernels' parameters by their names, with those of the program's entries."""
    from numba import from_dtype

    common = {"s": game.record, "rng": RNG, "source": RNG, "trace": TRACE, "out": OUT}
    if game.inputs:
        common |= {name: one.dtype for name, one in zip(("table", "own", "act"), game.inputs.records)}
    given: dict[str, Any] = {}
    for name, function in program.kernels.items():
        given |= dict(zip(function.__code__.co_varnames, arguments[name], strict=False))
    return given | {name: from_dtype(record) for name, record in {**common, **program.records}.items()}


_runtimes: dict[tuple[Any, ...], Runtime] = {}
_guard = threading.Lock()


def runtime(game: Game, program: Program = PLAYING) -> Runtime:
    """Return the runtime of a game, shared by all its positions in this process.

    A game of the same id with other rules, such as a variant that is tried out, has kernels of its own.
    """
    key = (game.id, program.name, *game.rules.values())
    found = _runtimes.get(key)
    if found is None:
        with _guard:
            found = _runtimes.setdefault(key, Runtime(game, program))
    return found


def prepare(
    game: Game, *, background: bool = False, progress: Progress | None = None, program: Program = PLAYING
) -> Runtime:
    """Compile the rules of a game or load them from the cache; positions made until then run interpreted.

    With ``background`` this returns at once and a thread does it; ``Runtime.ready`` tells when it is done.
    """
    wanted = runtime(game, program)
    if not background:
        wanted.prepare(progress)
        return wanted

    def work() -> None:
        try:
            wanted.prepare(progress)
        except BaseException as error:  # the table goes on interpreted; whoever asks is told
            wanted.error = error

    threading.Thread(target=work, name=f"prepare {game.id}", daemon=True).start()
    return wanted
