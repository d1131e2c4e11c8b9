"""The transfer from SQLite to PostgreSQL: every row as it is, in one transaction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa

from ziggurat.server.problems import StartError
from ziggurat.server.store.database import Database
from ziggurat.server.store.migrate import migrate
from ziggurat.server.store.models import people, schema, tables

ROWS_PER_BATCH = 500
"""Rows that are read and written together."""
MOVED_FILE = "ziggurat.moved-to-postgresql.db"
"""What the file is called from then on: no server goes on with it by mistake."""


def _ignored(rows: int) -> None:
    """Ignore the progress."""


def rows(connection: sa.Connection) -> int:
    """Return the number of rows in a database."""
    return sum(_count(connection, table) for table in schema().sorted_tables)


def _count(connection: sa.Connection, table: sa.Table) -> int:
    return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def _copy(target: sa.Connection, source: sa.Connection, advance: Callable[[int], None]) -> None:
    """Copy the rows of one database into another, which has the same schema and is empty."""
    if _count(target, people) or _count(target, tables):
        raise StartError("That database is in use already: there are people or tables in it. Name an empty one.")
    for table in reversed(schema().sorted_tables):
        target.execute(sa.delete(table))  # what a migration has written, such as the chores
    for table in schema().sorted_tables:
        # People who are here by another person's device come after the others.
        last = [
            column.is_not(None) for column in table.c if any(key.column.table is table for key in column.foreign_keys)
        ]
        written = 0
        for batch in source.execute(sa.select(table).order_by(*last)).mappings().partitions(ROWS_PER_BATCH):
            target.execute(sa.insert(table), [dict(row) for row in batch])
            written += len(batch)
            advance(len(batch))
        assert written == _count(target, table), table.name


async def transfer(source: Database, target: Database, advance: Callable[[int], None] = _ignored) -> None:
    """Migrate the target, and copy all rows of one database into the other, or none.

    `advance` is told how many rows were copied since it was last told.

    Raises StartError when one of them cannot be used, or the target is not empty.
    """
    await migrate(target, None)  # it has to be empty

    def job(written: sa.Connection) -> None:
        engine = sa.create_engine(source.url, hide_parameters=True)
        try:
            with engine.connect() as read:
                _copy(written, read, advance)
        finally:
            engine.dispose()

    await target.transact(job)


def rename_moved(folder: Path) -> Path:
    """Rename a database that was transferred; return its new name."""
    for suffix in ("", "-wal", "-shm"):
        file = folder / f"ziggurat.db{suffix}"
        if file.exists():
            file.rename(folder / f"{MOVED_FILE}{suffix}")
    return folder / MOVED_FILE
