"""The server as a real process, on this machine only, ended by its pid."""

from __future__ import annotations

import gc
import logging
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from tests import chance
from tests.patience import patience
from tests.server.migrated import lay

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.runtime import is_compiled, prepare
from ziggurat.server import counters, run
from ziggurat.server.services import compiled_rules
from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Job, T
from ziggurat.server.store.engine import open_database

SRC = Path(__file__).parents[2] / "src"
COMPILED = patience(240.0)
"""Seconds in which a slow machine has compiled everything."""
FORKS = sys.platform == "linux"
"""Can a process be a copy of one that has read the program's modules? That takes most of the time of a start."""
CONTEXT: Any = multiprocessing.get_context("forkserver" if FORKS else "spawn")
if FORKS:  # of a process that does nothing else: a copy of one with threads may wait for locks that nobody holds
    CONTEXT.set_forkserver_preload(["tests.server.process", "tests.server.warm"])
CALM = {"ZIGGURAT_COPIES": "0"}
"""Settings of all servers of tests, if they say nothing else: nothing is copied beside other tests."""
NO_COMPILER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from tests.games.compiling import say_what_is_there
say_what_is_there()
"""
"""What runs in the place of a server's compiler."""


class Server:
    """A running server."""

    def __init__(self, process: BaseProcess, said: Connection, settings: Settings) -> None:
        assert process.pid
        self.pid = process.pid
        self.settings = settings
        self._process = process
        self._said = said
        self._ready: list[str] = []
        self.base = str(said.recv()).rstrip("/")

    def until_advisers_are_ready(self, game: str) -> None:
        """Wait until the search of a game has been prepared: a server with engines says when it is."""
        if not is_compiled(ziggurat.game(game), SEARCHING):
            prepare(ziggurat.game(game), program=SEARCHING)
        wanted = f"{game} is ready for {SEARCHING.name}"
        while wanted not in self._ready:
            assert self._said.poll(COMPILED), f"never said: {wanted}; but: {self._ready}"
            self._ready.append(self._said.recv())

    async def in_database(self, job: Job[T]) -> T:
        """Do something in the database behind the server's back."""
        database = open_database(self.settings)
        try:
            return await database.transact(job)
        finally:
            await database.close()

    def kill(self) -> None:
        """End it as a power cut would."""
        self._process.kill()
        self._process.join(10)


class _Telling(logging.Handler):
    """Passes on what a server tells besides its address."""

    def __init__(self, to: Connection) -> None:
        super().__init__(logging.INFO)
        self.to = to

    def emit(self, record: logging.LogRecord) -> None:
        self.to.send(record.getMessage())


def launch(
    *arguments: str, module: str = "ziggurat.server", to: IO[str] | None = None, **environment: str
) -> subprocess.Popen[str]:
    """Start `python -m ziggurat.server`, or another module; what it says goes `to` a file, or may be read."""
    path = os.pathsep.join([str(SRC), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, **CALM, "PYTHONPATH": path, **environment},
        stdout=subprocess.PIPE if to is None else subprocess.DEVNULL,
        stderr=subprocess.PIPE if to is None else to,
        text=True,
    )


def ended(*arguments: str, **environment: str) -> tuple[int | None, str, str]:
    """Run `python -m ziggurat.server` to its end in a process that has read the program; return its exit code, what it
    printed and what it said on stderr."""
    with TemporaryDirectory() as folder:
        printed, said = Path(folder) / "out", Path(folder) / "err"
        process = CONTEXT.Process(target=_main, args=(arguments, environment, printed, said))
        process.start()
        process.join(patience(30))
        code = process.exitcode
        process.kill()
        return code, printed.read_text(), said.read_text()


class Program:
    """`python -m ziggurat.server` as it goes on, in a process that has read the program; asked like a `Popen`."""

    def __init__(self, arguments: tuple[str, ...], environment: dict[str, str], printed: Path, said: Path) -> None:
        self._out = printed
        self._process = CONTEXT.Process(target=_main, args=(arguments, environment, printed, said))
        self._process.start()
        self.pid = self._process.pid
        self.kill, self.terminate = self._process.kill, self._process.terminate

    def poll(self) -> int | None:
        """Return the exit code; None while it goes on."""
        found: int | None = self._process.exitcode
        return found

    def wait(self, timeout: float | None = None) -> int | None:
        """Wait for its end; return the exit code."""
        self._process.join(timeout)
        return self.poll()

    def until(self, said: str) -> None:
        """Wait until it has printed something."""
        late = time.monotonic() + 60
        while said not in (printed := self.printed()):
            assert self._process.is_alive(), f"ended without {said!r}: {printed!r}"
            assert time.monotonic() < late, f"never printed {said!r}, but {printed!r}"
            time.sleep(0.01)

    def printed(self) -> str:
        """What it has printed so far."""
        return self._out.read_text() if self._out.exists() else ""

    def end(self) -> None:
        """Interrupt it, and wait for its end."""
        self.terminate()
        self.wait(20)
        self.kill()


