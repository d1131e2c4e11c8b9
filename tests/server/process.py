"""The server as a real process, on this machine only, ended by its pid."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ziggurat.server.settings import Settings
from ziggurat.server.store.engine import Job, T, open_database

SRC = Path(__file__).parents[2] / "src"


class Server:
    """A running server."""

    def __init__(self, process: subprocess.Popen[str], base: str, settings: Settings) -> None:
        self.process = process
        self.base = base
        self.settings = settings

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


def launch(
    *arguments: str, module: str = "ziggurat.server", stderr: Any = subprocess.PIPE, **environment: str
) -> subprocess.Popen[str]:
    """Start `python -m ziggurat.server`, or another module."""
    path = os.pathsep.join([str(SRC), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-m", module, *arguments],
        env={**os.environ, "PYTHONPATH": path, **environment},
        stdout=subprocess.PIPE,
        stderr=stderr,
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
    errors = data / "errors.txt"
    data.mkdir(parents=True, exist_ok=True)
    with errors.open("a") as stderr:
        process = launch("--port", str(port), "--data", str(data), *where, stderr=stderr, **environment)
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://\S+?(?=/ )", line)
        assert found, f"{line!r} {errors.read_text()}"
        running = Server(process, found.group(), Settings(data=data, database_url=url))
        try:
            yield running
        finally:
            running.stop()
            process.stdout.close()
    assert "unexpected" not in errors.read_text(), errors.read_text()
