"""The fields of a record, each declared once; views, observations, beliefs and scenarios follow from them as usual.

    FIELDS = Fields(
        [
            number("score", EACH_SEAT, most=100),
            hand("hand", CARDS, EACH_SEAT, most=3, pool="cards"),
            pile("deck", CARDS, CAPACITY, pool="cards"),
            card("charm", CHARMS, EACH_SEAT, seen="own", pool="charms"),
        ],
        options=OPTIONS,
        players=MAX_PLAYERS,
    )
    RECORD = FIELDS.record

What follows: the type of a position, what each seat sees of it (a view, and columns), what is secret, how that is dealt
again, which pieces there are, and how a person describes a position. A game that writes one of these functions itself,
in the file in which it would stand, has its own.

Every record has these as well: ``rng``, ``players``, and, where a game does not declare them itself, ``turn`` (the seat
whose turn it is) and ``finished``.

What is not declared as seen is not shown. Of cards that are hidden everybody sees how many there are: the column and
the part of the view that is called ``hand_left``, ``deck_left`` or ``charm_left``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ziggurat.core.fields.cards import CardField, CardsField, HandField, PileField
from ziggurat.core.fields.kernels import kernels
from ziggurat.core.fields.kinds import (
    EACH_SEAT,
    NOBODY,
    Axis,
    ChoiceField,
    Field,
    FlagField,
    InternalField,
    NumberField,
    SeatField,
    Seen,
)
from ziggurat.core.fields.readers import readers
from ziggurat.core.options import Options
from ziggurat.core.random import RNG
from ziggurat.core.record import to_lists

__all__ = [
    "EACH_SEAT",
    "NOBODY",
    "Field",
    "Fields",
    "card",
    "choice",
    "flag",
    "hand",
    "internal",
    "number",
    "pile",
    "seat",
]


def number(
    name: str, *along: Axis, most: int, least: int = 0, seen: Seen = "all", width: Any = np.int16, tells: str = ""
) -> Field:
    """A field of a number.

    Args:
        most, least: the bounds of its column, with the printed components. What lies beyond is shown as the bound.
        width: the type of number in the record, large enough for any component file that is accepted.
    """
    return NumberField(name, along, seen, tells, low=least, high=most, width=width)


def flag(name: str, *along: Axis, seen: Seen = "all", tells: str = "") -> Field:
    """A field of a flag: 1 or 0."""
    return FlagField(name, along, seen, tells)


def seat(name: str, *along: Axis, nobody: bool = False, seen: Seen = "all", tells: str = "") -> Field:
    """A field of a seat, counted from 0. Columns count clockwise from the observer.

    Args:
        nobody: whether it may be ``NOBODY``, which is -1.
    """
    return SeatField(name, along, seen, tells, nobody=nobody)


def choice(name: str, names: Sequence[str], *along: Axis, seen: Seen = "all", tells: str = "") -> Field:
    """A field of one of some names, such as the phase of a turn: its index among them, from 0 on."""
    return ChoiceField(name, along, seen, tells, names=tuple(names))


def card(name: str, names: Sequence[str], *along: Axis, seen: Seen = "all", pool: str = "", tells: str = "") -> Field:
    """A field of a place for one card: its index among the names, from 1 on, or 0 where none lies."""
    return CardField(name, along, seen, tells, names=tuple(names), pool=pool)


def hand(
    name: str,
    names: Sequence[str],
    *along: Axis,
    most: int,
    size: int = 0,
    known: bool = False,
    seen: Seen = "own",
    pool: str = "",
    tells: str = "",
) -> Field:
    """A field of cards whose order does not matter: how many there are of each of the names.

    Args:
        most: how many of one kind there may be, with the printed components.
        size: how many in all; by default that is not limited.
        known: whether everybody may see cards go there. The rules count these in a field ``<name>_known`` as long as
            they must still be there, everybody sees it, and they are not dealt again.
    """
    return HandField(name, along, seen, tells, names=tuple(names), pool=pool, most=most, size=size, known=known)


def pile(
    name: str, names: Sequence[str], capacity: int, *along: Axis, seen: Seen = "nobody", pool: str = "", tells: str = ""
) -> Field:
    """A field of cards in their order, the top one last, each its index among the names, from 1 on.

    A field ``<name>_left`` says how many they are; what lies behind them in the record counts for nothing.
    """
    return PileField(name, along, seen, tells, names=tuple(names), pool=pool, capacity=capacity)


def internal(name: str, *along: Axis, width: Any = np.int16) -> Field:
    """A field that is neither shown nor secret: it is printed, or follows from what everybody sees."""
    return InternalField(name, along, width=width)


RESERVED_FIELD_NAMES = ("rng", "game", "seat", "seats", "actors", "winners", "options", "player")
"""What else is in every record, view or observation."""


class Fields:
    """The declared fields of a game's record.

    Attributes:
        record: the type of a position.
        fields: as they were declared, behind those that every game has.
        shown: those of them that are not internal.
    """

    def __init__(self, fields: Sequence[Field], *, options: Options | None = None, players: int) -> None:
        """
        Args:
            options: of the game, if it has any; their fields come behind the others.
            players: the most who can play.

        Raises:
            TypeError: for fields that do not go together.
        """
        given = {field.name for field in fields}
        own = [field for field in (seat("turn", tells="whose turn it is"), flag("finished")) if field.name not in given]
        self.fields = (internal("players", width=np.int8), *own, *fields)
        self.shown = [field for field in self.fields if not isinstance(field, InternalField)]
        self.options = Options() if options is None else options
        self.seats = players
        self.heaps = dict(self._heaps())
        names = [*RESERVED_FIELD_NAMES, *(name for field in self.fields for name in field.takes)]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise TypeError(f"{', '.join(twice)}: a field, or a part of every view, has that name already")
        columns = [column for field in self.fields for column in field.record(players)]
        # Wide ones first, so that few of them lie across a boundary of memory.
        columns.sort(key=lambda column: -np.dtype(column[1]).itemsize)
        self.record = self.options.record([("rng", RNG), *columns])
        self.kernels: Callable[[str], Mapping[str, Any]] = cache(lambda package: kernels(self, package))
        self.readers: Callable[[str], Mapping[str, Any]] = cache(lambda package: readers(self, package))

    def of_pool(self, pool: str) -> list[CardsField]:
        """The fields that hold cards of a pool."""
        return [field for field in self.fields if isinstance(field, CardsField) and field.pool == pool]

    @property
    def unpooled(self) -> list[str]:
        """The names of the fields that are hidden and in no pool: a game with such fields writes its own redeal."""
        return [
            field.name for field in self.shown if field.hidden and not (isinstance(field, CardsField) and field.pool)
        ]

    @property
    def pools(self) -> list[str]:
        """The names of all pools."""
        cards = [field for field in self.fields if isinstance(field, CardsField)]
        return list(dict.fromkeys(field.pool for field in cards if field.pool))

    @property
    def observes_options(self) -> bool:
        """Whether options are a column of observations."""
        return any(option.told in (True, "observation") for option in self.options)

    def _heaps(self) -> Iterator[tuple[str, PileField]]:
        """For each pool with hidden cards the largest single pile that nobody sees: it holds the rest."""
        for pool in self.pools:
            members = self.of_pool(pool)
            if len({field.names for field in members}) > 1:
                raise TypeError(f"the fields of the pool {pool!r} have cards of other names than one another")
            piles = [field for field in members if isinstance(field, PileField) and not field.along and field.hidden]
            if piles:
                yield pool, max(piles, key=lambda field: field.capacity)
            elif any(field.hidden for field in members):
                raise TypeError(f"the pool {pool!r} needs a pile that nobody sees and that can hold all its cards")

    def template(self, players: int, options: Mapping[str, str], **values: Any) -> np.ndarray:
        """Template states of shape (1,) from which a game is set up.

        Args:
            players: how many there are.
            options: a value for every one.
            values: of fields, by their names; of a pile its cards alone, the top one last. Others are 0.

        Raises:
            TypeError: for a field that there is not, or a pool with more cards than its pile can hold.
        """
        states = np.zeros(1, dtype=self.record)
        s = states[0]
        s["players"] = players
        self.options.fill(s, players, options)
        known = {field.name: field for field in self.fields}
        for name, value in values.items():
            if name not in known:
                raise TypeError(f"there is no field {name!r}; there are: {', '.join(known)}")
            if isinstance(known[name], PileField) and not known[name].along:
                s[f"{name}_left"] = len(value)
                s[name][: len(value)] = value
            else:
                s[name] = value
        dealt = to_lists(states)
        for pool, heap in self.heaps.items():
            cards = sum(len(one.cards(dealt, place)) for one in self.of_pool(pool) for place in one.places(players))
            if cards > heap.capacity:
                raise TypeError(f"{heap.name} can hold {heap.capacity} cards, and {pool!r} has {cards}")
        return states
