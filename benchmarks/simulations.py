"""What simulated games cost: alone, with all that is known of each of them, and played in Python, for every game.

    python -m benchmarks.simulations [--players N] [--games N]

Games per second of processor time on one core; runs take turns, and the best of each counts.
"""

from __future__ import annotations

import argparse
import json
import time
from typing import Any

import ziggurat
from ziggurat.lab.bench import machine
from ziggurat.lab.record import RecordedGames
from ziggurat.lab.simulate import Simulation

TURNS = 3


def rate(wanted: Simulation, games: int, compiled: bool = True) -> float:
    """Games per second."""
    began, played = time.process_time(), 0
    for batch in wanted.batches(games) if compiled else [RecordedGames(wanted).batch((0, games))]:
        played += len(batch.scores)
    return played / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=2000)
    chosen = parser.parse_args()
    results: list[dict[str, Any]] = []
    for game in ziggurat.registered_games():
        for bot in ("random", "greedy"):
            bots = [bot] * chosen.players
            alone, told = (Simulation.of(game, bots, 1, facts=facts) for facts in (False, True))
            rate(told, 100)
            best = {"alone": 0.0, "with_facts": 0.0, "in_python": 0.0}
            for _ in range(TURNS):
                best["alone"] = max(best["alone"], rate(alone, chosen.games))
                best["with_facts"] = max(best["with_facts"], rate(told, chosen.games))
                best["in_python"] = max(best["in_python"], rate(alone, chosen.games // 20, compiled=False))
            times = {"times_as_long": round(best["alone"] / best["with_facts"], 2)}
            results.append({"game": game, "bot": bot, **{name: round(value) for name, value in best.items()}, **times})
    print(json.dumps({"machine": machine(), "players": chosen.players, "games_per_second": results}, indent=2))


if __name__ == "__main__":
    main()
