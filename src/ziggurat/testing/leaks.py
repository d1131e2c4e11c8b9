"""The report of a leak: what told whom, in which two worlds, and how to look at them again."""

from __future__ import annotations

import zlib
from base64 import b85decode, b85encode
from collections.abc import Mapping
from typing import Any, NoReturn

from ziggurat.core.game import Game
from ziggurat.core.position import Position
from ziggurat.core.registry import game as find_game
from ziggurat.testing.context import Context, who

# So much is quoted of what one world hides.
QUOTED = 300


class Leak(AssertionError):
    """A leak: a seat is told what it may not know, or a belief is impossible for its seat.

    Attributes:
        seat: who learns it; None for a spectator.
        worlds: the positions that prove it, by what they are. One before an action holds the chance with which the
            action was tried, so that playing it again leads to the same.
    """

    def __init__(self, message: str, seat: int | None, worlds: Mapping[str, Position]) -> None:
        super().__init__(message)
        self.seat = seat
        self.worlds = dict(worlds)


def leak(context: Context, seat: int | None, what: str, worlds: Mapping[str, Position]) -> NoReturn:
    """Fail with a report of what happened, what the worlds hide, and the worlds themselves.

    Raises:
        Leak: always.
    """
    lines = [f"{context}: {what}"]
    hidden = {name: world.secrets() for name, world in worlds.items()}
    for secret in dict.fromkeys(secret for some in hidden.values() for secret in some):
        values = {name: repr(some.get(secret)) for name, some in hidden.items()}
        if len(set(values.values())) > 1:
            lines += [f"  {secret} in {name}: {_short(value)}" for name, value in values.items()]
    lines.append("  In these names places and seats are counted from 0: hand.0 is that of seat 1.")
    first = next(iter(worlds.values()))
    lines.append(f"  To look at them again: world({first.game.id!r}, {first.players}, {dict(first.options)}, TEXT)")
    lines += [f"  {name}: {written(world)}" for name, world in worlds.items()]
    raise Leak("\n".join(lines), seat, worlds)


def expect_same(
    context: Context, seat: int | None, found: object, wanted: object, what: str, truth: Position, other: Position
) -> None:
    """Fail if what a seat is told differs between two worlds that it cannot tell apart."""
    if found != wanted:
        told = f"{what}\n  found:  {found!r}\n  wanted: {wanted!r}\n  told to {who(seat)}"
        leak(context, seat, told, {"the true world": truth, "the other world": other})


def written(position: Position) -> str:
    """Return a position as a short text, which ``world`` reads."""
    return b85encode(zlib.compress(position.to_bytes(), 9)).decode()


def world(game: str | Game, players: int, options: Mapping[str, str], text: str) -> Position:
    """Return the position of a text in the message of a leak."""
    chosen = find_game(game) if isinstance(game, str) else game
    return Position.from_bytes(chosen, zlib.decompress(b85decode(text)), players=players, options=options)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= QUOTED else f"{text[:QUOTED]} ..."
