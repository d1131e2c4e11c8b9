"""Wrong options that are nearly right: phrases of a game in which one thing is another one."""

from __future__ import annotations

import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ziggurat.core.text import SEAT_ARGS, Grammar, Pattern, Plural
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
        if name not in SEAT_ARGS:  # of another seat the same may be true
            yield from (value + by for by in (1, -1, 2, -2, 3) if value + by >= 0)
    elif isinstance(value, Phrase):
        yield from other_numbers(value, players)
    elif isinstance(value, Sequence):
        for place, one in enumerate(value):
            seats = range(players) if name in SEAT_ARGS else ()
            for other in seats or _other_values(name, one, players):
                if other not in value:
                    yield [*value[:place], other, *value[place + 1 :]]


def other_moves(phrase: Phrase, known: Pool, fields: Collection[str], *, whole: bool) -> Iterator[Phrase]:
    """Yield the phrase of a move with one piece in it changed, left out or doubled.

    Args:
        known: what its arguments may name.
        fields: arguments that say which move it is; what else is said of a single step may be what nobody knows.
        whole: it has several steps, which all its arguments name.
    """
    for name, value in phrase.args.items():
        if name in UNSAID or not (whole or name in fields):
            continue
        if isinstance(value, str):
            for other in (*_near(value), *sorted(known.get(name, ()))):
                if other != value:
                    yield Phrase(phrase.key, {**phrase.args, name: other})
        elif isinstance(value, int) and not isinstance(value, bool):
            if name in fields:
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


def other_pieces(pieces: Sequence[str], chance: random.Random) -> Iterator[tuple[str, ...]]:
    """Yield what stands in a line with one piece in it changed: its number one off, missing, or there once more with
    another number."""
    for place in chance.sample(range(len(pieces)), len(pieces)):
        other = _off(pieces[place], chance)
        if other:
            yield (*pieces[:place], other, *pieces[place + 1 :])
            if other not in pieces and "=" not in other:
                yield (*pieces[: place + 1], other, *pieces[place + 1 :])
        if len(pieces) > 2:
            yield (*pieces[:place], *pieces[place + 1 :])


def _off(piece: str, chance: random.Random) -> str:
    """Return a piece with one of its numbers one off, and the sum behind them; empty where it has none."""
    by = chance.choice((1, -1))
    parts, equals, result = piece.partition(" = ")
    found = [*re.finditer(r"(?<![0-9.,])[0-9]+(?![0-9.,])", parts)]
    if not found or (len({one[0] for one in found}) > 1 and not equals):
        return ""
    chosen = chance.choice(found)
    by = 1 if int(chosen[0]) < 2 else by
    if not equals:  # the same number may stand there twice, in short and in full
        return piece.replace(chosen[0], str(int(chosen[0]) + by))
    changed = f"{parts[: chosen.start()]}{int(chosen[0]) + by}{parts[chosen.end() :]}"
    return f"{changed} = {int(result) + by}" if result.isdecimal() else ""


def without(pattern: Pattern, names: Collection[str], instead: str) -> str:
    """Return a pattern as it is written, with something instead of the placeholders for some arguments."""
    text = ""
    for part in pattern:
        if isinstance(part, str):
            text += part
        elif part.name in names:
            text += instead
        elif isinstance(part, Plural):
            branches = (f"{branch} {{{without(one, names, instead)}}}" for branch, one in part.branches.items())
            text += f"{{{part.name}, plural, {' '.join(branches)}}}"
        elif isinstance(part, Grammar):
            text += f"{{{part.name}, suffix, {part.suffix}}}" if part.suffix else f"{{{part.name}, article}}"
        else:
            text += f"{{{part.name}.{part.form}}}" if part.form else f"{{{part.name}}}"
    return text
