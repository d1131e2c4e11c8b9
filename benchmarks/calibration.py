"""Of the positions in which a bot says that somebody wins with 70 %, how many are won?

    python -m benchmarks.calibration alhambra --positions 5000 --players 2

The games are played by a search of ``--iterations``; some of the decisions are looked at, by the network alone and by a
search of 200 iterations, and what is said of every seat is compared with how the game ended.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np

from ziggurat.bots import SearchConfig
from ziggurat.lab.learn.chances import Calibration, CalibrationSample, best, log_loss
from ziggurat.lab.work import cores, in_order

TENTHS = 10


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=60, help="of the bots that play (default: 60)")
    parser.add_argument("--network", default="", help="a file (default: that of the game)")
    parser.add_argument("--every", type=int, default=4, help="one decision of so many is looked at (default: 4)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=cores())
    options = parser.parse_args()
    factory = Calibration(
        options.game,
        options.seed.encode(),
        (options.players,),
        options.iterations,
        options.every,
        SearchConfig(network=options.network),
    )
    rows: list[CalibrationSample] = []
    games = 0
    found = in_order(factory, range(options.positions), options.workers)
    for some in found:
        rows += some
        games += 1
        if sys.stderr.isatty():
            print(f"\r{len(rows)} of {options.positions}", end="", file=sys.stderr, flush=True)
        if len(rows) >= options.positions:
            break
    found.close()
    table = np.concatenate([np.transpose(one) for one in rows])
    print(f"{options.game}, {options.players} players, {len(rows)} positions of {games} games")
    print("   stated   |  network: cases  mean  won |  search: cases  mean  won")
    for tenth in range(TENTHS):
        line = f"{tenth * 10:3} to {tenth * 10 + 10:3} % |"
        for column in (0, 1):
            of = table[np.minimum((table[:, column] * TENTHS).astype(int), TENTHS - 1) == tenth]
            said, won = (100 * of[:, column].mean(), 100 * of[:, 2].mean()) if len(of) else (0.0, 0.0)
            line += f" {len(of):14,} {said:5.1f} {won:5.1f} |"
        print(line)
    print(f"the log loss is least at {best(log_loss(rows)):.3f} times the temperature of its file")


if __name__ == "__main__":
    main()
