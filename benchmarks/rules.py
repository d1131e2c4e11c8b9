"""How fast the rules run: the same as ``ziggurat bench --json``, for one game and one number of players.

python benchmarks/rules.py [GAME [PLAYERS]]
"""

from __future__ import annotations

import sys

import ziggurat
from ziggurat.lab.bench import measure, prepare_seconds, report


def main() -> None:
    game = ziggurat.game(sys.argv[1] if len(sys.argv) > 1 else next(iter(ziggurat.registered_games())))
    players = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    print(report([measure(game, players, prepare_seconds(game))]))


if __name__ == "__main__":
    main()
