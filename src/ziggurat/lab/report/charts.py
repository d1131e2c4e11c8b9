"""Charts as SVG: as wide as there is room, with letters of one size; their colours are the page's.

Each is an image with an alternative text; what belongs to a mark is said when one points at it. In a notebook a picture
shows itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from ziggurat.lab.report import Html, Ruler

ROW, LABEL = 40, 48
"""Pixels between two rows of dots, and letters of what names them; longer names are cut in the middle."""
TALL, LOW = 110, 64
"""Pixels of a curve or a histogram, and of one of several histograms."""
AXIS, TITLE = 24, 18
"""Pixels for the numbers below, and for what is measured below them."""
EDGE = 2.0
"""Per cent of the width left free at both sides of dots."""
CELL, BESIDE = 140, 4.0
"""Pixels that a picture in a table is wide where there is room, and per cent of it left free at both sides."""
STYLE = (
    "text{font:13px system-ui,sans-serif;fill:#555}.strong{fill:#222}.bar,.dot{fill:#1a5a80}.band{fill:#1a5a80;"
    "opacity:.25}.line,.interval{stroke:#1a5a80;stroke-width:3;fill:none}.interval{opacity:.55}.axis{stroke:#999}"
    ".grid{stroke:#ddd}.even{stroke:#777;stroke-dasharray:3 3}"
)
"""Of a picture that stands alone, in a notebook."""


class Chart(Html):
    """A chart as SVG."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "Chart(...)"

    def _repr_svg_(self) -> str:
        height = int(self.partition('height="')[2].partition('"')[0])
        inner = self.replace("<svg ", '<svg overflow="visible" ', 1).replace('width="100%"', 'width="540"', 1)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="620" height="{height + 20}" '
            f'viewBox="-60 -10 620 {height + 20}"><style>{STYLE}</style>'
            f'<rect x="-60" y="-10" width="100%" height="100%" fill="white"/>{inner}</svg>'
        )


class Point(NamedTuple):
    """A point of a chart: a number with its interval.

    Attributes:
        name: what it is of; along a curve, where.
        low, high: its interval, if it has one.
    """

    name: str
    value: float
    low: float | None = None
    high: float | None = None

    def words(self, form: Callable[[float], str]) -> str:
        """Return the point in words."""
        if self.low is None or self.high is None:
            return f"{self.name}: {form(self.value)}"
        return f"{self.name}: {form(self.value)} ({form(self.low)} to {form(self.high)})"


class Scale(NamedTuple):
    """A scale, linear or logarithmic: it maps numbers between two ends to parts of the way."""

    low: float
    high: float
    log: bool = False

    def at(self, value: float) -> float:
        """Return the place of a number, from 0 to 1; one outside the scale is at its end."""
        low, high, value = (math.log10(one) if self.log else one for one in (self.low, self.high, value))
        return min(max((value - low) / (high - low), 0.0), 1.0) if high > low else 0.5

    def ticks(self, most: int = 6) -> list[float]:
        """Return round numbers within the scale, about so many."""
        if self.log:
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            steps = (1, 2, 5) if len(powers) < 4 else (1,)
            found = [step * 10.0**power for power in powers for step in steps]
            return [one for one in found if self.low <= one <= self.high]
        step = round_step((self.high - self.low) / most)
        return [step * k for k in range(math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9) + 1)]


def round_end(most: float) -> float:
    """Return the first of 1, 2, 4, 6, 8, 10, 20, ... (or 0.1, 0.2, ...) that is not less: half of it is as round."""
    power = 10.0 ** math.floor(math.log10(max(most, 1e-9)))
    return next(times * power for times in (1, 2, 4, 6, 8, 10) if times * power >= most * (1 - 1e-9))


def round_step(least: float) -> float:
    """Return the first of 1, 2, 5, 10, 20, ... (or 0.1, 0.2, ...) that is not less."""
    power = 10.0 ** math.floor(math.log10(max(least, 1e-9)))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))


def scale_of(points: Iterable[Point], log: bool = False) -> Scale:
    """Return a scale that holds all of some numbers and their intervals, and a little more."""
    known = [one for point in points for one in point[1:] if one is not None and math.isfinite(one)] or [1.0]
    low, high = min(known), max(known)
    if log:
        return Scale(low / 1.6, high * 1.6, log=True)
    spare = 0.04 * (high - low) or 1.0
    return Scale(low - spare, high + spare)


