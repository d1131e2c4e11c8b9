"""A finished game to be looked at again, and to be taken away."""

from __future__ import annotations

import msgspec

from ziggurat.server.play.table import Table
from ziggurat.server.problems import Problem
from ziggurat.server.tables.schemas import Frame, History


def must_be_over(table: Table) -> None:
    """Refuse while the game could be spoilt by it."""
    if table.status != "finished":
        raise Problem(409, "not_over", "This is shown when the game is over.")


def history(table: Table, views: dict[int, msgspec.Raw]) -> History:
    """Return every moment that stands. Views and events are those of the day: the rules are not asked again."""
    must_be_over(table)
    return History(
        [
            Frame(change.seq, change.seat, change.notation, list(change.events), views[change.seq])
            for change in table.story()
            if change.seq in views
        ]
    )
