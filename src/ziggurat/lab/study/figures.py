"""Small pictures as SVG: their colours are the page's, and what they show stands in a table beside them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from ziggurat.lab.study.stats import Estimate, histogram


def mark(found: Estimate, low: float, high: float, even: float | None = None) -> str:
    """An interval and its middle on a line from ``low`` to ``high``, with a line where all would be even."""
    if math.isnan(found.value) or high <= low:
        return ""

    def at(value: float) -> float:
        return round(4 + 132 * (min(max(value, low), high) - low) / (high - low), 1)

    ends = [at(found.low), at(found.high)] if not math.isnan(found.low) else [at(found.value)] * 2
    line = "" if even is None else f'<line class="even" x1="{at(even)}" x2="{at(even)}" y1="0" y2="18"/>'
    return (
        f'<svg class="mark" width="140" height="18" viewBox="0 0 140 18" aria-hidden="true">{line}'
        f'<line class="interval" x1="{ends[0]}" x2="{ends[1]}" y1="9" y2="9"/>'
        f'<circle class="dot" cx="{at(found.value)}" cy="9" r="4"/></svg>'
    )


def bars(values: np.ndarray, said: str) -> str:
    """A histogram of whole numbers."""
    found = histogram(values)
    width, height = 300, 84
    number, top = len(found["share"]), float(found["share"].max())
    each = width / number
    drawn = "".join(
        f'<rect class="bar" x="{k * each + 0.5:.1f}" y="{height - height * float(share) / top:.1f}" '
        f'width="{max(each - 1, 0.5):.1f}" height="{height * float(share) / top:.1f}"/>'
        for k, share in enumerate(found["share"])
    )
    first, last = int(found["from"][0]), int(found["from"][-1]) + int(found["step"]) - 1
    return (
        f'<svg class="chart" viewBox="0 -4 300 108" role="img" aria-label="{said}">{drawn}'
        f'<line class="axis" x1="0" x2="{width}" y1="{height}" y2="{height}"/>'
        f'<text x="0" y="100">{first}</text><text x="{width}" y="100" text-anchor="end">{last}</text></svg>'
    )


def line(points: Sequence[Estimate], low: float, high: float, said: str) -> str:
    """Estimates one after another, with their intervals as a band; the scale is from ``low`` to ``high``."""
    width, height = 300, 110

    def x(k: int) -> float:
        return round(width * (k + 0.5) / len(points), 1)

    def y(value: float) -> float:
        return round(height - height * (min(max(value, low), high) - low) / (high - low), 1)

    upper = [f"{x(k)},{y(one.high)}" for k, one in enumerate(points)]
    lower = [f"{x(k)},{y(one.low)}" for k, one in enumerate(points)]
    middle = " ".join(f"{x(k)},{y(one.value)}" for k, one in enumerate(points))
    return (
        f'<svg class="chart" viewBox="-44 -8 352 142" role="img" aria-label="{said}">'
        f'<line class="axis" x1="0" x2="{width}" y1="{height}" y2="{height}"/>'
        f'<polygon class="band" points="{" ".join([*upper, *lower[::-1]])}"/><polyline class="line" points="{middle}"/>'
        f'<text x="-6" y="{height}" text-anchor="end">{low:.0%}</text>'
        f'<text x="-6" y="6" text-anchor="end">{high:.0%}</text>'
        f'<text x="0" y="{height + 18}">beginning</text>'
        f'<text x="{width}" y="{height + 18}" text-anchor="end">end</text></svg>'
    )
