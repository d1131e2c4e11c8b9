"""The hooks into a table where a daily deal is played: its end counts, and it is not revealed while another try may
count."""

from __future__ import annotations

from datetime import date
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.table import Table
from ziggurat.server.features.daily import rows
from ziggurat.server.features.daily.models import tries
from ziggurat.server.features.daily.rules import must_be_closed, outcome
from ziggurat.server.services.followers import Also, TableFollower


class DealFollower(TableFollower):
    """The hooks into the tables where deals are played."""

    def changed(self, old: Table, new: Table) -> Also | None:
        """Return the write that notes how a try ended."""
        ends = new.deal is not None and new.status == "finished" != old.status
        return partial(rows.finish, table=new) if ends else None

    def may_be_shown(self, connection: sa.Connection, table: Table) -> None:
        """Refuse to reveal a deal of which another try may still count."""
        if table.deal is not None:
            must_be_closed(date.fromisoformat(table.deal), rows.today(connection))


def what_is_wrong(connection: sa.Connection, table: Table) -> str | None:
    """Check that the try played at a table has the table's outcome; return the fault, if there is one."""
    row = connection.execute(sa.select(tries).where(tries.c.table_id == table.id)).one_or_none()
    seat = next((seat.seat for seat in table.seats if seat.kind == "human"), None)
    if row is None or row.finished is None or seat is None:
        return None
    ended = outcome(table.result, seat) if table.result is not None else None
    if ended is None or (row.points, row.place, row.margin) != (ended.points, ended.place, ended.margin):
        return "its outcome is not that of its table"
    return None
