"""The umpire's log: everything that happens in a game, hidden or not, one JSON object a line.

Every line has ``n`` (its number, from 1) and ``kind``; ``docs/event-log.md`` describes each with an example. The same
envelope serves all games, so that a checker by another author can follow a game without our code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TextIO

import msgspec

from ziggurat.core.position import Position
from ziggurat.core.trace import Event
from ziggurat.version import __version__


class EventLog:
    """A writer of games to a text stream, each from ``game`` to ``end``."""

    def __init__(self, stream: TextIO, *, legal: bool = False) -> None:
        self._stream = stream
        self._legal = legal
        self._n = 0
        self._written = 0

    def begin(self, position: Position, number: int = 1, bots: Sequence[str] = ()) -> None:
        """Write the start of a game: what it is, and the events of its set-up."""
        self._written = 0
        self._line(
            "game",
            number=number,
            game=position.game.id,
            rules=position.game.version,
            ziggurat=__version__,
            players=position.players,
            options=dict(position.options),
            components=position.components.digest,
            seed=position.seed.hex() if position.seed else None,
            bots=list(bots),
        )
        self._events(position)
        self._line("hidden", **position.secrets())
        self._line("table", view=msgspec.to_builtins(position.view_all()))

    def decide(self, position: Position, seat: int, action: int) -> None:
        """Write a decision before it is played: who decides what, and with ``legal`` between which actions."""
        facts: dict[str, Any] = {"seat": seat, "action": action, "chosen": position.write_step(action)}
        if self._legal:
            facts["legal"] = [position.write_step(legal) for legal in position.legal(seat)]
        self._line("decision", **facts)

    def played(self, position: Position) -> None:
        """Write the events of an action that was played. A pile that was shuffled is shown in its new order."""
        events = self._events(position)
        if any(event.type in position.game.events.shuffles for event in events):
            self._line("hidden", **position.secrets())

    def end(self, position: Position) -> None:
        """Write the end: the scores, also of owners whom nobody plays, and the winners."""
        self._line("end", scores=position.all_scores, winners=position.winners)

    def _events(self, position: Position) -> list[Event]:
        new = position.events_since(self._written)
        self._written = position.rows_written
        for event in new:
            self._line("event", type=event.type, seat=event.seat, args=event.args)
        return new

    def _line(self, kind: str, **facts: Any) -> None:
        self._n += 1
        line = msgspec.json.encode({"n": self._n, "kind": kind, **facts})
        self._stream.write(line.decode() + "\n")
