"""What follows from a table that anybody may join: there is room for so many, and people may wish for such a one."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import sqlalchemy as sa

from ziggurat.server.domain.open_table import is_listed
from ziggurat.server.domain.table import Table
from ziggurat.server.features.notifications.subscriptions import subscriptions_of
from ziggurat.server.features.open_tables import rows
from ziggurat.server.services.followers import Also, TableFollower
from ziggurat.server.services.table_service import TableService


class OpenTableFollower(TableFollower):
    """Follows tables that strangers can find."""

    def __init__(self, table_service: TableService) -> None:
        self.table_service = table_service

    def may_be_made(self, connection: sa.Connection, table: Table, origin: str) -> None:
        """Refuse one open table too many."""
        rows.must_have_room(connection, table, origin, self.table_service.settings.quota)

    def made(self, table: Table, called: Sequence[str]) -> Also | None:
        """Return what tells those who wish for such a table."""
        if not is_listed(table) or not subscriptions_of(self.table_service).any:
            return None
        return partial(rows.notify, table=table, wait=self.table_service.settings.news_wait)

    def written(self) -> None:
        """Have them told."""
        subscriptions_of(self.table_service).on_written()
