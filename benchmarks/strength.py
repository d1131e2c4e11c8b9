"""One bot against another at equal processor time, every deal twice with the chairs changed.

    python -m benchmarks.strength alhambra --players 2 --games 400 --bots search:0.1s,classic:0.1s

Seconds are processor time of the thread that searches, so that a busy machine is no advantage to either. Bots sit at
every second chair. Printed is the first one's part of the wins of a chair beside that of the other (one half when both
are alike), with its 95 % interval over deals, and what a move cost on average.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import ziggurat
from ziggurat.bots import SEARCHING, Searcher, decide
from ziggurat.bots.entrants import entrants
from ziggurat.core.runtime import prepare
from ziggurat.lab.work import cores, in_order


@dataclass(frozen=True)
class Deals:
    """Makes what plays a deal: every chair is taken by the one, then by the other. See ``ziggurat.lab.work``."""

    game: str
    players: int
    bots: tuple[str, str]
    seed: str
    options: dict[str, str] = field(default_factory=dict)

    def __call__(self) -> Callable[[int], tuple[float, list[float], list[int]]]:
        game = ziggurat.prepare(self.game).game
        both = entrants(self.bots, game)
        if any(one.searches for one in both):
            prepare(game, program=SEARCHING)
        setattr(Searcher, "clock", staticmethod(time.thread_time))  # noqa: B010

        def play(deal: int) -> tuple[float, list[float], list[int]]:
            key = hashlib.sha256(f"{self.seed} {deal}".encode()).digest()
            parts = [0.0, 0.0]
            spent, moves = [0.0, 0.0], [0, 0]
            for side in (0, 1):
                position = ziggurat.new(game, self.players, seed=key, options=self.options)
                rng = ziggurat.generator(hashlib.sha256(key + bytes([side])).digest())
                who = [(seat + side) % 2 for seat in range(self.players)]
                bots = [both[one].bot() for one in who]
                while position.actors:
                    seat = position.actors[0]
                    begun = time.thread_time()
                    position.play_all(seat, decide(position, seat, bots[seat], rng))
                    spent[who[seat]] += time.thread_time() - begun
                    moves[who[seat]] += 1
                won = position.winners
                for one in (0, 1):
                    chairs = [seat for seat in range(self.players) if who[seat] == one]
                    share = sum(1 / len(won) for seat in chairs if seat in won)
                    parts[one] += share / max(1, len(chairs))
            return parts[0] / (sum(parts) or 1.0), spent, moves

        return play


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=400, help="two for every deal (default: 400)")
    parser.add_argument("--bots", default="search:0.1s,classic:0.1s", help="two, with commas between them")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--workers", type=int, default=cores())
    parser.add_argument("--json", action="store_true", help="print JSON instead of a line")
    options = parser.parse_args()
    first, second = options.bots.split(",")
    factory = Deals(options.game, options.players, (first, second), options.seed)
    shares, spent, moves = [], np.zeros(2), np.zeros(2)
    for share, seconds, number in in_order(factory, range(options.games // 2), options.workers):
        shares.append(share)
        spent += seconds
        moves += number
        if sys.stderr.isatty():
            print(f"\r{2 * len(shares)} of {options.games}", end="", file=sys.stderr, flush=True)
    mean, error = float(np.mean(shares)), 1.96 * float(np.std(shares, ddof=1)) / math.sqrt(len(shares))
    each = (spent / np.maximum(moves, 1)).tolist()
    if options.json:
        found = {"share": mean, "low": mean - error, "high": mean + error, "games": 2 * len(shares), "seconds": each}
        print(json.dumps(vars(options) | found))
        return
    print(
        f"{options.game}, {options.players} players, {first} against {second}: {mean:.1%} "
        f"({mean - error:.1%} to {mean + error:.1%}) of {2 * len(shares)} games; "
        f"a move takes {1000 * each[0]:.1f} and {1000 * each[1]:.1f} ms"
    )


if __name__ == "__main__":
    main()
