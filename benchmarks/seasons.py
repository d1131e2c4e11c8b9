"""Seasons of many people in virtual time: whether anybody waits or plays twice at once, and what it costs.

    python -m benchmarks.seasons               1,000 people, thirteen weeks, in divisions and by Swiss rounds
    python -m benchmarks.seasons --meetings    how nearly all meet all, against the best that can be

People are absent, do not come, come late and leave by chance; their games are made up. Draws, openings, ends, points
and places are those of the service.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from itertools import combinations

from tests.example import EXAMPLE
from tests.server.features.seasons.virtual import VirtualSeason, must_hold, weeks

from ziggurat.server.features.seasons.schedule import pair
from ziggurat.server.features.seasons.state import Opened, SeasonState
from ziggurat.server.features.seasons.terms import SeasonGame

HABITS = (0.1, 0.08, 0.05, 0.004)
MEETINGS = ((8, 4, 7), (9, 3, 4), (12, 4, 6), (12, 3, 5), (15, 3, 7), (16, 4, 5), (20, 4, 6), (20, 5, 5), (24, 4, 13))
"""People, seats of a table, and rounds."""


def many(people: int, rounds: int, pairing: str, play: str, seed: int) -> None:
    """Play a season, check that it holds, and tell what it was like."""
    stage = 4 if pairing == "divisions" else 0
    season = VirtualSeason(weeks(rounds, pairing=pairing, play=play, stage=stage), people, seed=seed, habits=HABITS)
    began, times = time.process_time(), list[float]()

    def watch(state: SeasonState) -> None:
        nonlocal began
        times.append(time.process_time() - began)
        began = time.process_time()
        print(f"  round {state.round}: {len(state.draws[-1].tables)} tables, {times[-1]:.1f} s", flush=True)

    season.watch = watch
    must_hold(season.play())
    opened = [event for event in season.events if isinstance(event, Opened)]
    late = sum(0 in event.seats for event in opened)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{pairing}, {play}: {len(season.state.people)} people, {rounds} rounds, {len(opened)} tables,")
    print(f"  {late} of them with a bot, {len(season.events):,} events; all ended, nobody played twice at once,")
    print(f"  no table waited longer than {season.terms.wait} s")
    print(f"  {sum(times):.0f} s of processor, {max(times):.1f} s the longest draw, {memory:.0f} MB")


def least(people: int, size: int, rounds: int) -> int:
    """Return the least that meeting again can cost: the sum of m(m-1) over all pairs, were all as equal as can be."""
    meetings, pairs = rounds * people * (size - 1) // 2, people * (people - 1) // 2
    each, more = divmod(meetings, pairs)
    return more * (each + 1) * each + (pairs - more) * each * (each - 1)


def meetings(seeds: int) -> None:
    """Tell how nearly all meet all."""
    print("people seats rounds   never met  once  twice  more   sum of m(m-1), least   seconds")
    for people, size, rounds in MEETINGS:
        for seed in range(1, seeds + 1):
            began = time.process_time()
            terms = weeks(rounds, games=(SeasonGame(EXAMPLE, (size,)),), division=24)
            state = VirtualSeason(terms, people, seed=seed, habits=(0.0, 0.0, 0.0, 0.0)).play().state
            met = Counter(state.met.get(pair(a, b), 0) for a, b in combinations(range(1, people + 1), 2))
            cost = sum(m * (m - 1) * count for m, count in met.items())
            more = sum(count for m, count in met.items() if m > 2)
            print(
                f"{people:6} {size:5} {rounds:6}   {met[0]:9} {met[1]:5} {met[2]:6} {more:5}   {cost:13} "
                f"{least(people, size, rounds):6}   {time.process_time() - began:7.1f}",
                flush=True,
            )


def main() -> int:
    """Run what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=13)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairing", nargs="*", default=["divisions", "swiss"])
    parser.add_argument("--play", default="evenings", choices=["evenings", "days", "mixed"])
    parser.add_argument("--meetings", action="store_true", help="how nearly all meet all")
    chosen = parser.parse_args()
    if chosen.meetings:
        meetings(2)
        return 0
    for pairing in chosen.pairing:
        many(chosen.people, chosen.rounds, pairing, chosen.play, chosen.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
