"""The parts of a score: which events book points, how many, for whom, and under which name.

    PARTS = Parts(EVENTS)
    PARTS.points(SCORED, "building", of="building", values=6, when="round", times=3)
    PARTS.count(AGAIN, "again")

Every point that a seat wins or loses is booked once, so that the sum of its parts is its score; the other things
that are counted are worth something only later. Each part is named by the words of the game's catalogue ``why``:
``why.<name>``, with the value of ``of`` for a placeholder, and ``why.<name>.when`` where it all happens at one time.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ziggurat.core.events import Events
from ziggurat.core.trace import Phrase

# Buffers are made for so many kinds of rows, ways to book them, and parts.
MOST_CODES = 64
MOST_BOOKINGS = 24
MOST_PARTS = 40


class Booking(NamedTuple):
    """A booking: how a row of a code counts towards a part. Columns are those of the trace; -1 stands for none.

    Attributes:
        seat: the column of the seat that it is booked for.
        amount: the column of how many, or -1 for one.
        sign: 1 or -1.
        part: the first of the parts; ``of`` and ``when`` are the columns that tell which of them.
        times: parts for each value of ``of``.
    """

    code: int
    seat: int
    amount: int
    sign: int
    part: int
    of: int
    times: int
    when: int


class Part(NamedTuple):
    """A part of a score: all that is booked under one name.

    Attributes:
        first: the place of its first time; there are ``times`` of them.
        counted: it is no points, but something that happens.
    """

    first: int
    times: int
    counted: bool
    name: str
    args: dict[str, Any]
    when: tuple[dict[str, Any], ...]

    @property
    def words(self) -> Phrase:
        return Phrase(f"why.{self.name}", self.args)

    def at(self, time: int) -> Phrase:
        """The same part at one of its times."""
        return Phrase(f"why.{self.name}.when", {**self.args, **self.when[time]})


class Parts:
    """The parts of a game's score, each declared once."""

    def __init__(self, events: Events) -> None:
        self._events = events
        self.bookings: list[Booking] = []
        self.parts: list[Part] = []
        self.size = 0
        self._known: dict[str, int] = {}
        self._points: list[tuple[int, str, str, int]] = []

    def points(
        self,
        code: int,
        name: str,
        amount: str = "points",
        *,
        seat: str = "",
        sign: int = 1,
        of: str = "",
        values: int = 1,
        when: str = "",
        times: int = 1,
    ) -> None:
        """Declare that the rows of a code give points.

        Args:
            code: what ``Events.add`` returned.
            name: of the part; two codes may share one.
            amount: the argument that holds the points.
            seat: the argument that tells for whom, if it is not the row's own seat.
            sign: -1 for points that are lost.
            of: the argument that tells one of ``values`` parts apart.
            when: the argument that tells one of ``times`` times apart.
        """
        self._book(code, name, amount, seat, sign, of, values, when, times, False)
        self._points.append((code, seat, amount, sign))

    def count(self, code: int, name: str, amount: str = "") -> None:
        """Declare that the rows of a code are counted, or what one of their arguments adds up to."""
        self._book(code, name, amount, "", 1, "", 1, "", 1, True)

    def by_event(self) -> dict[str, list[tuple[str, str, int]]]:
        """For every event that books points, by its name: the arguments that tell for whom (empty: its seat) and how
        many (empty: one), and 1 or -1.

        Raises:
            TypeError: where rows book points that go on with the event before them; what it says, only the game knows.
        """
        found: dict[str, list[tuple[str, str, int]]] = {}
        for code, seat, amount, sign in self._points:
            event = self._events.type_of(code)
            if not event:
                raise TypeError("rows that go on with another event book points: the game adds them up itself")
            known = found.setdefault(event, [])
            if (seat, amount, sign) not in known:  # two codes may be of one event
                known.append((seat, amount, sign))
        return found

    def _book(
        self,
        code: int,
        name: str,
        amount: str,
        seat: str,
        sign: int,
        of: str,
        values: int,
        when: str,
        times: int,
        counted: bool,
    ) -> None:
        column, read = self._events.column, self._events.value
        if name not in self._known:
            self._known[name] = self.size
            at = tuple({when: read(code, when, time)} for time in range(times)) if when else ()
            for value in range(values):
                args = {of: read(code, of, value)} if of else {}
                self.parts.append(Part(self.size, times, counted, name, args, at))
                self.size += times
        booked = Booking(
            code,
            column(code, seat) if seat else 1,
            column(code, amount) if amount else -1,
            sign,
            self._known[name],
            column(code, of) if of else -1,
            times,
            column(code, when) if when else -1,
        )
        self.bookings.append(booked)
        if code >= MOST_CODES or len(self.bookings) > MOST_BOOKINGS or self.size > MOST_PARTS:
            raise TypeError(
                f"there is room for {MOST_CODES} codes, {MOST_BOOKINGS} bookings and {MOST_PARTS} parts of a score"
            )