def dots(
    points: Sequence[Point],
    form: Callable[[float], str],
    *,
    alt: str,
    axis: str = "",
    scale: Scale | None = None,
    even: float | None = None,
) -> Chart:
    """Draw a row for every number: what it is of, and a dot on the line of its interval.

    Args:
        form: writes a number.
        alt: what the picture shows, for those who do not see it; the numbers are said after it.
        axis: what is measured.
        even: where all would be alike.
    """
    scale = scale or scale_of([*points, Point("", even)] if even is not None else points)
    height = ROW * len(points) + 6

    def x(value: float) -> float:
        return round(EDGE + (100 - 2 * EDGE) * scale.at(value), 2)

    drawn = [f'<line class="grid" x1="{x(tick)}%" x2="{x(tick)}%" y1="0" y2="{height}"/>' for tick in scale.ticks()]
    if even is not None:
        drawn.append(f'<line class="even" x1="{x(even)}%" x2="{x(even)}%" y1="0" y2="{height}"/>')
    for row, point in enumerate(points):
        y, mid = row * ROW, row * ROW + 28
        ends = [x(one) for one in point[1:] if one is not None and math.isfinite(one)]
        left, right = min(ends), max(ends)
        label_at = f'x="{right}%" dx="10"' if right < 75 else f'x="{left}%" dx="-10" text-anchor="end"'
        said = (
            f'<text class="strong" {label_at} y="{mid + 4}">{form(point.value)}</text>'
            if min(right, 100 - left) < 75
            else ""
        )
        drawn.append(
            f"<g><title>{escape(point.words(form))}</title>"
            f'<text class="strong" x="0" y="{y + 14}">{escape(_cut(point.name))}</text>'
            f"{_mark(point, x, mid)}{said}</g>"
        )
    ticks = [(x(tick), form(tick)) for tick in scale.ticks()]
    inner = [one for one in ticks if 3 <= one[0] <= 97]  # those that stand in the middle below their lines
    drawn.append(_numbers(inner if len(inner) > 1 else ticks, height, axis))
    told = f"{alt}: {'; '.join(point.words(form) for point in points)}."
    return _chart("".join(drawn), height + AXIS + (TITLE if axis else 0), told)


def mark(point: Point, scale: Scale, even: float | None = None) -> Html:
    """Draw one interval and its middle for a cell of a table that also has its numbers."""
    if math.isnan(point.value) or scale.high <= scale.low:
        return Html()

    def x(value: float) -> float:
        return _beside(scale, value)

    line = "" if even is None else f'<line class="even" x1="{x(even)}%" x2="{x(even)}%" y1="0" y2="18"/>'
    return Html(f'<svg class="mark" width="{CELL}" height="18" aria-hidden="true">{line}{_mark(point, x, 9, 4)}</svg>')


def ruler(scale: Scale, form: Callable[[float], str]) -> Ruler:
    """Draw the scale of a column of marks, as its head: both ends and the middle."""
    drawn = f'<line class="axis" x1="{BESIDE}%" x2="{100 - BESIDE}%" y1="19.5" y2="19.5"/>'
    ends = (0, "start", scale.low), (50, "middle", (scale.low + scale.high) / 2), (100, "end", scale.high)
    for at, anchor, value in ends:
        x = _beside(scale, value)
        drawn += f'<line class="axis" x1="{x}%" x2="{x}%" y1="15" y2="20"/>'
        drawn += f'<text x="{at}%" y="11" text-anchor="{anchor}">{form(value)}</text>'
    return Ruler(f'<svg class="mark ruler" width="{CELL}" height="20" aria-hidden="true">{drawn}</svg>')


def _beside(scale: Scale, value: float) -> float:
    return round(BESIDE + (100 - 2 * BESIDE) * scale.at(value), 2)


def _mark(point: Point, x: Callable[[float], float], y: float, radius: float = 4.5) -> str:
    """Return a dot on the line of its interval."""
    line = ""
    if point.low is not None and point.high is not None and math.isfinite(point.low):
        line = f'<line class="interval" x1="{x(point.low)}%" x2="{x(point.high)}%" y1="{y}" y2="{y}"/>'
    return f'{line}<circle class="dot" cx="{x(point.value)}%" cy="{y}" r="{radius}"/>'


class Bars(NamedTuple):
    """A histogram of whole numbers: bars of equal width from ``first`` on, and the part of all in each."""

    first: int
    step: int
    shares: np.ndarray


