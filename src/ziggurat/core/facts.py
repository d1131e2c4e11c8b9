"""Facts about a finished game, for each of its players. Each fact is declared once, in the folder of its game.

    FACTS = Facts(EVENTS, PARTS)
    FACTS.begins(START)
    FACTS.clock(TURN)
    FACTS.final("wonder", "the wonder", lambda s: s["wonder"], values=WONDERS, words="wonder.{}")
    FACTS.count("bought", "buildings bought", BOUGHT, of="kind", values=KINDS, words="building.{}.title")

A fact is read from the record at the end, or from the rows that the rules wrote of what happened: how often, how much,
and when for the first time. All games of a study are read at once, so the readers are NumPy's: they are given arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import numpy as np

from ziggurat.core.events import Events
from ziggurat.core.parts import Parts
from ziggurat.core.trace import WIDTH

NO_FACT = -(1 << 31)
"""Where a column has nothing to say: a first time that never came, a category that none was of."""

Kind = Literal["number", "category", "first", "points"]
Read = Callable[[np.ndarray], np.ndarray]
SEAT_COLUMN = 1  # the column of a row


class FactColumn(NamedTuple):
    """A column of facts.

    Attributes:
        name: of the column.
        text: what it is, in English.
        kind: a ``number`` of things; a ``category``, as a place in ``values``; the turn in which something happened
            ``first``, counted from 1; ``points``, a part of the score.
        fact: the declaration that it belongs to.
        value: for one of several columns of a fact, which of its values.
        words: how the game's catalogue calls values, with ``{}`` for the value; empty when there are no words.
        chance: nobody chose it: a difference between its values is one in fairness.
    """

    name: str
    text: str
    kind: Kind
    fact: str
    value: str = ""
    values: tuple[str, ...] = ()
    words: str = ""
    chance: bool = False


class Rows(NamedTuple):
    """The trace rows of several games, in the order of the games and in each in that of time.

    Attributes:
        game: of shape (rows,): which of the games, from 0.
        row: of shape (rows, columns): as the rules wrote it, see ``Position.rows``.
    """

    game: np.ndarray
    row: np.ndarray

    @classmethod
    def of(cls, games: Iterable[Sequence[np.ndarray]]) -> Rows:
        """Return the rows of games, each given as arrays of the actions that wrote any."""
        number, rows = [], [np.zeros((0, WIDTH), dtype=np.int16)]
        for game, played in enumerate(games):
            for written in played:
                number += [game] * len(written)
                rows.append(written)
        return cls(np.array(number, dtype=np.int64), np.concatenate(rows))

    def select(self, chosen: np.ndarray) -> Rows:
        return Rows(self.game[chosen], self.row[chosen])


class _Final(NamedTuple):
    columns: tuple[FactColumn, ...]
    read: Read


class _Count(NamedTuple):
    columns: tuple[FactColumn, ...]
    firsts: tuple[FactColumn, ...]
    code: int
    seat: int
    amount: int
    of: int
    group: Read | None
    where: Callable[[np.ndarray], np.ndarray] | None


class _Opening(NamedTuple):
    column: FactColumn
    codes: Mapping[int, Read | int]
    decides: Callable[[Any, int], bool] | None


class Facts:
    """The declared facts of a game. Names are those of columns: English words with underscores."""

    def __init__(self, events: Events, parts: Parts | None = None) -> None:
        self._events = events
        self._parts = parts
        self._start = -1
        self._clock = (-1, False)
        self._finals: list[_Final] = []
        self._counts: list[_Count] = []
        self._opening: _Opening | None = None
        self._points = self._part_columns()

    # --- Declaring ---

    def begins(self, code: int) -> None:
        """Declare that rows of this code name the starting player; ``order`` tells the place of everybody in the order
        of turns."""
        self._start = code

    def clock(self, code: int, *, common: bool = False) -> None:
        """Declare that a row of this code begins a turn of its seat, or with ``common`` a round of everybody."""
        self._clock = code, common

    def final(
        self,
        name: str,
        text: str,
        read: Read,
        *,
        values: Sequence[str] = (),
        words: str = "",
        each: bool = False,
        chance: bool = False,
    ) -> None:
        """Declare a fact that the record shows at the end.

        Args:
            read: from states of shape (games,) to numbers of shape (games, seats), or with ``each`` to shape
                (games, seats, values).
            values: what the numbers mean, which makes it a category; with ``each`` a column for every value.
            words: how the catalogue calls a value, such as ``wonder.{}``.
            chance: nobody chooses it under the usual options.
        """
        if each:
            columns = [FactColumn(f"{name}_{one}", text, "number", name, one, (), words, chance) for one in values]
        elif values:
            columns = [FactColumn(name, text, "category", name, "", tuple(values), words, chance)]
        else:
            columns = [FactColumn(name, text, "number", name)]
        self._finals.append(_Final(tuple(columns), read))

    def count(
        self,
        name: str,
        text: str,
        code: int,
        *,
        amount: str = "",
        of: str = "",
        group: Read | None = None,
        values: Sequence[str] = (),
        words: str = "",
        where: Callable[[Callable[[str], np.ndarray]], np.ndarray] | None = None,
        first: str = "",
    ) -> None:
        """Declare a fact that counts the rows of the codes that name a seat, or sums an argument of theirs.

        Args:
            amount: the argument that is added up.
            of: the argument that tells one of ``values`` apart, through ``group`` if that is not its number itself.
            where: which rows count, given a function from the name of an argument to its numbers.
            first: what the first time is called, if that is to be known as well: a column ``first_...``.
        """
        column = self._events.column

        def allowed(rows: np.ndarray) -> np.ndarray:
            assert where is not None
            return where(lambda argument: rows[:, column(code, argument)])

        several = [(f"{name}_{one}", one) for one in values] or [(name, "")]
        columns = tuple(FactColumn(own, text, "number", name, value, (), words) for own, value in several)
        firsts = tuple(
            FactColumn(f"first_{own}", first, "first", f"first_{name}", value, (), words)
            for own, value in several
            if first
        )
        at, which = (column(code, argument) if argument else -1 for argument in (amount, of))
        self._counts.append(_Count(columns, firsts, code, SEAT_COLUMN, at, which, group, allowed if where else None))

    def opening(
        self,
        name: str,
        text: str,
        values: Sequence[str],
        codes: Mapping[int, Read | int],
        *,
        words: str = "",
        decides: Callable[[Any, int], bool] | None = None,
    ) -> None:
        """Declare the fact of a player's first action.

        Args:
            codes: the rows that tell, and which of ``values`` each means: a number, or a function of all columns.
            decides: (record, seat) -> whether a seat that is asked now is asked for that; without it, at once.
        """
        column = FactColumn(name, text, "category", name, "", tuple(values), words)
        self._opening = _Opening(column, codes, decides)

    # --- Asking ---

    @property
    def columns(self) -> tuple[FactColumn, ...]:
        """All columns of facts, in order."""
        found = [FactColumn("order", "place in the order of turns, from 1", "number", "order", chance=True)]
        found.append(FactColumn("turns", "turns that the player had", "number", "turns"))
        found += [column for final in self._finals for column in final.columns]
        found += [column for count in self._counts for column in count.columns]
        found += [column for count in self._counts for column in count.firsts]
        if self._opening:
            found.append(self._opening.column)
        return (*found, *self._points)

    def table(self) -> str:
        """The columns as a table in Markdown; several of one fact in one line."""
        lines = ["| column | what it is | kind |", "|---|---|---|"]
        known: dict[tuple[str, str, str], list[FactColumn]] = {}
        for column in self.columns:
            group = column.name.removesuffix(column.value) if column.value else column.name
            known.setdefault((group, column.text, column.kind), []).append(column)
        for (group, text, kind), columns in known.items():
            name = group if len(columns) == 1 and not group.endswith("_") else f"{group}..."
            values = columns[0].values if len(columns) == 1 else [column.value for column in columns]
            said = ": " + ", ".join(f"`{value}`" for value in values) if values else ""
            lines.append(f"| `{name}` | {text}{said} | {kind} |")
        return "\n".join(lines)

    def opens(self, record: Any, seat: int) -> bool:
        """Whether the decision of a seat now may be its opening, if it had none yet."""
        return not self._opening or not self._opening.decides or bool(self._opening.decides(record, seat))

    def read(self, states: np.ndarray, rows: Rows, players: int) -> dict[str, np.ndarray]:
        """The facts of finished games.

        Args:
            states: records of shape (games,) at the end.
            rows: everything that happened in them, from the set-up on.

        Returns:
            every column by name, of shape (games, players) and type int32; ``NO_FACT`` where there is nothing to say.
        """
        games = len(states)
        turn = self._turns(rows, games, players)
        found = {"order": self._order(rows, games, players), "turns": turn[1]}
        for final in self._finals:
            numbers = np.asarray(final.read(states))[:, :players].astype(np.int32)
            if len(final.columns) == 1:
                only = final.columns[0]
                known = (numbers >= 0) & (numbers < len(only.values)) | (only.kind != "category")
                found[only.name] = np.where(known, numbers, NO_FACT)
            else:
                found |= {column.name: numbers[:, :, place] for place, column in enumerate(final.columns)}
        for count in self._counts:
            found |= self._count(count, rows, turn[0], games, players)
        if self._opening:
            found[self._opening.column.name] = self._first_move(self._opening, rows, games, players)
        found |= self._parts_of(rows, games, players)
        return {column.name: found[column.name].astype(np.int32) for column in self.columns}

    # --- Inside ---

    def _order(self, rows: Rows, games: int, players: int) -> np.ndarray:
        begins = np.zeros(games, dtype=np.int64)
        own = rows.select(rows.row[:, 0] == self._start)
        begins[own.game] = own.row[:, SEAT_COLUMN]
        order: np.ndarray = (np.arange(players) - begins[:, None]) % players + 1
        return order

    def _turns(self, rows: Rows, games: int, players: int) -> tuple[np.ndarray, np.ndarray]:
        """For every row and seat the number of its turn, from 1; and how many turns each had in all."""
        code, common = self._clock
        ticks = (rows.row[:, 0] == code)[:, None] & (
            np.ones((1, players), dtype=bool) if common else rows.row[:, SEAT_COLUMN, None] == np.arange(players)
        )
        done = np.cumsum(ticks, axis=0)
        before = np.zeros((games, players), dtype=np.int64)
        if len(rows.game):
            first = np.searchsorted(rows.game, np.arange(games))
            before = np.where((first > 0)[:, None], done[np.maximum(first - 1, 0)], 0)
            done = done - before[rows.game]
        totals = np.zeros((games, players), dtype=np.int64)
        np.maximum.at(totals, rows.game, done)
        return np.maximum(done, 1), totals

    def _count(self, count: _Count, rows: Rows, turn: np.ndarray, games: int, players: int) -> dict[str, np.ndarray]:
        size = len(count.columns)
        chosen = rows.row[:, 0] == count.code
        own, when = rows.select(chosen), turn[chosen]
        row = own.row.astype(np.int64)
        seat = row[:, count.seat]
        value = np.zeros(len(row), dtype=np.int64)
        if count.of >= 0:
            value = row[:, count.of] if count.group is None else np.asarray(count.group(row[:, count.of]))
        kept = (seat >= 0) & (seat < players) & (value >= 0) & (value < size)
        if count.where is not None:
            kept &= count.where(row)
        place = (own.game * players + seat) * size + value
        amount = row[:, count.amount] if count.amount >= 0 else np.ones(len(row), dtype=np.int64)
        shape = (games, players, size)
        sums = np.bincount(place[kept], weights=amount[kept], minlength=games * players * size).reshape(shape)
        found = {column.name: sums[:, :, k] for k, column in enumerate(count.columns)}
        if count.firsts:
            first = np.full(games * players * size, np.iinfo(np.int32).max, dtype=np.int64)
            np.minimum.at(first, place[kept], when[kept, seat[kept]])
            first = np.where(first < np.iinfo(np.int32).max, first, NO_FACT).reshape(shape)
            found |= {column.name: first[:, :, k] for k, column in enumerate(count.firsts)}
        return found

    def _first_move(self, opening: _Opening, rows: Rows, games: int, players: int) -> np.ndarray:
        code = rows.row[:, 0]
        kind = np.full(len(code), -1, dtype=np.int64)
        for known, meaning in opening.codes.items():
            chosen = code == known
            kind[chosen] = meaning if isinstance(meaning, int) else meaning(rows.row[chosen].astype(np.int64))
        seat = rows.row[:, SEAT_COLUMN].astype(np.int64)
        told = np.flatnonzero((kind >= 0) & (seat >= 0) & (seat < players))
        place = rows.game[told] * players + seat[told]
        found = np.full(games * players, NO_FACT, dtype=np.int64)
        # The earliest is written last.
        found[place[::-1]] = kind[told[::-1]]
        return found.reshape(games, players)

    def _part_columns(self) -> tuple[FactColumn, ...]:
        columns = []
        for part in self._parts.parts if self._parts else ():
            if not part.counted:
                value = "_".join(str(arg) for arg in part.args.values())
                name = f"points_{part.name}_{value}" if value else f"points_{part.name}"
                columns.append(FactColumn(name, "a part of the score", "points", f"points_{part.name}", value))
        return tuple(columns)

    def _parts_of(self, rows: Rows, games: int, players: int) -> dict[str, np.ndarray]:
        """The booked points by part, see ``core/parts.py``; the times of a part together."""
        if self._parts is None:
            return {}
        size = self._parts.size
        booked = np.zeros(games * players * size)
        for one in self._parts.bookings:
            own = rows.select(rows.row[:, 0] == one.code)
            row = own.row.astype(np.int64)
            seat = row[:, one.seat]
            kept = (seat >= 0) & (seat < players)
            part = np.full(len(row), one.part)
            if one.of >= 0:
                part += row[:, one.of] * one.times
            if one.when >= 0:
                part += row[:, one.when]
            amount = row[:, one.amount] * one.sign if one.amount >= 0 else np.full(len(row), one.sign)
            place = (own.game * players + seat) * size + part
            booked += np.bincount(place[kept], weights=amount[kept], minlength=len(booked))
        by_part = booked.reshape(games, players, size)
        points = [part for part in self._parts.parts if not part.counted]
        return {
            column.name: by_part[:, :, part.first : part.first + part.times].sum(axis=2)
            for column, part in zip(self._points, points, strict=True)
        }
