"""The rules as everybody runs them: the other tests compile them so that every index is checked.

python -m tests.games.test_unchecked GAME PLAYERS GAMES     plays games and prints how they ended
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from tests import runs
from tests.games.backings import play_whole

import ziggurat

pytestmark = pytest.mark.slow


def ends(game: str, players: int, games: int) -> str:
    """How games at random and by the heuristic end: every byte of their results."""
    return play_whole(ziggurat.game(game), players, {}, games).tobytes().hex()


@runs.whole
def test_games_end_the_same_without_the_checks() -> None:
    game = next(iter(ziggurat.registered_games()))
    wanted = (game, "3", "60")
    unchecked = {name: value for name, value in os.environ.items() if name != "NUMBA_BOUNDSCHECK"}
    played = subprocess.run(
        [sys.executable, "-m", "tests.games.test_unchecked", *wanted],
        env=unchecked,
        capture_output=True,
        text=True,
        check=True,
    )
    assert played.stdout.strip() == ends(game, 3, 60)


if __name__ == "__main__":
    print(ends(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
