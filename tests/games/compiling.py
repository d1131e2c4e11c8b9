"""python -m tests.games.compiling GAME     compiles its rules and the search for the tests, which find them ready."""

from __future__ import annotations

import sys

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.runtime import PLAYING, prepare

if __name__ == "__main__":
    for program in (PLAYING, SEARCHING):
        prepare(ziggurat.game(sys.argv[1]), program=program)
