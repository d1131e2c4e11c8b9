"""The box from which a scenario takes its pieces, and its errors about a file that asks for too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Generic, TypeAlias, TypeVar

from msgspec import Meta

from ziggurat.core.errors import ScenarioError, told_as
from ziggurat.core.pieces import one_of

T = TypeVar("T")
Piece = TypeVar("Piece", bound=Hashable)

Listed: TypeAlias = "Sequence[str] | Mapping[Any, int]"
"""Pieces by their tokens: one after the other, or how many there are of each."""

Seat = Annotated[int, Meta(ge=1)]
"""A seat as a file names it, see ``seat_of``."""


class Box(Generic[Piece]):
    """The pieces that are not placed yet. Every piece on the table was taken out of it, so no scenario has more than
    there are.

    Attributes:
        left: how many of each.
    """

    def __init__(
        self,
        pieces: Iterable[Piece],
        token: Callable[[Piece], str],
        parse: Callable[[str], Piece],
        missing: str = "the box holds no further {}",
    ) -> None:
        """Fill a box with pieces.

        Args:
            token: how a file names a piece.
            parse: the piece of a token. Raises ValueError.
            missing: what is said when there is none left, with ``{}`` for the token.
        """
        self.left: Counter[Piece] = Counter(pieces)
        self._token = token
        self._parse = parse
        self._missing = missing

    def take(self, piece: Piece, where: str = "") -> Piece:
        """Take out a piece. Raises ScenarioError when none is left."""
        if self.left[piece] <= 0:
            raise self._none_left(self._token(piece), where)
        self.left[piece] -= 1
        return piece

    def named(self, token: str, where: str) -> Piece:
        """Take out the piece that a file names. Raises ScenarioError when there is no such piece, or none left."""
        return self.take(parsed(self._parse, token, where), where)

    def several(self, tokens: Listed, where: str) -> list[Piece]:
        """Take out the pieces that a file lists."""
        listed = Counter(tokens).elements() if isinstance(tokens, Mapping) else tokens
        return [self.named(token, where) for token in listed]

    def in_front(self, seats: int, given: Mapping[str, Listed], where: str) -> dict[int, list[Piece]]:
        """Take out the pieces in front of each seat that a file lists."""
        named = by_seat(seats, given, where)
        return {seat: self.several(tokens, f"{where}.{seat + 1}") for seat, tokens in named.items()}

    def least(self, alike: Iterable[Any], sort: str, where: str) -> Piece:
        """Take out the lowest of the equivalent pieces, where the table does not tell which of them it is."""
        found = [piece for piece in alike if self.left[piece] > 0]
        if not found:
            raise self._none_left(sort, where)
        return self.take(min(found))

    def again(self, piece: Piece, others: Iterable[Piece], nothing: Piece) -> Piece:
        """Take out the piece that lay at a place before, or the first equivalent one that is left; ``nothing`` when
        none is."""
        return next((self.take(one) for one in (piece, *others) if self.left[one] > 0), nothing)

    def rest(self, order: Iterable[Piece]) -> list[Piece]:
        """Take out all remaining pieces, in the order of a shuffled deck of which they are a part."""
        return [self.take(piece) for piece in order if self.left[piece] > 0]

    def _none_left(self, token: str, where: str) -> ScenarioError:
        return ScenarioError(self._missing.format(token), where=where)


def box_of(pieces: Iterable[int], names: Sequence[str]) -> Box[int]:
    """A box of pieces that are numbered from 1, by the order of their names."""
    return Box(pieces, lambda piece: names[piece - 1], lambda name: one_of(name, names) + 1)


def fill(cells: Any, pieces: Sequence[Any]) -> int:
    """Lay pieces on a pile of a record, zeros behind them; return how many there are."""
    cells[:] = [*pieces, *[0] * (len(cells) - len(pieces))]
    return len(pieces)


def pile(
    rest: Sequence[int], top: Sequence[int], size: int | None, name: str, where: str, unit: str = "cards"
) -> list[int]:
    """A pile, its top last: the pieces that a file names, the top first, lie on the rest, whose lowest go if it is to
    be smaller.

    Raises:
        ScenarioError: when it cannot have this size.
    """
    most = len(rest) + len(top)
    return [*rest[most - sized(size, len(top), most, name, where, unit) :], *reversed(top)]


def sized(size: int | None, least: int, most: int, name: str, where: str, unit: str = "cards") -> int:
    """The size of a pile: the file's, or all that there is. Raises ScenarioError when it cannot have this size."""
    size = most if size is None else size
    if not least <= size <= most:
        raise ScenarioError(f"the {name} can have {least} to {most} {unit} here, not {size}", where=where)
    return size


def parsed(parse: Callable[[str], T], token: str, where: str) -> T:
    """The value of a token. Raises ScenarioError with the words of the ValueError that ``parse`` raises."""
    return told_as(ScenarioError, parse, token, where=where)


def place_among(names: Sequence[str], name: str, where: str) -> int:
    """The index of a name in a list. Raises ScenarioError for an unknown name."""
    return parsed(lambda word: one_of(word, names), name, where)


def by_seat(seats: int, given: Mapping[str, T], where: str, *more: str) -> dict[int, T]:
    """A table of the file by seat, counted from 1 there and from 0 here.

    Args:
        more: the names of owners behind the seats.

    Raises:
        ScenarioError: for a seat that is not there.
    """
    names = {name: seat for seat, name in enumerate([*(str(seat + 1) for seat in range(seats)), *more])}
    for name in given:
        if name not in names:
            message = f"{where} goes by seats {', '.join(names)}, not by {name!r}"
            raise ScenarioError(message, where=f"{where}.{name}")
    return {names[name]: value for name, value in given.items()}


def seat_of(seats: int, seat: int, where: str) -> int:
    """A seat, counted from 1 in the file and from 0 here. Raises ScenarioError when it is not there."""
    if seat > seats:
        raise ScenarioError(f"{where} is a seat from 1 to {seats}, not {seat}", where=where)
    return seat - 1
