"""People block others; groups have a link, people and a regular evening; tables are made for a group."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "blocks",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("blocked", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_blocks_person_people")),
        sa.ForeignKeyConstraint(["blocked"], ["people.id"], name=op.f("fk_blocks_blocked_people")),
        sa.PrimaryKeyConstraint("person", "blocked", name=op.f("pk_blocks")),
    )
    op.create_index("ix_blocks_blocked", "blocks", ["blocked"], unique=False)
    op.create_table(
        "groups",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("invite", sa.Text(), nullable=True),
        sa.Column("calendar", sa.Text(), nullable=False),
        sa.Column("evening", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("called", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_groups")),
    )
    op.create_table(
        "group_members",
        sa.Column("group_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("joined", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["group_id"], ["groups.id"], name=op.f("fk_group_members_group_id_groups")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_group_members_person_people")),
        sa.PrimaryKeyConstraint("group_id", "person", name=op.f("pk_group_members")),
    )
    op.create_index("ix_group_members_person", "group_members", ["person"], unique=False)
    # In one statement, which SQLite can do without making the table anew.
    op.execute(
        "ALTER TABLE tables ADD COLUMN group_id TEXT CONSTRAINT fk_tables_group_id_groups REFERENCES groups (id)"
    )
    op.create_index("ix_tables_group_id", "tables", ["group_id"], unique=False)
