"""The hooks into the tables of seasons: how one ended is noted in the transaction of its last change."""

from __future__ import annotations

import time
from collections.abc import Callable

import sqlalchemy as sa

from ziggurat.server.domain.table import Table
from ziggurat.server.features.seasons import rows
from ziggurat.server.features.seasons.state import Drawn, Opened
from ziggurat.server.features.seasons.tables import ended, moves_of
from ziggurat.server.services.followers import Also, TableFollower


class SeasonFollower(TableFollower):
    """The hooks into the tables of seasons."""

    def __init__(self) -> None:
        self.on_end: list[Callable[[], None]] = []
        """Called when the end of a table is durable."""

    def changed(self, old: Table, new: Table) -> Also | None:
        """Return the write that notes how a table of a season ended."""
        ends = new.group is not None and new.over and not old.over

        def write(connection: sa.Connection) -> bool:
            return note_end(connection, new)

        return write if ends else None

    def written(self) -> None:
        """Look what follows from the end of a table."""
        for heard in self.on_end:
            heard()


def note_end(connection: sa.Connection, table: Table) -> bool:
    """Note the end of a table, if it is one of a season and its end was not noted; return whether it was."""
    place = rows.place_of(connection, table.id)
    if place is None or table.position is None:
        return False
    id, round, number = place
    events = rows.events_of(connection, id)
    opened = next(e for e in events if isinstance(e, Opened) and (e.round, e.table) == (round, number))
    drawn = next(e for e in events if isinstance(e, Drawn) and e.round == round).tables[number - 1]
    people = {one.who: one.person for one in rows.people_of(connection, id)}
    at = max(int(time.time()), events[-1].at)
    rows.happened(connection, id, len(events), [ended(table, opened, drawn.people, people, at)])
    rows.keep_moves(connection, table.id, moves_of(table))
    rows.set_due(connection, id, time.time())
    return True
