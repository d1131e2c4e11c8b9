"""Features: what a seat sees as numbers. The columns of a game's ``observe``, by name, in compact and one-hot form.

The compact form is what ``observe`` writes: one column a feature. The one-hot form is for networks: a number is divided
by its largest value, every value of a category and every bit has a place of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import msgspec
import numpy as np

Kind = Literal["number", "category", "bits"]
KINDS: tuple[Kind, ...] = ("number", "category", "bits")
NUMBER, CATEGORY, BITS = range(3)
"""What the first column of ``table`` says."""


class Feature(msgspec.Struct, frozen=True):
    """A feature: one column of an observation.

    Attributes:
        name: a path such as ``hand.blue.5`` or ``player.1.built.tower``. Player 0 observes, the others follow
            clockwise. A column that comes to mean something else gets another name, so that names tell whether two
            observations mean the same.
        low, high: the smallest and the largest value. Those of categories and bits hold always, those of numbers with
            the printed components; with a component file of one's own there may be more of something.
        kind: a ``number`` is more or less of something; the values of a ``category`` are only different;
            ``bits`` is a set, as a bit mask.
        labels: what the values of a category mean, from ``low`` on, or the bits, from the lowest; none if they speak
            for themselves, such as a player counted clockwise.
        tells: what it is, in a few words for the documentation, where the name does not say so.
    """

    name: str
    low: int
    high: int
    kind: Kind = "number"
    labels: tuple[str, ...] = ()
    tells: str = ""

    @property
    def width(self) -> int:
        """The number of its places in the one-hot form."""
        if self.kind == "number":
            return 1
        return self.high - self.low + 1 if self.kind == "category" else self.high.bit_length()

    @property
    def places(self) -> list[str]:
        """The names of these places: ``phase=draw`` of a category, ``built:3`` of bits."""
        if self.kind == "number":
            return [self.name]
        sign, first = ("=", self.low) if self.kind == "category" else (":", 0)
        labels = self.labels or tuple(str(first + place) for place in range(self.width))
        return [f"{self.name}{sign}{label}" for label in labels]

    def said(self, value: int) -> str:
        """A value in words: ``hand.blue.5=2``, ``phase=draw`` of a category, ``built:tower,garden`` of bits."""
        if self.kind == "category" and self.labels and self.low <= value < self.low + len(self.labels):
            return f"{self.name}={self.labels[value - self.low]}"
        if self.kind == "bits" and self.labels and not value >> len(self.labels):
            return f"{self.name}:{','.join(label for bit, label in enumerate(self.labels) if value >> bit & 1)}"
        return f"{self.name}={value}"


def one_hot_size(features: Sequence[Feature]) -> int:
    """The number of places of the one-hot form; the compact one has as many as there are features."""
    return sum(feature.width for feature in features)


def one_hot_names(features: Sequence[Feature]) -> list[str]:
    """The names of all places of the one-hot form, in order."""
    return [place for feature in features for place in feature.places]


def table(features: Sequence[Feature]) -> np.ndarray:
    """A table by which the compact form is turned into the one-hot form.

    Returns:
        int64 of shape (features, 5): of each its kind (``NUMBER``, ``CATEGORY``, ``BITS``), its low and high, its first
        place in the one-hot form and how many places it takes. A number gives ``value / max(|low|, |high|, 1)``;
        category ``value`` sets place ``value - low``, if it has one; bits set theirs.
    """
    rows, place = [], 0
    for feature in features:
        rows.append((KINDS.index(feature.kind), feature.low, feature.high, place, feature.width))
        place += feature.width
    return np.array(rows, dtype=np.int64).reshape(-1, 5)


LEAST_RUN_COLUMNS = 8
"""So many columns at least are made as one run."""


@dataclass(frozen=True)
class OneHotLayout:
    """The layout of the one-hot form for compiled code: runs of similar columns, then the others, kind by kind.

    Attributes:
        runs: int64 of shape (runs, 6): of each whether they are categories, its first column, its first place, how many
            columns it has, how many places each of them takes, and the low of categories.
        rest: int64 of shape (columns, 4): column, first place, places and low, in the order of kinds.
        numbers, categories: how many of ``rest``.
        scales: float64, of every column, what numbers are multiplied by. The product has the float32 of the quotient:
            these are integers of 16 bits, so their quotient is a float32, or further from the middle between two of
            them than the product of doubles can be wrong.
    """

    runs: np.ndarray
    rest: np.ndarray
    numbers: int
    categories: int
    scales: np.ndarray


def one_hot_layout(features: Sequence[Feature]) -> OneHotLayout:
    """Return the layout of the one-hot form of these columns."""
    rows = table(features).tolist()
    _, low, high, _, _ = table(features).T
    runs, rest = [], []
    for _, alike in groupby(
        range(len(rows)), key=lambda c: (rows[c][0], rows[c][4], rows[c][0] == CATEGORY and rows[c][1])
    ):
        columns = list(alike)
        of, least, _, place, width = rows[columns[0]]
        if len(columns) >= LEAST_RUN_COLUMNS and of != BITS:
            runs.append((of == CATEGORY, columns[0], place, len(columns), width, least))
        else:
            rest += columns
    rest.sort(key=lambda column: rows[column][0])
    kinds = [rows[column][0] for column in rest]
    return OneHotLayout(
        np.array(runs, dtype=np.int64).reshape(-1, 6),
        np.array([(c, rows[c][3], rows[c][4], rows[c][1]) for c in rest], dtype=np.int64).reshape(-1, 4),
        kinds.count(NUMBER),
        kinds.count(CATEGORY),
        1 / np.maximum(np.maximum(abs(low), abs(high)), 1),
    )


class OneHot:
    """An encoder of compact observations as one-hot ones, for repeated use.

    Attributes:
        size: how many places it has.
    """

    def __init__(self, features: Sequence[Feature]) -> None:
        kind, low, high, first, width = table(features).T
        self._columns = len(features)
        self.size = int(width.sum())
        # Of every place the column that it is made of, and which of its places it is.
        column = np.repeat(np.arange(len(features)), width)
        which = np.arange(self.size) - np.repeat(first, width)
        numbers, categories, sets = (np.flatnonzero(kind[column] == one) for one in (NUMBER, CATEGORY, BITS))
        scale = np.maximum(np.maximum(abs(low), abs(high)), 1)
        self._numbers = numbers, column[numbers], scale[column[numbers]]
        self._categories = categories, column[categories], (low[column] + which)[categories]
        self._sets = sets, column[sets], which[sets]

    def fill(self, values: np.ndarray, found: np.ndarray) -> None:
        """Encode ``values``, of shape (..., features), into ``found``, of shape (..., places).

        Raises:
            ValueError: when there are more or fewer values than features.
        """
        values = np.asarray(values, dtype=np.int64)
        if values.shape[-1:] != (self._columns,):
            given = values.shape[-1] if values.ndim else 1
            raise ValueError(f"these observations have {self._columns} columns, not {given}")
        places, columns, scale = self._numbers
        found[..., places] = values[..., columns] / scale
        places, columns, value = self._categories
        found[..., places] = values[..., columns] == value
        places, columns, bit = self._sets
        found[..., places] = values[..., columns] >> bit & 1


def one_hot(values: np.ndarray, features: Sequence[Feature]) -> np.ndarray:
    """The one-hot form of compact observations: shape (..., features) to float32 of shape (..., places).

    Raises:
        ValueError: when there are more or fewer values than features.
    """
    form = OneHot(features)
    found = np.zeros((*np.shape(values)[:-1], form.size), dtype=np.float32)
    form.fill(values, found)
    return found


def version(tables: Sequence[Sequence[Feature]]) -> str:
    """A short hash of all columns at tables of every size: observations of the same version are comparable, and an
    agent trained on the ones can play with the others."""
    told = [[(one.name, one.low, one.high, one.kind, one.labels) for one in features] for features in tables]
    return hashlib.sha256(msgspec.json.encode(told)).hexdigest()[:12]


def described(features: Sequence[Feature]) -> str:
    """All columns as a table in Markdown; neighbours that differ only in their names share a row."""
    rows = ["| column | one-hot | name | kind | values | tells |", "|---|---|---|---|---|---|"]
    column = place = 0
    for group in _alike(features):
        first, last, width = group[0], group[-1], group[0].width * len(group)
        name = f"`{first.name}`" if len(group) == 1 else f"`{first.name}` … `{last.name}`"
        values = f"{first.low} to {first.high}"
        if first.labels:
            values = ", ".join(first.labels) if first.kind == "bits" else f"{first.low}: {', '.join(first.labels)}"
        columns, places = _span(column, len(group)), _span(place, width)
        rows.append(f"| {columns} | {places} | {name} | {first.kind} | {values} | {first.tells} |")
        column, place = column + len(group), place + width
    return "\n".join(rows)


def _alike(features: Sequence[Feature]) -> list[list[Feature]]:
    groups: list[list[Feature]] = []
    for feature in features:
        if groups and _pattern(groups[-1][0]) == _pattern(feature):
            groups[-1].append(feature)
        else:
            groups.append([feature])
    return groups


def _pattern(feature: Feature) -> tuple[object, ...]:
    """The common pattern of neighbours that share a row: all but the last part of the name, or but its middle."""
    parts = feature.name.split(".")
    head = parts[0] if parts[0] != "player" else parts[:3]
    return len(parts), head, feature.kind, feature.low, feature.high, feature.labels, feature.tells


def _span(first: int, count: int) -> str:
    return str(first) if count == 1 else f"{first}–{first + count - 1}"
