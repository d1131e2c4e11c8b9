"""The hooks into open tables: their number is bounded, and people who wish for one are notified."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from ziggurat.server.domain.open_table import is_listed
from ziggurat.server.domain.table import Table
from ziggurat.server.features.open_tables import rows
from ziggurat.server.features.open_tables.attendance import look_after
from ziggurat.server.services.followers import Also, TableFollower
from ziggurat.server.services.table_service import TableService


class OpenTableFollower(TableFollower):
    """The hooks into tables that strangers can find."""

    def __init__(self, table_service: TableService) -> None:
        self.table_service = table_service
        self._told: list[TableFollower] = []

    def may_be_made(self, connection: sa.Connection, table: Table, origin: str) -> None:
        """Refuse an open table beyond the bound."""
        rows.must_have_room(connection, table, origin, self.table_service.settings.quota)

    def made(self, table: Table, called: Sequence[str]) -> Also | None:
        """Return the write that notifies those who wish for such a table."""
        if not is_listed(table):
            return None

        def tell(connection: sa.Connection) -> bool:
            if not (people := rows.who_wishes(connection, table)):
                return False
            followers = self.table_service.followers.values()
            self._told = [one for one in followers if one.tell(connection, table, "open", people)]
            return bool(self._told)

        return tell

    def written(self) -> None:
        """Wake the notifier."""
        told, self._told = self._told, []
        for follower in told:
            follower.written()

    async def has_to_wait(self, table: Table) -> bool:
        """Whether somebody has sat down who is absent."""
        return await look_after(table, self.table_service)
