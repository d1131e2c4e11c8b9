"""A move tells what its seat's clock said; from where tables were made is told by a key that the database lacks."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("changes", sa.Column("left", sa.Text()))
    op.execute("UPDATE tables SET origin = NULL")
