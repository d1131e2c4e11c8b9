"""The metre: the places of a game's bots on one scale, from the ladders that come with the game.

A game has a ladder for each number of seats. They differ in width, for in a game of many luck decides more. Where r is
a bot's rating at n seats and s its place on the one scale, r = c + a * s with a and c of that number of seats alone:
luck at n seats is as large as a is small. Only additions, multiplications and divisions in a fixed order are used, so
that the places are the same on every machine.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import msgspec

import ziggurat

ANCHORS_FILE = "anchors.json"
REFERENCE_BOT = "greedy"
REFERENCE_PLACE = 1000.0
"""The place of the reference on the scale."""
LUCK_POINTS = 209.0
"""The standard deviation of the luck of one seat, in points of a ladder: with it, the chance of one seat to be ahead of
another is that of the ladder's logistic model (10 to 1 for 400 points), to within one in a hundred."""
RUNG_BOTS = ("apprentice", "mason", "builder", "architect", "master")
"""The rungs, from the lowest."""
LEAST_RATING_SE = 15.0
"""Points by which a rating is uncertain at least: no single one says all."""
FIT_ROUNDS = 200
Z95 = 1.96


class _Anchor(msgspec.Struct):
    name: Annotated[str, msgspec.Meta(max_length=100)]
    rating: float
    low: float
    high: float


class _Ladder(msgspec.Struct):
    players: Annotated[int, msgspec.Meta(ge=1, le=100)]
    anchors: list[_Anchor]


@dataclass(frozen=True)
class Metre:
    """The scale of a game.

    Attributes:
        digest: of the ladders that it follows from: levels by another metre are not comparable.
        places: of the bots, in points.
        luck: the standard deviation of the luck of one seat in one game, in points of the scale, by number of seats.
        rungs: places of `RUNG_BOTS`, rising; empty where the ladders do not tell them apart.
    """

    game: str
    digest: str
    places: Mapping[str, float]
    luck: Mapping[int, float]
    rungs: tuple[float, ...]

    @property
    def usable(self) -> bool:
        """Whether levels can be read from it."""
        return len(self.rungs) == len(RUNG_BOTS)

    @property
    def start_place(self) -> float:
        """The mean of what is believed of somebody of whom no game is known."""
        return (self.rungs[1] + self.rungs[2]) / 2

    @property
    def start_sigma(self) -> float:
        """The standard deviation of that."""
        return (self.rungs[-1] - self.rungs[0]) / 3


def read(game: str, text: bytes) -> Metre:
    """Return the metre that follows from the ladders of a file. Raises msgspec.DecodeError for what holds none."""
    ladders = sorted(msgspec.json.decode(text, type=list[_Ladder]), key=lambda one: one.players)
    ladders = [one for one in ladders if one.players > 1 and len(one.anchors) > 1]
    places, widths = _common(ladders) if ladders else ({}, {})
    rungs = _rising([places[bot] for bot in RUNG_BOTS]) if all(bot in places for bot in RUNG_BOTS) else ()
    luck = {players: LUCK_POINTS / width for players, width in widths.items()}
    return Metre(game, hashlib.sha256(text).hexdigest()[:16], places, luck, rungs)


@cache
def metre_of(game: str) -> Metre:
    """Return the metre of a game; one that is not usable where the game has no ladders."""
    file = Path(str(ziggurat.game(game).folder)) / ANCHORS_FILE
    return read(game, file.read_bytes() if file.is_file() else b"[]")


def _common(ladders: Sequence[_Ladder]) -> tuple[dict[str, float], dict[int, float]]:
    """Return the places of bots, and the width of each ladder on that scale; the first ladder has width 1.

    By weighted least squares: places and ladders in turn, until neither moves.
    """
    rows = [[(one.name, one.rating, _weight(one)) for one in ladder.anchors] for ladder in ladders]
    # The ladder of which most is known is the first guess.
    surest = max(range(len(rows)), key=lambda i: (math.fsum(weight for *_, weight in rows[i]), -i))
    places = {name: rating for name, rating, _ in rows[surest]}
    lines = [(0.0, 1.0)] * len(rows)
    for _ in range(FIT_ROUNDS):
        lines = [_line([(places[name], rating, w) for name, rating, w in row if name in places]) for row in rows]
        sums: dict[str, tuple[float, float]] = {}
        for row, (shift, width) in zip(rows, lines, strict=True):
            for name, rating, w in row:
                up, down = sums.get(name, (0.0, 0.0))
                sums[name] = up + w * width * (rating - shift), down + w * width * width
        places = {name: up / down for name, (up, down) in sums.items() if down > 0}
    first = lines[0][1]
    zero = places.get(REFERENCE_BOT, min(places.values()))
    return (
        {name: REFERENCE_PLACE + (place - zero) * first for name, place in places.items()},
        {ladder.players: width / first for ladder, (_, width) in zip(ladders, lines, strict=True)},
    )


def _weight(anchor: _Anchor) -> float:
    error = max(LEAST_RATING_SE, (anchor.high - anchor.low) / 2 / Z95)
    return 1 / (error * error)


def _line(points: Sequence[tuple[float, float, float]]) -> tuple[float, float]:
    """Return shift and width of the line through weighted points (place, rating, weight)."""
    total = sum(w for *_, w in points)
    if total == 0:
        return 0.0, 1.0
    x0 = sum(w * x for x, _, w in points) / total
    y0 = sum(w * y for _, y, w in points) / total
    across = sum(w * (x - x0) * (x - x0) for x, _, w in points)
    width = sum(w * (x - x0) * (y - y0) for x, y, w in points) / across if across > 0 else 1.0
    width = max(width, 0.05)
    return y0 - width * x0, width


def _rising(rungs: list[float]) -> tuple[float, ...]:
    """Return the rungs if each is above the one before."""
    return tuple(rungs) if all(one < other for one, other in pairwise(rungs)) else ()
