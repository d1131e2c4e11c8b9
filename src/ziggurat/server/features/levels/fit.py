"""The fit: the places of people on the metre's scale, from the list of counted games, all at once.

The method is TrueSkill Through Time (Landfried and Mocskos 2025, doi 10.18637/jss.v112.i06): what is known of somebody
at one game is what all their other games say, before and after, and what a game says depends on what is so known of the
others in it. `trueskillthroughtime` computes what a single game says (`Game`); who meets whom when, and that luck is
larger where more play, is here, for its `History` has one size of luck for each person.

The fit is a function of the list and the metre. It uses double precision in a fixed order and of the system's library
`exp`, `log` and `sqrt`: where these round the last digit otherwise, published places (hundredths of a point) are the
same all the same, but for one in some hundred million.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import msgspec
import trueskillthroughtime as ttt

from ziggurat.server.features.levels.metre import Metre

BOT_PREFIX = "bot:"
"""How a participant begins that is a bot of the metre."""
DRAW_CHANCE = 0.02
"""The chance of a tie between two neighbours of equal strength."""
DRIFT_PER_GAME = 9.0
"""Points by which a place moves from one game to the next (standard deviation): people learn."""
DRIFT_PER_DAY = 2.0
"""Points by which it moves in a day without a game; it grows as the root of the days."""
MOST_DAYS = 400.0
"""Days of absence that count."""
KNOWN_GAMES = 3
"""Games with a bot at the table after which somebody is on the metre. Before that, games against them lift nobody: what
they are is not known, and a second account costs nothing."""
CONVERGED_POINTS = 0.1
"""Places are final when none moves more in a round."""
UNCHANGED = 0.05
"""Points by which what is known of the others may move before a game is asked again."""
MOST_ROUNDS = 60
DAY_SECONDS = 86_400.0
BOT_SIGMA = 0.0


class Share(msgspec.Struct, frozen=True, array_like=True):
    """A participant's part in the moves of a side."""

    who: str
    part: float = 1.0


class Side(msgspec.Struct, frozen=True, array_like=True):
    """A side of a counted game: who moved there, and its place, 1 for the first; ties have the same."""

    place: int
    shares: tuple[Share, ...]


class CountedGame(msgspec.Struct, frozen=True):
    """A game that counts.

    Attributes:
        ended: seconds since 1970; with the id it says the order of the list.
        players: its number of seats, with those that say nothing.
        sides: those that say something.
        last: people who left it: each has lost against all sides, which are not lifted by that.
    """

    id: str
    ended: float
    players: int
    sides: tuple[Side, ...]
    last: tuple[str, ...] = ()

    def people(self) -> list[str]:
        """The people whose place it says something about, in the order of sides, then those who left."""
        there = [share.who for side in self.sides for share in side.shares if not is_bot(share.who)]
        return list(dict.fromkeys([*there, *self.last]))

    @property
    def with_bot(self) -> bool:
        """Whether a bot of the metre has a side of its own."""
        return any(len(side.shares) == 1 and is_bot(side.shares[0].who) for side in self.sides)


@dataclass(frozen=True, slots=True)
class Point:
    """Where somebody stands at a game: mean and standard deviation, in points."""

    ended: float
    mean: float
    sigma: float


@dataclass(frozen=True)
class Curve:
    """The points of a person, the oldest first, and in how many of their games a bot was at the table."""

    points: tuple[Point, ...]
    with_bots: int
    final: Point = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "final", self.points[-1])

    @property
    def known(self) -> bool:
        """Whether the person is on the metre."""
        return self.with_bots >= KNOWN_GAMES


def is_bot(who: str) -> bool:
    """Whether a participant is a bot of the metre."""
    return who.startswith(BOT_PREFIX)


def order(game: CountedGame) -> tuple[float, str]:
    """Return what sorts the list."""
    return game.ended, game.id


def fit(games: Iterable[CountedGame], metre: Metre) -> dict[str, Curve]:
    """Return the curves of all people in a list of games of one game."""
    return _Fit(sorted(games, key=order), metre).curves()


class _Spot:
    """One game of one person: what the past, the future and the game itself say, as precision and precision * mean."""

    __slots__ = ("drift", "future_pi", "future_tau", "past_pi", "past_tau", "said_pi", "said_tau")

    def __init__(self, drift: float) -> None:
        self.drift = drift
        """The variance that passes between the game before and this one."""
        self.past_pi = self.past_tau = self.future_pi = self.future_tau = self.said_pi = self.said_tau = 0.0

    def others(self) -> tuple[float, float]:
        """Mean and standard deviation by all but this game."""
        pi = self.past_pi + self.future_pi
        return (self.past_tau + self.future_tau) / pi, math.sqrt(1 / pi)

    def all(self) -> tuple[float, float]:
        """Mean and standard deviation by everything."""
        pi = self.past_pi + self.future_pi + self.said_pi
        return (self.past_tau + self.future_tau + self.said_tau) / pi, math.sqrt(1 / pi)


