"""Moves that people write ahead at tables by days."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "standing_orders",
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("orders", sa.Text(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("due", sa.Double(), nullable=True),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_standing_orders_person_people")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_standing_orders_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_standing_orders")),
    )
    op.create_index("ix_standing_orders_person", "standing_orders", ["person"])
    op.create_index("ix_standing_orders_due", "standing_orders", ["due"])