def bars(values: np.ndarray, most: int = 36, among: np.ndarray | None = None) -> Bars:
    """Bin whole numbers into at most so many bars.

    Args:
        among: all the numbers that share an axis with these.
    """
    whole = values if among is None else among
    low, high = (int(whole.min()), int(whole.max())) if len(whole) else (0, 0)
    step = max(1, math.ceil((high - low + 1) / most))
    first = low // step * step
    counts = np.bincount(((values - first) // step).astype(np.int64), minlength=(high - first) // step + 1)
    return Bars(first, step, counts / max(len(values), 1))


def histogram(found: Bars, *, alt: str, top: float | None = None, height: int = TALL) -> Chart:
    """Draw a histogram of whole numbers.

    Args:
        top: the share at the upper end, if it is not that of the highest bar.
    """
    top = top or float(found.shares.max()) or 1.0
    width = 100 / len(found.shares)
    scale = Scale(found.first, found.first + found.step * len(found.shares))
    tick = scale.ticks()
    half = 50 / len(found.shares) if found.step == 1 else 0.0  # a number lies below the middle of its own bar
    drawn = [_levels(Scale(0, top), 2, lambda share: f"{share:.3g}%", height, 100)]
    for k, share in enumerate(map(float, found.shares)):
        if share:
            start, tall = found.first + k * found.step, height * min(share / top, 1)
            said = f"{start}" if found.step == 1 else f"{start} to {start + found.step - 1}"
            drawn.append(
                f'<rect class="bar" x="{(k + 0.05) * width:.2f}%" width="{0.9 * width:.2f}%" y="{height - tall:.1f}" '
                f'height="{tall:.1f}"><title>{said}: {share:.1%}</title></rect>'
            )
    drawn.append(f'<line class="axis" x1="0" x2="100%" y1="{height}" y2="{height}"/>')
    whole = [one for one in tick if one == round(one) and scale.at(one) * 100 + half <= 100]
    drawn.append(
        _numbers([(round(100 * scale.at(one) + half, 2), f"{one:.0f}") for one in whole], height, inside=False)
    )
    return _chart("".join(drawn), height + AXIS, alt, sided=True)


def curve(
    points: Sequence[Point],
    form: Callable[[float], str],
    *,
    alt: str,
    axis: str = "",
    ends: tuple[str, str] | None = None,
    scale: Scale | None = None,
    even: float | None = None,
    dotted: bool = True,
) -> Chart:
    """Draw a line chart: a band where the numbers have intervals, and a dot for each.

    Args:
        axis: what is measured.
        ends: what is below the first and the last one, if not their names.
        even: where all would be alike.
    """
    known = [*points, Point("", even)] if even is not None else points
    scale = scale or scale_of(known)

    def x(k: int) -> float:
        return round(100 * (k + 0.5) / len(points), 2)

    def y(value: float) -> float:
        return round(TALL * (1 - scale.at(value)), 1)

    band = [(x(k), one.low, one.high) for k, one in enumerate(points) if one.low is not None and one.high is not None]
    around = [f"{at},{y(high)}" for at, _, high in band] + [f"{at},{y(low)}" for at, low, _ in band[::-1]]
    drawn = [_levels(scale, 4, form, TALL)]
    if even is not None:
        drawn.append(f'<line class="even" x1="0" x2="100%" y1="{y(even)}" y2="{y(even)}"/>')
    drawn.append(  # in per cent of the width: only lines are drawn in it, whose strength stays as it is
        f'<svg width="100%" height="{TALL}" viewBox="0 0 100 {TALL}" preserveAspectRatio="none" overflow="visible">'
        + (f'<polygon class="band" points="{" ".join(around)}"/>' if band else "")
        + f'<polyline class="line" vector-effect="non-scaling-stroke" '
        f'points="{" ".join(f"{x(k)},{y(one.value)}" for k, one in enumerate(points))}"/></svg>'
    )
    if dotted:
        drawn += [
            f'<circle class="dot" cx="{x(k)}%" cy="{y(one.value)}" r="4">'
            f"<title>{escape(one.words(form))}</title></circle>"
            for k, one in enumerate(points)
        ]
    drawn.append(f'<line class="axis" x1="0" x2="100%" y1="{TALL}" y2="{TALL}"/>')
    first, last = ends or (points[0].name, points[-1].name)
    drawn.append(_numbers([(0, first), (100, last)], TALL, axis))
    return _chart("".join(drawn), TALL + AXIS + (TITLE if axis else 0), alt, sided=True)


def _levels(scale: Scale, most: int, form: Callable[[float], str], height: int, times: float = 1) -> str:
    """Draw grid lines at round numbers, and the numbers at the left."""
    drawn = ""
    for tick in scale.ticks(most):
        y = round(height * (1 - scale.at(tick)), 1)
        drawn += f'<line class="grid" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
        drawn += f'<text x="-6" y="{y + 4}" text-anchor="end">{form(tick * times)}</text>'
    return drawn


def _numbers(ticks: Sequence[tuple[float, str]], height: int, axis: str = "", inside: bool = True) -> str:
    """Draw the numbers below a chart, at parts of its width in per cent, and if wished within its ends."""

    def anchor(at: float) -> str:
        return "middle" if not inside else "start" if at < 3 else "end" if at > 97 else "middle"

    drawn = "".join(f'<text x="{at}%" y="{height + 16}" text-anchor="{anchor(at)}">{said}</text>' for at, said in ticks)
    return drawn + (f'<text x="50%" y="{height + 34}" text-anchor="middle">{escape(axis)}</text>' if axis else "")


def _cut(name: str) -> str:
    half = LABEL // 2
    return name if len(name) <= LABEL else f"{name[:half]}…{name[-half:]}"


def _chart(drawn: str, height: int, alt: str, sided: bool = False) -> Chart:
    kind = "chart sided" if sided else "chart"
    return Chart(
        f'<svg class="{kind}" width="100%" height="{height}" role="img" aria-label="{escape(alt)}">{drawn}</svg>'
    )
