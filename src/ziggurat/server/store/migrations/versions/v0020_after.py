"""Tables that go on from a moment of a finished game, and links that show a finished game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("played_from", sa.Text()))
    op.create_table(
        "game_links",
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("secret", sa.Text(), nullable=False, unique=True),
    )
    op.create_table(
        "showings",
        sa.Column("table_id", sa.Text(), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.Text(), sa.ForeignKey("people.id"), primary_key=True),
        sa.Column("agree", sa.Boolean(), nullable=False),
        sa.Column("named", sa.Boolean(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("circle", sa.Text(), nullable=False),
    )
    op.create_index("ix_showings_person", "showings", ["person", "circle"])
