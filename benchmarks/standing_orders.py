"""What moves written ahead save, and whether they cost strength: bots of one level as people at a table by days.

    python -m benchmarks.standing_orders alhambra --players 3 --games 400 --level builder

Everybody plays by the same level. Some also write moves ahead: whenever they have moved themselves and wait for others,
they deal again what they do not see (`redeal`), let all play on from there as the game's network prefers, and list what
they would do: for each question that may be put to them, up to so many whole moves in order. A move is listed where it
would be as good as any often enough among the cases in which it would be played; what depends on what comes is left to
be asked. When a question comes, the first move of the list that names what can be done now is
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
from pathlib import Path

import msgspec
import numpy as np

import ziggurat
from ziggurat.bots import decide
from ziggurat.bots.learned import network_of
from ziggurat.bots.levels import bot
from ziggurat.bots.probe import NetworkProbe
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.game import Game
from ziggurat.core.meant import MeantMove, first_found, found, meant
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.lab.loop import win_shares

MOST_ORDERS = 12
MOST_CONSIDERED, MOST_TRIED = 4, 24
"""Moves that are thought of in one case, and of all cases together."""
MOST_MOVES_AHEAD = 60
"""Moves that are imagined until the next own question."""


@dataclass
class Writing:
    """How a person writes moves ahead.

    Attributes:
        worlds: how often what they do not see is dealt again.
        questions: so many of the own questions that come next are thought of in each of them.
        near: a move is as good as the best that is preferred at least so much as a part of it.
        risk: a move is listed that is good more often than bad, where bad counts so much, the more the worse it is.
        most: moves of a list.
    """

    worlds: int = 16
    questions: int = 2
    near: float = 0.5
    risk: float = 2.0
    most: int = MOST_ORDERS


class Mind:
    """How a person thinks ahead: by the preferences of the game's network, without the slips of the level."""

    def __init__(self, game: Game) -> None:
        self._probe = NetworkProbe(game, network_of(game))

    def ratios(self, position: Position, seat: int, rng: np.ndarray) -> dict[int, float]:
        """Return how much each action is preferred in an imagined world, as a part of the best."""
        actions, preferences = self._probe.preferences(position, seat, rng)
        most = max(float(preferences.max()), 1e-12)
        return {int(action): float(liked) / most for action, liked in zip(actions, preferences, strict=True)}

    def complete(self, position: Position, seat: int, first: int | None, rng: np.ndarray) -> list[int]:
        """Make the preferred move in an imagined world, or the one that begins with an action; return its steps."""
        steps = list[int]()
        while not steps or position.in_move:
            if first is not None and not steps:
                steps.append(first)
            else:
                ratios = self.ratios(position, seat, rng)
                steps.append(max(ratios, key=ratios.__getitem__))
            position.play(seat, steps[-1])
        return steps

    def ratio(self, position: Position, seat: int, steps: Sequence[int], rng: np.ndarray) -> float:
        """Return how much a whole move is preferred, as a part of the best of each step."""
        at, found_ratio = position, 1.0
        for number, action in enumerate(steps, start=1):
            found_ratio *= self.ratios(at, seat, rng).get(action, 0.0)
            if number < len(steps):
                at = at.copy(events=False) if at is position else at
                at.play(seat, action)
        return found_ratio


@dataclass
class Case:
    """A question as it may come: the position, and the moves that are as good as any there, the best first."""

    position: Position
    good: list[MeantMove]


def imagined(position: Position, seat: int, mind: Mind, wish: Writing, rng: np.ndarray) -> list[Case]:
    """Return the own questions that come next, in worlds as the seat believes them."""
    cases = list[Case]()
    for _ in range(wish.worlds):
        at, asked = position.redeal(seat, rng), 0
        for _ in range(MOST_MOVES_AHEAD):
            if at.finished or asked == wish.questions:
                break
            actor = seat if seat in at.actors else at.actors[0]
            if (imposed := at.imposed(actor)) is not None:
                at.play_all(actor, list(imposed))
            elif actor == seat:
                asked += 1
                before = at.copy(events=False)
                best = mind.complete(at, seat, None, rng)
                good = [meant(before, seat, best)]
                ratios = sorted(mind.ratios(before, seat, rng).items(), key=lambda one: -one[1])[:MOST_CONSIDERED]
                for action, ratio in ratios:
                    if action != best[0] and ratio >= wish.near:
                        good.append(meant(before, seat, mind.complete(before.copy(events=False), seat, action, rng)))
                cases.append(Case(before, good))
            else:
                mind.complete(at, actor, None, rng)
    return cases


