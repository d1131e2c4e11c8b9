"""The choice of the database engine that the settings name."""

from __future__ import annotations

from ziggurat.server.settings import Settings
from ziggurat.server.store.database import Database


def open_database(settings: Settings) -> Database:
    """Return the database that the settings name. Nothing is read or created yet."""
    if settings.sqlite:
        from ziggurat.server.store.sqlite import SqliteDatabase

        return SqliteDatabase(settings)
    # Its driver is an extra, and not there for those who need no PostgreSQL.
    from ziggurat.server.store.postgres import PostgresDatabase

    return PostgresDatabase(settings)
