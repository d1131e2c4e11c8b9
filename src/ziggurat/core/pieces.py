"""Names of pieces, split into the sort, and the piece of that sort."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ziggurat.core.decision import About
from ziggurat.core.errors import NotationError, UnknownPiece, told_as

Tell = Callable[[Any, Any, "int | None", str], About]
"""``(s, values, seat, rest) -> About``: what a piece of a sort is, and what it is worth to a seat, by the rest of its
name. ``s`` is a copy that may be changed while it is looked at, and is left as it was. Raises ValueError for a rest
that names nothing."""


def about(sorts: Mapping[str, Tell], examples: str) -> Tell:
    """A function for `Game.about`, by the sorts of pieces: the first words of their names.

    Args:
        examples: some names, for the message to whoever asks for a piece that there is not.
    """

    def tell(s: Any, values: Any, seat: int | None, piece: str) -> About:
        sort, _, rest = piece.partition(" ")
        try:
            return sorts[sort](s, values, seat, rest)
        except (KeyError, ValueError, IndexError):
            asked = piece[:40]
            raise UnknownPiece(
                f"{asked!r} is no piece of this game; one is named like {examples}", piece=asked
            ) from None

    return tell


Measured = TypeVar("Measured")


def with_changed(measure: Callable[[], Measured], *changes: tuple[Any, Any, int]) -> tuple[Measured, Measured]:
    """A measure now, and after some changes, which are taken back.

    Args:
        changes: ``(cells, place, by)``: by how much the number at a place of a list changes.
    """
    before = measure()
    kept = [(cells, place, cells[place]) for cells, place, _ in changes]
    try:
        for cells, place, by in changes:
            cells[place] += by
        return before, measure()
    finally:
        for cells, place, value in kept:
            cells[place] = value


def one_of(word: str, words: Sequence[str]) -> int:
    """The index of a word in a list. Raises ValueError that names them."""
    known = list(words)
    if word not in known:
        raise ValueError(f"{word!r:.40} is none of {', '.join(known)}")
    return known.index(word)


def number(word: str, below: int, first: int = 0) -> int:
    """Parse a number as the board writes it. Raises ValueError."""
    return [str(one) for one in range(first, below)].index(word) + first


def nothing(rest: str) -> None:
    """Parse the empty rest of a unique piece's name. Raises ValueError."""
    if rest:
        raise ValueError(rest)


def by_name(names: Sequence[str], *piles: Sequence[int]) -> Counter[str]:
    """The counts of pieces in piles that give a count for every kind."""
    return Counter({name: sum(pile[kind] for pile in piles) for kind, name in enumerate(names)})


def repeated(counts: Iterable[int], first: int = 0) -> list[int]:
    """The numbers of pieces, from ``first`` on, each as often as its count."""
    return [piece for piece, count in enumerate(counts, start=first) for _ in range(count)]


def word_at(word: str, words: Sequence[str]) -> int:
    """The index of a word in a move that a person wrote. Raises NotationError."""
    return told_as(NotationError, lambda text: one_of(text, words), word)
