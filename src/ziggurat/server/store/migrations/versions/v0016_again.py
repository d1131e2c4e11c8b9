"""Seats are kept for people who are asked; people resign; games follow each other in a series."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # In one statement, which SQLite can do without making the table anew.
    op.execute("ALTER TABLE seats ADD COLUMN kept TEXT CONSTRAINT fk_seats_kept_people REFERENCES people (id)")
    op.create_index("ix_seats_kept", "seats", ["kept"], unique=False)
    op.add_column("seats", sa.Column("resigned", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("seats", sa.Column("wins", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("tables", sa.Column("games", sa.Integer(), nullable=False, server_default="0"))
