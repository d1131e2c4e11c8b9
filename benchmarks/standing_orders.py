"""What moves written ahead save, and what they cost in strength: bots of one level as people at a table by days.

    python -m benchmarks.standing_orders alhambra --players 3 --deals 100 --least 0.8

Everybody plays by the same level. One seat also writes moves ahead, no better than it plays: whenever it has moved
itself and waits for others, it deals again what it does not see (`redeal`), lets all play on from there, and notes what
the level would do at each of its next questions. It lists the moves that the level itself would make often enough
(`--least`) in the cases in which the list would make them; what depends on what comes is left to be asked. When a
question comes, the first move of the list that names what can be done now is played (`ziggurat.core.meant`), otherwise
the person has to come.

A wait is a question for which a person has to come: not one that follows from their own move while they are there, nor
one that the rules leave no choice (`Position.imposed`). Waits of a seat that writes are set against those of the same
seat in the same deal where it does not. Each deal is played once with the writer on each seat.

Levels that make no slips are measured, so that a list is written no better than one plays: `greedy`, the heuristic, and
`steady`, who plays what the game's network prefers, as a Builder without slips. With `--near` a move counts as the
level's own that the network prefers at least so much as a part of the one that it prefers most.

Strength: by how much whoever writes falls behind is the sum, over all moves that a list has made, of what the move
brings less than the one that the level would have made there (the difference of two policies is the sum of the
advantages on the way of the one). Each such pair is played to its end many times by the heuristic, with the same hidden
cards and chance (`bots/reasons.py`), so that a hundred deals say as much as thousands of whole games. For `greedy` that
is exact but for chance; for other levels it is a judgement, and the ends of whole games are told too.
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
from ziggurat.bots import Bot, decide
from ziggurat.bots.fallible import Errors, FallibleBot
from ziggurat.bots.learned import network_of
from ziggurat.bots.levels import bot
from ziggurat.bots.probe import NetworkProbe
from ziggurat.bots.reasons import PairedRollouts
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.game import Game
from ziggurat.core.meant import MeantMove, found, meant, others
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.lab.loop import win_shares

MOST_ORDERS = 12
MOST_TRIED = 16
"""Moves that are thought of for one question."""
MOST_MOVES_AHEAD = 60
"""Moves that are imagined until the next own question."""


@dataclass(frozen=True)
class Writing:
    """How a person writes moves ahead.

    Attributes:
        worlds: how often what they do not see is dealt again.
        questions: so many of the own questions that come next are thought of in each of them.
        least: a move is listed that the level itself makes in at least this part of the cases in which the list would.
        fewest: and in so many cases.
        near: for that, a move is its own that is preferred so much as a part of the best; 0: none but its own is.
        quiet: only while nothing has come to light since, as one can say of a list.
        alert: a move is not made where one of another kind is possible that was not where it was written.
        again: the list goes on at the next turn: a move that is made leaves its alternatives there.
        most: moves of a list.
    """

    worlds: int = 12
    questions: int = 4
    least: float = 0.8
    fewest: int = 2
    near: float = 0.0
    quiet: bool = False
    alert: bool = False
    again: bool = False
    most: int = MOST_ORDERS


class Listed(msgspec.Struct):
    """A move of a list, in how many cases it would be made, and the part of them in which the level makes it."""

    move: MeantMove
    plays: int
    agreed: float
    of: int
    known: frozenset[str] | None = None
    """What else could be begun where it was written, if that is asked for."""


class Made(msgspec.Struct):
    """A move that a list has made: its question, what it is, what the level would have done, and what was known."""

    question: str
    type: str
    instead: str
    """The level's own move there; empty if it is the same."""
    plays: int
    agreed: float
    news: bool
    """Whether something has come to light since the list was written."""
    won: float = 0.0
    points: float = 0.0
    """What it brings more than the level's own move, in parts of a win and in points."""


@dataclass(frozen=True)
class Case:
    """A question as it may come: the position, and the level's move."""

    position: Position
    own: MeantMove


STEADY = "steady"


def player_of(level: str, game: Game) -> Bot:
    """Return who plays a level."""
    return FallibleBot(game, Errors()) if level == STEADY else bot(level, game)