def drifted(pi: float, tau: float, variance: float) -> tuple[float, float]:
    """Return a message after a time in which a place moves by some variance."""
    if pi <= 0.0:
        return 0.0, 0.0
    later = 1 / (1 / pi + variance)
    return later, tau / pi * later


class _Question:
    """What is asked of a game: a result between sides; and to which spots the answer goes.

    `spots`: by side and share; None for a bot, and for a person who is none of the question's business.
    """

    __slots__ = ("answered", "asked", "luck", "places", "sides")

    def __init__(
        self,
        sides: Sequence[Sequence[tuple[_Spot | float, float]]],
        places: Sequence[int],
        luck: float,
        answered: frozenset[int],
    ) -> None:
        self.sides, self.places, self.luck, self.answered = sides, places, luck, answered
        self.asked: list[tuple[float, float]] | None = None

    def answer(self) -> float:
        """Ask the game again, if anything has changed; return by how many points a person in it moved."""
        known = [
            (one.others() if isinstance(one, _Spot) else (one, BOT_SIGMA)) for side in self.sides for one, _ in side
        ]
        if self.asked is not None and all(
            abs(a - c) < UNCHANGED and abs(b - d) < UNCHANGED for (a, b), (c, d) in zip(known, self.asked, strict=True)
        ):
            return 0.0
        self.asked = known
        here = iter(known)
        teams = [[ttt.Player(ttt.Gaussian(*next(here)), self.luck, 0.0) for _ in side] for side in self.sides]
        said = likelihoods(teams, self.places, [[part for _, part in side] for side in self.sides])
        moved = 0.0
        for side, answers in zip(self.sides, said, strict=True):
            for (spot, _), (mean, sigma) in zip(side, answers, strict=True):
                if not isinstance(spot, _Spot) or id(spot) not in self.answered:
                    continue
                before, _ = spot.all()
                spot.said_pi = 1 / (sigma * sigma) if sigma < math.inf else 0.0
                spot.said_tau = mean * spot.said_pi
                moved = max(moved, abs(spot.all()[0] - before))
        return moved


def likelihoods(
    teams: list[list[ttt.Player]], places: Sequence[int], parts: list[list[float]]
) -> list[list[tuple[float, float]]]:
    """Return what a result says of each player, as mean and standard deviation; infinite where it says nothing.

    Of sides that tied the better comes first: far out, the chance of a tie is only accurate that way round.
    """
    strength = [sum(p.prior.mu * w for p, w in zip(t, ws, strict=True)) for t, ws in zip(teams, parts, strict=True)]
    by_place = sorted(range(len(teams)), key=lambda i: (places[i], -strength[i], i))
    results = [float(-places[i]) for i in by_place]
    whole = all(part == 1.0 for side in parts for part in side)
    try:
        game = ttt.Game(
            [teams[i] for i in by_place], results, DRAW_CHANCE, [] if whole else [parts[i] for i in by_place]
        )
        found = [[(one.mu, one.sigma) for one in side] for side in game.likelihoods]
    except (ArithmeticError, ValueError):  # so unlikely that double precision cannot say how much
        found = [[(0.0, math.inf) for _ in teams[i]] for i in by_place]
    answer: list[list[tuple[float, float]]] = [[]] * len(teams)
    for i, side in zip(by_place, found, strict=True):
        answer[i] = [one if math.isfinite(one[0]) and one[1] > 0 else (0.0, math.inf) for one in side]
    return answer


