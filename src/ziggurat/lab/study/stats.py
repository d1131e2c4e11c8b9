"""The estimators of a study: shares, differences and the variance components of luck and skill, each with its 95 %
interval.

What a game has in it hangs together, as do games of one deal. So games, or deals, are what is counted as independent.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ziggurat.lab.intervals import Z, student, wilson

if TYPE_CHECKING:
    import polars


def strict(comparisons: int) -> float:
    """Return half the width, in standard errors, of an interval that holds for so many comparisons at once
    (Bonferroni)."""
    return NormalDist().inv_cdf(1 - 0.025 / max(1, comparisons))


class Estimate(NamedTuple):
    """An estimate: a number with its 95 % confidence interval, and the number of rows behind it."""

    value: float
    low: float
    high: float
    rows: int

    def differs_from(self, other: float, z: float = Z) -> bool:
        """Whether it differs significantly from a number, at an interval of ``z`` standard errors."""
        return not (
            self.value - (self.value - self.low) * z / Z <= other <= self.value + (self.high - self.value) * z / Z
        )


def share(win: np.ndarray, game: np.ndarray) -> Estimate:
    """Return the share of wins of some rows: Wilson's interval for as many independent rows as theirs are worth.

    Args:
        win: of shape (rows,): 1, a part of it, or 0.
        game: of which game each row is; rows of one game are no independent ones.
    """
    count = len(win)
    if not count:
        return Estimate(math.nan, math.nan, math.nan, 0)
    value = float(win.mean())
    _, at = np.unique(game, return_inverse=True)
    residuals = np.bincount(at, weights=win - value)
    variance = float((residuals**2).sum()) / count**2
    worth = value * (1 - value) / variance if variance > 1e-12 and 0 < value < 1 else float(count)
    low, high = wilson(value, max(worth, 1.0))
    return Estimate(value, low, high, count)


def mean(values: np.ndarray, group: np.ndarray | None = None) -> Estimate:
    """Return a mean; rows of one cluster (a game, a deal) are not independent."""
    count = len(values)
    if not count:
        return Estimate(math.nan, math.nan, math.nan, 0)
    value = float(values.mean())
    if group is None:
        residuals = np.asarray(values - value, dtype=np.float64)
    else:
        _, at = np.unique(group, return_inverse=True)
        residuals = np.bincount(at, weights=values - value).astype(np.float64)
    groups = len(residuals)
    error = math.sqrt(float((residuals**2).sum()) * groups / max(groups - 1, 1)) / count if groups > 1 else math.nan
    return Estimate(value, value - Z * error, value + Z * error, count)


def difference(values: np.ndarray, usual: np.ndarray) -> Estimate:
    """Return how much larger the mean of some games is than that of others; the games of both may be paired at the
    start, in order.

    It is taken between games that begin alike or between all, whichever is the sharper.
    """
    paired = mean(values - usual[: len(values)])
    one, other = mean(values), mean(usual)
    error = math.hypot(one.high - one.value, other.high - other.value)
    apart = one.value - other.value
    if paired.high - paired.value <= error:
        return paired
    return Estimate(apart, apart - error, apart + error, len(values))


def winners_beside_others(values: np.ndarray, win: np.ndarray) -> tuple[Estimate, float]:
    """Return how much more of something winners have than the others of their games.

    Args:
        values, win: of shape (games, players); games in which nobody or everybody won tell nothing, nor does a row
            without a value (nan).

    Returns:
        the mean difference, and the same in standard deviations within games.
    """
    known = ~np.isnan(values)
    held = np.where(known, values, 0.0)
    won, lost = np.where(known, win, 0.0), np.where(known, win == 0, False)
    told = (won.sum(axis=1) > 0) & (lost.sum(axis=1) > 0)
    if told.sum() < 2:
        return Estimate(math.nan, math.nan, math.nan, int(told.sum())), math.nan
    held, won, lost, known = held[told], won[told], lost[told], known[told]
    difference = (held * won).sum(axis=1) / won.sum(axis=1) - (held * lost).sum(axis=1) / lost.sum(axis=1)
    inside = held - held.sum(axis=1, keepdims=True) / known.sum(axis=1, keepdims=True)
    deviation = math.sqrt(float((inside[known] ** 2).sum()) / max(1, int((known.sum(axis=1) - 1).sum())))
    found = mean(difference)
    return found, found.value / deviation if deviation > 0 else 0.0


SOURCES = {
    "skill": "who plays",
    "seat": "the seat",
    "deal": "the cards that are dealt to a seat",
    "style": "that a bot suits a deal or a seat better than others do",
    "chance": "everything else: what falls out otherwise when the same bots play the same deal again",
}


def sources(y: np.ndarray, *, equal: bool = False) -> dict[str, Estimate]:
    """Return the variance components of a result: which part of its variance comes from where.

    ``y = bot + seat + bot*seat + deal*seat + deal*bot + deal*bot*seat + the rest``, where every effect has the mean 0
    in each of its factors, which holds of itself when the results of a game add up to 0. The mean product of two
    results that share some factors, and are of two games, is a sum of variances of these effects; such products are
    solved for them. No product is of a game with itself, so no estimate is biased, and one of nothing may be below 0.
    Intervals are by the jackknife over deals.

    Args:
        y: of shape (deals, bots, seats, replays), with as many bots as seats: 3 deals and 2 replays or more. The
            results of a game add up to 0.
        equal: all bots are the same, so that only seat, deal and chance are told apart, more sharply.

    Returns:
        parts of the variance by the names of ``SOURCES``, which add up to 1.
    """
    deals = y.shape[0]
    products, means = _moments(y, equal)
    whole = _parts(products, means, equal)
    left_out = [_parts(np.delete(products, d, axis=0), np.delete(means, d, axis=0), equal) for d in range(deals)]
    found = {}
    for name, value in whole.items():
        others = np.array([one[name] for one in left_out])
        error = math.sqrt((deals - 1) / deals * float(((others - others.mean()) ** 2).sum()))
        half = student(deals - 1) * error
        found[name] = Estimate(value, value - half, value + half, deals)
    return found


def _moments(y: np.ndarray, equal: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return for every deal the mean products within it, and the mean result of every bot at every seat."""
    deals, bots, seats, replays = y.shape
    total = (y**2).mean(axis=(1, 2, 3))
    cells = y.mean(axis=3)
    if equal:
        games = y.transpose(0, 2, 1, 3).reshape(deals, seats, bots * replays)
        number = games.shape[2]
        same = ((games.sum(axis=2) ** 2 - (games**2).sum(axis=2)) / (number * (number - 1))).mean(axis=1)
        return np.stack([total, same, same], axis=1), cells.mean(axis=1, keepdims=True)
    same = ((y.sum(axis=3) ** 2 - (y**2).sum(axis=3)) / (replays * (replays - 1))).mean(axis=(1, 2))
    squares = (cells**2).sum(axis=(1, 2))
    at_seat = ((cells.sum(axis=1) ** 2).sum(axis=1) - squares) / (seats * bots * (bots - 1))
    return np.stack([total, same, at_seat], axis=1), cells