def copied(*arguments: str, to: IO[str], **environment: str) -> Program:
    """As `launch`, in a process that has read the program."""
    return Program(arguments, environment, Path(os.devnull), Path(to.name))


@contextmanager
def begun(*arguments: str, **environment: str) -> Iterator[Program]:
    """Run `python -m ziggurat.server` as long as somebody looks at it."""
    with TemporaryDirectory() as folder:
        program = Program(arguments, environment, Path(folder) / "out", Path(folder) / "err")
        try:
            yield program
        finally:
            program.end()


def _main(arguments: tuple[str, ...], environment: dict[str, str], printed: Path, said: Path) -> None:
    _begin_anew(printed, said)
    os.environ.update(CALM | environment)
    sys.argv = ["ziggurat.server", *arguments]
    runpy.run_module("ziggurat.server", run_name="__main__")


def _begin_anew(printed: Path, said: Path) -> None:
    """Be a process of its own, which says things in files of its own."""
    gc.freeze()  # or the first collection of garbage would copy all that was read before
    for number, path in ((1, printed), (2, said)):
        with path.open("a") as file:
            os.dup2(file.fileno(), number)
    sys.stdout, sys.stderr = (os.fdopen(number, "w", buffering=1, closefd=False) for number in (1, 2))
    logging.getLogger().handlers.clear()
    counters.counters.__init__()  # type: ignore[misc]


def _serve(
    to: Connection,
    errors: Path,
    environment: dict[str, str],
    port: int,
    data: Path,
    url: str | None,
    migrated: bool,
    options: dict[str, Any],
) -> None:
    """What the process of a server does; says its address when it is ready."""
    _begin_anew(Path(os.devnull), errors)
    os.environ.update(CALM | environment)
    if now := environment.get(chance.NOW):
        chance.follow(Path(now))
    signal.signal(signal.SIGUSR1, lambda *_: gc.collect())  # as a benchmark of memory wants it
    if migrated and url is None:
        lay(data)
    if environment.get("ZIGGURAT_PREPARE") != "0":
        compiled_rules.COMPILER_COMMAND[:] = [sys.executable, "-c", NO_COMPILER]
        logger = logging.getLogger("ziggurat.server")
        logger.setLevel(logging.INFO)
        logger.addHandler(_Telling(to))
    try:
        code = run("127.0.0.1", port, data, url, open_browser=False, on_ready=to.send, **options)
    except BaseException:
        traceback.print_exc()
        raise
    sys.exit(code)


@contextmanager
def server(
    data: Path,
    url: str | None = None,
    port: int = 0,
    *,
    engines: bool = False,
    migrated: bool = True,
    options: dict[str, Any] | None = None,
    **environment: str,
) -> Iterator[Server]:
    """Run a server on a data folder, or on a PostgreSQL database; without ``engines`` it plays interpreted.

    An empty folder gets an up-to-date database first, unless ``migrated`` is false. ``options`` are further ones of
    ``ziggurat.server.run``.
    """
    if not engines:
        environment["ZIGGURAT_PREPARE"] = "0"
    if now := os.environ.get(chance.NOW):
        environment[chance.NOW] = now
    environment.setdefault("ZIGGURAT_HINT", "0.3")  # what a hint is, not how good
    environment.setdefault("ZIGGURAT_FORCED", "0.02-0.05")  # nobody looks for how long
    environment.setdefault("ZIGGURAT_DEAL_BOTS", "0")  # minutes of thinking, beside all other tests
    environment.setdefault("ZIGGURAT_REQUESTS", "1000000")  # all tests come from one address
    environment.setdefault("ZIGGURAT_SHARE", "1")
    environment.setdefault("ZIGGURAT_QUOTA", "1000")
    environment.setdefault("ZIGGURAT_PATIENCE", "0")  # tables may choose what they show
    errors = data / "errors.txt"
    data.mkdir(parents=True, exist_ok=True)
    here, there = CONTEXT.Pipe(duplex=False)
    arguments = (there, errors, environment, port, data, url, migrated, options or {})
    process = CONTEXT.Process(target=_serve, args=arguments)
    process.start()
    there.close()
    try:
        try:
            running = Server(process, here, Settings(data=data, database_url=url))
        except EOFError:
            raise AssertionError(errors.read_text()) from None
        yield running
    finally:
        process.terminate()
        process.join(20)
        process.close()
        here.close()
    assert "unexpected" not in errors.read_text(), errors.read_text()
