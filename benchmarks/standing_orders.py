"""What moves written ahead save, and what they cost in strength: bots of one level as people at a table by days.

    python -m benchmarks.standing_orders alhambra --players 3 --deals 100 --price 0.3

Everybody plays by the same level, `steady`: what the network of the game prefers, as a Builder without slips. One seat
also writes moves ahead: whenever it has moved itself and waits for others, it deals again what it does not see
(`redeal`), lets all play on from there, and notes what the level would do in its next turns. From these moves it makes
its list, turn by turn: what saves most waits in these worlds, for what it loses there. A move loses what the network
gives less for the position after it than for the one after the level's own (value), and what it likes it less
(preference). A list goes on: its moves stay, also those that were made, until the person comes again.

When a question comes, the first move of the list that names what can be done now is played (`ziggurat.core.meant`),
otherwise the person has to come. A wait is a question for which a person has to come: not one that follows from their
own move while they are there, nor one that the rules leave no choice (`Position.imposed`). Waits of a seat that writes
are set against those of the same seat in the same deal where it does not. Each deal is played once with the writer on
each seat.

Strength: by how much whoever writes falls behind is the sum, over all moves that a list has made, of what the move
brings less than the one that the level would have made there (the difference of two policies is the sum of the
advantages on the way of the one). Each such pair is played to its end many times by the heuristic, with the same hidden
cards and chance (`bots/reasons.py`), which the writer does not ask: so a hundred deals say as much as thousands of
whole games. It is a judgement, for the heuristic plays on and not the level; the ends of whole games are told too.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np

import ziggurat
from ziggurat.bots import Bot, decide
from ziggurat.bots.belief import Belief
from ziggurat.bots.learned import network_of
from ziggurat.bots.probe import NetworkProbe
from ziggurat.bots.reasons import PairedRollouts
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.game import Game
from ziggurat.core.meant import MeantMove, first_found, found, meant, others, question
from ziggurat.core.position import Position
from ziggurat.core.runtime import prepare
from ziggurat.lab.loop import win_shares

MOST_ORDERS = 12
"""Moves of a list, and those that it makes at most until its person comes."""
MOST_TRIED = 6
"""Turns of different moves that are tried at every place of a list, after all were at its end."""
LEAST_GAIN = 1.0
"""Waits that a turn of a list saves beyond what it costs: one it saves in the very world in which it was thought of."""
LEAST_PREFERENCE = 0.001
MOST_MOVES_AHEAD = 80
"""Moves that are imagined until the last of the own turns that are thought of."""


@dataclass(frozen=True)
class Writing:
    """How a person writes moves ahead.

    Attributes:
        worlds: how often what they do not see is dealt again.
        turns: so many of the own turns that come next are thought of in each of them.
        price: hundredths of a win that a wait may cost.
        doubt: hundredths of a win that a move is thought to lose, beside what the values of the positions after it and
            after the level's own say, for each time that the level likes it less by a factor of e.
        alert: nothing is made where something of another kind can be done that could not where the move was written.
        most: moves of a list.
    """

    worlds: int = 24
    turns: int = 3
    price: float = 0.3
    doubt: float = 0.0
    alert: bool = False
    most: int = MOST_ORDERS


class Made(msgspec.Struct):
    """A move that a list has made: its question, what it is, and what the level would have done."""

    question: str
    move: str
    instead: str
    """The level's own move there; empty if it is the same."""
    won: float = 0.0
    points: float = 0.0
    """What it brings more than the level's own move, in parts of a win and in points."""


