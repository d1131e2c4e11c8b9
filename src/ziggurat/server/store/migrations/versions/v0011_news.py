"""People are told what happens at their tables."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def _needed(name: str, kind: type[sa.types.TypeEngine[Any]]) -> sa.Column[Any]:
    return sa.Column(name, kind(), nullable=False)


def upgrade() -> None:
    op.create_table(
        "ways",
        _needed("id", sa.Text),
        _needed("person", sa.Text),
        sa.Column("table_id", sa.Text(), nullable=True),
        _needed("kind", sa.Text),
        _needed("address", sa.Text),
        _needed("host", sa.Text),
        _needed("keys", sa.Text),
        _needed("name", sa.Text),
        sa.Column("device", sa.Text(), nullable=True),
        _needed("wants", sa.Text),
        _needed("base", sa.Text),
        _needed("confirmed", sa.Boolean),
        _needed("created", sa.Double),
        _needed("used", sa.Double),
        _needed("failed", sa.Integer),
        _needed("again", sa.Double),
        sa.Column("claim_by", sa.Text(), nullable=True),
        _needed("claim_until", sa.Double),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_ways")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_ways_person_people")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_ways_table_id_tables")),
    )
    for column in ("person", "table_id", "address"):
        op.create_index(f"ix_ways_{column}", "ways", [column], unique=False)
    op.create_table(
        "outbox",
        _needed("id", sa.Text),
        _needed("way", sa.Text),
        sa.Column("table_id", sa.Text(), nullable=True),
        _needed("seq", sa.Integer),
        _needed("kind", sa.Text),
        _needed("seats", sa.Text),
        _needed("at", sa.Double),
        _needed("due", sa.Double),
        sa.Column("batch", sa.Text(), nullable=True),
        _needed("begun", sa.Integer),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.ForeignKeyConstraint(["way"], ["ways.id"], name=op.f("fk_outbox_way_ways")),
    )
    for column in ("way", "due", "table_id"):
        op.create_index(f"ix_outbox_{column}", "outbox", [column], unique=False)
    op.create_table(
        "quiet",
        _needed("person", sa.Text),
        _needed("begin_minute", sa.Integer),
        _needed("end_minute", sa.Integer),
        _needed("zone", sa.Text),
        sa.PrimaryKeyConstraint("person", name=op.f("pk_quiet")),
        sa.ForeignKeyConstraint(["person"], ["people.id"], name=op.f("fk_quiet_person_people")),
    )
    op.create_table(
        "secrets",
        _needed("name", sa.Text),
        _needed("value", sa.Text),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
