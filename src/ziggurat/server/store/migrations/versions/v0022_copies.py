"""The database knows which installation it is, whether it is a restored copy, and when its copies were made last."""

from __future__ import annotations

import secrets
import time

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    made = op.create_table(
        "installation",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("quiet", sa.Boolean(), nullable=False),
        sa.Column("changed", sa.Double(), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("pulse", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_installation")),
    )
    begun = {"epoch": 1, "quiet": False, "changed": time.time(), "place": "", "pulse": ""}
    op.bulk_insert(made, [{"id": secrets.token_hex(16), **begun}])
    op.execute("INSERT INTO chores (name, begun) VALUES ('copies', 0)")
