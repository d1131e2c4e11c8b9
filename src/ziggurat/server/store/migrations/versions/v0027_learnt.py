"""Whether a move showed something is looked at when somebody wants to take it back."""

from __future__ import annotations

from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("changes", "quiet")
