"""A person chooses a mark, which stands next to their name where they sit."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table in ("people", "seats"):
        op.add_column(table, sa.Column("mark", sa.Text(), nullable=False, server_default=""))
