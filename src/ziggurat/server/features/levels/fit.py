"""The fit: the places of people on the metre's scale, from the list of counted games, all at once.

The method is TrueSkill Through Time (Landfried and Mocskos 2025, doi 10.18637/jss.v112.i06): what is known of somebody
at one game is what all their other games say, before and after, and what a game says depends on what is so known of the
others in it. What a single game says is in `result.py`; who meets whom when, and how large luck is, is here.

The fit is a function of the list and the metre. It uses double precision in a fixed order and of the system's library
`exp`, `erfc` and `sqrt`: where these round the last digit otherwise, published places (hundredths of a point) are the
same all the same, but for one in some hundred million.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import NormalDist

import msgspec

from ziggurat.server.features.levels.metre import Metre
from ziggurat.server.features.levels.result import told

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
FIT_NUMBERS = (DRAW_CHANCE, DRIFT_PER_GAME, DRIFT_PER_DAY, MOST_DAYS, KNOWN_GAMES, CONVERGED_POINTS, UNCHANGED)
"""What a fit depends on beside the list and the metre."""
DAY_SECONDS = 86_400.0
BOT_SIGMA = 0.0
TIE_MARGIN = NormalDist().inv_cdf(0.5 + DRAW_CHANCE / 2)
"""How close two performances are that tie, in standard deviations of the luck of both."""
NOTHING = 0.0, math.inf
"""Mean and standard deviation of what says nothing."""


class PartShare(msgspec.Struct, frozen=True, array_like=True):
    """A participant's part in the moves of a side."""

    who: str
    part: float = 1.0


class Side(msgspec.Struct, frozen=True, array_like=True):
    """A side of a counted game: who moved there, and its place, 1 for the first; ties have the same."""

    place: int
    shares: tuple[PartShare, ...]


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
class FitPoint:
    """Where somebody stands at a game: mean and standard deviation, in points."""

    ended: float
    mean: float
    sigma: float


@dataclass(frozen=True)
class Curve:
    """The points of a person, the oldest first, and in how many of their games a bot was at the table."""

    points: tuple[FitPoint, ...]
    with_bots: int
    final: FitPoint = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "final", self.points[-1])

    @property
    def known(self) -> bool:
        """Whether the person is on the metre."""
        return self.with_bots >= KNOWN_GAMES


def is_bot(who: str) -> bool:
    """Whether a participant is a bot of the metre."""
    return who.startswith(BOT_PREFIX)


def fit_digest(metre: Metre) -> str:
    """Return a digest of the metre and the numbers of the fit: places by another are not comparable."""
    return hashlib.sha256(f"{metre.digest} {FIT_NUMBERS}".encode()).hexdigest()[:16]


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

    __slots__ = ("answered", "asked", "luck", "parts", "places", "spots")

    def __init__(
        self,
        sides: Sequence[Sequence[tuple[_Spot | float, float]]],
        places: Sequence[int],
        luck: float,
        answered: frozenset[int],
    ) -> None:
        self.spots = [spot for side in sides for spot, _ in side]
        self.parts = [[part for _, part in side] for side in sides]
        self.places, self.luck, self.answered = places, luck, answered
        self.asked: list[tuple[float, float]] | None = None

    def answer(self) -> float:
        """Ask the game again, if anything has changed; return by how many points a person in it moved."""
        known = [one.others() if isinstance(one, _Spot) else (one, BOT_SIGMA) for one in self.spots]
        if self.asked is not None and all(
            abs(a - c) < UNCHANGED and abs(b - d) < UNCHANGED for (a, b), (c, d) in zip(known, self.asked, strict=True)
        ):
            return 0.0
        self.asked = known
        said = likelihoods(known, self.parts, self.places, self.luck)
        moved = 0.0
        for spot, (mean, sigma) in zip(self.spots, said, strict=True):
            if not isinstance(spot, _Spot) or id(spot) not in self.answered:
                continue
            before, _ = spot.all()
            spot.said_pi = 1 / (sigma * sigma) if sigma < math.inf else 0.0
            spot.said_tau = mean * spot.said_pi
            moved = max(moved, abs(spot.all()[0] - before))
        return moved


def likelihoods(
    known: Sequence[tuple[float, float]], sides: Sequence[Sequence[float]], places: Sequence[int], luck: float
) -> list[tuple[float, float]]:
    """Return what a result says of everybody in it, as mean and standard deviation; infinite where it says nothing.

    Of sides that tied the better comes first: far out, the chance of a tie is only accurate that way round.

    Args:
        known: of each share, side by side: mean and standard deviation.
        sides: the parts of their shares.
    """
    means, variances, at = [], [], 0
    for parts in sides:
        mean = variance = 0.0
        for part in parts:
            one, sigma = known[at]
            mean += part * one
            variance += part * part * (sigma * sigma + luck * luck)
            at += 1
        means.append(mean)
        variances.append(variance)
    row = sorted(range(len(sides)), key=lambda i: (places[i], -means[i], i))
    ties = [places[i] == places[j] for i, j in pairwise(row)]
    margins = [TIE_MARGIN * luck * math.sqrt(len(sides[i]) + len(sides[j])) for i, j in pairwise(row)]
    try:
        said = told([means[i] for i in row], [variances[i] for i in row], margins, ties)
    except (ArithmeticError, ValueError):  # so unlikely that double precision cannot say how much
        return [NOTHING] * len(known)
    by_side = dict(zip(row, said, strict=True))
    found: list[tuple[float, float]] = []
    for i, parts in enumerate(sides):
        mean, variance = by_side[i]
        for part in parts:
            one, sigma = known[len(found)]
            # The others of the side did their part.
            spread = variance + variances[i] - part * part * sigma * sigma
            answer = (mean - (means[i] - part * one)) / part, math.sqrt(spread) / part
            found.append(answer if math.isfinite(answer[0]) and math.isfinite(answer[1]) else NOTHING)
    return found


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
            who: Curve(tuple(FitPoint(ended, *spot.all()) for ended, spot in chain), self.met[who])
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


def places_of(curves: Mapping[str, Curve]) -> dict[str, FitPoint]:
    """Return where people stand now."""
    return {who: curve.final for who, curve in curves.items()}
