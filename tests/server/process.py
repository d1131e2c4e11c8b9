"""The server as a real process, on this machine only, ended by its pid."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ziggurat.bots import SEARCHING
from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import Job, T, open_database

SRC = Path(__file__).parents[2] / "src"
SERVE = ("-m", "ziggurat.server")
# The same, telling besides what has been prepared.
TELLING = """
import logging, sys
from ziggurat.server.__main__ import main
logging.getLogger("ziggurat.server").setLevel("INFO")
sys.exit(main())
"""
COMPILED = 240.0
"""Seconds in which a slow machine has compiled everything."""


class Said:
    """What a process writes to its standard error, line by line, as it comes."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream = stream
        self.lines: list[str] = []
        self._ended = False
        self._news = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.stream:
            with self._news:
                self.lines.append(line)
                self._news.notify_all()
        with self._news:
            self._ended = True
            self._news.notify_all()

    def until(self, words: str) -> None:
        """Wait until a line holds these words."""
        with self._news:
            self._news.wait_for(lambda: self._ended or words in str(self), COMPILED)
        assert words in str(self), f"never said: {words}; but: {self}"

    def all(self) -> str:
        """Everything, once the process has ended."""
        self._reader.join()
        self.stream.close()
        return str(self)

    def __str__(self) -> str:
        return "".join(self.lines)


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], base: str, settings: Settings, said: Said) -> None:
        self.process = process
        self.base = base
        self.settings = settings
        self.said = said

    def until_advisers_are_ready(self, game: str) -> None:
        """Wait until the search of a game has been prepared, which a server with engines does besides."""
        self.said.until(f"{game} is ready for {SEARCHING.name}")

    async def in_database(self, job: Job[T]) -> T:
        """Do something in the database behind the server's back."""
        database = open_database(self.settings)
        try:
            return await database.transact(job)
        finally:
            await database.close()

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(10)

    def stop(self) -> None:
        """End it politely."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)


def launch(*arguments: str, python: tuple[str, ...] = SERVE, **environment: str) -> subprocess.Popen[str]:
    """Start `python -m ziggurat.server`, or something else that Python is told."""
    path = os.pathsep.join([str(SRC), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, *python, *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def server(
    data: Path, url: str | None = None, port: int = 0, *, engines: bool = False, **environment: str
) -> Iterator[Server]:
    """Run a server on a data folder, or on a PostgreSQL database; without ``engines`` it plays interpreted."""
    if not engines:
        environment["ZIGGURAT_PREPARE"] = "0"
    where = ["--database-url", url] if url else []
    python = ("-c", TELLING) if engines else SERVE
    process = launch("--port", str(port), "--data", str(data), *where, python=python, **environment)
    assert process.stdout is not None
    assert process.stderr is not None
    said = Said(process.stderr)
    line = process.stdout.readline()
    found = re.search(r"http://\S+?(?=/ )", line)
    assert found, f"{line!r} {said.all()}"
    running = Server(process, found.group(), Settings(data=data, database_url=url), said)
    try:
        yield running
    finally:
        running.stop()
        process.stdout.close()
    assert "unexpected" not in said.all(), str(said)
