"""Reasons why one move is better than another, in words: its immediate gain, what it prepares and what it denies.

Both moves are played on in pairs of games with the same hidden cards and the same chance (`pairs.py`), dealt again from
what the seat knows. What the two give at once in every deal is a fact. Of everything later the mean difference is told,
by part of the score, where it is clearly not chance, however many parts are looked at. Where neither the games won nor
the margin differ clearly, that is what is said.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from ziggurat.bots.pairs import ACCUMULATORS, MOST_MOVE_STEPS, PAIR
from ziggurat.bots.tree import SEARCHING
from ziggurat.core.game import Game
from ziggurat.core.parts import Part
from ziggurat.core.position import Position
from ziggurat.core.random import RNG
from ziggurat.core.record import states_of
from ziggurat.core.runtime import prepare
from ziggurat.core.trace import Arg, Phrase, new_out, new_trace

CLEAR_ERRORS = 2.5
"""Standard errors by which a difference is no chance, when it is the only one that is looked at."""
FEWEST_DIFFERENT_GAMES = 8
"""Fewer games that differ tell nothing, whatever their mean."""
LEAST_POINTS = 0.25
"""Points that are not worth a word."""
MOST_PARTS_AT_ONCE, MOST_PARTS_LATER = 3, 3
"""So many parts are named at most, of what a move brings at once and of what comes later."""
Args = dict[str, Arg]
PAIRS_PER_CHUNK = 25
"""Pairs that are played before the clock is looked at."""
CLEAR_TAIL = NormalDist().cdf(-CLEAR_ERRORS)


class Mean(NamedTuple):
    """A mean of differences, and its standard error."""

    value: float
    error: float

    @property
    def clear(self) -> bool:
        return abs(self.value) > CLEAR_ERRORS * self.error

    @classmethod
    def of(cls, differences: np.ndarray) -> Mean:
        n = len(differences)
        return cls(float(differences.mean()), float(differences.std(ddof=1)) / math.sqrt(n) if n > 1 else math.inf)


class PairedRollouts:
    """Paired rollouts of two moves of a seat: the first, and the one it is compared with."""

    def __init__(self, position: Position, seat: int, rng: np.ndarray) -> None:
        """Prepare the pairs; nothing is played yet.

        Args:
            position: before both moves; only what the seat knows of it is kept.
            rng: generator of shape (1,); it moves on.
        """
        self.game = position.game
        self.seat = seat
        self.players = position.players
        self._states = np.zeros(3, dtype=self.game.record)
        self._states[0] = states_of(position.redeal(seat, rng).to_bytes(), self.game.record)[0]
        self._rngs = np.zeros(3, dtype=RNG)
        self._rng = rng
        self._accumulators = _accumulators(self.game)
        self.played: list[np.ndarray] = []

    def play(self, move: Sequence[int], other: Sequence[int], number: int, until: float = math.inf) -> PairedRollouts:
        """Play so many pairs of games, or until a moment of ``time.perf_counter``; returns this."""
        compare = prepare(self.game, program=SEARCHING).kernels["compare"]
        for side, steps in enumerate((move, other)):
            self._accumulators["length"][0, side] = min(len(steps), MOST_MOVE_STEPS)
            self._accumulators["steps"][0, side, : len(steps)] = list(steps)[:MOST_MOVE_STEPS]
        trace, out = new_trace(), new_out(self.game.weight_values)
        while number > 0 and time.perf_counter() < until:
            pairs = np.zeros(min(number, PAIRS_PER_CHUNK), dtype=PAIR)
            self._rngs[0] = self._rng[0]
            compare(self._states, self._accumulators, pairs, self._rngs, trace, out, self.seat, len(pairs))
            self._rng[0] = self._rngs[0]
            self.played.append(pairs)
            number -= len(pairs)
        return self

    @property
    def games(self) -> np.ndarray:
        """Return the results of every pair, see ``pairs.PAIR``."""
        return np.concatenate(self.played) if self.played else np.zeros(0, dtype=PAIR)

    @property
    def differ(self) -> bool:
        """Whether any pair has two different ends."""
        games = self.games
        return any(bool((games[name][:, 0] != games[name][:, 1]).any()) for name in ("score", "booked"))

    @property
    def chance(self) -> Mean:
        """Return how much more of the games the first move wins."""
        won = self.games["won"][:, :, self.seat]
        return Mean.of(won[:, 0] - won[:, 1])

    @property
    def margins(self) -> np.ndarray:
        """Return the seat's margin to the best rival at the end, in points, by game and side."""
        scores = self.games["score"]
        rivals = [other for other in range(max(self.players, 2)) if other != self.seat]
        found: np.ndarray = scores[:, :, self.seat] - scores[:, :, rivals].max(axis=2)
        return found

    @property
    def margin(self) -> Mean:
        """Return by how many points the first move improves the margin to the best rival."""
        margins = self.margins
        return Mean.of(margins[:, 0] - margins[:, 1])


