"""The compiled rules of Alhambra beside the same rules in hand-written C++: the same games first, then the speed.

    python benchmarks/games/alhambra/native.py [PLAYERS [GAMES]]

Needs g++. Both play at random on one core; runs take turns and the best of each counts, in processor time.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import ziggurat
from ziggurat.lab import batches
from ziggurat.lab.bench import kernel_rate, machine

SOURCE = Path(__file__).with_name("alhambra.cpp")
TURNS = 6


def kernel_games(players: int, games: int) -> tuple[int, int]:
    """Decisions, and the scores weighted by game and seat, as the C++ program adds them up."""
    decisions = points = 0
    for batch in batches("alhambra", ["random"] * players, games=games, seed=1):
        decisions += int(batch.decisions.sum())
        number = (np.arange(len(batch.scores)) + batch.first) % 1000 + 1
        points += int((batch.by_seat().scores * (np.arange(players) + 1) * number[:, None]).sum())
    return decisions, points


def main() -> None:
    players = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    games = int(sys.argv[2]) if len(sys.argv) > 2 else 5000
    compiler = shutil.which("g++")
    if compiler is None:
        sys.exit("g++ is needed to compile the C++ program")
    game = ziggurat.game("alhambra")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "alhambra")
        options = ["-std=c++17", "-O3"]
        subprocess.run([compiler, *options, "-o", str(program), str(SOURCE)], check=True)

        def native() -> list[int]:
            command = [str(program), str(players), str(games), "3"]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            return [int(number) for number in done.stdout.split()]

        played = tuple(native()[:2])
        if played != kernel_games(players, games):
            sys.exit(f"the two play different games: {played} and {kernel_games(players, games)}")
        kernel_best = native_best = 0.0
        for _ in range(TURNS):
            kernel_best = max(kernel_best, kernel_rate(game, players, runs=3)[0])
            native_best = max(native_best, native()[2])
    figures = {
        "players": players,
        "games_compared": games,
        "kernel_decisions_per_second": round(kernel_best),
        "native_decisions_per_second": round(native_best),
        "ratio": round(kernel_best / native_best, 3),
    }
    print(json.dumps({"machine": machine(), "results": [figures]}, indent=2))


if __name__ == "__main__":
    main()
