"""Preparing the compiled rules while the tables play interpreted."""

from __future__ import annotations

import atexit
import logging
import os
import subprocess
import sys
import time

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.registry import games
from ziggurat.core.runtime import PLAYING, Program, is_compiled, prepare

# Seconds: the first page shall not wait for Numba to be imported.
HEAD_START = 1.5
log = logging.getLogger("ziggurat.server")


# What a process of its own is told to compile.
_COMPILE = """
import sys, ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.runtime import PLAYING, prepare
prepare(ziggurat.game(sys.argv[1]), program={"rules": PLAYING, "search": SEARCHING}[sys.argv[2]])
"""


def _compile_apart(game: ziggurat.Game, program: Program) -> None:
    """Fill the cache from a process of its own: the compiler would hold this one up for its whole 20 seconds."""
    process = subprocess.Popen(
        [sys.executable, "-c", _COMPILE, game.id, program.name],
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
    for program in (PLAYING, SEARCHING):  # first what every table needs
        for game in games().values():
            try:
                if not is_compiled(game, program):
                    _compile_apart(game, program)
                prepare(game, program=program)
            except Exception as error:
                # The tables go on interpreted, and bots without searching.
                log.warning("the %s of %s could not be prepared (%s)", program.name, game.id, type(error).__name__)
