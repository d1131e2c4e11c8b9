"""People play on the device of another."""

from __future__ import annotations

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("people", "seats"):
        # In one statement, which SQLite can do without making the table anew.
        key = f"CONSTRAINT fk_{name}_guardian_people REFERENCES people (id)"
        op.execute(f"ALTER TABLE {name} ADD COLUMN guardian TEXT {key}")
        op.create_index(f"ix_{name}_guardian", name, ["guardian"], unique=False)
