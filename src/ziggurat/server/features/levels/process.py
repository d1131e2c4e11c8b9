"""The process that makes a fit, so that nobody's move waits for it.

python -m ziggurat.server.features.levels.process      is started by `service`

It reads a game and the list of its counted games on its standard input, and writes the curves.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress

import msgspec

from ziggurat.server.features.levels.fit import CountedGame, Curve, fit
from ziggurat.server.features.levels.metre import metre_of


class FitOrder(msgspec.Struct, array_like=True):
    """What is to be fitted."""

    game: str
    games: list[CountedGame]


class Fitted(msgspec.Struct, array_like=True):
    """The curves of an order, and the seconds of a processor that they took."""

    curves: dict[str, Curve]
    seconds: float


def fitted(order: FitOrder) -> Fitted:
    """Return the curves of an order."""
    begun = time.thread_time()
    curves = fit(order.games, metre_of(order.game))
    return Fitted(curves, time.thread_time() - begun)


def main() -> None:
    """Answer one order."""
    with suppress(OSError, AttributeError):
        os.nice(10)
    order = msgspec.json.decode(sys.stdin.buffer.read(), type=FitOrder)
    sys.stdout.buffer.write(msgspec.json.encode(fitted(order)))


if __name__ == "__main__":
    main()
