"""The layout of a picture's panels: in their order, in as many columns as make them largest. In cells and lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from ziggurat.core.picture.cells import Panel

MARGIN = 1.5
HEAD_LINES = 2.8
"""Lines above the panels: the name of the game, and what is asked."""
GAP = 0.5
PANEL_GAPS = (2.0, 0.8)
"""Cells between columns, lines between panels."""
MOST_COLUMNS = 3
ASPECT_IN_CELLS = 3.16
"""How many cells are as wide as the picture where a line is as high as it: 4 to 3, of cells of 8.4 by 20."""


@dataclass(frozen=True)
class Placed:
    """A panel and its place."""

    x: float
    y: float
    width: float
    height: float
    panel: Panel


def arranged(panels: Sequence[Panel]) -> list[Placed]:
    """The panels placed so that they can be drawn largest."""
    ways = [
        [panels[start:end] for start, end in pairwise((0, *ends, len(panels)))]
        for columns in range(1, MOST_COLUMNS + 1)
        for ends in combinations(range(1, len(panels)), columns - 1)
    ]
    return min((_placed(columns) for columns in ways), key=_size)


def _size(placed: Sequence[Placed]) -> float:
    """The room that the whole layout takes in a picture of a given shape."""
    right = max((one.x + one.width for one in placed), default=0) + MARGIN
    below = max((one.y + one.height for one in placed), default=0) + MARGIN
    return max(right / ASPECT_IN_CELLS, below)


def _placed(columns: Sequence[Sequence[Panel]]) -> list[Placed]:
    found, x = [], MARGIN
    for column in columns:
        width = max((panel.width for panel in column), default=0) + 4 * GAP
        y = MARGIN + HEAD_LINES
        for panel in column:
            height = panel.height + 2 * GAP
            found.append(Placed(x, y, width, height, panel))
            y += height + PANEL_GAPS[1]
        x += width + PANEL_GAPS[0]
    return found
