"""The history of a finished game, to be looked at and downloaded."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from ziggurat.server.domain.guards import must_be_over
from ziggurat.server.domain.table import Sent, Table
from ziggurat.server.problems import Problem


class Frame(msgspec.Struct):
    """A moment of a finished game: the move that led to it, and the umpire's view with every hand open."""

    seq: int
    seat: int | None
    notation: str
    events: list[Sent]
    view: msgspec.Raw


class History(msgspec.Struct):
    """A finished game, moment by moment."""

    frames: list[Frame]


def history(table: Table, views: Mapping[int, bytes]) -> History:
    """Return every standing moment, with the umpire's views. Events are those of the day: the rules are not asked
    again."""
    must_be_over(table)
    if not views:
        raise Problem(409, "rules_changed", table.trouble or "How this game looked is not known any more.")
    return History(
        [
            Frame(
                change.seq,
                change.seat,
                change.notation,
                [msgspec.Raw(event.text) for event in change.events],
                msgspec.Raw(views[change.seq]),
            )
            for change in table.story()
            if change.seq in views
        ]
    )