class Mind:
    """How the game's network plays and judges."""

    def __init__(self, game: Game) -> None:
        self._probe = NetworkProbe(game, network_of(game))

    def action(self, position: Position, seat: int, rng: np.ndarray) -> int:
        """Return the action that is preferred."""
        actions, preferences = self._probe.preferences(position, seat, rng)
        return int(actions[int(preferences.argmax())])

    def move(self, position: Position, seat: int, rng: np.ndarray) -> tuple[int, ...]:
        """Make the move that is preferred; return its steps."""
        steps = list[int]()
        while True:
            steps.append(self.action(position, seat, rng))
            position.play(seat, steps[-1])
            if seat not in position.actors or not position.in_move:
                return tuple(steps)

    def dislike(self, position: Position, seat: int, steps: Sequence[int], rng: np.ndarray) -> float:
        """Return by how much a whole move is preferred less than the best at each of its steps, as a logarithm."""
        at, found = position.copy(events=False), 0.0
        for action in steps:
            actions, preferences = self._probe.preferences(at, seat, rng)
            preferred = dict(zip(actions.tolist(), preferences.tolist(), strict=True))
            found += math.log(max(preferred.values()) / max(preferred.get(action, 0.0), LEAST_PREFERENCE))
            at.play(seat, action)
        return found

    def chance(self, position: Position, seat: int) -> float:
        """Return a seat's part of the win."""
        judged = self._probe.settle(position) if position.finished else self._probe.evaluate(position)
        return float(judged.win[seat])


class Steady(Bot):
    """The level that is measured: who plays what the network prefers, without slips."""

    def __init__(self, mind: Mind) -> None:
        self.mind = mind

    def choose(self, belief: Belief, legal: Sequence[int], rng: np.ndarray) -> int:
        return self.mind.action(belief.sample(), belief.seat, rng)


class Asked:
    """A question as it may come, and what follows from each answer."""

    def __init__(self, thought: Thought, position: Position) -> None:
        self.thought = thought
        self.position = position.copy(events=False)
        after = position.copy(events=False)
        self.steps = thought.mind.move(after, thought.seat, thought.rng)
        self.chance: float | None = None
        self.after = after
        self.own = thought.number(meant(self.position, thought.seat, self.steps), self)
        self.question = thought.questions[self.own]
        self._begins: list[dict[str, Any]] | None = None
        self._others: dict[str, frozenset[str]] = {}
        self.answers: dict[int, Answer | None] = {}
        self.answers[self.own] = Answer(0.0, None, True)
        """By move: None where it cannot be made."""

    def answer(self, move: int) -> Answer | None:
        """Return what follows from a move of a list, None where it cannot be made."""
        if move not in self.answers:
            asked, step = self.thought.questions[move], self.thought.moves[move].steps[0]
            could = asked == self.question and self._could_begin(step)
            self.answers[move] = self._answer(move) if could else None
        return self.answers[move]

    def others(self, move: int) -> frozenset[str]:
        """Return what could be begun instead of a move that is of another kind."""
        made = self.thought.moves[move]
        kind = made.steps[0]["type"]
        if kind not in self._others:
            self._others[kind] = others(self.position, self.thought.seat, made)
        return self._others[kind]

    def is_new(self, move: int) -> bool:
        """Whether something of another kind than a move can be done that could not where it was written."""
        return not self.others(move) <= self.thought.known(move)

    def _could_begin(self, step: Mapping[str, Any]) -> bool:
        """Whether there is an action that could be the first step of a move: most moves are refused by that."""
        if self._begins is None:
            seat, at = self.thought.seat, self.position
            named = [at.choice(seat, action).meant() for action in at.legal(seat)]
            self._begins = msgspec.json.decode(msgspec.json.encode(named))
        return any(all(name in step and step[name] == value for name, value in one.items()) for one in self._begins)

    def _answer(self, move: int) -> Answer | None:
        thought = self.thought
        steps = found(self.position, thought.seat, thought.moves[move])
        if steps is None:
            return None
        if self.chance is None:
            self.chance = thought.mind.chance(self.after, thought.seat)
        after = self.position.copy(events=False)
        after.play_all(thought.seat, list(steps))
        loss = max(0.0, self.chance - thought.mind.chance(after, thought.seat))
        if thought.doubt:
            loss += thought.doubt * thought.mind.dislike(self.position, thought.seat, steps, thought.rng)
        return Answer(loss, thought.same_turn(after), False)


