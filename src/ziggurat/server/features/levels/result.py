"""What the result of one game says of its sides: expectation propagation between neighbours.

The sides of a game performed so that each was ahead of the next by more than a margin, or within it where they tied.
Messages go down and up the row of sides until they stay. It is what `trueskillthroughtime.Game` computes (Landfried and
Mocskos 2025, doi 10.18637/jss.v112.i06), to which a test compares it; in plain numbers, for a fit asks it ten thousand
times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

MOST_SWEEPS = 10
MOVED_POINTS = 1e-6
"""Messages stay when no mean or standard deviation of one moves more."""
ROOT_2 = math.sqrt(2)
DENSITY = 1 / math.sqrt(2 * math.pi)


def told(
    means: Sequence[float],
    variances: Sequence[float],
    margins: Sequence[float],
    ties: Sequence[bool],
    moved: float = MOVED_POINTS,
) -> list[tuple[float, float]]:
    """Return what a result says of the performance of each side, as mean and variance; infinite: it says nothing.

    Args:
        means: of the performances, by what was known before, from the first side to the last; two at least.
        variances: of them.
        margins: between each side and the next, in points.
        ties: whether each side has tied with the next.
        moved: points; messages that move less stay.

    Raises:
        ArithmeticError, ValueError: where it is so unlikely that double precision cannot say how much.
    """
    last = len(means) - 1
    if last == 1:
        by, spread = difference(means[0] - means[1], variances[0] + variances[1], margins[0], ties[0])
        return [(means[1] + by, variances[1] + spread), (means[0] - by, variances[0] + spread)]
    # What those before a side say of it, and those behind it: precision, and precision * mean.
    before_pi, before_tau = [0.0] * (last + 1), [0.0] * (last + 1)
    behind_pi, behind_tau = [0.0] * (last + 1), [0.0] * (last + 1)
    known_pi = [1 / variance for variance in variances]
    known_tau = [mean / variance for mean, variance in zip(means, variances, strict=True)]
    before: list[tuple[float, float]] = [(0.0, math.inf)] * (last + 1)
    behind: list[tuple[float, float]] = [(0.0, math.inf)] * (last + 1)
    down, up = range(last - 1), range(last - 1, 0, -1)
    first_gap = last_gap = (0.0, math.inf)
    for _ in range(MOST_SWEEPS):
        step = 0.0
        for i in down:
            near, far = known_pi[i] + before_pi[i], known_pi[i + 1] + behind_pi[i + 1]
            mean = (known_tau[i] + before_tau[i]) / near
            by, spread = difference(
                mean - (known_tau[i + 1] + behind_tau[i + 1]) / far, 1 / near + 1 / far, margins[i], ties[i]
            )
            if i == 0:
                first_gap = by, spread
            mean, variance = mean - by, 1 / near + spread
            sigma = math.sqrt(variance)
            was, was_sigma = before[i + 1]
            step = max(step, abs(mean - was), abs(sigma - was_sigma))
            before[i + 1] = mean, sigma
            before_pi[i + 1], before_tau[i + 1] = 1 / variance, mean / variance
        for i in up:
            near, far = known_pi[i] + before_pi[i], known_pi[i + 1] + behind_pi[i + 1]
            mean = (known_tau[i + 1] + behind_tau[i + 1]) / far
            by, spread = difference(
                (known_tau[i] + before_tau[i]) / near - mean, 1 / near + 1 / far, margins[i], ties[i]
            )
            if i == last - 1:
                last_gap = by, spread
            mean, variance = mean + by, 1 / far + spread
            sigma = math.sqrt(variance)
            was, was_sigma = behind[i]
            step = max(step, abs(mean - was), abs(sigma - was_sigma))
            behind[i] = mean, sigma
            behind_pi[i], behind_tau[i] = 1 / variance, mean / variance
        if step <= moved:
            break
    found = []
    far, near = known_pi[1] + behind_pi[1], known_pi[last - 1] + before_pi[last - 1]
    found.append(((known_tau[1] + behind_tau[1]) / far + first_gap[0], 1 / far + first_gap[1]))
    for i in range(1, last):
        pi = before_pi[i] + behind_pi[i]
        found.append(((before_tau[i] + behind_tau[i]) / pi, 1 / pi) if pi > 0 else (0.0, math.inf))
    found.append(((known_tau[last - 1] + before_tau[last - 1]) / near - last_gap[0], 1 / near + last_gap[1]))
    return found


def difference(mean: float, variance: float, margin: float, tie: bool) -> tuple[float, float]:
    """Return what is said of a difference of two performances by one being ahead, or by a tie: mean and variance.

    Args:
        mean: of what was known of it before; the other arguments are as those of `told`.
    """
    sigma = math.sqrt(variance)
    if tie:
        low, high = (-margin - mean) / sigma, (margin - mean) / sigma
        there = 0.5 * (math.erfc(-high / ROOT_2) - math.erfc(-low / ROOT_2))
        at_low, at_high = DENSITY * math.exp(-0.5 * low * low), DENSITY * math.exp(-0.5 * high * high)
        shift = (at_low - at_high) / there
        shrink = shift * shift - (low * at_low - high * at_high) / there
    else:
        ahead = (mean - margin) / sigma
        shift = DENSITY * math.exp(-0.5 * ahead * ahead) / (0.5 * math.erfc(-ahead / ROOT_2))
        shrink = shift * (shift + ahead)
    if shrink <= 0.0:
        return 0.0, math.inf
    if shrink >= 1.0:
        raise ArithmeticError("the result is too unlikely")
    return mean + sigma * shift / shrink, (1 - shrink) * variance / shrink
