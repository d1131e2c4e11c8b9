"""How well could anybody order the people of a simulated club? By all that the simulation knows but their strengths.

python -m benchmarks.best_order [--game architects] [--clubs 6] [--seed 1] [--ladders DIR]

The clubs are those of `benchmarks.clubs` whose results are drawn. An observer who knows the very rules by which people
are made, how they learn and how luck falls, and sees all results, can do no better than the mean of what is then likely
of each person: here from many samples of it (Metropolis, person by person). It bounds what a fit can reach that knows
nothing of the kind.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numba
import numpy as np
from benchmarks.clubs import (
    HALF_LEARNT,
    LEARNT_SHARE,
    POINTS_PER_LOGIT,
    Member,
    club,
    crowd_of,
    rank_correlation,
)

from ziggurat.server.features.levels.fit import CountedGame, fit
from ziggurat.server.features.levels.metre import ANCHORS_FILE, LUCK_POINTS, Metre, metre_of, read
from ziggurat.server.features.levels.rules import game_ids, is_sure

SWEEPS, BURNT = 30_000, 5000


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def _likelihood(
    game: int, begins: Any, who: Any, fixed: Any, before: Any, scales: Any, start: Any, gain: Any, half: Any
) -> float:
    """Return the logarithm of the chance of a game's order (Plackett-Luce: luck is Gumbel's)."""
    total, rest = 0.0, 0.0
    for at in range(begins[game + 1] - 1, begins[game] - 1, -1):
        one = who[at]
        strength = fixed[at]
        if one >= 0:
            strength = start[one] + gain[one] * before[at] / (before[at] + half[one])
        weighed = (strength - 1000.0) / scales[game]
        rest += math.exp(weighed)
        total += weighed - math.log(rest)
    return total


@numba.njit(cache=False)  # type: ignore[untyped-decorator]
def _sampled(
    begins: Any,
    who: Any,
    fixed: Any,
    before: Any,
    scales: Any,
    mine: Any,
    first: Any,
    played: Any,
    numbers: Any,
    seed: int,
) -> Any:
    """Return the mean of the last strength of everybody, over what is likely after all games."""
    np.random.seed(seed)
    mean, sigma, most, low, high, sweeps, burnt = numbers
    people = len(played)
    start, gain, half = np.full(people, mean), np.full(people, most / 2), np.full(people, (low + high) / 2)
    sums = np.zeros(people)
    for sweep in range(int(sweeps)):
        for one in range(people):
            old = start[one], gain[one], half[one]
            was = -0.5 * ((start[one] - mean) / sigma) ** 2
            for i in range(first[one], first[one + 1]):
                was += _likelihood(mine[i], begins, who, fixed, before, scales, start, gain, half)
            kind = sweep % 3
            if kind == 0:
                start[one] += np.random.normal() * sigma * 0.5
            elif kind == 1:  # as strong on the way, by learning more or less
                gain[one] = np.random.random() * most
                start[one] += 0.5 * (old[1] - gain[one])
            else:
                half[one] = low + np.random.random() * (high - low)
            now = -0.5 * ((start[one] - mean) / sigma) ** 2
            for i in range(first[one], first[one + 1]):
                now += _likelihood(mine[i], begins, who, fixed, before, scales, start, gain, half)
            if math.log(np.random.random()) > now - was:
                start[one], gain[one], half[one] = old
            if sweep >= burnt:
                sums[one] += start[one] + gain[one] * played[one] / (played[one] + half[one])
    return sums / (sweeps - burnt)


def best_guess(metre: Metre, games: Sequence[CountedGame], people: Sequence[Member], seed: int) -> list[float]:
    """Return what is the best guess of everybody's last strength, by the rules of the simulation and all results."""
    number = {one.id: i for i, one in enumerate(people)}
    played, mine = [0] * len(people), [[] for _ in people]  # type: ignore[var-annotated]
    begins, who, fixed, before, scales = [0], [], [], [], []
    for at, game in enumerate(games):
        for side in sorted(game.sides, key=lambda one: one.place):
            name = side.shares[0].who
            i = number.get(name, -1)
            who.append(i)
            fixed.append(0.0 if i >= 0 else metre.places[name[4:]])
            before.append(float(played[i]) if i >= 0 else 0.0)
            if i >= 0:
                mine[i].append(at)
                played[i] += 1
        begins.append(len(who))
        scales.append(POINTS_PER_LOGIT * metre.luck[game.players] / LUCK_POINTS)
    mean, sigma, span = crowd_of(metre)
    first = np.cumsum([0, *map(len, mine)])
    listed = np.array([at for some in mine for at in some])
    numbers = np.array([mean, sigma, LEARNT_SHARE * span / 2, *HALF_LEARNT, SWEEPS, BURNT])
    arrays = map(np.array, (begins, who, fixed, before, scales))
    return list(_sampled(*arrays, listed, first, np.array(played, dtype=float), numbers, seed))


def main() -> None:
    """Order the people of clubs, as well as can be and by the fit."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--game", action="append")
    parser.add_argument("--clubs", type=int, default=6)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--people", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ladders", type=Path, help="a folder with GAME/anchors.json (default: those of the games)")
    given = parser.parse_args()
    for game in given.game or game_ids():
        metre = read(game, (given.ladders / game / ANCHORS_FILE).read_bytes()) if given.ladders else metre_of(game)
        rows: list[list[float]] = []
        for seed in range(given.seed, given.seed + given.clubs):
            games, people = club(metre, given.people, given.games, random.Random(seed))
            best, known = best_guess(metre, games, people, seed), fit(games, metre)
            row = []
            for shown in (False, True):
                some = [
                    i
                    for i, one in enumerate(people)
                    if one.id in known and known[one.id].known and (not shown or is_sure(known[one.id], metre))
                ]
                true = [people[i].strength for i in some]
                by_fit = [known[people[i].id].final.mean for i in some]
                few = len(some) < 5
                row += [float(len(some))]
                row += [
                    math.nan if few else rank_correlation(guess, true) for guess in (by_fit, [best[i] for i in some])
                ]
            rows.append(row)
        columns = [[value for value in column if not math.isnan(value)] for column in zip(*rows, strict=True)]
        means = [statistics.fmean(column) if column else math.nan for column in columns]
        print(f"{game}: of {means[0]:.0f} by the fit {means[1]:.3f}, at best {means[2]:.3f};", end=" ")
        print(f"of the {means[3]:.0f} who are shown {means[4]:.3f}, at best {means[5]:.3f}", flush=True)


if __name__ == "__main__":
    main()