class Answer(NamedTuple):
    """What follows from a move: what it loses, the next question of the same turn, and whether it is the own."""

    loss: float
    then: Asked | None
    own: bool


class Thought:
    """What a person thinks of while they write: their next turns, in worlds as they believe them.

    Attributes:
        moves: those that were thought of, by number; questions: which of all each answers.
        worlds: by world the first questions of the next turns.
    """

    def __init__(self, position: Position, seat: int, mind: Mind, wish: Writing, rng: np.ndarray) -> None:
        self.seat, self.mind, self.rng, self.doubt = seat, mind, rng, wish.doubt / 100
        self.moves = list[MeantMove]()
        self.questions = list[int]()
        self._numbers = dict[str, int]()
        self._asked = dict[str, int]()
        self._written = list[Asked]()
        self.worlds = [self._turns(position.redeal(seat, rng), wish.turns) for _ in range(wish.worlds)]

    def number(self, move: MeantMove, asked_at: Asked) -> int:
        """Return the number of a move; one that is new is written where it is thought of."""
        asked = json.dumps(move.question, sort_keys=True)
        key = asked + json.dumps(move.steps, sort_keys=True)
        if key not in self._numbers:
            self._numbers[key] = len(self.moves)
            self.moves.append(move)
            self._written.append(asked_at)
            self.questions.append(self._asked.setdefault(asked, len(self._asked)))
        return self._numbers[key]

    def known(self, move: int) -> frozenset[str]:
        """Return what else could be begun where a move is written, of another kind."""
        return self._written[move].others(move)

    def _turns(self, at: Position, most: int) -> list[Asked]:
        """Return the first questions of the next turns in a world, if the level plays on."""
        turns, last = list[Asked](), None
        for _ in range(MOST_MOVES_AHEAD):
            if at.finished:
                break
            actor = self.seat if self.seat in at.actors else at.actors[0]
            if (imposed := at.imposed(actor)) is not None:
                at.play_all(actor, list(imposed))
                continue
            if actor != self.seat:
                self.mind.move(at, actor, self.rng)
                last = None
                continue
            if last is None and len(turns) == most:
                break
            asked = Asked(self, at)
            if last is None:
                turns.append(asked)
            else:
                last.answers[last.own] = Answer(0.0, asked, True)
            at, last = asked.after.copy(events=False), asked
        return turns

    def same_turn(self, at: Position) -> Asked | None:
        """Return the next question of the same turn, None if somebody else is to move before."""
        while not at.finished:
            actor = self.seat if self.seat in at.actors else at.actors[0]
            if (imposed := at.imposed(actor)) is not None:
                at.play_all(actor, list(imposed))
            else:
                return Asked(self, at) if actor == self.seat else None
        return None


class Course(NamedTuple):
    """How far a list comes in a world: turns for which nobody has to come, what it loses, and where it stops."""

    turns: int
    loss: float
    stops: Asked | None


def course(turns: Sequence[Asked], orders: Sequence[int], questions: Sequence[int], alert: bool = False) -> Course:
    """Return how far a list comes in a world."""
    loss, made = 0.0, 0
    for number, first in enumerate(turns):
        asked: Asked | None = first
        as_imagined = True
        while asked is not None:
            mine = asked.question
            move = next((one for one in orders if questions[one] == mine and asked.answer(one) is not None), None)
            if move is None or made == MOST_ORDERS or (alert and asked.is_new(move)):
                return Course(number, loss, asked)
            answer = asked.answer(move)
            assert answer is not None
            made += 1
            loss += answer.loss
            as_imagined &= answer.own
            asked = answer.then
        if not as_imagined:
            return Course(number + 1, loss, None)  # what comes then was not thought of
    return Course(len(turns), loss, None)


def goes_on(one: Course, moves: Sequence[int]) -> bool:
    """Whether one of some moves answers where a list stops."""
    return one.stops is not None and any(one.stops.answer(move) is not None for move in moves)


Order = tuple[MeantMove, frozenset[str] | None]
"""A move of a list, with what else was possible where it was written if that is looked at."""


