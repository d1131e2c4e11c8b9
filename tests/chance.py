"""What chance deals to a test is the same every time: no test hangs on luck, and what fails once fails again.

Cards, and what bots choose who draw, follow from the name of the test and from how much was drawn in it before. With
`./test --deals N` all tests that leave their deals to chance get other ones.
"""

from __future__ import annotations

import os
import secrets
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from hashlib import shake_256
from pathlib import Path
from threading import Lock

NOW = "TEST_THAT_RUNS"
"""Where the name of the test is written that runs: a server of several tests reads it there."""
DEALS = "TEST_DEALS"
"""Where it is written which deals were asked for."""
REAL = secrets.token_bytes
DEALING = ("ziggurat.core.seed", "ziggurat.server.domain.start")
"""The modules that draw what deals follow from."""


def begin(deals: str) -> None:
    """Let the games of this process, and of the servers that it starts, follow from the tests' names."""
    os.environ[DEALS] = deals
    handle, path = tempfile.mkstemp(prefix="ziggurat-test-")
    os.close(handle)
    os.environ[NOW] = path
    follow(Path(path))
    tell(deals, "")


def end() -> None:
    """Leave nothing behind."""
    if path := os.environ.pop(NOW, ""):
        Path(path).unlink(missing_ok=True)


def tell(deals: str, test: str) -> None:
    """Say which test begins. At once: a bot of the last one may still be drawing."""
    path = Path(os.environ[NOW])
    beside = path.with_name(f"{path.name}.next")
    beside.write_text(f"{deals} {test}", encoding="utf-8")
    beside.replace(path)


def follow(now: Path) -> None:
    """Let this process draw what follows from the test that runs."""
    drawers = {module: _drawer(module, now) for module in DEALING}

    def token_bytes(nbytes: int | None = None) -> bytes:
        drawer = drawers.get(sys._getframe(1).f_globals["__name__"])
        return drawer(nbytes) if drawer and nbytes else REAL(nbytes)

    secrets.token_bytes = token_bytes


def _drawer(module: str, now: Path) -> Callable[[int], bytes]:
    """What draws for one module: a bot that still thinks changes no deal."""
    drawn: Counter[str] = Counter()
    lock = Lock()

    def token_bytes(number: int) -> bytes:
        with lock:
            test = now.read_text(encoding="utf-8")
            drawn[test] += 1
            return shake_256(f"{module} {test} {drawn[test]}".encode()).digest(number)

    return token_bytes
