"""What a line is reported for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("reports", sa.Column("about", sa.Text(), nullable=False, server_default=""))
