"""Progress on stderr: a bar when a person watches, otherwise nothing."""

from __future__ import annotations

import gc
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import click

from ziggurat.cli.files import CommandProblem, reason

if TYPE_CHECKING:
    from ziggurat.core.game import Game
    from ziggurat.core.runtime import Program
    from ziggurat.lab.results import ResumableRun
    from ziggurat.lab.work import Workers

Advance = Callable[[int], None]


@contextmanager
def progress(title: str, total: int) -> Iterator[Advance]:
    """Yield a function to call with the number of things done since the last call."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(elapsed_when_finished=True),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.advance(task, done)


@contextmanager
def ended_politely() -> Iterator[None]:
    """Treat SIGTERM like Ctrl+C: the results are saved, and no worker stays behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def played(games: Generator[int, None, None], title: str, total: int) -> None:
    """Play to the end; `games` yields the number of games finished since the last time, and is closed in any case."""
    with ended_politely(), progress(title, total) as advance, closing(games) as found:
        for done in found:
            advance(done)


def play_run(run: ResumableRun, workers: Workers, out: str | None, again: str = "--resume goes on from there") -> None:
    """Compile what a run needs and play what is left of it; print what is saved when it ends before.

    Args:
        out: the folder in which it is kept, if it is.
        again: how it is gone on with.
    """
    try:
        if run.left:
            prepare(run.game, *run.programs)
        played(run.play(workers), f"{run.game.id}: {run.left} games", run.left)
    except KeyboardInterrupt:
        if out:
            click.echo(f"ziggurat: {run.total - run.left} of {run.total} games are kept; {again}", err=True)
        raise
    except OSError as error:
        if out is None:
            raise
        raise CommandProblem(f"cannot write {out}: {reason(error)}; what was played is kept, and {again}") from None


def prepare(game: Game, *programs: Program) -> float:
    """Compile programs (by default the rules) of a game or load them from the cache; print so when it takes long.

    Returns the seconds.
    """
    from ziggurat.core import runtime

    return sum(_prepared(game, program) for program in programs or (runtime.PLAYING,))


def _prepared(game: Game, program: Program) -> float:
    from ziggurat.core import runtime

    if runtime.is_compiled(game, program):
        gc.disable()  # a tenth of the time of loading, which makes many objects and drops none
        try:
            return runtime.prepare(game, program=program).seconds
        finally:
            gc.enable()
    what = game.id if program is runtime.PLAYING else f"{program.name} of {game.id}"
    if not sys.stderr.isatty():
        print(f"ziggurat: preparing {what}, once after every change of its rules ...", file=sys.stderr, flush=True)
        return runtime.prepare(game, program=program).seconds
    with progress(f"Preparing {what}", len(program.kernels) + 1) as advance:
        done = 0

        def step(ready: int, total: int, name: str) -> None:
            nonlocal done
            advance(ready - done)
            done = ready

        return runtime.prepare(game, progress=step, program=program).seconds
