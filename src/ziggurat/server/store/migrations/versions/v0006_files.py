"""A file of components or a scenario is kept once; from where a table was made, and when people were seen last."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

COLUMNS = ("components", "scenario")


def upgrade() -> None:
    files = op.create_table(
        "files",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("used", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_files")),
    )
    chores = op.create_table(
        "chores",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("begun", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_chores")),
    )
    op.bulk_insert(chores, [{"name": "expire", "begun": 0.0}])
    now = time.time()
    connection = op.get_bind()
    tables = sa.table("tables", sa.column("id"), *map(sa.column, COLUMNS))
    moved = set[str]()
    for id, column, text in _texts(connection, tables):
        digest = hashlib.sha256(text.encode()).hexdigest()
        if digest not in moved:
            moved.add(digest)
            connection.execute(sa.insert(files).values(digest=digest, text=text, used=now))
        connection.execute(sa.update(tables).where(tables.c.id == id).values({column: digest}))
    for column in COLUMNS:
        # Not by a batch: it would make the table anew, to which others refer.
        op.execute(f"ALTER TABLE tables RENAME COLUMN {column} TO {column}_file")
    op.add_column("tables", sa.Column("origin", sa.Text()))
    op.create_index("ix_tables_origin", "tables", ["origin"], unique=False)
    op.add_column("people", sa.Column("seen", sa.Double(), nullable=False, server_default="0"))
    op.execute(sa.update(sa.table("people", sa.column("seen"))).values(seen=now))


def _texts(connection: sa.Connection, tables: sa.TableClause) -> Iterator[tuple[str, str, str]]:
    """The files of all tables; one table at a time, because a file may have 100 kB."""
    some = sa.or_(*(tables.c[column].is_not(None) for column in COLUMNS))
    for id in connection.execute(sa.select(tables.c.id).where(some)).scalars().all():
        row = connection.execute(sa.select(tables).where(tables.c.id == id)).one()
        for column in COLUMNS:
            if (text := getattr(row, column)) is not None:
                yield id, column, text
