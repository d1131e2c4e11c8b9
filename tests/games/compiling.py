"""python -m tests.games.compiling GAME     compiles its programs for the tests, which find them ready."""

from __future__ import annotations

import sys

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.many import MANY
from ziggurat.core.runtime import GAMES, LOG, PLAYING, prepare

if __name__ == "__main__":
    for program in (PLAYING, GAMES, LOG, MANY, SEARCHING):
        prepare(ziggurat.game(sys.argv[1]), program=program)