class _Fit:
    def __init__(self, games: Sequence[CountedGame], metre: Metre) -> None:
        self.metre = metre
        self.games = [game for game in games if game.players in metre.luck]
        met: dict[str, int] = {}
        for game in self.games:
            for who in game.people():
                met[who] = met.get(who, 0) + game.with_bot
        self.met = met
        self.spots: dict[str, list[tuple[float, _Spot]]] = {who: [] for who in met}
        # For each game its spots, each with the one of the same person before; and its questions.
        self.steps: list[tuple[list[tuple[_Spot, _Spot | None]], list[_Question]]] = [
            self._step(game) for game in self.games
        ]
        after: dict[int, _Spot] = {}
        for chain in self.spots.values():
            for (_, spot), (_, following) in pairwise(chain):
                after[id(spot)] = following
        self.after = after

    def _spot(self, who: str, ended: float) -> tuple[_Spot, _Spot | None]:
        chain = self.spots[who]
        if not chain:
            spot, before = _Spot(0.0), None
            sigma = self.metre.start_sigma
            spot.past_pi, spot.past_tau = 1 / (sigma * sigma), self.metre.start_place / (sigma * sigma)
        else:
            last, before = chain[-1]
            days = min(max(0.0, (ended - last) / DAY_SECONDS), MOST_DAYS)
            spot = _Spot(DRIFT_PER_GAME * DRIFT_PER_GAME + days * DRIFT_PER_DAY * DRIFT_PER_DAY)
        chain.append((ended, spot))
        return spot, before

    def _step(self, game: CountedGame) -> tuple[list[tuple[_Spot, _Spot | None]], list[_Question]]:
        here = {who: self._spot(who, game.ended) for who in game.people()}
        luck = self.metre.luck[game.players]

        def shares(side: Side) -> list[tuple[_Spot | float, float]]:
            return [
                (
                    self.metre.places[share.who[len(BOT_PREFIX) :]] if is_bot(share.who) else here[share.who][0],
                    share.part,
                )
                for share in side.shares
            ]

        sides = [(side.place, shares(side)) for side in game.sides]
        unknown = {id(here[who][0]) for who in here if self.met[who] < KNOWN_GAMES}

        def of(side: Sequence[tuple[_Spot | float, float]]) -> set[int]:
            return {id(spot) for spot, _ in side if isinstance(spot, _Spot)}

        left = [(here[who][0], 1.0) for who in game.last]
        gone = {id(spot) for spot, _ in left}
        lowest = max((place for place, _ in sides), default=0) + 1
        sure = [(place, side) for place, side in sides if not of(side) & unknown]
        questions = []
        answered = frozenset(one for _, side in sure for one in of(side) - gone)
        if len(sure) > 1 and answered:
            questions.append(_Question([side for _, side in sure], [place for place, _ in sure], luck, answered))
        for place, side in sides:
            if (mine := of(side) & unknown - gone) and sure:
                # Of somebody who is not known yet: what the others say of them, not the other way round.
                those = [*sure, (place, side)]
                questions.append(_Question([s for _, s in those], [p for p, _ in those], luck, frozenset(mine)))
        for spot, part in left:
            if sure:
                those = [*sure, (lowest, [(spot, part)])]
                mine = {id(spot)}
                questions.append(_Question([s for _, s in those], [p for p, _ in those], luck, frozenset(mine)))
        return list(here.values()), questions

    def curves(self) -> dict[str, Curve]:
        """Go forth and back through the games until no place moves."""
        for turn in range(MOST_ROUNDS):
            moved = self._forward()
            if moved < CONVERGED_POINTS and turn:
                break
            moved = max(moved, self._backward())
            if moved < CONVERGED_POINTS:
                break
        return {
            who: Curve(tuple(Point(ended, *spot.all()) for ended, spot in chain), self.met[who])
            for who, chain in self.spots.items()
        }

    def _forward(self) -> float:
        moved = 0.0
        for spots, questions in self.steps:
            for spot, before in spots:
                if before is not None:
                    pi, tau = before.past_pi + before.said_pi, before.past_tau + before.said_tau
                    spot.past_pi, spot.past_tau = drifted(pi, tau, spot.drift)
            for question in questions:
                moved = max(moved, question.answer())
        return moved

    def _backward(self) -> float:
        moved = 0.0
        for spots, questions in reversed(self.steps):
            for spot, _ in spots:
                following = self.after.get(id(spot))
                if following is not None:
                    pi, tau = following.future_pi + following.said_pi, following.future_tau + following.said_tau
                    spot.future_pi, spot.future_tau = drifted(pi, tau, following.drift)
            for question in questions:
                moved = max(moved, question.answer())
        return moved


def chance_ahead(metre: Metre, players: int, one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the chance that a seat of (mean, sigma) is ahead of another in a game of so many seats."""
    luck = metre.luck[players]
    spread = math.sqrt(one[1] * one[1] + other[1] * other[1] + 2 * luck * luck)
    return 0.5 * math.erfc((other[0] - one[0]) / (spread * math.sqrt(2)))


def places_of(curves: Mapping[str, Curve]) -> dict[str, Point]:
    """Return where people stand now."""
    return {who: curve.final for who, curve in curves.items()}
