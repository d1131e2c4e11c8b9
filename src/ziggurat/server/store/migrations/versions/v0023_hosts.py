"""Hosts of the service: who they are, what they did and said, whom they shut out; reports of names."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("people", sa.Column("barred", sa.Double()))
    op.add_column("people", sa.Column("bars_network", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("reports", sa.Column("name", sa.Text(), nullable=False, server_default=""))
    op.add_column("reports", sa.Column("looked", sa.Double()))
    op.add_column("reports", sa.Column("done", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "hosts",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("since", sa.Double(), nullable=False),
        sa.Column("named_by", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_hosts_person_people")),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_hosts")),
    )
    op.create_table(
        "host_log",
        sa.Column("number", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        sa.Column("host", sa.Text(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("table_id", sa.Text(), nullable=True),
        sa.Column("note", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_host_log")),
    )
    op.create_index("ix_host_log_person", "host_log", ["person"], unique=False)
    op.create_index("ix_host_log_host", "host_log", ["host"], unique=False)
    op.create_table(
        "host_words",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("phrase", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_host_words_person_people")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_host_words")),
    )
    op.create_index("ix_host_words_person", "host_words", ["person"], unique=False)
    op.create_table(
        "barred_networks",
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=True),
        sa.Column("created", sa.Double(), nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_barred_networks_person_people")),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_barred_networks")),
    )
    op.create_index("ix_barred_networks_person", "barred_networks", ["person"], unique=False)
    op.create_table(
        "house_state",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_house_state")),
    )
