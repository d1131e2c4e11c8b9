"""People come back from other devices: by a link, a recovery code, a passkey."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("device", sa.Text(), nullable=False, server_default=""))
    _add(
        "devices",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("token_hash", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("seen", sa.Double(), nullable=False),
        sa.UniqueConstraint("token_hash", name=op.f("uq_devices_token_hash")),
    )
    _add(
        "passkeys",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("public_key", sa.LargeBinary(), nullable=False),
        sa.Column("signed", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("used", sa.Double(), nullable=False),
    )
    _add(
        "codes",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
    )
    _add(
        "tickets",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("until", sa.Double(), nullable=False),
    )


def _add(table: str, *columns: sa.Column[object] | sa.Constraint) -> None:
    """Make a table of what belongs to a person; its first column is the key."""
    key = columns[0]
    assert isinstance(key, sa.Column)
    op.create_table(
        table,
        *columns,
        sa.PrimaryKeyConstraint(key.name, name=op.f(f"pk_{table}")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f(f"fk_{table}_person_people")),
    )
    op.create_index(f"ix_{table}_person", table, ["person"], unique=False)