def written(position: Position, seat: int, mind: Mind, wish: Writing, rng: np.ndarray) -> list[Order]:
    """Return the list that a seat writes."""
    thought = Thought(position, seat, mind, wish, rng)
    orders = listed(thought.worlds, thought.questions, wish)
    return [(thought.moves[one], thought.known(one) if wish.alert else None) for one in orders]


def made_now(position: Position, seat: int, orders: Sequence[Order]) -> tuple[MeantMove, tuple[int, ...]] | None:
    """Return the move of a list that is made now, and its steps; None where the person is asked."""
    hit = first_found(position, seat, [move for move, _ in orders])
    if hit is None:
        return None
    move, known = orders[hit[0]]
    return (move, hit[1]) if known is None or others(position, seat, move) <= known else None


def listed(worlds: Sequence[Sequence[Asked]], questions: Sequence[int], wish: Writing) -> list[int]:
    """Return the moves of a list.

    Whole turns are added, each where it gains most: waits that it saves, less those that one would give for what it
    loses.
    """

    def courses_of(orders: Sequence[int]) -> list[Course]:
        return [course(turns, orders, questions, wish.alert) for turns in worlds]

    def worth(courses: Sequence[Course]) -> float:
        return sum(one.turns - 100 * one.loss / wish.price for one in courses)

    orders = list[int]()
    courses = courses_of(orders)
    while len(orders) < wish.most:
        bundles = {rest_of_turn(one.stops, orders) for one in courses} - {()}
        best = worth(courses) + LEAST_GAIN, orders, courses
        ends = list[tuple[float, tuple[int, ...]]]()
        for bundle in bundles:
            if len(orders) + len(bundle) <= wish.most:
                longer = [*orders, *bundle]
                now = [
                    course(turns, longer, questions, wish.alert) if goes_on(one, bundle) else one
                    for turns, one in zip(worlds, courses, strict=True)
                ]
                ends.append((worth(now), bundle))
        for _, bundle in sorted(ends, reverse=True)[:MOST_TRIED]:
            for tried in placed(orders, bundle, questions):
                now = courses_of(tried)
                if (gain := worth(now)) > best[0]:
                    best = gain, tried, now
        if best[1] is orders:
            break
        _, orders, courses = best
    return orders


def rest_of_turn(asked: Asked | None, orders: Sequence[int]) -> tuple[int, ...]:
    """Return the level's own moves from a question to the end of its turn that are not listed."""
    moves = list[int]()
    while asked is not None:
        if asked.own not in moves and asked.own not in orders:
            moves.append(asked.own)
        answer = asked.answers[asked.own]
        assert answer is not None
        asked = answer.then
    return tuple(moves)


def placed(orders: list[int], bundle: Sequence[int], questions: Sequence[int]) -> list[list[int]]:
    """Return the lists into which moves can be put: each among those for its own question, all as far from the top."""
    asked = {questions[move] for move in bundle}
    places = [at for at, move in enumerate(orders) if questions[move] in asked]
    return [[*orders[:at], *bundle, *orders[at:]] for at in [*places, len(orders)]]


@dataclass
class Outcome:
    """The end of a game: waits by seat, the same by question, and the moves that lists have made."""

    waits: list[int]
    asked: list[dict[str, int]] = field(default_factory=list)
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