def _accumulators(game: Game) -> np.ndarray:
    """Return the bookings of a game, sorted by code."""
    accumulators = np.zeros(1, dtype=ACCUMULATORS)
    bookings = sorted(game.parts.bookings) if game.parts else []
    for place, booking in enumerate(bookings):
        accumulators["first"][0, booking.code + 1 :] += 1
        for name in ("seat", "amount", "sign", "part", "of", "times", "when"):
            accumulators[name][0, place] = getattr(booking, name)
    return accumulators


MADE, OTHERS = Phrase("why.beside.made"), Phrase("why.beside.others")
"""What a move is compared with: the one that was made, or others on average."""
YOUR_MOVE = Phrase("why.beside.yours")
"""The move that the reader made."""


def compared_with(move: Phrase) -> Phrase:
    """Return the phrase for the other move in a comparison."""
    return Phrase("why.beside.move", {"move": move})


def reasons(pairs: PairedRollouts, other: Phrase) -> list[Phrase]:
    """Return why the first move is better than the other, the most important first; or that it is not, as far as this
    tells.

    Args:
        other: the other one: ``MADE``, ``OTHERS``, or a move by ``compared_with``.
    """
    games = sum(map(len, pairs.played))
    if games < 2 * FEWEST_DIFFERENT_GAMES:
        return []
    against: Args = {"games": games, "beside": other}
    chance, margin = pairs.chance, pairs.margin
    if not (chance.clear or margin.clear):
        return [Phrase("why.noise", against), *_at_once(pairs)]
    # Where the two disagree, winning is what counts.
    if (chance if chance.clear else margin).value < 0:
        return [Phrase("why.deeper", against), *_at_once(pairs)]
    if chance.clear:
        told: Args = {"percent": max(1, round(100 * chance.value)), "error": max(1, round(196 * chance.error))}
        head = Phrase("why.wins", {**against, **told})
    else:
        head = Phrase("why.ahead", {**against, **halves(margin.value)})
    return [head, *_at_once(pairs), *_later(pairs)]


def _owners(pairs: PairedRollouts) -> list[int]:
    """Return the seats whose points are told: the mover's, and everybody's who can win; alone, the opponent's."""
    return [pairs.seat, *(seat for seat in range(max(pairs.players, 2)) if seat != pairs.seat)]


def _sums(booked: np.ndarray, part: Part) -> np.ndarray:
    found: np.ndarray = booked[..., part.first : part.first + part.times].sum(axis=-1)
    return found


def _at_once_of(games: np.ndarray, owner: int, part: Part) -> tuple[int, int]:
    """Return the immediate gains of the move and the other one for a seat; None unless they are the same in every deal,
    or if both gain as much."""
    now = _sums(games["now"][:, :, owner], part)
    told = bool((now == now[0]).all()) and now[0, 0] != 0 and now[0, 0] != now[0, 1]
    return (int(now[0, 0]), int(now[0, 1])) if told else (0, 0)


