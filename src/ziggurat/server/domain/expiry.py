"""The expiry of a table that nobody starts."""

from __future__ import annotations

from ziggurat.server.domain.table import Table


def expire(table: Table, before: float) -> Table:
    """Return the table expired if it still waits for people, and nothing has happened there since a moment."""
    if table.status != "waiting" or table.updated >= before:
        return table
    return table.after("expire", status="expired", invite=None)