def written(position: Position, seat: int, mind: Mind, wish: Writing, rng: np.ndarray) -> list[MeantMove]:
    """Return the moves that a seat writes ahead."""
    by_question: dict[str, list[Case]] = defaultdict(list)
    for case in imagined(position, seat, mind, wish, rng):
        by_question[json.dumps(case.good[0].question, sort_keys=True)].append(case)
    gained: list[tuple[float, int, MeantMove]] = []
    for cases in by_question.values():
        gained += _listed(cases, seat, mind, wish, rng)
    # The moves that answer most often; within a question the order of the list stays.
    best = sorted(gained, key=lambda one: -one[0])[: wish.most]
    return [move for _, _, move in sorted(best, key=lambda one: one[1])]


def _listed(
    cases: Sequence[Case], seat: int, mind: Mind, wish: Writing, rng: np.ndarray
) -> list[tuple[float, int, MeantMove]]:
    """Return the moves to list for one question, with how often each would answer it, and its place."""
    moves: dict[str, MeantMove] = {}
    often = Counter[str]()
    good: list[set[str]] = []
    for case in cases:
        good.append(set())
        for move in case.good:
            key = json.dumps(move.steps, sort_keys=True)
            moves.setdefault(key, move)
            often[key] += 1
            good[-1].add(key)
    worth: dict[str, dict[int, float]] = {}
    for key, _ in often.most_common(MOST_TRIED):
        worth[key] = {}
        for number, case in enumerate(cases):
            if key in good[number]:
                worth[key][number] = 1.0
            elif (steps := found(case.position, seat, moves[key])) is not None:
                ratio = mind.ratio(case.position, seat, steps, rng)
                worth[key][number] = 1.0 if ratio >= wish.near else -wish.risk * (1 - ratio)
    left, listed = set(range(len(cases))), list[tuple[float, int, MeantMove]]()
    while left and worth:
        gains = {key: sum(value for number, value in some.items() if number in left) for key, some in worth.items()}
        key = max(gains, key=gains.__getitem__)
        if gains[key] <= 0:
            break
        plays = worth.pop(key).keys() & left
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
    player, mind = bot(level, position.game), Mind(position.game)
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
            orders[seat] = written(position, seat, mind, wish, thinking[seat])
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
    parser.add_argument("--near", type=float, default=Writing.near)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--options", default="", help="of the game: name=value,...")
    parser.add_argument("--out", help="add every deal to this file, so that a later run goes on from there")
    wanted = parser.parse_args()
    wish = Writing(wanted.worlds, wanted.questions, wanted.near, wanted.risk, wanted.most)
    options = tuple(tuple(one.split("=", 1)) for one in wanted.options.split(",") if one)
    begun = time.perf_counter()
    kept = read(wanted.out) if wanted.out else []
    seeds = range(wanted.seed * 1_000_000 + len(kept), wanted.seed * 1_000_000 + max(len(kept), wanted.games))
    size = max(1, min(25, len(seeds) // (2 * wanted.jobs)))
    jobs = [
        Job(wanted.game, wanted.players, wanted.level, tuple(seeds[at : at + size]), wish, options)
        for at in range(0, len(seeds), size)
    ]
    if wanted.jobs == 1:
        deals = [deal for job in jobs for deal in run(job)]
    else:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        with ProcessPoolExecutor(wanted.jobs) as pool:
            deals = [deal for found_some in pool.map(run, jobs) for deal in found_some]
    if wanted.out:
        with Path(wanted.out).open("ab") as file:
            file.writelines(msgspec.json.encode(deal) + b"\n" for deal in deals)
    report(wanted, wish, [*kept, *deals], time.perf_counter() - begun)


def read(name: str) -> list[list[tuple[str, int, Outcome]]]:
    """Return the deals of a file; none where it is not there yet."""
    if not Path(name).exists():
        return []
    with Path(name).open("rb") as file:
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