class Mind:
    """How the game's network judges in an imagined world."""

    def __init__(self, game: Game) -> None:
        self._probe = NetworkProbe(game, network_of(game))

    def ratios(self, position: Position, seat: int, rng: np.ndarray) -> dict[int, float]:
        """Return how much each action is preferred, as a part of the best."""
        actions, preferences = self._probe.preferences(position, seat, rng)
        most = max(float(preferences.max()), 1e-12)
        return {int(action): float(liked) / most for action, liked in zip(actions, preferences, strict=True)}

    def ratio(self, position: Position, seat: int, steps: Sequence[int], rng: np.ndarray) -> float:
        """Return how much a whole move is preferred, as a part of the best of each step."""
        at, product = position, 1.0
        for number, action in enumerate(steps, start=1):
            product *= self.ratios(at, seat, rng).get(action, 0.0)
            if number < len(steps):
                at = at.copy(events=False) if at is position else at
                at.play(seat, action)
        return product


def imagined(
    position: Position, seat: int, player: Bot, mind: Mind | None, wish: Writing, rng: np.ndarray
) -> list[Case]:
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
                before, steps = at.copy(events=False), decide(at, seat, player, rng)
                cases.append(Case(before, meant(before, seat, steps)))
                at.play_all(seat, steps)
            else:
                while True:
                    liked = mind.ratios(at, actor, rng) if mind is not None else {}
                    at.play(actor, max(liked, key=liked.__getitem__) if liked else at.suggest(rng, actor))
                    if actor not in at.actors or not at.in_move:
                        break
    return cases


def written(
    position: Position, seat: int, player: Bot, mind: Mind | None, wish: Writing, rng: np.ndarray
) -> list[Listed]:
    """Return the moves that a seat writes ahead."""
    by_question: dict[str, list[Case]] = defaultdict(list)
    for case in imagined(position, seat, player, mind, wish, rng):
        by_question[json.dumps(case.own.question, sort_keys=True)].append(case)
    gained: list[Listed] = []
    for cases in by_question.values():
        gained += _listed(cases, seat, mind, wish, len(gained), rng)
    # The moves that answer most often; within a question the order of the list stays.
    return sorted(sorted(gained, key=lambda one: -one.plays)[: wish.most], key=lambda one: one.of)


def _listed(
    cases: Sequence[Case], seat: int, mind: Mind | None, wish: Writing, first: int, rng: np.ndarray
) -> list[Listed]:
    """Return the moves to list for one question; `first` is the place of the first in the whole list."""
    keys = [json.dumps(case.own.steps, sort_keys=True) for case in cases]
    moves = {key: case.own for key, case in zip(keys, cases, strict=True)}
    if wish.alert:
        known = {key: others(case.position, seat, case.own) for key, case in zip(keys, cases, strict=True)}
    own: dict[str, dict[int, bool]] = {}
    for key, often in Counter(keys).most_common(MOST_TRIED):
        if often >= wish.fewest:
            own[key] = {}
            for number, case in enumerate(cases):
                steps = found(case.position, seat, moves[key])
                if steps is None or (wish.alert and not others(case.position, seat, moves[key]) <= known[key]):
                    continue
                own[key][number] = keys[number] == key or (
                    wish.near > 0 and mind is not None and mind.ratio(case.position, seat, steps, rng) >= wish.near
                )
    left, listed = set(range(len(cases))), list[Listed]()
    while left and own:
        # The one that is made rightly most often, of those that are made rightly often enough.
        counted = {key: [some[number] for number in some if number in left] for key, some in own.items()}
        fit = {
            key: sum(right)
            for key, right in counted.items()
            if sum(right) >= wish.fewest and sum(right) >= wish.least * len(right)
        }
        if not fit:
            break
        key = max(fit, key=fit.__getitem__)
        plays = len(counted[key])
        listed.append(
            Listed(moves[key], plays, fit[key] / plays, first + len(listed), known[key] if wish.alert else None)
        )
        left -= own.pop(key).keys()
    return listed


@dataclass
class Outcome:
    """The end of a game: waits by seat, and the moves that lists have made."""

    waits: list[int]
    made: list[Made] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)
    points: list[int] = field(default_factory=list)


