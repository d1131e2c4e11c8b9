"""Answers that the rules forced are marked, so that taking back goes to the last decision."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("changes", sa.Column("forced", sa.Boolean(), nullable=False, server_default=sa.false()))
    # A worker looks at every game that is being played, and sees whether it has something to play there.
    tables = sa.table("tables", sa.column("status", sa.Text()), sa.column("bot_due", sa.Boolean()))
    op.execute(sa.update(tables).where(tables.c.status == "playing").values(bot_due=True))
