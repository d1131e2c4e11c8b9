"""The events of a game, each declared once: what its trace rows hold, how they are read, and how the log explains them.

    EVENTS = Events()
    TOOK = EVENTS.add("took", "who took", "from the open money into the hand", cards=each(money), positions=each(int))

The rules write ``note(trace, events.TOOK, seat, card, position)``: the arguments in the order of the declaration. Rows
that follow each other for one hand, payment or scoring become one event: ``each`` collects, what else differs divides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ziggurat.core.limits import COLUMNS
from ziggurat.core.trace import FOR_ALL, FOR_ITS_SEAT, GOES_ON, Event

# From one column, or from ``width`` of them, to what an event says.
Read = Any


class each:
    """A list argument with an entry for every row; with a number of copies from a further column if ``counted``."""

    def __init__(self, read: Read, *, counted: bool = False) -> None:
        self.read = read
        self.width = 2 if counted else 1

    def __call__(self, value: int, count: int = 1) -> list[Any]:
        return [self.read(value)] * count

    def join(self, known: list[Any], new: list[Any]) -> list[Any]:
        return known + new


class total:
    """An argument that sums a column over the rows of an event."""

    def __call__(self, value: int) -> int:
        return value

    def join(self, known: int, new: int) -> int:
        return known + new


class tally:
    """An argument that counts the rows by the value of a column."""

    def __init__(self, size: int) -> None:
        self.size = size

    def __call__(self, value: int) -> list[int]:
        return [int(place == value) for place in range(self.size)]

    def join(self, known: list[int], new: list[int]) -> list[int]:
        return [one + other for one, other in zip(known, new)]


class later:
    """A list that is empty at first; rows of another code fill it, see ``Events.more``."""

    width = 0

    def __call__(self) -> list[Any]:
        return []


class of:
    """An argument derived from the column of another argument."""

    width = 0

    def __init__(self, name: str, read: Read) -> None:
        self.name = name
        self.read = read


class columns:
    """An argument of one value from several columns."""

    def __init__(self, width: int, read: Read) -> None:
        self.width = width
        self.read = read

    def __call__(self, *values: int) -> Any:
        return self.read(*values)


class spread:
    """Several arguments from one column, or from ``width``: ``read`` returns them by name, whatever this is called."""

    def __init__(self, read: Callable[..., dict[str, Any]], *names: str, width: int = 1) -> None:
        self.read = read
        self.names = names
        self.width = width

    def __call__(self, *values: int) -> dict[str, Any]:
        return self.read(*values)


def word(words: Sequence[str], first: int = 0) -> Callable[[int], str]:
    """An argument that reads a number as one of some words, which are numbered from ``first`` on."""
    return lambda number: words[number - first]


def seats(mask: int) -> list[int]:
    """The seats of a bit mask."""
    return [seat for seat in range(mask.bit_length()) if mask >> seat & 1]


def points_by_seat(log: Iterable[Event], owners: int) -> list[int]:
    """The sums of the ``points`` in the events of a log, by owner."""
    points = [0] * owners
    for event in log:
        if event.seat is not None:
            points[event.seat] += event.args.get("points", 0)
    return points


class _Code:
    """The declaration of the rows of one code."""

    def __init__(self, type: str, private: bool, reads: dict[str, Read], beside: frozenset[str]) -> None:
        self.type = type
        self.private = private
        self.reads = reads
        self.beside = beside
        self.joined = frozenset(name for name, read in reads.items() if hasattr(read, "join"))
        self.columns: dict[str, slice] = {}
        at = 2
        for name, read in reads.items():
            if isinstance(read, of):
                self.columns[name] = self.columns[read.name]
            else:
                width = int(getattr(read, "width", 1))
                self.columns[name] = slice(at, at + width)
                at += width
        if at > 2 + COLUMNS:
            raise TypeError(f"the event {type!r} needs more than the {COLUMNS} columns of a row")

    def arguments(self, row: Sequence[int]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, read in self.reads.items():
            values = row[self.columns[name]]
            if isinstance(read, of):
                found[name] = read.read(values[0])
            elif isinstance(read, spread):
                found |= read(*values)
            else:
                found[name] = read(*values)
        return found

    def goes_on(self, found: Sequence[Event], seat: int | None, args: dict[str, Any]) -> Event | None:
        """The event that a row continues, if it does not begin one."""
        for event in reversed(found):
            if event.type == self.type and event.seat == seat:
                same = all(event.args[name] == args[name] for name in args if name not in self.joined)
                return event if same else None
            if event.type not in self.beside:
                return None
        return None

    def add(self, event: Event, args: dict[str, Any]) -> None:
        for name in self.joined:
            event.args[name] = self.reads[name].join(event.args[name], args[name])


class Events:
    """The event types of a game, by the codes of their rows."""

    def __init__(self) -> None:
        self._codes: list[_Code] = []
        self._lines: list[str] = []
        self._shuffles: list[str] = []
        self._turns_up: list[str] = []

    @property
    def types(self) -> tuple[str, ...]:
        """The names of all events, in the order of their declaration."""
        return tuple(dict.fromkeys(code.type for code in self._codes if code.type))

    @property
    def shuffles(self) -> frozenset[str]:
        """The names of those after which a hidden pile lies in another order."""
        return frozenset(self._shuffles)

    @property
    def turns_up(self) -> frozenset[str]:
        """The names of those by which their readers see a piece that lay hidden before: in a pile, or with others."""
        return frozenset(self._turns_up)

    @property
    def readers(self) -> list[int]:
        """The permitted readers of a row, by its code, in the form of the compiled rules."""
        return [GOES_ON if not code.type else FOR_ITS_SEAT if code.private else FOR_ALL for code in self._codes]

    def add(
        self,
        type: str,
        seat: str,
        text: str = "",
        *,
        private: bool = False,
        shuffles: bool = False,
        turns_up: bool = False,
        beside: Sequence[str] = (),
        **args: Read,
    ) -> int:
        """Declare an event; return the code of its rows.

        Args:
            type: its name; ``log.<type>`` is its sentence.
            seat: whom the seat means, for the log's format; ``-`` for nobody.
            text: what it says, for the log's format; the names of its arguments come first unless it has them itself.
            private: for its seat alone.
            shuffles: afterwards a pile that nobody sees lies in another order.
            turns_up: it shows its readers a piece from a hidden pile, or a choice that others had made in secret.
            beside: events whose rows may lie between those of this one, such as what everybody sees of the same draw.
            args: what it says by name, each with what reads its column: ``int``, ``bool``, a function from a number to
                a token, or one of ``each``, ``total``, ``tally``, ``later``, ``of``, ``columns`` and ``spread``.
        """
        self._codes.append(_Code(type, private, args, frozenset({type, *beside})))
        if not {private, shuffles, turns_up} <= {True, False}:  # a name of a pile, say
            raise TypeError(f"{type!r}: private, shuffles and turns_up are True or False")
        if turns_up:
            self._turns_up.append(type)
        if shuffles:
            self._shuffles.append(type)
        names: list[str] = []
        for name, read in args.items():
            names += read.names if isinstance(read, spread) else [name]
        says = ", ".join(f"`{name}`" for name in names)
        told = text if names and f"`{names[0]}`" in text else ": ".join(filter(None, [says, text]))
        told += "; private" if private and told else ""
        self._lines.append(f"| `{type}` | {seat} | {told} |")
        return len(self._codes) - 1

    def more(self, **args: Read) -> int:
        """Declare rows that continue the event before them; return their code."""
        self._codes.append(_Code("", False, args, frozenset()))
        return len(self._codes) - 1

    def type_of(self, code: int) -> str:
        """The name of the event to which rows of a code belong; empty for those that continue another."""
        return self._codes[code].type

    def column(self, code: int, name: str) -> int:
        """The column of the trace that holds an argument of the rows of a code."""
        return int(self._codes[code].columns[name].start)

    def value(self, code: int, name: str, number: int) -> Any:
        """The meaning of a number in the column of an argument, for one of a list too."""
        read = self._codes[code].reads[name]
        return read.read(number) if isinstance(read, each) else read(number)

    def read(self, rows: Iterable[Sequence[int]]) -> list[Event]:
        """Parse the rows of one action, in the order written, into events."""
        found: list[Event] = []
        for row in rows:
            code = self._codes[row[0]]
            seat = None if row[1] < 0 else row[1]
            args = code.arguments(row)
            event = found[-1] if not code.type else code.goes_on(found, seat, args) if code.joined else None
            if event is not None:
                code.add(event, args)
            elif code.private:
                found.append(Event(code.type, seat, args, private=True))
            else:
                found.append(Event(code.type, seat, args))
        return found

    def table(self) -> str:
        """The events as a table in Markdown."""
        return "\n".join(["| event | seat | args |", "|---|---|---|", *self._lines])
