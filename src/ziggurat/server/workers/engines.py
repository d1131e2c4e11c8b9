"""Preparing the compiled rules while the tables play interpreted."""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.runtime import PLAYING, Program, is_compiled, prepare

# Seconds: the first page shall not wait for Numba to be imported.
HEAD_START = 1.5
PROGRAMS = (PLAYING, SEARCHING)
log = logging.getLogger("ziggurat.server")


# What a process of its own is told to compile; it says what is done.
_COMPILE = """
import sys, ziggurat
from ziggurat.core.runtime import prepare
from ziggurat.server.workers.engines import PROGRAMS
for program in PROGRAMS:
    prepare(ziggurat.game(sys.argv[1]), program=program)
    print(program.name, flush=True)
"""


def _compiled(game: ziggurat.Game) -> Iterator[Program]:
    """The programs of a game as they are in the cache; a process of its own fills it.

    The compiler would hold this one up for its whole 20 seconds.
    """
    if all(is_compiled(game, program) for program in PROGRAMS):
        yield from PROGRAMS
        return
    process = subprocess.Popen(
        [sys.executable, "-c", _COMPILE, game.id],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, process.pid, 5)
    atexit.register(process.kill)
    with process:
        assert process.stdout is not None
        for program, _ in zip(PROGRAMS, process.stdout, strict=False):
            yield program
    atexit.unregister(process.kill)
    if process.returncode:
        raise ChildProcessError(f"the compiler ended with {process.returncode}")


def prepare_all() -> None:
    """Prepare the compiled rules of every game; tables that run already change over with their next move."""
    time.sleep(HEAD_START)
    for game in ziggurat.games().values():
        try:
            for program in _compiled(game):
                prepare(game, program=program)
                log.info("%s is ready for %s", game.id, program.name)
        except Exception as error:
            # The tables go on interpreted, and bots without searching.
            log.warning("%s could not be prepared (%s)", game.id, type(error).__name__)