def _parts(products: np.ndarray, cells: np.ndarray, equal: bool) -> dict[str, float]:
    total, same, at_seat = products.mean(axis=0)
    deals, bots, seats = cells.shape
    pairs = deals * (deals - 1)

    def across(sums: np.ndarray, of_each: np.ndarray) -> np.ndarray:
        """Return the sum of the products of two deals."""
        found: np.ndarray = sums**2 - (of_each**2).sum(axis=0)
        return found

    both = across(cells.sum(axis=0), cells)  # (bots, seats)
    same_cell = both.mean() / pairs
    if equal:
        seat = same_cell
        found = {"skill": 0.0, "seat": seat, "deal": same - seat, "style": 0.0, "chance": total - same}
    else:
        seats_only = cells.sum(axis=1)
        bots_only = cells.sum(axis=2)
        cross_seat = (across(seats_only.sum(axis=0), seats_only).sum() - both.sum()) / (
            seats * bots * (bots - 1) * pairs
        )
        cross_bot = (across(bots_only.sum(axis=0), bots_only).sum() - both.sum()) / (bots * seats * (seats - 1) * pairs)
        k = bots / (bots - 1)
        skill_and_both, seat_and_both = (same_cell - cross_seat) / k, (same_cell - cross_bot) / k
        skill, seat = same_cell - seat_and_both, same_cell - skill_and_both
        deal = same - (same - at_seat) / k - seat
        found = {
            "skill": skill,
            "seat": seat,
            "deal": deal,
            "style": same - skill - seat - deal,
            "chance": total - same,
        }
    return {name: float(value / total) if total > 0 else math.nan for name, value in found.items()}


def cells(deal: np.ndarray, place: np.ndarray, seat: np.ndarray, replay: np.ndarray, result: np.ndarray) -> np.ndarray:
    """Return results in the form of ``sources``, from rows: of shape (deals, bots, seats, replays).

    Args:
        place: which of the bots sat there, from 0; ``seat`` and ``replay`` are counted from 0 too.
    """
    known, at = np.unique(deal, return_inverse=True)
    size = int(seat.max()) + 1
    table = np.full((len(known), size, size, int(replay.max()) + 1), np.nan)
    table[at, place, seat, replay] = result
    whole: np.ndarray = table[~np.isnan(table).any(axis=(1, 2, 3))]
    return whole


def games_to_be_sure(value: float) -> int | None:
    """Return after how many games between two the one who wins this part of them is ahead with a probability of 95
    %."""
    if value <= 0.5 or value >= 1:
        return None
    return math.ceil(1.6448536**2 * value * (1 - value) / (value - 0.5) ** 2)


def bins(values: np.ndarray, most: int = 6) -> list[tuple[float, float]]:
    """Return ranges of whole numbers, both ends included, with about as many values in each; a single number where
    possible."""
    known = np.unique(values)
    if len(known) <= most:
        return [(float(one), float(one)) for one in known]
    edges = np.unique(np.quantile(values, np.linspace(0, 1, most + 1)[1:], method="higher"))
    lows = [float(known[0]), *(float(known[known > edge][0]) for edge in edges[:-1])]
    return list(zip(lows, (float(edge) for edge in edges), strict=True))


def numbers(frame: polars.DataFrame, name: str) -> np.ndarray:
    """Return a column as floating point numbers, nan where a value is missing."""
    found: np.ndarray = frame[name].cast(float).fill_null(float("nan")).to_numpy()
    return found
