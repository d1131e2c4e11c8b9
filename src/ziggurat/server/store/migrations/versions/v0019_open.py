"""Tables that anybody may join, bots that give their seats to people, and people who want to be told of tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("listed", sa.Boolean(), nullable=False, server_default=sa.false()))
    listed = sa.text("listed")
    op.create_index(
        "ix_tables_listed", "tables", ["listed"], unique=False, postgresql_where=listed, sqlite_where=listed
    )
    op.add_column("seats", sa.Column("yields", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.create_table(
        "wishes",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("games", sa.Text(), nullable=False),
        sa.Column("tempos", sa.Text(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.Column("told", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("person", "number", name=op.f("pk_wishes")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_wishes_person_people")),
    )
    op.create_table(
        "finds",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("table_id", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_finds")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_finds_person_people")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_finds_table_id_tables")),
    )
    op.create_index("ix_finds_table_id", "finds", ["table_id"], unique=False)
