"""The kinds of fields that hold cards, and how those that are hidden are dealt again."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from ziggurat.core.features import Feature
from ziggurat.core.fields.kinds import Field, Labels, Lines, Place, at, check_names, column_name, indented, literal, put

NO_CARD = "none"
"""What columns say of a place without a card."""
TOP_COLUMN = "top"
"""The last part of the name of the column that tells which card lies on top of a pile."""


@dataclass(frozen=True, kw_only=True)
class CardsField(Field):
    """A field of cards: the index of each among the names, from 1 on.

    Attributes:
        names: of the cards.
        pool: the cards of which these are a part. What a seat does not see of a pool is dealt again.
    """

    names: Labels
    pool: str

    def __post_init__(self) -> None:
        super().__post_init__()
        check_names(self.name, self.names, "", NO_CARD, TOP_COLUMN)

    @property
    def dtype(self) -> Any:
        return np.int8 if len(self.names) < 128 else np.int16

    @property
    def takes(self) -> list[str]:
        return [self.name, f"{self.name}_left"]

    @property
    @abstractmethod
    def most_left(self) -> int:
        """The capacity: how many cards may lie at a place."""

    @abstractmethod
    def cards(self, s: Any, place: Place) -> list[int]:
        """The cards at a place."""

    @abstractmethod
    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        """Replace the cards at a place."""

    # --- What everybody sees of it: all, or how many cards lie there ---

    def open_columns(self, prefix: str, players: int) -> Iterator[Feature]:
        yield from super().open_columns(prefix, players)
        if self.hidden:
            for labels in product(*self.axes):
                name = column_name(f"{prefix}{self.name}_left", *labels)
                yield Feature(name, 0, self.most_left, tells=self._tells_left)

    def observing_open(self, seat: str = "") -> Lines:
        yield from super().observing_open(seat)
        if self.hidden:
            yield from self.looped(self._observing_left, seat)

    def _observing_left(self, index: str) -> Lines:
        yield from self.counting(index)
        yield "out.values[n] = left"
        yield "n += 1"

    def open_parts(self, s: Any, seat: Place = ()) -> dict[str, Any]:
        if not self.hidden:
            return super().open_parts(s, seat)
        return {f"{self.name}_left": self.nested(lambda place: len(self.cards(s, place)), seat)}

    def open_hints(self) -> list[tuple[str, Any, str]]:
        if not self.hidden:
            return super().open_hints()
        return [(f"{self.name}_left", self.nested_hint(int), self._tells_left)]

    @property
    def _tells_left(self) -> str:
        return f"how many cards {self.name} holds"

    # --- How it is dealt again ---

    @abstractmethod
    def counting(self, index: str) -> Lines:
        """Write the kernel code that counts the cards at a place, as ``left``."""

    @abstractmethod
    def collecting(self, heap: PileField, index: str) -> Lines:
        """Write the kernel code that copies the cards to ``heap`` from ``n`` on."""

    @abstractmethod
    def dealing(self, heap: PileField, index: str) -> Lines:
        """Write the kernel code that replaces the cards by as many from the end of the ``n`` in ``heap``."""


@dataclass(frozen=True, kw_only=True)
class CardField(CardsField):
    """A field of a place for one card, which is 0 while none lies there."""

    most_left = 1

    @property
    def hint(self) -> Any:
        return literal(self.names) | None

    def shown(self, s: Any, place: Place) -> str | None:
        card = super().shown(s, place)
        return self.names[card - 1] if card else None

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        yield Feature(name, 0, len(self.names), "category", (NO_CARD, *self.names), self.tells)

    def cards(self, s: Any, place: Place) -> list[int]:
        card = at(getattr(s, self.name), place)
        return [card] if card else []

    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        put(s, self.name, place, cards[0] if cards else 0)

    def counting(self, index: str) -> Lines:
        yield f"left = 1 if s.{self.name}{index} != 0 else 0"

    def collecting(self, heap: PileField, index: str) -> Lines:
        yield f"if s.{self.name}{index} != 0:"
        yield from indented(heap.pushing(f"s.{self.name}{index}"))

    def dealing(self, heap: PileField, index: str) -> Lines:
        yield f"if s.{self.name}{index} != 0:"
        yield "    n -= 1"
        yield f"    s.{self.name}{index} = s.{heap.name}[n]"


@dataclass(frozen=True, kw_only=True)
class HandField(CardsField):
    """A field of cards by kind: how many there are of each of the names; and in ``<name>_known``, if it is ``known``,
    how many of these everybody has seen go there."""

    most: int
    size: int
    known: bool

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.known and not self.hidden:
            raise TypeError(f"{self.name} is seen by all: what is known of it is all of it")

    @property
    def takes(self) -> list[str]:
        return [*super().takes, *([f"{self.name}_known"] if self.known else [])]

    def record(self, seats: int) -> list[tuple[str, Any, tuple[int, ...]]]:
        shape = (*self.shape(seats), len(self.names))
        names = [self.name, f"{self.name}_known"] if self.known else [self.name]
        return [(name, self.dtype, shape) for name in names]

    # --- What is known of it ---

    @property
    def _known(self) -> HandField:
        """The known part as a field that everybody sees."""
        tells = f"cards that everybody has seen go to {self.name}"
        return replace(self, name=f"{self.name}_known", seen="all", known=False, tells=tells)

    def open_columns(self, prefix: str, players: int) -> Iterator[Feature]:
        yield from super().open_columns(prefix, players)
        if self.known:
            yield from self._known.open_columns(prefix, players)

    def observing_open(self, seat: str = "") -> Lines:
        yield from super().observing_open(seat)
        if self.known:
            yield from self._known.observing_open(seat)

    def open_parts(self, s: Any, seat: Place = ()) -> dict[str, Any]:
        return super().open_parts(s, seat) | (self._known.open_parts(s, seat) if self.known else {})

    def open_hints(self) -> list[tuple[str, Any, str]]:
        return super().open_hints() + (self._known.open_hints() if self.known else [])

    # --- The cards ---

    @property
    def most_left(self) -> int:
        return self.size or self.most * len(self.names)

    @property
    def hint(self) -> Any:
        return dict[literal(self.names), int]  # type: ignore[misc]

    def shown(self, s: Any, place: Place) -> dict[str, int]:
        return dict(zip(self.names, super().shown(s, place), strict=True))

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        for kind in self.names:
            yield Feature(column_name(name, kind), 0, self.most, tells=self.tells)

    def observing(self, index: str) -> Lines:
        value = f"min(s.{self.name}{index}[kind], {self.most})"
        yield f"for kind in range({len(self.names)}):"
        yield f"    out.values[n] = {value if self.seen == 'all' else f'{value} if sees else 0'}"
        yield "    n += 1"

    def cards(self, s: Any, place: Place) -> list[int]:
        counts = at(getattr(s, self.name), place)
        return [card for card, count in enumerate(counts, start=1) for _ in range(count)]

    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        put(s, self.name, place, [cards.count(card) for card in range(1, len(self.names) + 1)])
        if self.known:  # nobody has seen them go there
            put(s, f"{self.name}_known", place, [0] * len(self.names))

    def counting(self, index: str) -> Lines:
        yield "left = 0"
        yield f"for kind in range({len(self.names)}):"
        yield f"    left += s.{self.name}{index}[kind]"

    def collecting(self, heap: PileField, index: str) -> Lines:
        known = f" - s.{self.name}_known{index}[kind]" if self.known else ""
        yield f"for kind in range({len(self.names)}):"
        yield f"    for _ in range(s.{self.name}{index}[kind]{known}):"
        yield from indented(heap.pushing("kind + 1"), 2)

    def dealing(self, heap: PileField, index: str) -> Lines:
        known = f"s.{self.name}_known{index}[kind]" if self.known else "0"
        yield "left = 0"
        yield f"for kind in range({len(self.names)}):"
        yield f"    left += s.{self.name}{index}[kind] - {known}"
        yield f"    s.{self.name}{index}[kind] = {known}"
        yield "for _ in range(left):"
        yield "    n -= 1"
        yield f"    s.{self.name}{index}[s.{heap.name}[n] - 1] += 1"


@dataclass(frozen=True, kw_only=True)
class PileField(CardsField):
    """A field of cards in their order, the top one last; ``<name>_left`` says how many they are."""

    capacity: int

    def record(self, seats: int) -> list[tuple[str, Any, tuple[int, ...]]]:
        shape = self.shape(seats)
        return [(f"{self.name}_left", np.int16, shape), (self.name, self.dtype, (*shape, self.capacity))]

    @property
    def most_left(self) -> int:
        return self.capacity

    @property
    def hint(self) -> Any:
        return list[literal(self.names)]  # type: ignore[misc]

    def shown(self, s: Any, place: Place) -> list[str]:
        return [self.names[card - 1] for card in self.cards(s, place)]

    def columns(self, name: str, players: int) -> Iterator[Feature]:
        for kind in self.names:
            yield Feature(column_name(name, kind), 0, self.capacity, tells=self.tells)
        yield Feature(
            column_name(name, TOP_COLUMN), 0, len(self.names), "category", (NO_CARD, *self.names), "the card on top"
        )

    def observing(self, index: str) -> Lines:
        kinds = len(self.names)
        yield f"left = s.{self.name}_left{index}{'' if self.seen == 'all' else ' if sees else 0'} + 0"
        yield f"for kind in range({kinds}):"
        yield "    out.values[n + kind] = 0"
        yield "for i in range(left):"
        yield f"    out.values[n + s.{self.name}{index}[i] - 1] += 1"
        yield f"out.values[n + {kinds}] = s.{self.name}{index}[left - 1] if left > 0 else 0"
        yield f"n += {kinds + 1}"

    def cards(self, s: Any, place: Place) -> list[int]:
        left: int = at(getattr(s, f"{self.name}_left"), place)
        found: list[int] = at(getattr(s, self.name), place)[:left]
        return found

    def lay(self, s: Any, place: Place, cards: Sequence[int]) -> None:
        put(s, f"{self.name}_left", place, len(cards))
        put(s, self.name, place, [*cards, *[0] * (self.capacity - len(cards))])

    def counting(self, index: str) -> Lines:
        yield f"left = s.{self.name}_left{index} + 0"

    def collecting(self, heap: PileField, index: str) -> Lines:
        yield f"for i in range(s.{self.name}_left{index}):"
        yield from indented(heap.pushing(f"s.{self.name}{index}[i]"))

    def dealing(self, heap: PileField, index: str) -> Lines:
        yield f"for i in range(s.{self.name}_left{index}):"
        yield "    n -= 1"
        yield f"    s.{self.name}{index}[i] = s.{heap.name}[n]"
        yield from self.clearing(index)

    def pushing(self, card: str) -> Lines:
        """Write the kernel code that puts a card on the ``n`` that lie there. A pile that is too small loses cards, and
        no memory is overwritten: the checker says that pieces were lost."""
        yield f"if n < {self.capacity}:"
        yield f"    s.{self.name}[n] = {card}"
        yield "    n += 1"

    def clearing(self, index: str) -> Lines:
        """Write the kernel code that clears what lies above the top card: it is left over from before, and may tell
        where cards went."""
        yield f"for i in range(s.{self.name}_left{index}, {self.capacity}):"
        yield f"    s.{self.name}{index}[i] = 0"
