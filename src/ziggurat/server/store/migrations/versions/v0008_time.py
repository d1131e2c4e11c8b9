"""Tables have a clock, and ask their people something; some people give forced answers themselves."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name, kind in (("time", sa.Text()), ("vote", sa.Text()), ("tick", sa.Double())):
        op.add_column("tables", sa.Column(name, kind, nullable=True))
    op.create_index("ix_tables_tick", "tables", ["tick"], unique=False)
    for table in ("people", "seats"):
        op.add_column(table, sa.Column("by_hand", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "outages",
        sa.Column("begun", sa.Double(), nullable=False),
        sa.Column("ended", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("begun", name=op.f("pk_outages")),
    )
    op.execute("INSERT INTO chores (name, begun) VALUES ('clocks', 0)")
