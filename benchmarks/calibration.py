"""Of the positions in which a bot says that somebody wins with 70 %, how many are won?

    python -m benchmarks.calibration alhambra --positions 5000 --players 2

The games are played by a search of ``--iterations``; some of the decisions are looked at, by the network alone and by a
search, and what is said of every seat is compared with how the game ended.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Belief, Budget, SearchBot, Searcher, decide
from ziggurat.bots.learned import network_of
from ziggurat.bots.oracle import Oracle
from ziggurat.core.runtime import prepare
from ziggurat.lab.work import cores, in_order

TENTHS = 10


@dataclass(frozen=True)
class Games:
    """Makes what plays a game and tells what was stated on the way: rows of (network, search, won)."""

    game: str
    players: int
    iterations: int
    looks: int
    every: int
    seed: str

    def __call__(self) -> Callable[[int], list[tuple[float, float, float]]]:
        game = ziggurat.prepare(self.game).game
        prepare(game, program=SEARCHING)
        oracle = Oracle(game, network_of(game))

        def play(number: int) -> list[tuple[float, float, float]]:
            key = hashlib.sha256(f"{self.seed} calibration {number}".encode()).digest()
            position, rng = ziggurat.new(game, self.players, seed=key), ziggurat.generator(key[::-1])
            chance = np.random.default_rng(list(key))
            bots = [SearchBot(game, Budget(self.iterations)) for _ in range(self.players)]
            stated: list[tuple[np.ndarray, list[float]]] = []
            while position.actors:
                seat = position.actors[0]
                if len(position.legal(seat)) > 1 and chance.random() < 1 / self.every:
                    searcher = Searcher(game)
                    searcher.think(Belief(position, seat, rng), Budget(self.looks), rng)
                    seen = [oracle.evaluate(position.redeal(seat, rng)).win for _ in range(8)]
                    stated.append((np.mean(seen, axis=0), searcher.chances))
                position.play_all(seat, decide(position, seat, bots[seat], rng))
            won = [1 / len(position.winners) if seat in position.winners else 0.0 for seat in range(self.players)]
            return [(float(net[seat]), found[seat], won[seat]) for net, found in stated for seat in range(self.players)]

        return play


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=5000)
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=60, help="of the bots that play (default: 60)")
    parser.add_argument(
        "--looks", type=int, default=200, help="iterations of a search that states chances (default: 200)"
    )
    parser.add_argument("--every", type=int, default=4, help="one decision of so many is looked at (default: 4)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=cores())
    options = parser.parse_args()
    maker = Games(options.game, options.players, options.iterations, options.looks, options.every, options.seed)
    rows: list[tuple[float, float, float]] = []
    games, positions = 0, 0
    found = in_order(maker, range(options.positions), options.workers)
    for some in found:
        rows += some
        games += 1
        positions += len(some) // options.players
        if sys.stderr.isatty():
            print(f"\r{positions} of {options.positions}", end="", file=sys.stderr, flush=True)
        if positions >= options.positions:
            break
    found.close()
    table = np.array(rows)
    print(f"{options.game}, {options.players} players, {positions} positions of {games} games")
    print("   stated   |  network: cases  mean  won |  search: cases  mean  won")
    for tenth in range(TENTHS):
        line = f"{tenth * 10:3} to {tenth * 10 + 10:3} % |"
        for column in (0, 1):
            of = table[np.minimum((table[:, column] * TENTHS).astype(int), TENTHS - 1) == tenth]
            said, won = (100 * of[:, column].mean(), 100 * of[:, 2].mean()) if len(of) else (0.0, 0.0)
            line += f" {len(of):14,} {said:5.1f} {won:5.1f} |"
        print(line)


if __name__ == "__main__":
    main()