def compared(
    position: Position, seat: int, steps: Sequence[int], own: Sequence[int], pairs: int, rng: np.ndarray
) -> tuple[float, float]:
    """Return what a move brings more than another, in parts of a win and in points."""
    games = PairedRollouts(position, seat, rng).play(steps, own, pairs).games
    won, score = games["won"][:, :, seat], games["score"][:, :, seat]
    return float((won[:, 0] - won[:, 1]).mean()), float((score[:, 0] - score[:, 1]).mean())


def first(position: Position, seat: int, orders: Sequence[Listed]) -> tuple[Listed, tuple[int, ...]] | None:
    """Return the first move of a list that is made now, and its steps."""
    for one in orders:
        steps = found(position, seat, one.move)
        if steps is not None:
            if one.known is not None and not others(position, seat, one.move) <= one.known:
                return None  # the person is asked: something else may be better
            return one, steps
    return None


def has_news(position: Position, seat: int, mark: int) -> bool:
    """Whether a seat has seen something turned up since a mark of the events."""
    return any(event.type in position.game.events.turns_up for event in position.events_for(seat, mark))


def play(
    game: str, players: int, seed: int, level: str, writers: Collection[int], wish: Writing, pairs: int
) -> Outcome:
    """Play one game; `writers` write moves ahead. `pairs`: games by which the moves of a list are compared."""
    position = ziggurat.new(game, players=players, seed=seed)
    player = player_of(level, position.game)
    mind = Mind(position.game) if level == STEADY else None
    # Chance of each seat's own, so that who writes does not change what others would do.
    chances = [ziggurat.generator(seed * 64 + seat) for seat in range(players)]
    thinking = [ziggurat.generator(seed * 64 + 32 + seat) for seat in range(players)]
    orders: list[list[Listed]] = [[] for _ in range(players)]
    marks = [0] * players
    outcome = Outcome([0] * players)
    here: int | None = None  # who has just moved by hand, and is still there
    while position.actors:
        seat = here if here in position.actors else position.actors[0]
        assert seat is not None
        if (steps := position.imposed(seat)) is not None:
            position.play_all(seat, list(steps))
            continue
        mine = orders[seat]
        news = bool(mine) and seat != here and has_news(position, seat, marks[seat])
        hit = None if seat == here or (wish.quiet and news) else first(position, seat, mine)
        if hit is not None:
            listed = hit[0]
            orders[seat] = [
                one for one in mine if one is not listed and (wish.again or one.move.question != listed.move.question)
            ]
            own = decide(position, seat, player, chances[seat])
            alike = meant(position, seat, own).steps == listed.move.steps
            told = Made(
                str((listed.move.question or {}).get("key", "")),
                json.dumps(listed.move.steps),
                "" if alike else json.dumps(meant(position, seat, own).steps),
                listed.plays,
                listed.agreed,
                news,
            )
            if not alike and pairs:
                told.won, told.points = compared(position, seat, hit[1], own, pairs, thinking[seat])
            outcome.made.append(told)
            position.play_all(seat, list(hit[1]))
            continue
        if seat != here:
            outcome.waits[seat] += 1
        orders[seat] = []
        position.play_all(seat, decide(position, seat, player, chances[seat]))
        here = seat
        if seat in writers and position.actors and seat not in position.actors:
            orders[seat] = written(position, seat, player, mind, wish, thinking[seat])
            marks[seat] = position.rows_written
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
    pairs: int


Deal = list[tuple[int, Outcome]]
"""The game in which nobody writes (-1), and those in which each seat does."""


