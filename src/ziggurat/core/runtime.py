"""The compiled rules of each game: made once per process, kept on disk, prepared in the background if wished."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ziggurat.core import engine
from ziggurat.core.game import Game
from ziggurat.core.kernel import Kernels, cache_root, loading_only, sole_compiler, sources_digest
from ziggurat.core.random import RNG
from ziggurat.core.trace import OUT, TRACE, desk, new_out, new_trace

# (kernels ready, kernels in all, name of the next one)
Progress = Callable[[int, int, str], None]


@dataclass
class Runtime:
    """Compiled kernels of one game, and how far they are."""

    game: Game
    kernels: dict[str, Any] = field(default_factory=dict)
    ready: bool = False
    seconds: float = 0.0
    error: BaseException | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def prepare(self, progress: Progress | None = None, cache: Path | None = None, boundscheck: bool = False) -> None:
        with self._lock:
            if self.ready:
                return
            began = time.perf_counter()
            folder = (cache or cache_root()) / sources_digest(self.game.kernel_sources())
            if boundscheck:  # Numba would take compiled code without the checks for the same
                folder = folder.with_name(f"{folder.name}-checked")
            if (folder / f"{self.game.id}.complete").exists():
                self.kernels = compile_all(self.game, folder, progress, boundscheck)
            else:
                with sole_compiler(folder):
                    self.kernels = compile_all(self.game, folder, progress, boundscheck)
            self.seconds = time.perf_counter() - began
            self.ready = True


def compile_all(
    game: Game, folder: Path | None, progress: Progress | None = None, boundscheck: bool = False
) -> dict[str, Any]:
    """Compile every generic kernel with the rules of a game, or load it from ``folder``."""
    kernels = Kernels(engine.KERNELS, given=game.rules, name=game.id, cache=folder, boundscheck=boundscheck)
    arguments = _signatures(game)
    # Says that the folder holds everything. Without it Numba would still find what is there, but compile it less well.
    complete = folder / f"{game.id}.complete" if folder else None
    if complete is not None and complete.exists():
        try:
            with loading_only():
                for name in kernels.functions:
                    kernels.compile(name, arguments[name])
            return kernels.functions
        except Exception:  # somebody deleted or damaged a part of the folder: all of it is made again
            shutil.rmtree(complete.parent, ignore_errors=True)
            return compile_all(game, folder, progress, boundscheck)
    total = len(kernels.functions) + 1
    if progress:
        progress(0, total, "rules")
    kernels.fix_types(_record_types(game))
    for done, name in enumerate(kernels.functions, start=1):
        if progress:
            progress(done, total, name)
        kernels.compile(name, arguments[name])
    if complete is not None:
        complete.touch()
    if progress:
        progress(total, total, "")
    return kernels.functions


def _record_types(game: Game) -> dict[str, Any]:
    """What the parameters of kernels are called, and their types."""
    from numba import from_dtype

    rng = from_dtype(RNG)
    return {
        "s": from_dtype(game.record),
        "rng": rng,
        "source": rng,
        "trace": from_dtype(TRACE),
        "out": from_dtype(OUT),
    }


def _signatures(game: Game) -> dict[str, tuple[Any, ...]]:
    from numba import int64, typeof

    states, rngs = typeof(np.zeros(1, dtype=game.record)), typeof(np.zeros(1, dtype=RNG))
    traces, outs = typeof(new_trace()), typeof(new_out())
    desks = typeof(np.zeros(1, dtype=desk(game.record)))
    numbers, results = int64[::1], int64[:, ::1]
    return {
        "step": (desks, int64, int64),
        "call": (int64, desks, int64, rngs),
        "games": (states, rngs, numbers, traces, outs, numbers, results, int64, int64, int64),
    }


_runtimes: dict[str, Runtime] = {}
_guard = threading.Lock()


def runtime(game: Game) -> Runtime:
    with _guard:
        return _runtimes.setdefault(game.id, Runtime(game))


def prepare(game: Game, *, background: bool = False, progress: Progress | None = None) -> Runtime:
    """Compile the rules of a game or load them from the cache; positions made until then run interpreted.

    With ``background`` this returns at once and a thread does it; ``Runtime.ready`` tells when it is done.
    """
    wanted = runtime(game)
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
