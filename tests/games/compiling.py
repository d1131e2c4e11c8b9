"""Compiling for the tests, once: they find their programs ready.

python -m tests.games.compiling GAME          what `./test` needs
python -m tests.games.compiling GAME --all    what `./test --all` needs
"""

from __future__ import annotations

import sys
import threading
import time

from tests.example import EXAMPLE, SHORT

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.bots.contest import CONTESTING
from ziggurat.core.many import MANY
from ziggurat.core.runtime import GAMES, LOG, PLAYING, marker, prepare
from ziggurat.server.services.compiled_rules import until_the_server_ends

PROGRAMS = (PLAYING, GAMES, LOG)
DEAR = {MANY.name: {EXAMPLE}, SEARCHING.name: {EXAMPLE, SHORT}, CONTESTING.name: {SHORT}}
"""Programs that take most of the time, and the games for which every change has them."""


def compile_for_tests(game: str, *, whole: bool) -> None:
    """Fill the cache."""
    for program in (*PROGRAMS, MANY, SEARCHING, CONTESTING):
        if whole or game in DEAR.get(program.name, {game}):
            prepare(ziggurat.game(game), program=program)


def say_what_is_there() -> None:
    """What servers of the tests run instead of their compiler, which would fill the processors beside the tests for
    games that no test asks a server about."""
    threading.Thread(target=until_the_server_ends, daemon=True).start()
    games = ziggurat.registered_games().values()
    left = {marker(game, program): (game, program) for program in (PLAYING, SEARCHING) for game in games}
    while left:
        for file in [file for file in left if file.exists()]:
            game, program = left.pop(file)
            print(game.id, program.name, "", sep="\t", flush=True)
        time.sleep(0.2)


if __name__ == "__main__":
    compile_for_tests(sys.argv[1], whole="--all" in sys.argv)
