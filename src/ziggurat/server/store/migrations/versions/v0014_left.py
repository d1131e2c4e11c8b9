"""A move tells what its seat's clock said; a table who made it, and from where by a key that the database lacks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("changes", sa.Column("left", sa.Text()))
    op.add_column("tables", sa.Column("maker", sa.Text()))
    op.create_index("ix_tables_maker", "tables", ["maker"], unique=False)
    op.execute("UPDATE tables SET maker = host, origin = NULL")
