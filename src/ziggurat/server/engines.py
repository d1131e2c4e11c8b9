"""Preparing the compiled rules while the tables play interpreted."""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import time

import ziggurat
from ziggurat.core.registry import games
from ziggurat.core.runtime import is_compiled

# Seconds: the first page shall not wait for Numba to be imported.
HEAD_START = 1.5
log = logging.getLogger("ziggurat.server")


def _compile_apart(game: ziggurat.Game) -> None:
    """Fill the cache from a process of its own: the compiler would hold this one up for its whole 20 seconds."""
    program = "import sys, ziggurat; ziggurat.prepare(sys.argv[1])"
    process = subprocess.Popen(
        [sys.executable, "-c", program, game.id],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, process.pid, 5)
    atexit.register(process.kill)
    process.wait()
    atexit.unregister(process.kill)


def prepare_all() -> None:
    """Prepare the compiled rules of every game; tables that run already change over with their next move."""
    time.sleep(HEAD_START)
    for game in games().values():
        try:
            if not is_compiled(game):
                _compile_apart(game)
            ziggurat.prepare(game)
        except Exception as error:
            # The tables go on interpreted: slower for bots, the same for people.
            log.warning("the fast rules of %s could not be prepared (%s)", game.id, type(error).__name__)