def play(game: str, players: int, seed: int, writers: Collection[int], wish: Writing, pairs: int) -> Outcome:
    """Play one game; `writers` write moves ahead. `pairs`: games by which the moves of a list are compared."""
    position = ziggurat.new(game, players=players, seed=seed)
    mind = Mind(position.game)
    player = Steady(mind)
    # Chance of each seat's own, so that who writes does not change what others would do.
    chances = [ziggurat.generator(seed * 64 + seat) for seat in range(players)]
    thinking = [ziggurat.generator(seed * 64 + 32 + seat) for seat in range(players)]
    orders: list[list[Order]] = [[] for _ in range(players)]
    made_since = [0] * players
    outcome = Outcome([0] * players, [defaultdict(int) for _ in range(players)])
    here: int | None = None  # who has just moved by hand, and is still there
    while position.actors:
        seat = here if here in position.actors else position.actors[0]
        assert seat is not None
        if (steps := position.imposed(seat)) is not None:
            position.play_all(seat, list(steps))
            continue
        own = decide(position, seat, player, chances[seat])
        hit = None if seat == here else made_now(position, seat, orders[seat])
        if hit is not None:
            named, made = hit
            instead = meant(position, seat, own)
            alike = instead.steps == named.steps
            told = Made(key_of(named.question), json.dumps(named.steps), "" if alike else json.dumps(instead.steps))
            if not alike and pairs:
                told.won, told.points = compared(position, seat, made, own, pairs, thinking[seat])
            outcome.made.append(told)
            made_since[seat] += 1
            if made_since[seat] == MOST_ORDERS:
                orders[seat] = []
            position.play_all(seat, list(made))
            continue
        if seat != here:
            outcome.waits[seat] += 1
            outcome.asked[seat][key_of(question(position, seat))] += 1
        orders[seat], made_since[seat] = [], 0
        position.play_all(seat, list(own))
        here = seat
        if seat in writers and position.actors and seat not in position.actors:
            orders[seat] = written(position, seat, mind, wish, thinking[seat])
    outcome.shares = win_shares(position.winners, players)
    outcome.points = position.scores
    return outcome


def key_of(asked: Mapping[str, Any] | None) -> str:
    """Return the key of a question."""
    return str((asked or {}).get("key", ""))


@dataclass(frozen=True)
class Job:
    """Some deals for one process."""

    game: str
    players: int
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
            (writer, play(job.game, job.players, seed, {writer} - {-1}, job.wish, job.pairs))
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
    parser.add_argument("--worlds", type=int, default=Writing.worlds)
    parser.add_argument("--turns", type=int, default=Writing.turns)
    parser.add_argument("--price", type=float, default=Writing.price, help="hundredths of a win that a wait may cost")
    parser.add_argument("--doubt", type=float, default=Writing.doubt, help="see Writing")
    parser.add_argument("--alert", action="store_true", help="see Writing")
    parser.add_argument("--most", type=int, default=Writing.most)
    parser.add_argument("--pairs", type=int, default=128, help="games by which a move is compared with the level's own")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--out", help="add every deal to this file, so that a later run goes on from there")
    wanted = parser.parse_args()
    wish = Writing(wanted.worlds, wanted.turns, wanted.price, wanted.doubt, wanted.alert, wanted.most)
    pairs = wanted.pairs
    begun = time.perf_counter()
    deals = read(wanted.out) if wanted.out else []
    seeds = range(wanted.seed * 1_000_000 + len(deals), wanted.seed * 1_000_000 + max(len(deals), wanted.deals))
    jobs = [Job(wanted.game, wanted.players, (seed,), wish, pairs) for seed in seeds]
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
        f"{wanted.game}, {wanted.players} players, {len(deals)} deals: waits of a person "
        f"{np.mean(before):.1f} -> {np.mean(after):.1f}, {100 * fewer:.1f} % fewer "
        f"({100 * low:.1f} to {100 * high:.1f}); win share {100 * share:+.2f} % (± {100 * share_by:.2f}); points "
        f"{more:+.2f} (± {more_by:.2f}) of {typical:.1f}, {100 * more / typical:+.2f} % "
        f"(± {100 * more_by / typical:.2f}); by whole games {100 * end:+.1f} % (± {100 * end_by:.1f}); {seconds:.0f} s"
    )
    told = {"game": wanted.game, "players": wanted.players, **asdict(wish), "deals": len(deals)}
    told |= {"fewer": fewer, "low": low, "high": high, "won": share, "won_by": share_by, "ends": end}
    print(json.dumps(told | {"points": more, "points_by": more_by, "level_points": typical, "seconds": round(seconds)}))


if __name__ == "__main__":
    main()
