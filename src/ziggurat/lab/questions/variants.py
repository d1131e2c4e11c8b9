"""Wrong options that are nearly right: phrases of a game in which one thing is another one."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ziggurat.core.text import SEAT_ARGS
from ziggurat.core.trace import Phrase

UNSAID = frozenset({"points", "total", "count", "before", "forced", "payment", "say", "others"})
"""Arguments of a move that say what it comes to, and not which move it is."""
Pool = dict[str, set[str]]
"""By the name of an argument the pieces that it has named."""


def pool(phrases: Iterable[Phrase]) -> Pool:
    """Gather what the arguments of phrases name."""
    found: Pool = {}
    for phrase in phrases:
        for name, value in phrase.args.items():
            for one in value if isinstance(value, Sequence) and not isinstance(value, str) else [value]:
                if isinstance(one, str):
                    found.setdefault(name, set()).add(one)
    return found


def other_numbers(phrase: Phrase, players: int) -> Iterator[Phrase]:
    """Yield the phrase with one number in it, or one seat, changed."""
    for name, value in phrase.args.items():
        for other in _other_values(name, value, players):
            yield Phrase(phrase.key, {**phrase.args, name: other})


def _other_values(name: str, value: Any, players: int) -> Iterator[Any]:
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return
    if isinstance(value, int):
        if name in SEAT_ARGS:
            yield from (seat for seat in range(players) if seat != value)
        else:
            yield from (value + by for by in (1, -1, 2, -2, 3) if value + by >= 0)
    elif isinstance(value, Phrase):
        yield from other_numbers(value, players)
    elif isinstance(value, Sequence):
        for place, one in enumerate(value):
            for other in _other_values(name, one, players):
                if other not in value:
                    yield [*value[:place], other, *value[place + 1 :]]


def other_moves(phrase: Phrase, known: Pool, fields: Iterable[str]) -> Iterator[Phrase]:
    """Yield the phrase of a move with one piece in it changed, left out or doubled.

    Args:
        known: what its arguments may name.
        fields: names of arguments that say by a number which move it is.
    """
    numbers = set(fields)
    for name, value in phrase.args.items():
        if name in UNSAID:
            continue
        if isinstance(value, str):
            for other in (*_near(value), *sorted(known.get(name, ()))):
                if other != value:
                    yield Phrase(phrase.key, {**phrase.args, name: other})
        elif isinstance(value, int) and not isinstance(value, bool):
            if name in numbers:
                for by in (1, -1):
                    if value + by > 0:
                        yield Phrase(phrase.key, {**phrase.args, name: value + by})
        elif isinstance(value, Sequence) and value and all(isinstance(one, str) for one in value):
            yield from (Phrase(phrase.key, {**phrase.args, name: other}) for other in _other_piles(value, known, name))


def _other_piles(pile: Sequence[Any], known: Pool, name: str) -> Iterator[list[str]]:
    for place, piece in enumerate(pile):
        for other in (*_near(piece), *sorted(known.get(name, ()))):
            if other != piece:
                yield [*pile[:place], other, *pile[place + 1 :]]
        if len(pile) > 1:
            yield [*pile[:place], *pile[place + 1 :]]
        yield [*pile[: place + 1], piece, *pile[place + 1 :]]


def _near(piece: str) -> Iterator[str]:
    """Yield a piece with its number one off."""
    head, _, number = piece.rpartition(" ")
    if head and number.isdecimal():
        yield from (f"{head} {int(number) + by}" for by in (1, -1) if int(number) + by > 0)


def key_of(phrase: Phrase) -> tuple[Any, ...]:
    """Return what tells moves apart, whatever the order of the cards in them."""
    return (phrase.key, *sorted((name, _plain(value)) for name, value in phrase.args.items() if name not in UNSAID))


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return repr(sorted(value.items()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return repr(sorted(map(_plain, value)))
    return repr(value)


def other_pieces(pieces: Sequence[str], others: Iterable[str], chance: random.Random) -> Iterator[tuple[str, ...]]:
    """Yield what stands in a line with one piece changed: its number one off, another piece in its place, or missing."""
    for place in chance.sample(range(len(pieces)), len(pieces)):
        piece = pieces[place]
        digits = [word for word in piece.replace("(", " ").split() if word.isdecimal()]
        if len(digits) == 1:
            off = int(digits[0]) + (1 if int(digits[0]) < 2 or chance.random() < 0.5 else -1)
            yield (*pieces[:place], piece.replace(digits[0], str(off)), *pieces[place + 1 :])
        for other in sorted(set(others) - set(pieces)):
            yield (*pieces[:place], other, *pieces[place + 1 :])
        if len(pieces) > 2:
            yield (*pieces[:place], *pieces[place + 1 :])
