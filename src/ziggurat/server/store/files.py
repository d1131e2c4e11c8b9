"""Components and scenario files by content address: each is stored once, however many tables use it."""

from __future__ import annotations

import hashlib
import time

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert as insert_postgresql
from sqlalchemy.dialects.sqlite import insert as insert_sqlite

from ziggurat.server.store.models import files, tables


def store_file(connection: sa.Connection, text: str | None) -> str | None:
    """Store a file unless it is there; return its name, a digest of its text."""
    if text is None:
        return None
    insert = insert_postgresql if connection.dialect.name == "postgresql" else insert_sqlite
    row = {"digest": hashlib.sha256(text.encode()).hexdigest(), "text": text, "used": time.time()}
    # Marked as used even if it is there, so that nobody forgets it before the table is written.
    wish = insert(files).values(row).on_conflict_do_update(index_elements=["digest"], set_={"used": row["used"]})
    connection.execute(wish)
    return str(row["digest"])


def text_of(connection: sa.Connection, digest: str | None) -> str | None:
    """Return the text of a file."""
    if digest is None:
        return None
    return str(connection.execute(sa.select(files.c.text).where(files.c.digest == digest)).scalar_one())


def forget_unneeded(connection: sa.Connection, before: float) -> int:
    """Delete files that no table needs, and that were last used before a moment; return how many."""
    by = (tables.c.components_file, tables.c.scenario_file)
    needed = sa.union(*(sa.select(column).where(column.is_not(None)) for column in by))
    return connection.execute(sa.delete(files).where(files.c.used < before, files.c.digest.not_in(needed))).rowcount
