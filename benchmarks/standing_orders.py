"""What moves written ahead save, and whether they cost strength: bots of one level as people at a table by days.

    python -m benchmarks.standing_orders alhambra --players 3 --games 400 --level builder

Everybody plays by the same level. Some also write moves ahead: whenever they have moved themselves and wait for others,
they deal again what they do not see (`redeal`), let the others and themselves play on from there as they would, and
list what they would do most often: for each question that may be put to them, up to so many whole moves in order. A
move is listed where it would be the choice often enough among the cases in which it would be played; what depends on
what comes is left to be asked. When a question comes, the first move of the list that names what can be done now is
played (`ziggurat.core.meant`), otherwise the person has to come.

A wait is a question for which a person has to come: not one that follows from their own move while they are there, nor
one that the rules leave no choice (`Position.imposed`). Waits are counted in games in which all write and in which
nobody does. Strength is that of one seat that writes among others that do not, against its share of the wins where
nobody writes; each deal is played once with the writer on each seat.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field

import msgspec
import numpy as np

import ziggurat
from ziggurat.bots import decide
from ziggurat.bots.belief import Bot
from ziggurat.bots.levels import bot, searches
from ziggurat.bots.simple import GreedyBot
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.meant import MeantMove, first_found, found, meant
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.lab.loop import win_shares

MOST_ORDERS = 12
MOST_MOVES_AHEAD = 60
"""Moves that are imagined until the next own question."""


@dataclass
class Writing:
    """How a person writes moves ahead.

    Attributes:
        worlds: how often what they do not see is dealt again.
        questions: so many of the own questions that come next are thought of in each of them.
        risk: a move is listed where it would be the choice more often than not chosen, times this.
        most: moves of a list.
        least: worlds in which a move is chosen, at least, if it is listed.
    """

    worlds: int = 16
    questions: int = 2
    risk: float = 1.0
    most: int = MOST_ORDERS
    least: int = 1


@dataclass
class Case:
    """A question as it may come: the position, and what would be chosen."""

    position: Position
    chosen: MeantMove


def imagined(position: Position, seat: int, player: Bot, wish: Writing, rng: np.ndarray) -> list[list[Case]]:
    """Return the own questions that come next, in worlds as the seat believes them."""
    worlds = list[list[Case]]()
    for _ in range(wish.worlds):
        at, cases = position.redeal(seat, rng), list[Case]()
        for _ in range(MOST_MOVES_AHEAD):
            if at.finished or len(cases) == wish.questions:
                break
            actor = seat if seat in at.actors else at.actors[0]
            imposed = at.imposed(actor)
            if actor == seat and imposed is None:
                before = at.copy(events=False)
                steps = _made(at, seat, player, rng)
                cases.append(Case(before, meant(before, seat, steps)))
            elif imposed is not None:
                at.play_all(actor, list(imposed))
            else:
                _made(at, actor, player, rng)
        worlds.append(cases)
    return worlds


def _made(at: Position, seat: int, player: Bot, rng: np.ndarray) -> list[int]:
    """Make a seat's move in an imagined world; return its steps."""
    if not isinstance(player, GreedyBot):
        steps = decide(at, seat, player, rng)
        at.play_all(seat, steps)
        return steps
    # All hidden things are guessed there already: the heuristic need not guess once more.
    steps = []
    while not steps or at.in_move:
        steps.append(at.suggest(rng, seat))
        at.play(seat, steps[-1])
    return steps


def written(position: Position, seat: int, player: Bot, wish: Writing, rng: np.ndarray) -> list[MeantMove]:
    """Return the moves that a seat writes ahead."""
    by_question: dict[str, list[Case]] = defaultdict(list)
    for cases in imagined(position, seat, player, wish, rng):
        for case in cases:
            by_question[json.dumps(case.chosen.question, sort_keys=True)].append(case)
    gained: list[tuple[float, int, MeantMove]] = []
    for cases in by_question.values():
        gained += _listed(cases, seat, wish)
    # The questions that come most often first; within one the order of the list stays.
    best = sorted(gained, key=lambda one: -one[0])[: wish.most]
    return [move for _, _, move in sorted(best, key=lambda one: one[1])]


