"""Who comes to the next evening of a group."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("group_members", sa.Column("evening", sa.Double()))
    op.add_column("group_members", sa.Column("comes", sa.Boolean()))
