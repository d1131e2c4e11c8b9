"""Draws a round in a process of its own: the solver's memory goes with it, and the event loop goes on meanwhile.

Reads a season from standard input, and writes the draw: JSON both.
"""

from __future__ import annotations

import asyncio
import sys

import msgspec

from ziggurat.server.features.seasons.schedule import Unproved
from ziggurat.server.features.seasons.state import AnyEvent, Drawn, SeasonState, fold
from ziggurat.server.features.seasons.terms import SeasonTerms

DRAW_SECONDS = 600.0
"""After which a process is given up that does not answer; what it works out is bounded by steps, not by time."""


class DrawQuestion(msgspec.Struct):
    """A season of which a round is to be drawn."""

    terms: SeasonTerms
    commitment: str
    events: list[AnyEvent]
    round: int
    at: int


def answer(question: DrawQuestion) -> Drawn:
    """Return the draw; without the solver where that does not prove it within its bound."""
    state = fold(question.terms, question.commitment, question.events, checks=False)
    return draw(state, question.round, question.at)


def draw(state: SeasonState, round: int, at: int) -> Drawn:
    """Return the draw of a round of a season."""
    try:
        return state.drawing(round, at)
    except Unproved:
        return state.drawing(round, at, solver=False)


async def ask(question: DrawQuestion) -> Drawn:
    """Return the draw, worked out by a process of its own."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        __name__,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(DRAW_SECONDS):
            out, _ = await process.communicate(msgspec.json.encode(question))
    except BaseException:
        if process.returncode is None:
            process.kill()
            await process.wait()
        raise
    if process.returncode:
        raise RuntimeError(f"the draw of round {question.round} failed")
    return msgspec.json.decode(out, type=Drawn)


if __name__ == "__main__":
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=DrawQuestion)
    sys.stdout.buffer.write(msgspec.json.encode(answer(asked)))