def _listed(cases: Sequence[Case], seat: int, wish: Writing) -> list[tuple[float, int, MeantMove]]:
    """Return the moves to list for one question, with what each saves, and its place."""
    moves: dict[str, MeantMove] = {}
    chosen: list[str] = []
    for case in cases:
        key = json.dumps(case.chosen.steps, sort_keys=True)
        moves.setdefault(key, case.chosen)
        chosen.append(key)
    often = Counter(chosen)
    can: dict[str, set[int]] = {}
    for key, move in moves.items():
        if often[key] >= min(wish.least, len(cases)):
            fits = (chosen[at] == key or found(case.position, seat, move) is not None for at, case in enumerate(cases))
            can[key] = {number for number, fit in enumerate(fits) if fit}
    left, listed = set(range(len(cases))), list[tuple[float, int, MeantMove]]()
    while left and can:
        worth: dict[str, float] = {}
        for key, numbers in can.items():
            right = sum(chosen[number] == key for number in numbers & left)
            worth[key] = right - wish.risk * (len(numbers & left) - right)
        key = max(worth, key=worth.__getitem__)
        if worth[key] <= 0:
            break
        plays = can.pop(key) & left
        listed.append((len(plays), len(listed), moves[key]))
        left -= plays
    return listed


@dataclass
class Outcome:
    """The end of a game: waits, and questions that orders answered, by seat."""

    waits: list[int]
    answered: list[int]
    shares: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)


def play(
    game: str, players: int, seed: int, level: str, writers: Collection[int], wish: Writing, options: dict[str, str]
) -> Outcome:
    """Play one game; `writers` write moves ahead."""
    position = ziggurat.new(game, players=players, seed=seed, options=options, trace=False)
    player = bot(level, position.game)
    # Chance of each seat's own, so that who writes does not change what others would do.
    chances = [ziggurat.generator(seed * 64 + seat) for seat in range(players)]
    thinking = [ziggurat.generator(seed * 64 + 32 + seat) for seat in range(players)]
    orders: list[list[MeantMove]] = [[] for _ in range(players)]
    outcome = Outcome([0] * players, [0] * players)
    here: int | None = None  # who has just moved by hand, and is still there
    while position.actors:
        seat = here if here in position.actors else position.actors[0]
        assert seat is not None
        if (steps := position.imposed(seat)) is not None:
            position.play_all(seat, list(steps))
            continue
        if (hit := first_found(position, seat, orders[seat])) is not None and seat != here:
            question = orders[seat][hit[0]].question
            orders[seat] = [move for move in orders[seat] if move.question != question]
            outcome.answered[seat] += 1
            position.play_all(seat, list(hit[1]))
            continue
        if seat != here:
            outcome.waits[seat] += 1
        orders[seat] = []
        position.play_all(seat, decide(position, seat, player, chances[seat]))
        here = seat
        if seat in writers and position.actors and seat not in position.actors:
            orders[seat] = written(position, seat, player, wish, thinking[seat])
    outcome.shares = win_shares(position.winners, players)
    outcome.points = position.scores
    return outcome


@dataclass(frozen=True)
class Job:
    """Some deals for one process."""

    game: str
    players: int
    level: str
    seeds: tuple[int, ...]
    wish: Writing
    options: tuple[tuple[str, str], ...] = ()

    def __hash__(self) -> int:
        return hash((self.game, self.players, self.seeds))


def run(job: Job) -> list[list[tuple[str, int, Outcome]]]:
    """Play the deals of a job: nobody writes, all write, and each seat alone."""
    chosen = ziggurat.game(job.game)
    prepare(chosen)
    if searches(job.level, chosen):
        prepare(chosen, program=SEARCHING)
    found_all = []
    for seed in job.seeds:
        games = [("none", -1, play(job.game, job.players, seed, job.level, (), job.wish, dict(job.options)))]
        everybody = range(job.players)
        games.append(("all", -1, play(job.game, job.players, seed, job.level, everybody, job.wish, dict(job.options))))
        for seat in everybody if job.players > 1 else ():
            one = play(job.game, job.players, seed, job.level, (seat,), job.wish, dict(job.options))
            games.append(("one", seat, one))
        found_all.append(games)
    return found_all


def mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of values, and half of its interval of 95 %."""
    if len(values) < 2:
        return (values[0] if values else math.nan), math.inf
    at = float(np.mean(values))
    return at, float(1.96 * np.std(values, ddof=1) / math.sqrt(len(values)))


def main() -> None:
    """Measure one game at one number of players."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=list(ziggurat.registered_games()))
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--games", type=int, default=200, help="deals; each is played once more for every seat")
    parser.add_argument("--level", default="builder")
    parser.add_argument("--worlds", type=int, default=Writing.worlds)
    parser.add_argument("--questions", type=int, default=Writing.questions)
    parser.add_argument("--risk", type=float, default=Writing.risk)
    parser.add_argument("--most", type=int, default=Writing.most)
    parser.add_argument("--least", type=int, default=Writing.least)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--options", default="", help="of the game: name=value,...")
    parser.add_argument("--out", help="add every deal to this file, so that a later run goes on from there")
    wanted = parser.parse_args()
    wish = Writing(wanted.worlds, wanted.questions, wanted.risk, wanted.most, wanted.least)
    options = tuple(tuple(one.split("=", 1)) for one in wanted.options.split(",") if one)
    begun = time.perf_counter()
    kept = read(wanted.out) if wanted.out else []
    seeds = range(wanted.seed * 1_000_000 + len(kept), wanted.seed * 1_000_000 + max(len(kept), wanted.games))
    size = max(1, min(25, len(seeds) // (2 * wanted.jobs)))
    jobs = [
        Job(wanted.game, wanted.players, wanted.level, tuple(seeds[at : at + size]), wish, options)  # type: ignore[arg-type]
        for at in range(0, len(seeds), size)
    ]
    if wanted.jobs == 1:
        deals = [deal for job in jobs for deal in run(job)]
    else:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        with ProcessPoolExecutor(wanted.jobs) as pool:
            deals = [deal for found_some in pool.map(run, jobs) for deal in found_some]
    if wanted.out:
        with open(wanted.out, "ab") as file:
            file.writelines(msgspec.json.encode(deal) + b"\n" for deal in deals)
    report(wanted, wish, [*kept, *deals], time.perf_counter() - begun)


def read(name: str) -> list[list[tuple[str, int, Outcome]]]:
    """Return the deals of a file; none where it is not there yet."""
    if not os.path.exists(name):
        return []
    with open(name, "rb") as file:
        return [msgspec.json.decode(line, type=list[tuple[str, int, Outcome]]) for line in file]


def report(
    wanted: argparse.Namespace, wish: Writing, deals: list[list[tuple[str, int, Outcome]]], seconds: float
) -> None:
    """Print what was found, and a line of JSON."""
    fewer, share, points, before_all, after_all = [], [], [], [], []
    for games in deals:
        plain = next(one for kind, _, one in games if kind == "none")
        every = next(one for kind, _, one in games if kind == "all")
        before_all.append(sum(plain.waits))
        after_all.append(sum(every.waits))
        fewer.append(sum(every.waits) - sum(plain.waits))
        alone = [(seat, one) for kind, seat, one in games if kind == "one"]
        if alone:
            share.append(float(np.mean([one.shares[seat] - plain.shares[seat] for seat, one in alone])))
            points.append(float(np.mean([one.points[seat] - plain.points[seat] for seat, one in alone])))
        else:
            points.append(every.points[0] - plain.points[0])
            share.append(every.shares[0] - plain.shares[0])
    before, after = float(np.mean(before_all)), float(np.mean(after_all))
    ratios = [np.sum(np.array(after_all)[pick]) / np.sum(np.array(before_all)[pick]) for pick in _resampled(len(deals))]
    low, high = (float(value) for value in np.quantile(ratios, (0.025, 0.975)))
    (won, won_by), (more, more_by) = mean(share), mean(points)
    level = float(np.mean([sum(games[0][2].points) / wanted.players for games in deals]))
    print(
        f"{wanted.game}, {wanted.players} players, {wanted.level}, {len(deals)} deals: "
        f"waits {before:.1f} -> {after:.1f}, {100 * (1 - after / before):.1f} % fewer "
        f"({100 * (1 - high):.1f} to {100 * (1 - low):.1f}); "
        f"win share {100 * won:+.2f} % (± {100 * won_by:.2f}); points {more:+.2f} (± {more_by:.2f}) of {level:.1f}; "
        f"{seconds:.0f} s"
    )
    told = {"game": wanted.game, "players": wanted.players, "level": wanted.level, **asdict(wish), "deals": len(deals)}
    told |= {"before": before, "after": after, "low": 1 - high, "high": 1 - low, "won": won, "won_by": won_by}
    print(json.dumps(told | {"points": more, "points_by": more_by, "level_points": level, "seconds": round(seconds)}))


def _resampled(count: int) -> list[np.ndarray]:
    chance = np.random.default_rng(1)
    return [chance.integers(0, count, count) for _ in range(400)]


if __name__ == "__main__":
    main()
