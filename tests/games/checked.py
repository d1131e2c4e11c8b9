"""Whole games with rules compiled so that every index is checked.

python -m tests.games.checked GAME      compiles them beside the usual ones and the search, for the tests to find
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING
from ziggurat.core.engine import RESULT
from ziggurat.core.game import Game
from ziggurat.core.position import generator
from ziggurat.core.runtime import PLAYING, Runtime, prepare
from ziggurat.core.trace import new_outs, new_trace

DECISIONS = 9000
WITHOUT_STEPS = replace(PLAYING, name="checked", kernels={name: PLAYING.kernels[name] for name in ("call", "games")})
"""Whole games play all that a step does; another way in would take its time to compile."""


def checked_rules(game: Game) -> Runtime:
    """Compile, or load what another process has compiled."""
    runtime = Runtime(game, WITHOUT_STEPS)
    runtime.prepare(boundscheck=True)
    return runtime


def play_checked(rules: Runtime, players: int, options: Mapping[str, str], games: int) -> None:
    """Seats play at random and by the heuristic in turn; every game ends, and nobody has less than nothing."""
    game = rules.game
    states = np.zeros(3, dtype=game.record)
    states[0] = game.template(game.components.values, players, game.check_setup(players, options))[0]
    results = np.zeros(games, dtype=RESULT)
    unfinished = rules.kernels["games"](
        states,
        generator(players),
        np.arange(players, dtype=np.int64) % 2,
        new_trace(),
        new_outs([game.weight_values] * players),
        np.zeros(1, dtype=np.int64),
        results,
        games,
        0,
        DECISIONS,
    )
    assert unfinished == 0
    assert results["score"].min() >= 0


if __name__ == "__main__":
    chosen = ziggurat.game(sys.argv[1])
    for program in (PLAYING, SEARCHING):
        prepare(chosen, program=program)
    checked_rules(chosen)