def _at_once(pairs: PairedRollouts) -> list[Phrase]:
    """Return the phrases of the immediate gains and losses of the move, the largest first."""
    parts, games = pairs.game.parts, pairs.games
    found: list[tuple[int, Phrase]] = []
    for owner in _owners(pairs):
        for part in parts.parts if parts else []:
            gain, _ = _at_once_of(games, owner, part)
            own = owner == pairs.seat
            said: Args = {**halves(abs(gain)), "part": part.words}
            if gain and part.counted:
                if own:
                    found.append((0, Phrase("why.more", said)))
            elif gain and own:
                found.append((abs(gain), Phrase("why.gives" if gain > 0 else "why.costs", said)))
            elif gain:
                found.append((abs(gain), Phrase("why.leaves" if gain > 0 else "why.takes", {**said, "seat": owner})))
    return [phrase for _, phrase in sorted(found, key=lambda one: -one[0])[:MOST_PARTS_AT_ONCE]]


def _later(pairs: PairedRollouts) -> list[Phrase]:
    """Return what the move prepares, denies and gives up, where that is significant: the largest first."""
    parts = pairs.game.parts
    if parts is None:
        return []
    looked = [
        (owner, part, Mean.of(differences), differences)
        for owner in _owners(pairs)
        for part in parts.parts
        if np.count_nonzero(differences := _differences(pairs.games, owner, part)) >= FEWEST_DIFFERENT_GAMES
    ]
    if not looked:
        return []
    limit = -NormalDist().inv_cdf(CLEAR_TAIL / len(looked))
    clear = [one for one in looked if abs(one[2].value) > max(LEAST_POINTS, limit * one[2].error)]
    clear.sort(key=lambda one: (one[1].counted, -abs(one[2].value)))
    # What speaks for the move, and at most one thing that speaks against it.
    good, bad, counted = [], [], []
    for one in clear:
        own, more = one[0] == pairs.seat, one[2].value > 0
        if one[1].counted:
            counted += [one] if own and more else []
        elif own == more:
            good.append(one)
        elif own:
            bad.append(one)
    chosen = [*good[: MOST_PARTS_LATER - len(bad[:1])], *bad[:1], *counted[:1]][:MOST_PARTS_LATER]
    return [_later_words(pairs, owner, part, mean) for owner, part, mean, _ in chosen]


def _differences(games: np.ndarray, owner: int, part: Part) -> np.ndarray:
    """Return by how much more a seat gets of a part, without the immediate gain."""
    booked = _sums(games["booked"][:, :, owner], part)
    gain, other = _at_once_of(games, owner, part)
    found: np.ndarray = booked[:, 0] - booked[:, 1] - (gain - other)
    return found


def _later_words(pairs: PairedRollouts, owner: int, part: Part, mean: Mean) -> Phrase:
    said: Args = {**halves(abs(mean.value)), "part": _when(pairs, owner, part, mean)}
    if owner != pairs.seat:
        return Phrase("why.denies", {**said, "seat": owner})
    if part.counted:
        return Phrase("why.brings", said)
    return Phrase("why.prepares" if mean.value > 0 else "why.gives_up", said)


def _when(pairs: PairedRollouts, owner: int, part: Part, mean: Mean) -> Phrase:
    """Return a part in words; with its time where most of the difference comes from one."""
    if part.times > 1:
        booked = pairs.games["booked"][:, :, owner, part.first : part.first + part.times]
        by_time = (booked[:, 0] - booked[:, 1]).mean(axis=0)
        time = int(np.argmax(by_time * np.sign(mean.value)))
        if by_time[time] / mean.value > 0.7:
            return part.at(time)
    return part.words


def halves(points: float) -> Args:
    """Return points as people say them, in halves while they are few; with the number that a plural goes by."""
    doubled = round(2 * points)
    if doubled >= 8 or doubled % 2 == 0:
        whole = max(1, round(points))
        return {"points": str(whole), "n": whole}
    return {"points": f"{doubled // 2 or ''}½", "n": 1 + doubled // 2}
