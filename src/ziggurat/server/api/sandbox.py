"""Sandbox: a position without a table, as a board shows it: nobody else plays there, and the server stores nothing of
it."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from ziggurat import Event, Position
from ziggurat.core.decision import Decision
from ziggurat.server.api.schemas import Pieces, SeatInfo, Steps, TableInfo, tableless

NEIGHBOUR_BOT = "mason"
"""The bot shown on the other seats: with several of them, each has a name of its own."""


class SandboxState(msgspec.Struct):
    """A seat's view of a position, in the form of a snapshot of a table that only its person knows."""

    table: TableInfo
    view: Any
    """The game's own."""
    decision: Annotated[Any, Decision]
    events: list[Event]
    """What has just happened, as far as they may know of it."""


class MoveAttempt(msgspec.Struct):
    """The steps of a whole move that is tried."""

    steps: Annotated[Steps, msgspec.Meta(min_length=1)]


class PieceQuestion(msgspec.Struct):
    """A question about pieces, and the move that was made in the step, if one was."""

    pieces: Pieces
    steps: Steps = []


def sandbox_state(position: Position, seat: int, *, over: bool = False) -> SandboxState:
    """Return a seat's view of a position, and what has happened in it.

    `over`: nothing more is asked of it here.
    """
    decision = position.decision(seat)
    return SandboxState(
        _table(position, seat, over),
        position.view(seat),
        Decision(decision.ask if position.finished else None, [], []) if over else decision,
        position.events_for(seat),
    )


def _table(position: Position, seat: int, over: bool) -> TableInfo:
    bots = [NEIGHBOUR_BOT if other != seat else None for other in range(position.players)]
    seats = [
        SeatInfo(other, "bot" if bot else "human", "", bot, other == seat, True, False)
        for other, bot in enumerate(bots)
    ]
    actors = [] if over else list(position.actors)
    return tableless(position.game.id, "playing", seats, dict(position.options), you=seat, actors=actors)
