"""A table says who may join, watch and talk."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("policy", sa.Text(), nullable=False, server_default="{}"))