def run(job: Job) -> list[Deal]:
    """Play the deals of a job: nobody writes, and each seat alone."""
    chosen = ziggurat.game(job.game)
    prepare(chosen)
    prepare(chosen, program=SEARCHING)
    return [
        [
            (writer, play(job.game, job.players, seed, job.level, {writer} - {-1}, job.wish, job.pairs))
            for writer in range(-1, job.players)
        ]
        for seed in job.seeds
    ]


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
    parser.add_argument("--deals", type=int, default=100, help="each is played once more for every seat")
    parser.add_argument("--level", default="greedy")
    parser.add_argument("--worlds", type=int, default=Writing.worlds)
    parser.add_argument("--questions", type=int, default=Writing.questions)
    parser.add_argument("--least", type=float, default=Writing.least)
    parser.add_argument("--fewest", type=int, default=Writing.fewest)
    parser.add_argument("--near", type=float, default=Writing.near)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--alert", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--most", type=int, default=Writing.most)
    parser.add_argument("--pairs", type=int, default=128, help="games by which a move is compared with the level's own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", help="add every deal to this file, so that a later run goes on from there")
    wanted = parser.parse_args()
    wish = Writing(
        wanted.worlds,
        wanted.questions,
        wanted.least,
        wanted.fewest,
        wanted.near,
        wanted.quiet,
        wanted.alert,
        wanted.again,
        wanted.most,
    )
    pairs = wanted.pairs
    begun = time.perf_counter()
    deals = read(wanted.out) if wanted.out else []
    seeds = range(wanted.seed * 1_000_000 + len(deals), wanted.seed * 1_000_000 + max(len(deals), wanted.deals))
    jobs = [Job(wanted.game, wanted.players, wanted.level, (seed,), wish, pairs) for seed in seeds]
    if wanted.jobs > 1:
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        with ProcessPoolExecutor(wanted.jobs) as pool:
            for some in pool.map(run, jobs):
                deals += keep(some, wanted.out)
    else:
        for job in jobs:
            deals += keep(run(job), wanted.out)
    report(wanted, wish, deals, time.perf_counter() - begun)


def keep(deals: list[Deal], out: str | None) -> list[Deal]:
    """Add deals to a file, if there is one; return them."""
    if out:
        with Path(out).open("ab") as file:
            file.writelines(msgspec.json.encode(deal) + b"\n" for deal in deals)
    return deals


def read(name: str) -> list[Deal]:
    """Return the deals of a file; none where it is not there yet."""
    if not Path(name).exists():
        return []
    with Path(name).open("rb") as file:
        return [msgspec.json.decode(line, type=Deal) for line in file]


def report(wanted: argparse.Namespace, wish: Writing, deals: list[Deal], seconds: float) -> None:
    """Print what was found, and a line of JSON."""
    before, after, won, points, ends, level = [], [], [], [], [], []
    for games in deals:
        plain = next(one for writer, one in games if writer < 0)
        level.append(float(np.mean(plain.points)))
        before.append(float(np.mean(plain.waits)))
        alone = [(writer, one) for writer, one in games if writer >= 0]
        after.append(float(np.mean([one.waits[writer] for writer, one in alone])))
        won.append(float(np.mean([sum(made.won for made in one.made) for _, one in alone])))
        points.append(float(np.mean([sum(made.points for made in one.made) for _, one in alone])))
        ends.append(float(np.mean([one.shares[seat] - plain.shares[seat] for seat, one in alone])))
    fewer = 1 - sum(after) / sum(before)
    drawn = np.random.default_rng(1).integers(0, len(deals), (1000, len(deals)))
    ratios = 1 - np.array(after)[drawn].sum(axis=1) / np.array(before)[drawn].sum(axis=1)
    low, high = (float(value) for value in np.quantile(ratios, (0.025, 0.975)))
    (share, share_by), (more, more_by), typical = mean(won), mean(points), float(np.mean(level))
    end, end_by = mean(ends)
    print(
        f"{wanted.game}, {wanted.players} players, {wanted.level}, {len(deals)} deals: waits of a person "
        f"{np.mean(before):.1f} -> {np.mean(after):.1f}, {100 * fewer:.1f} % fewer "
        f"({100 * low:.1f} to {100 * high:.1f}); win share {100 * share:+.2f} % (± {100 * share_by:.2f}); points "
        f"{more:+.2f} (± {more_by:.2f}) of {typical:.1f}, {100 * more / typical:+.2f} % "
        f"(± {100 * more_by / typical:.2f}); by whole games {100 * end:+.1f} % (± {100 * end_by:.1f}); {seconds:.0f} s"
    )
    told = {"game": wanted.game, "players": wanted.players, "level": wanted.level, **asdict(wish), "deals": len(deals)}
    told |= {"fewer": fewer, "low": low, "high": high, "won": share, "won_by": share_by, "ends": end}
    print(json.dumps(told | {"points": more, "points_by": more_by, "level_points": typical, "seconds": round(seconds)}))


if __name__ == "__main__":
    main()
