"""The compiled rules: compiled in a process of their own, loaded for the games that are played.

python -m ziggurat.server.services.compiled_rules fills the cache, and says what is there: a line for each program of a
game. It ends with its input.
"""

from __future__ import annotations

import asyncio
import atexit
import gc
import logging
import os
import subprocess
import sys
import threading

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.runtime import PLAYING, is_compiled, prepare
from ziggurat.server.settings import Settings

# Seconds: the first page shall not wait for the compiler.
HEAD_START = 1.5
# Objects, and collections of younger ones, after which garbage is collected. A thousand cost up to a millisecond, for
# which everybody waits: a visitor who leaves many behind must not make it fifty. What has survived once is hardly ever
# garbage, and is looked at by `housekeeping` alone: of a thousand tables it takes half a second.
GARBAGE_THRESHOLDS = (1_000, 1_000_000, 1_000_000)
COMPILER_COMMAND = [sys.executable, "-m", "ziggurat.server.services.compiled_rules"]
"""The process that fills the cache, and says what is there."""
log = logging.getLogger("ziggurat.server")


class CompiledRules:
    """The compiled rules of this worker. A table plays interpreted, without searching, until its rules are loaded."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._compiled: set[tuple[str, str]] = set()
        self._wanted: set[str] = set()
        self._loaded: set[str] = set()
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._compiler: subprocess.Popen[str] | None = None

    async def open(self) -> None:
        """Preload what the first table of any game needs, so that no visitor's share pays for it. Start to fill the
        cache."""
        await asyncio.to_thread(_deal_each)
        if self.settings.prepare:
            gc.set_threshold(*GARBAGE_THRESHOLDS)
            gc.collect()
            gc.freeze()
            threading.Thread(target=self._fill, name="compile", daemon=True).start()

    async def close(self) -> None:
        """Load nothing more, and end a compiler process that still runs."""
        self._closed.set()
        if self._compiler is not None:
            self._compiler.kill()

    def can_search(self, game: str) -> bool:
        """Whether the search of a game is compiled, so that search processes load it within a second."""
        return (game, SEARCHING.name) in self._compiled

    def use(self, game: str) -> None:
        """Load the rules of a game that is played here, once they are compiled; returns at once."""
        if game not in self._wanted:
            self._wanted.add(game)
            self._load(game)

    def _load(self, game: str) -> None:
        with self._lock:
            ready = game in self._wanted and (game, PLAYING.name) in self._compiled and game not in self._loaded
            if ready:
                self._loaded.add(game)
        if ready:
            threading.Thread(target=_loaded, args=(game,), name=f"load {game}", daemon=True).start()

    def _fill(self) -> None:
        if self._closed.wait(HEAD_START):
            return
        process = self._compiler = subprocess.Popen(
            COMPILER_COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        if hasattr(os, "setpriority"):
            os.setpriority(os.PRIO_PROCESS, process.pid, 5)
        atexit.register(process.kill)
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                game, program, trouble = line.rstrip("\n").split("\t")
                if trouble:
                    # The tables go on interpreted, and bots without searching.
                    log.warning("%s could not be prepared (%s)", game, trouble)
                    continue
                self._compiled.add((game, program))
                self._load(game)
                log.info("%s is ready for %s", game, program)
        atexit.unregister(process.kill)


def _deal_each() -> None:
    """Deal a table of each game to warm up: imports and caches of first use are there from then on."""
    for game in ziggurat.registered_games().values():
        try:
            position = ziggurat.new(game.id, players=game.min_players)
            position.view(None)
            position.decision(position.actors[0])
        except Exception as error:  # the one who makes a table is told
            log.warning("%s could not be dealt (%s)", game.id, type(error).__name__)


def _loaded(game: str) -> None:
    try:
        prepare(ziggurat.game(game))
    except Exception as error:  # the tables go on interpreted
        log.warning("%s could not be loaded (%s)", game, type(error).__name__)
    # What stays need not be looked at by every collection of garbage: people waited a tenth of a second for that.
    gc.freeze()


def until_the_server_ends() -> None:
    """End this process with the server, also when that was killed: our input ends with it."""
    # Not by `sys.stdin`, whose lock would be held when the compiler itself has come to its end.
    while os.read(0, 1024):
        pass
    os._exit(1)


def main() -> None:
    """Compile the programs that the cache lacks, one after the other."""
    threading.Thread(target=until_the_server_ends, daemon=True).start()
    # Everybody plays first, then bots search.
    for program in (PLAYING, SEARCHING):
        for game in ziggurat.registered_games().values():
            trouble = ""
            try:
                if not is_compiled(game, program):
                    prepare(game, program=program)
            except Exception as error:
                trouble = type(error).__name__
            try:
                print(game.id, program.name, trouble, sep="\t", flush=True)
            except BrokenPipeError:  # the server was killed; at a usual end Python would complain that nobody reads
                os._exit(1)


if __name__ == "__main__":
    main()
